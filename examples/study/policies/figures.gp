# Draws how policies fare over the hosts of a population; ../style.gp says how. SPDX-License-Identifier: MIT
#
#     gnuplot -e "quantiles = 'quantiles.csv'; population = 'plain'; policies = 'current R1'; folder = '.'; \
#         format = 'svg'" ../style.gp figures.gp
#
# A curve shows for how many hosts a figure is at most so much. Names of policies have no blanks here.

is(i) = strcol("population") eq population && strcol("policy") eq word(policies, i)
CURVE = "quantiles using (is(i) ? column('percent') : NaN):(column(merit)) with lines linetype i linewidth 2 \
    title word(policies, i)"

set xlabel 'percent of the hosts have at most this'
set xrange [0:100]
array merits[4] = ['lost', 'share violation', 'idle', 'size']
array labels[4] = ['lost', 'share violation', 'idle', 'size: of jobs done / received']

eval begin(population, 2, 2)
set multiplot layout 2,2
do for [panel = 1:4] {
    merit = merits[panel]
    set ylabel labels[panel]
    set yrange [0:1]
    if (merit eq 'size') { set yrange [0.7:1.1] }
    plot for [i = 1:words(policies)] @CURVE
}
unset multiplot
unset output
