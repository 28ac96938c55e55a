# Draws the study of dispatch by expected reply; style.gp says how. SPDX-License-Identifier: MIT

# Of batches that were not done with some seed, the makespan and its tail are not known.
is_known(i) = strcol("finished") eq '1' || (merit ne 'makespan_days' && merit ne 'tail_days')
is(i) = strcol("part") eq part && strcol("variant") eq word(variants, i) && is_known(i)
name(i) = word(variants, i)
source = results
set logscale x

array merits[7] = ['duplicates', 'window', 'span_hours', 'units_per_day', 'makespan_days', 'tail_days', 'useful']
array titles[7] = ['duplicates per unit', 'window, jobs', 'newest minus oldest in it, hours', 'units per day', \
    'makespan, days', 'of that, the last 5 %, days', 'useful part of the operations']
PANELS = "do for [panel in list] { merit = merits[int(panel)]; set ylabel titles[int(panel)]; set yrange [0:*]; \
    plot for [i = 1:words(variants)] @BAND, for [i = 1:words(variants)] @LINE }"

eval begin('dispatch_steady', 2, 2)
set multiplot layout 2,2
part = 'steady'
variants = "overdue-first"
set xlabel 'K\_wait, jobs without end'
set xrange [0.9:18]
set xtics (1, 1.5, 2, 3, 4, 6, 8, 12, 16)
list = "1 2 3 4"
@PANELS
unset multiplot

set key tmargin center vertical
variants = "overdue-first drain-then-dead drain-then-oldest"
eval begin('dispatch_batch', 2, 2)
set multiplot layout 2,2
part = 'batch'
set xlabel 'K\_wait (K\_wait\_dead is twice that)'
list = "1 5 6 7"
@PANELS
unset multiplot

eval begin('dispatch_dead', 2, 1)
set multiplot layout 1,2
part = 'dead'
set xlabel 'K\_wait\_dead / K\_wait, at K\_wait = 2'
set xrange [1.15:9]
set xtics (1.5, 2, 3, 4, 6, 8)
list = "1 5"
@PANELS
unset multiplot
unset output
