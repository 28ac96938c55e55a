#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Builds and tests the library and its tool, or with `all` everything. See --help. The last line is
# "N passed, N failed", and the exit status says the same.

set -u

# The longest first.
ALL_CHECKS="release mutants sanitizers hygiene abi mcdc fuzz"
PARTS_OF_RELEASE="python lua js rust site project cluster study"
OTHER_CHECKS="quick proof foreign packages"

# Where a case takes several times as long as in the release build, only some of the random cases are tried.
ONE_CASE_IN=20

# How many faults to make, unless `mutants` is followed by another number.
MUTANTS=20

root=$(cd "$(dirname "$0")/.." && pwd) || exit 2
# One per user, so that a run with sudo is not in the way of a later one without.
build="$root/build/$(id -un)"

usage() {
    cat <<END
usage: sh tests/run.sh [--help] [--list] [check [number]...]

Installs what is missing (Debian, Ubuntu: with apt-get), then builds and runs the named checks; without names, quick.

  sh tests/run.sh             the library and its tool
  sh tests/run.sh all         everything that continuous integration runs
  sh tests/run.sh python lua  two parts

END
    describe_checks
    cat <<END

The last line is "N passed, N failed". The exit status is 0 if nothing failed. Builds are kept in build/.
END
}

describe_checks() {
    cat <<END
  quick        the tests of library and tool, and of the bindings where their languages are installed
  all          $ALL_CHECKS
  release      gcc, as it is shipped, warnings are errors: the tests of library, tool, bindings and examples. Its parts:
    python     the package for Python
    lua        the module for Lua 5.1 to 5.4 and LuaJIT
    js         the module for JavaScript, as WebAssembly, under Node
    rust       the crate for Rust, and its manual
    site       the manual as a site: links, spelling, and in a browser
    project    the server, the client and the status page of examples/project, with the deployed client, PostgreSQL and
               a browser
    cluster    sweeps with Slurm, MPI, Dask and GNU parallel
    study      the figures of the published study and of the studies of grids
  hygiene      the release build and the source tree: symbols, headers, installation, equal bytes from all compilers
  abi          programs, bindings and examples with the library of another release, in which every struct has grown;
               the test programs with the library as tcc compiles it
  sanitizers   clang with the address and undefined-behaviour sanitizers; one random case in $ONE_CASE_IN
  mcdc         clang 19, one random case in $ONE_CASE_IN: each condition of lib/ must have been true, been false and
               decided alone, but for those that tests/assurance/mcdc/ledger.txt proves cannot
  mutants [N]  $MUTANTS or N faults, one at a time, at places of lib/ that the commit draws: the C tests, the
               fingerprint of all decisions or the sanitizers must find 97 % but for those that
               tests/assurance/mutants/equivalent.txt proves nobody can see; of fewer than 100 faults 70 %, since
               chance has a say. What survives is printed
  fuzz [MINUTES]
               the fuzz targets with the address and undefined-behaviour sanitizers: what was found before, then new
               inputs, so many that it takes about a minute and drawn by the commit, or for that many minutes, drawn
               by the clock; the importer and the bindings likewise
  proof        Frama-C, Z3, intervals: all public functions, and the sorting and the trees below them, stay in their
               memory whatever they are given, and keep what they promise; over an hour of processor time, on request
               only
  foreign      the C tests on 32-bit x86, 64-bit ARM and big-endian s390x, emulated; the fingerprint of all decisions
               from other compilers, on other processors and systems; the Python package under PyPy, Python 3.9 and
               3.13; on request only: it installs cross compilers and, for the time of the tests, two small Debians
  packages     all that a release has, made and tried: the Debian packages built and installed in small Debians, with
               their tests, the wheel, the rock and the package for npm installed in others, with theirs, and under
               Wine the tool for Windows, which must print the same bytes, and what is compiled in the wheel for
               Windows; on request only
END
}

say() {
    printf '\n== %s\n' "$*"
}

# ---------------------------------------------------------------------------------------------------------------------
# What must be installed

# None of what these recommend, such as documentation, is needed: that is half of the packages.
QUICK_PACKAGES="gcc libc6-dev meson ninja-build pkg-config libcmocka-dev python3 python3-pytest"
PYTHON_PACKAGES="git python3-dev python3-cffi python3-numpy python3-hypothesis python3-matplotlib python3-mesonpy
    python3-build python3-wheel python3-venv python3-pip patchelf mypy python3-typeshed"
LUA_PACKAGES="lua5.1 lua5.2 lua5.3 lua5.4 luajit liblua5.1-0-dev liblua5.2-dev liblua5.3-dev liblua5.4-dev
    libluajit-5.1-dev luarocks"
JS_PACKAGES="clang lld wasi-libc libclang-rt-dev-wasm32 nodejs node-typescript esbuild"
RUST_PACKAGES="rustc"
SITE_PACKAGES="python3-sphinx python3-myst-parser python3-pygments tidy codespell"
COMMON_PACKAGES="$QUICK_PACKAGES git g++ $PYTHON_PACKAGES $LUA_PACKAGES $JS_PACKAGES $RUST_PACKAGES $SITE_PACKAGES
    gnuplot-nox zsh fish groff-base man-db mandoc libcurl4-openssl-dev libexpat1-dev libssl-dev"
# What the site is looked at with, and reports of the tool. Without it some tests are skipped.
BROWSER_PACKAGES="chromium chromium-driver python3-selenium"
# What the project is tested with. Without them some of its tests are skipped.
PROJECT_PACKAGES="boinc-client postgresql python3-psycopg2 $BROWSER_PACKAGES"
# What sweeps on a cluster are tested with: likewise.
CLUSTER_PACKAGES="slurmctld slurmd slurm-client openmpi-bin python3-mpi4py python3-distributed parallel"
FINGERPRINT_PACKAGES="musl-tools gcc-i686-linux-gnu libc6-dev-i386-cross"
FOREIGN_PACKAGES="$FINGERPRINT_PACKAGES gcc-aarch64-linux-gnu gcc-arm-linux-gnueabihf gcc-riscv64-linux-gnu
    gcc-s390x-linux-gnu libc6-dev-arm64-cross libc6-dev-armhf-cross libc6-dev-riscv64-cross libc6-dev-s390x-cross
    qemu-user clang clang-19 lld gcc-mingw-w64-x86-64 wine wine64 wasi-libc libclang-rt-dev-wasm32 nodejs
    pypy3 pypy3-dev python3-exceptiongroup debootstrap"
PACKAGING_PACKAGES="binutils debhelper dh-python dpkg-dev lintian debootstrap gcc-mingw-w64-x86-64 wine wine64"
# Node may come with it, and then could not go with Debian's.
command -v npm >/dev/null || PACKAGING_PACKAGES="$PACKAGING_PACKAGES npm"

packages_of() {
    case $1 in
    quick) echo "$QUICK_PACKAGES" ;;
    python) echo "$QUICK_PACKAGES $PYTHON_PACKAGES" ;;
    lua) echo "$QUICK_PACKAGES $LUA_PACKAGES" ;;
    js) echo "$QUICK_PACKAGES $JS_PACKAGES" ;;
    rust) echo "$QUICK_PACKAGES $RUST_PACKAGES" ;;
    release | site | project | cluster | study) echo "$COMMON_PACKAGES" ;;
    hygiene) echo "$COMMON_PACKAGES $FINGERPRINT_PACKAGES clang binutils tcc dpkg-dev" ;;
    abi) echo "$COMMON_PACKAGES abigail-tools binutils tcc" ;;
    sanitizers) echo "$COMMON_PACKAGES clang libclang-rt-dev llvm" ;;
    mcdc) echo "$COMMON_PACKAGES clang-19 libclang-rt-19-dev llvm-19" ;;
    mutants) echo "$COMMON_PACKAGES clang libclang-rt-dev llvm" ;;
    fuzz) echo "$COMMON_PACKAGES clang libclang-rt-dev llvm" ;;
    proof) echo "git gcc libc6-dev python3 python3-pycparser python3-mpmath frama-c-base why3 cvc4 z3" ;;
    foreign) echo "$COMMON_PACKAGES $FOREIGN_PACKAGES" ;;
    packages) echo "$COMMON_PACKAGES $PACKAGING_PACKAGES" ;;
    esac
}

missing_packages() {
    for package in $(for check in $1; do packages_of "$check"; done | tr ' ' '\n' | sort -u); do
        is_installed "$package" || printf '%s ' "$package"
    done
}

is_installed() {
    dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        "$@"
    else
        sudo "$@"
    fi
}

install_missing() {
    if ! command -v apt-get >/dev/null; then
        say "No apt-get here: gcc, clang, meson, ninja, pkg-config, cmocka and pytest must be installed"
        return 0
    fi
    case " $1 " in *" release "*) install_packages_with_services "$PROJECT_PACKAGES $CLUSTER_PACKAGES" ;; esac
    case " $1 " in *" project "*) install_packages_with_services "$PROJECT_PACKAGES" ;; esac
    case " $1 " in *" site "*) install_packages_with_services "$BROWSER_PACKAGES" ;; esac
    case " $1 " in *" cluster "*) install_packages_with_services "$CLUSTER_PACKAGES" ;; esac
    missing=$(missing_packages "$1")
    [ -n "$missing" ] || return 0
    say "Installing: $missing"
    install_packages "$missing" && return 0
    echo "cannot install what is missing; as root: apt-get install $missing" >&2
    return 1
}

package_lists=old

# The packages, as one argument.
install_packages() {
    if [ "$package_lists" = old ]; then
        as_root apt-get -q -o Acquire::Retries=3 update || return
        package_lists=new
    fi
    # shellcheck disable=SC2086
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o Acquire::Retries=3 -o DPkg::Lock::Timeout=600 \
        install --no-install-recommends $1
}

# These come with services, and the tests start instances of their own. So a policy says no while they are installed,
# unless this system has one already.
install_packages_with_services() {
    missing=$(for package in $1; do
        is_installed "$package" || printf '%s ' "$package"
    done)
    [ -n "$missing" ] || return 0
    say "Installing: $missing"
    policy=/usr/sbin/policy-rc.d
    if [ -e "$policy" ]; then
        policy=
    else
        printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null && as_root chmod 755 "$policy"
    fi
    install_packages "$missing" || say "Without $missing some tests are skipped"
    [ -z "$policy" ] || as_root rm -f "$policy"
}

# The interpreter that sees the distribution's packages, which another one first in PATH may not.
if [ -x /usr/bin/python3 ]; then
    python=/usr/bin/python3
else
    python=python3
fi

# ---------------------------------------------------------------------------------------------------------------------
# Building, testing, counting

passed=0
failed=0

count() {
    passed=$((passed + $1))
    failed=$((failed + $2))
    echo "$1 passed, $2 failed"
}

# configure NAME COMPILER OPTION...: a fresh build directory, compiled
configure() {
    directory=$build/$1
    compiler=$2
    shift 2
    rm -rf "$directory" &&
        CC=$compiler meson setup -Dtests=enabled -Dexamples=enabled "$@" "$directory" "$root" &&
        meson compile -C "$directory"
}

# Tests of servers and clients wait for them more than they compute. So more of them run than there are processors.
processors=$(nproc 2>/dev/null || echo 2)

# run_tests NAME OPTION...: runs meson's tests in that build and counts the tests inside them. Two checks may share a
# build, so each has a log of its own.
#
# The deployed client, browsers and the schedulers of clusters wait by clocks of their own, which may be too short
# beside many tests. So a test with one of these that failed runs once more, alone. It has failed if it fails again.
run_tests() {
    directory=$build/$1
    logs=$directory/meson-logs
    shift
    rm -f "$logs/$check.json" "$logs/$check-again.json"
    meson_test "$check" --num-processes $((processors + 2)) "$@"
    status=$?
    set -- "$logs/$check.json"
    foreign=$("$python" "$root/tests/tally.py" --foreign "$logs/$check.json")
    if [ -n "$foreign" ]; then
        # shellcheck disable=SC2086
        say "Once more, alone:" $foreign
        # shellcheck disable=SC2086
        meson_test "$check-again" --num-processes 1 $foreign && status=0
        set -- "$@" "$logs/$check-again.json"
    fi
    if ! counts=$("$python" "$root/tests/tally.py" "$@"); then
        counts="0 1"
    fi
    # shellcheck disable=SC2086
    set -- $counts
    if [ "$status" -ne 0 ] && [ "$2" -eq 0 ]; then
        echo "meson test ended with status $status, though no test failed" >&2
        set -- "$1" 1
    fi
    count "$1" "$2"
}

# meson_test LOG OPTION...
meson_test() {
    log=$1
    shift
    CMOCKA_MESSAGE_OUTPUT=xml PYTHONDONTWRITEBYTECODE=1 \
        meson test -C "$directory" --logbase "$log" --no-rebuild "$@"
}

build_failed() {
    echo "the build failed" >&2
    count 0 1
}

# What a newcomer wants to know: are library and tool right on this machine?
check_quick() {
    python_is_there=disabled
    "$python" -c 'import cffi, hypothesis, matplotlib, numpy' 2>/dev/null && python_is_there=auto
    configure quick "${CC:-cc}" -Dpython=$python_is_there || { build_failed; return; }
    tests="--suite concepts --suite decisions --suite schedule --suite tool"
    ls -d "$build"/quick/bindings/python/_binding.*.so >/dev/null 2>&1 && tests="$tests --suite python"
    ls -d "$build"/quick/bindings/lua/*/vcsched.so >/dev/null 2>&1 && tests="$tests --suite lua"
    ls "$build"/quick/bindings/js/vcsched.wasm >/dev/null 2>&1 && tests="$tests --suite js"
    ls "$build"/quick/bindings/rust/rust_unit >/dev/null 2>&1 && tests="$tests --suite rust"
    # shellcheck disable=SC2086
    run_tests quick $tests --no-suite rocks --no-suite wheel
    say "Left out here, each with what runs it"
    case $tests in *python*) ;; *) echo "the package for Python: sh tests/run.sh python" ;; esac
    case $tests in *lua*) ;; *) echo "the module for Lua: sh tests/run.sh lua" ;; esac
    case $tests in *js*) ;; *) echo "the module for JavaScript: sh tests/run.sh js" ;; esac
    case $tests in *rust*) ;; *) echo "the crate for Rust: sh tests/run.sh rust" ;; esac
    echo "server, client and status page of a project, with PostgreSQL and a browser: sh tests/run.sh project"
    echo "sweeps on clusters: sh tests/run.sh cluster"
    echo "the figures of the studies: sh tests/run.sh study"
    echo "all of these, and what assures the library (sanitizers, coverage, mutants, ...): sh tests/run.sh all"
}

# The build that most checks share, made by the one that comes first.
release_build=none

need_release_build() {
    if [ "$release_build" = none ]; then
        release_build=failed
        configure release gcc --werror -Dsite=auto && release_build=made
    fi
    [ "$release_build" = made ]
}

check_release() {
    need_release_build || { build_failed; return; }
    run_tests release --no-suite hygiene
}

check_part() {
    need_release_build || { build_failed; return; }
    run_tests release --suite "$1"
}

check_hygiene() {
    need_release_build || { build_failed; return; }
    run_tests release --suite hygiene
}

# The check itself prints "N passed, N failed" as its last line.
count_last_line() {
    counts=$(sed -n '$s/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p' "$1")
    # shellcheck disable=SC2086
    count ${counts:-0 1}
}

check_abi() {
    need_release_build || { build_failed; return; }
    "$python" "$root/tests/assurance/abi/mixed.py" "$root" "$build/release" "$build/abi" 2>&1 | tee "$build/abi.txt"
    count_last_line "$build/abi.txt"
}

sanitizer_build=none

need_sanitizer_build() {
    if [ "$sanitizer_build" = none ]; then
        sanitizer_build=failed
        build_with_sanitizers && sanitizer_build=made
    fi
    [ "$sanitizer_build" = made ]
}

build_with_sanitizers() {
    # A little optimised: clang takes 2.6 times as long to compile it as without, and the longest tests run seven times
    # as fast. A sanitizer tells in which line something is wrong, and needs to know nothing of variables.
    configure sanitizers clang --werror -Dchecked=true -Dbuildtype=debug -Doptimization=1 \
        -Db_sanitize=address,undefined -Db_lundef=false -Dc_args='-fno-sanitize-recover=all -gline-tables-only'
}

check_sanitizers() {
    need_sanitizer_build || { build_failed; return; }
    # cmocka catches SIGSEGV unless the sanitizer insists on being first. To look for pointers to what a function has
    # left behind would take more than twice as long; of these the warnings of both compilers know.
    VCS_ONE_CASE_IN=$ONE_CASE_IN \
        ASAN_OPTIONS=handle_segv=2:detect_stack_use_after_return=0 UBSAN_OPTIONS=print_stacktrace=1 \
        run_tests sanitizers --timeout-multiplier 3
}

check_mcdc() {
    # What the C tests of the library itself reach, without its bindings and the programs that use it. Other builds
    # look for warnings; this compiler would warn of nested decisions in tests, too, which are nobody's concern. An
    # invariant always holds, so no test could see both sides of one. Sweeps run in threads, so counts are atomic.
    directory=$build/mcdc
    coverage='-fprofile-instr-generate -fprofile-update=atomic -fcoverage-mapping -fcoverage-mcdc'
    export LLVM_PROFILE_FILE="$directory/profiles/%m.profraw"
    rm -rf "$directory" &&
        CC=clang-19 meson setup -Dtests=enabled -Dpython=disabled -Dlua=disabled -Djs=disabled -Drust=disabled \
            -Dexamples=disabled -Doptimization=0 -Ddebug=false -Db_lundef=false -Dc_link_args=-fprofile-instr-generate \
            -Dc_args="$coverage -DVCS_INVARIANT(condition)=((void)0)" "$directory" "$root" &&
        meson compile -C "$directory" || { build_failed; return; }
    VCS_ONE_CASE_IN=$ONE_CASE_IN run_tests mcdc --suite concepts --timeout-multiplier 3
    say "Conditions of lib/ that the tests have not seen decide"
    programs=$(find "$directory/tests" -maxdepth 1 -name 'test_*' -type f)
    # shellcheck disable=SC2046
    if llvm-profdata-19 merge -sparse "$directory"/profiles/*.profraw -o "$directory/profile" &&
        llvm-cov-19 export -instr-profile="$directory/profile" $(printf -- '-object %s ' $programs) \
            >"$directory/coverage.json" &&
        "$python" "$root/tests/assurance/mcdc/mcdc.py" "$root" "$directory/coverage.json" \
            "$root/tests/assurance/mcdc/ledger.txt"; then
        count 1 0
    else
        count 0 1
    fi
}

check_mutants() {
    need_release_build || { build_failed; return; }
    need_sanitizer_build || { build_failed; return; }
    seed=$(git -C "$root" rev-parse HEAD 2>/dev/null || echo none)
    "$python" "$root/tests/assurance/mutants/mutants.py" "$root" "$build/release" "$build/sanitizers" \
        "${mutants_number:-$MUTANTS}" "$seed" 2>&1 | tee "$build/mutants.txt"
    count_last_line "$build/mutants.txt"
}

check_fuzz() {
    # The importer gives its states to the tool, and the bindings are called as they are installed.
    need_release_build &&
        meson install -C "$build/release" --no-rebuild --quiet --tags python-runtime --destdir "$build/fuzz/package" ||
        { build_failed; return; }
    package=$(find "$build/fuzz/package" -path '*/vcsched/__init__.py')
    export PACKAGE="${package%/vcsched/__init__.py}" VCEMU="$build/release/examples/vcemu"
    export LUA_CPATH="$build/release/bindings/lua/5.4/?.so" LUA_PATH="$root/bindings/lua/?.lua;;"
    export LIBRARIES="$build/release/lib/libvcemu.a $build/release/lib/libvcsched.a"
    # libFuzzer takes a seed of 32 bits, of which 0 means any.
    seed=$(git -C "$root" rev-parse HEAD 2>/dev/null || echo 0)
    seed=$((0x$(printf %.7s "$seed") + 1))
    if [ -n "${fuzz_number:-}" ]; then
        run_script fuzz "$root/tests/assurance/fuzz/run.sh" "$build/fuzz" "$(date +%s)" $((fuzz_number * 60))
    else
        run_script fuzz "$root/tests/assurance/fuzz/run.sh" "$build/fuzz" "$seed"
    fi
    unset PACKAGE VCEMU LUA_CPATH LUA_PATH LIBRARIES
}

check_proof() {
    run_script proof "$root/tests/assurance/proof/run.sh"
}

check_foreign() {
    run_script foreign "$root/tests/assurance/foreign/run.sh" "$build/foreign"
}

check_packages() {
    need_release_build || { build_failed; return; }
    run_script packages "$root/tests/assurance/packages/run.sh" "$build/packages" "$build/release"
}

# Runs a script whose last line is "N passed, N failed".
run_script() {
    report=$build/$1.txt
    shift
    mkdir -p "$build"
    sh "$@" | tee "$report"
    count_last_line "$report"
}

run_check() {
    check_started=$(date +%s)
    case " $PARTS_OF_RELEASE " in
    *" $check "*) check_part "$check" ;;
    *) "check_$check" ;;
    esac
    echo "$check: $(($(date +%s) - check_started)) s"
}

# ---------------------------------------------------------------------------------------------------------------------
# Several checks: two at a time, since servers, clients and whatever has one thread leave processors idle

queue=$build/queue

# A lane runs what the other one has not begun, and shows what a check said when that has ended.
lane() {
    for check in $checks; do
        mkdir "$queue/$check" 2>/dev/null || continue
        passed=0
        failed=0
        say "$check has begun"
        run_check >"$queue/$check/said" 2>&1
        echo "$passed $failed" >"$queue/$check/counts"
        until mkdir "$queue/shows" 2>/dev/null; do
            sleep 1
        done
        say "$check"
        cat "$queue/$check/said"
        rmdir "$queue/shows"
    done
}

run_in_lanes() {
    rm -rf "$queue"
    mkdir -p "$queue" || return
    # What several need is there before they begin. If it cannot be built, each of them says so.
    for check in $checks; do
        case $check in quick | sanitizers | mcdc | proof | foreign) ;; *) need_release_build ;; esac
        case $check in sanitizers | mutants) need_sanitizer_build ;; esac
    done
    # Shells let their children ignore an interrupt.
    trap 'trap "" TERM; kill 0; exit 130' INT
    lane &
    lane &
    wait
    trap - INT
    for check in $checks; do
        read -r check_passed check_failed <"$queue/$check/counts" || check_passed=0 check_failed=1
        passed=$((passed + check_passed))
        failed=$((failed + check_failed))
    done
}

# ---------------------------------------------------------------------------------------------------------------------

checks=
for argument in "$@"; do
    case $argument in
    -h | --help)
        usage
        exit 0
        ;;
    --list)
        describe_checks
        exit 0
        ;;
    [0-9] | [0-9][0-9] | [0-9][0-9][0-9] | [0-9][0-9][0-9][0-9])
        case ${checks##* } in
        fuzz) fuzz_number=$argument ;;
        mutants) mutants_number=$argument ;;
        *)
            usage >&2
            exit 2
            ;;
        esac
        ;;
    all) checks="$checks $ALL_CHECKS" ;;
    *)
        case " $ALL_CHECKS $PARTS_OF_RELEASE $OTHER_CHECKS " in
        *" $argument "*) checks="$checks $argument" ;;
        *)
            usage >&2
            exit 2
            ;;
        esac
        ;;
    esac
done
: "${checks:=quick}"

started=$(date +%s)
if install_missing "$checks"; then
    # shellcheck disable=SC2086
    set -- $checks
    if [ $# -eq 1 ]; then
        check=$1
        say "$check"
        run_check
    else
        run_in_lanes
    fi
else
    failed=1
fi
say "All checks, in $(($(date +%s) - started)) s"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
