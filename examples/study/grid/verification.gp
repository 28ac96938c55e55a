# Draws the study of verification; style.gp says how. SPDX-License-Identifier: MIT

is(i) = strcol("part") eq part && strcol("variant") eq word(variants, i)
name(i) = word(variants, i)
source = results

# Closed forms, where there is one: dots without a line.
EXACT = "source using 'x':(is(i) ? column('exact') : NaN) with points linestyle 10 + i notitle"
EXPLAIN_EXACT = "NaN with points linestyle 17 title 'open: closed form'"

set xlabel 'share of saboteurs'
set xrange [-0.005:0.305]

# ---- Closed forms ----
eval begin('closed_forms', 2, 1.2)
set multiplot layout 1,2
part = 'closed forms'
merit = 'wrong_accepted'
set ylabel 'wrong results accepted'
set yrange [0:*]
variants = "'no check' '2 equal' '3 equal'"
plot for [i = 1:3] @BAND, for [i = 1:3] @LINE, for [i = 1:3] @EXACT, @EXPLAIN_EXACT
variants = "'recomputation 1.1' 'recomputation 1.5' 'spot checks 2 %'"
plot for [i = 1:3] @BAND, for [i = 1:3] @LINE, for [i = 1:3] @EXACT, @EXPLAIN_EXACT
unset multiplot

# ---- All methods: looking at results, and recomputation with a blacklist ----
array some[2] = ["'no check' '2 equal' 'adaptive' 'spot checks 10 %' 'credibility'", \
    "'recomputation 1.1' 'recomputation 1.5' 'recomputation 2' 'recomputation 3' 'inverse'"]
array parts[2] = ['always', 'one in ten']
array lies[2] = ['who always lie', 'who lie one time in ten']

eval begin('wrong_accepted', 2, 2.4)
set multiplot layout 2,2
merit = 'wrong_accepted'
do for [row = 1:2] {
    do for [column = 1:2] {
        part = parts[column]
        variants = some[row]
        set ylabel 'wrong results accepted'
        set xlabel 'share of saboteurs, ' . lies[column]
        set yrange [0:(column == 1 ? 0.35 : 0.035)]
        plot for [i = 1:words(variants)] @BAND, for [i = 1:words(variants)] @LINE
    }
}
unset multiplot

eval begin('verification_cost', 2, 2.4)
set multiplot layout 2,2
merit = 'operations'
do for [row = 1:2] {
    do for [column = 1:2] {
        part = parts[column]
        variants = some[row]
        set ylabel 'operations for each needed'
        set xlabel 'share of saboteurs, ' . lies[column]
        set yrange [0.9:4.2]
        plot for [i = 1:words(variants)] @BAND, for [i = 1:words(variants)] @LINE
    }
}
unset multiplot

# ---- The same, less two equal results of the same hosts, seed by seed ----
eval begin('verification_differences', 2, 2.4)
source = differences
merit = 'wrong_accepted'
set multiplot layout 2,2
array others[2] = ["'adaptive' 'spot checks 10 %' 'credibility' 'direct'", some[2]]
do for [row = 1:2] {
    do for [column = 1:2] {
        part = parts[column]
        variants = others[row]
        set ylabel 'wrong results, less 2 equal'
        set xlabel 'share of saboteurs, ' . lies[column]
        set yrange [*:*]
        plot 0 with lines linecolor rgb 'gray' notitle, for [i = 1:words(variants)] @BAND, \
            for [i = 1:words(variants)] @LINE
    }
}
unset multiplot
source = results

# ---- Wrong results against cost, where a tenth of the hosts are saboteurs ----
eval begin('verification_tradeoff', 2.4, 1.2)
set multiplot layout 1,2
variants = "'no check' 'direct' '2 equal' 'adaptive' 'spot checks 10 %' 'recomputation 1.1' 'recomputation 1.5' \
    'recomputation 2' 'recomputation 3' 'inverse' 'credibility'"
CROSS = "source using (is(i) && abs(column('x') - 0.1) < 1e-9 ? column('operations') : NaN):\
(column('wrong_accepted')):(column('operations_ci')):(column('wrong_accepted_ci')) with xyerrorbars \
    linecolor rgb colours[1 + (i - 1) % 5] linewidth 1.2 pointtype markers[i] pointsize 1 title name(i)"
array markers[12] = [7, 5, 9, 13, 11, 6, 4, 8, 12, 10, 14, 15]
set xtics 1
set xrange [0.9:4.2]
set key outside right center vertical
do for [column = 1:2] {
    part = parts[column]
    set ylabel 'wrong results accepted'
    set xlabel 'operations, with saboteurs ' . lies[column]
    set yrange [0:(column == 1 ? 0.12 : 0.013)]
    plot for [i = 1:words(variants)] @CROSS
}
unset multiplot
unset output
