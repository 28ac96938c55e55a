# Draws the figures of the study, and the profiles beside each other. SPDX-License-Identifier: MIT
#
#     gnuplot -e "results = 'study.csv'; golden = 'golden.csv'; folder = '.'; format = 'svg'" figures.gp

set datafile separator comma
set datafile missing NaN

# A plot shows one merit, and one curve for each i: that of figure(i), policy(i) and x2(i), called name(i). Lines are
# what comes out here; rings are what came out of the study's program.
is(i) = strcol("figure") eq figure(i) && strcol("policy") eq policy(i) && strcol("x2") eq x2(i)
LINE = "results using 'x':(is(i) && column('runs') > 0 ? column(merit) : NaN) linetype i title name(i)"
DASH = "results using 'x':(is(i) && column('runs') > 0 ? column('idleness') : NaN) linetype i dashtype 3 notitle"
RING = "golden using 'x':(is(i) ? column(merit) : NaN) with points linetype i notitle"
EXPLAIN_RING = "NaN with points linetype 7 title 'the program'"
EXPLAIN_DASH = "NaN linetype 7 dashtype 3 title 'idleness'"

# Colours that colour-blind readers can tell apart.
array colours[7] = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#8a6d00', '#444444', '#444444']
do for [i = 1:7] {
    set linetype i linecolor rgb colours[i] linewidth 2 pointtype 6 pointsize 0.7
}

set border 3
set tics nomirror out
set format '%h'
set grid linecolor rgb '#dddddd' linetype 1 linewidth 1
set style data lines
set key tmargin center horizontal reverse Left samplen 2 spacing 1.2 width 1

# A picture with this many panels; the background is white, so that it can be read on a dark page too.
begin_svg(file, across, down) = sprintf("set terminal svg size %d,%d dynamic enhanced font 'sans-serif,13' \
    background rgb 'white'; set output '%s/%s.svg'", 380 * across, 310 * down, folder, file)
begin_png(file, across, down) = sprintf("set terminal pngcairo size %d,%d enhanced font 'sans-serif,13' fontscale 1.6 \
    linewidth 1.6 pointscale 1.6 background rgb 'white'; set output '%s/%s.png'", \
    760 * across, 620 * down, folder, file)

begin(file, across, down) = format eq 'svg' ? begin_svg(file, across, down) : begin_png(file, across, down)

# ---- 1: scheduling by job mix ----
eval begin('figure1', 2, 1)
figure(i) = '1'
policy(i) = sprintf('CS%d_WF2_WS2_JC2', i)
x2(i) = '5'
name(i) = i == 1 ? 'CS1: by turns' : 'CS2: deadlines first'
set multiplot layout 1,2
set xlabel 'number of projects'
set xrange [1:20]
merit = 'waste'
set ylabel merit
set yrange [0:0.3]
plot for [i = 1:2] @LINE, for [i = 1:2] @RING, @EXPLAIN_RING
merit = 'monotony'
set ylabel merit
set yrange [0:1]
plot for [i = 1:2] @LINE, for [i = 1:2] @RING, @EXPLAIN_RING
unset multiplot

# ---- 2: slack ----
eval begin('figure2', 1, 1)
figure(i) = '2'
policy(i) = 'CS2_WF2_WS2_JC2'
x2(i) = ''
name(i) = 'here'
set xlabel 'slack: latency bound / run time'
set logscale x
set xrange [1:60]
set xtics (1, 2, 3, 4, 5, 10, 20, 60)
merit = 'waste'
set ylabel merit
plot for [i = 1:1] @LINE, for [i = 1:1] @RING, @EXPLAIN_RING
set xtics auto
unset logscale x

# ---- 3: buffer and slack ----
eval begin('figure3', 1.4, 1)
figure(i) = '3'
x2(i) = sprintf('%d', i)
name(i) = sprintf('slack %d', i)
set xlabel 'whole buffer, hours'
set xrange [1:8.4]
set key outside right center vertical
merit = 'waste'
set ylabel merit
plot for [i = 1:5] @LINE, for [i = 1:5] @RING
set key tmargin center horizontal

# ---- 4: work fetch by job mix ----
eval begin('figure4', 2, 1)
figure(i) = '4'
policy(i) = sprintf('CS2_WF%d_WS2_JC2', i)
x2(i) = '5'
name(i) = sprintf('WF%d', i)
set multiplot layout 1,2
set xlabel 'number of projects'
set xrange [1:20]
merit = 'waste'
set ylabel merit
plot for [i = 1:2] @LINE, for [i = 1:2] @RING, @EXPLAIN_RING
merit = 'share_violation'
set ylabel 'share violation'
plot for [i = 1:2] @LINE, for [i = 1:2] @RING, @EXPLAIN_RING
unset multiplot

# ---- 5: sending ----
eval begin('figure5', 2, 1)
figure(i) = i == 3 ? '5now' : '5'
policy(i) = i == 1 ? 'CS2_WF2_WS1_JC2' : 'CS2_WF2_WS2_JC2'
x2(i) = ''
name(i) = i == 1 ? 'WS1' : i == 2 ? 'WS2' : 'WS2 from now'
set multiplot layout 1,2
set xlabel 'standard deviation of job sizes / mean'
set logscale x
set xrange [1:1000]
set yrange [0:1]
merit = 'waste'
set ylabel merit
plot for [i = 1:3] @LINE, for [i = 1:2] @RING, @EXPLAIN_RING
merit = 'idleness'
set ylabel merit
plot for [i = 1:3] @LINE, for [i = 1:2] @RING, @EXPLAIN_RING
unset multiplot
unset logscale x

# ---- 6: errors of estimates ----
eval begin('figure6', 2, 1)
figure(i) = '6'
policy(i) = sprintf('CS2_WF2_WS2_JC%d', i)
name(i) = i == 1 ? 'JC1: uncorrected' : 'JC2: corrected'
set multiplot layout 1,2
set xlabel 'actual / estimated run time'
merit = 'waste'
x2(i) = '8'
set xrange [1:8]
set ylabel 'waste at slack 8'
plot for [i = 1:2] @LINE, for [i = 1:2] @RING, @EXPLAIN_RING
x2(i) = '10'
set xrange [1:10]
set ylabel 'waste at slack 10'
plot for [i = 1:2] @LINE, for [i = 1:2] @RING, @EXPLAIN_RING
unset multiplot

# ---- Profiles ----
eval begin('profiles', 2, 2)
policy(i) = word('rpc2003 study2007 current', i)
name(i) = policy(i)
set multiplot layout 2,2
set ylabel merit
figure(i) = 'slack'
x2(i) = ''
set xlabel 'slack: latency bound / run time'
set logscale x
set xrange [1:60]
set xtics (1, 2, 3, 4, 5, 10, 20, 60)
plot for [i = 1:3] @LINE, for [i = 1:3] @DASH, @EXPLAIN_DASH
unset logscale x
set xtics auto
figure(i) = 'mix'
x2(i) = '5'
set xlabel 'number of projects'
set xrange [1:20]
set yrange [0:0.1]
plot for [i = 1:3] @LINE, for [i = 1:3] @DASH, @EXPLAIN_DASH
figure(i) = 'buffer'
set xlabel 'whole buffer, hours, at slack 5'
set xrange [1:48]
set yrange [0:1]
plot for [i = 1:3] @LINE, for [i = 1:3] @DASH, @EXPLAIN_DASH
figure(i) = 'error'
x2(i) = '10'
set xlabel 'actual / estimated run time, at slack 10'
set xrange [1:10]
plot for [i = 1:3] @LINE, for [i = 1:3] @DASH, @EXPLAIN_DASH
unset multiplot

# ---- Hysteresis of work fetch ----
eval begin('hysteresis', 2, 1)
figure(i) = 'calls'
policy(i) = word('current original', i)
x2(i) = ''
name(i) = i == 1 ? 'with hysteresis' : 'without'
set multiplot layout 1,2
set xlabel 'number of projects'
set xrange [1:20]
set yrange [0.01:10]
set logscale y
merit = 'rpcs_per_job'
set ylabel 'calls per job'
plot for [i = 1:2] @LINE
unset logscale y
set yrange [0:1]
merit = 'monotony'
set ylabel merit
plot for [i = 1:2] @LINE
unset multiplot

# ---- Accounting ----
eval begin('accounting', 1, 1)
figure(i) = 'accounting'
policy(i) = word('global local', i)
name(i) = policy(i)
best(x) = x > 2 ? x / (x + 2) - 0.5 : 0
set xlabel 'speed of the GPU / that of a CPU'
set xrange [0.5:16]
set yrange [0:0.5]
merit = 'share_violation'
set ylabel 'share violation'
plot for [i = 1:2] @LINE, best(x) linetype 7 dashtype 3 title 'the least possible'
unset output
