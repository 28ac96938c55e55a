# Draws the study of quorum and delay bound; style.gp says how. SPDX-License-Identifier: MIT

variants = "'1 of 1' '2 of 2' '2 of 3' '3 of 3'"
is(i) = strcol("variant") eq word(variants, i)
name(i) = word(variants, i)
source = results

eval begin('quorum', 2, 2)
set multiplot layout 2,2
set xlabel 'delay bound, days'
set logscale x
set xrange [0.45:15.5]
set xtics (0.5, 1, 2, 3, 5, 7, 10, 14)
set yrange [0:*]
merit = 'median_hours'
set ylabel 'turnaround, median, hours'
plot for [i = 1:4] @BAND, for [i = 1:4] @LINE
merit = 'p95_hours'
set ylabel 'turnaround, 95 %, hours'
plot for [i = 1:4] @BAND, for [i = 1:4] @LINE
merit = 'copies_per_unit'
set ylabel 'copies per unit'
plot for [i = 1:4] @BAND, for [i = 1:4] @LINE
merit = 'units_per_day'
set ylabel 'units per day'
plot for [i = 1:4] @BAND, for [i = 1:4] @LINE
unset multiplot
unset output
