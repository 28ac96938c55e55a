# Draws the study of policies over a population; style.gp says how. SPDX-License-Identifier: MIT

is(i) = strcol("part") eq part && strcol("variant") eq word(variants, i)
name(i) = word(variants, i)
source = results

set xlabel 'percent of the hosts have less'
set xrange [0:100]
array parts[6] = ['scheduling', 'little slack', 'fetch', 'send', 'completion', 'profile']
array titles[6] = ['scheduling, slack 8', 'scheduling, slack 5', 'fetch, slack 8', 'sending', 'completion times', \
    'profiles, slack 8']
array both[6] = ["CS1 CS2", "CS1 CS2", "WF1 WF2", "WS1 WS2", "JC1 JC2", "current study2007 rpc2003"]

eval begin('policies', 2, 4)
set multiplot layout 4,2
do for [panel = 1:6] {
    part = parts[panel]
    variants = both[panel]
    merit = 'waste'
    set ylabel 'waste: ' . titles[panel]
    set yrange [0:1]
    plot for [i = 1:words(variants)] @BAND, for [i = 1:words(variants)] @LINE
}
do for [panel in "3 4"] {
    part = parts[int(panel)]
    variants = both[int(panel)]
    merit = panel eq "3" ? 'share_violation' : 'idleness'
    set ylabel panel eq "3" ? 'share violation: fetch' : 'idleness: sending'
    set yrange [0:0.5]
    plot for [i = 1:words(variants)] @BAND, for [i = 1:words(variants)] @LINE
}
unset multiplot
unset output
