; What lib/vcsched/core/number.h promises of doubles, for doubles.py. The sentences begin with the name of the function.

; vcs_is_finite: tells NaN and infinities from all others
(declare-const x Float64)
(promise (= (vcs_is_finite x) (ite (or (fp.isNaN x) (fp.isInfinite x)) (_ bv0 32) (_ bv1 32))))

; vcs_order_key: orders as the doubles do, and makes one of both zeros
(declare-const x Float64)
(declare-const y Float64)
(assert (not (or (fp.isNaN x) (fp.isNaN y))))
(promise (and (= (fp.lt x y) (bvult (vcs_order_key x) (vcs_order_key y)))
              (= (fp.eq x y) (= (vcs_order_key x) (vcs_order_key y)))))

; vcs_round_half_up: is the greatest integer that is not above x + 1/2, for each x of less than 2^62
(declare-const x Float64)
(assert (fp.lt (fp.abs x) ((_ to_fp 11 53) RNE 4611686018427387904.0)))
(promise (= (vcs_round_half_up x) ((_ fp.to_sbv 64) RTN (fp.add RNE x ((_ to_fp 11 53) RNE 0.5)))))

; vcs_micros: is the greatest integer that is not above the microseconds and 1/2, up to 2^60 and down to -2^60
(declare-const s Float64)
(define-fun micros () Float64 (fp.mul RNE s ((_ to_fp 11 53) RNE 1000000.0)))
(define-fun most () Float64 ((_ to_fp 11 53) RNE 1152921504606846976.0))
(assert (not (fp.isNaN s)))
(promise (= (vcs_micros s)
            (ite (fp.geq micros most) #x1000000000000000
            (ite (fp.leq micros (fp.neg most)) (bvneg #x1000000000000000)
                 ((_ fp.to_sbv 64) RTN (fp.add RNE micros ((_ to_fp 11 53) RNE 0.5)))))))

; vcs_micros: is never beyond 2^60, not even of NaN
(declare-const s Float64)
(promise (and (bvsle (vcs_micros s) #x1000000000000000) (bvsge (vcs_micros s) (bvneg #x1000000000000000))))

; vcs_units: finds again what vcs_instances() was given, up to 2^52
(declare-const u (_ BitVec 64))
(assert (bvult u #x0010000000000000))
(promise (= (vcs_units (vcs_instances u)) u))

; vcs_units: grows with the instances, up to 2^32 of them
(declare-const x Float64)
(declare-const y Float64)
(assert (and (fp.leq ((_ to_fp 11 53) RNE 0.0) x) (fp.leq x y) (fp.leq y ((_ to_fp 11 53) RNE 4294967296.0))))
(promise (bvsle (vcs_units x) (vcs_units y)))
