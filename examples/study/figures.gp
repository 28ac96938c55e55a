# Draws the figures of the study, and the profiles beside each other. SPDX-License-Identifier: MIT
#
#     gnuplot -e "results = 'study.csv'; differences = 'differences.csv'; golden = 'golden.csv'; folder = '.'; \
#         format = 'svg'" style.gp figures.gp
#
# The format is svg, png or pdf.

# Curve i of a panel shows figure(i), policy(i) and x2(i). Open markers are results of the study's program, with its
# confidence interval where it is known. A paired difference compares two policies with the same seeds.
is(i) = strcol("figure") eq figure(i) && strcol("policy") eq policy(i) && strcol("x2") eq x2(i)
RING = "golden using 'x':(is(i) ? column(merit) : NaN) with points linestyle 10 + i notitle"
RING_BAR = "golden using 'x':(is(i) ? column(merit) : NaN):(column(merit . '_ci')) with yerrorbars \
    linestyle 10 + i notitle"
EXPLAIN_RING = "NaN with points linestyle 17 title 'open: the program'"

# ---- 1: scheduling by job mix ----
eval begin('figure1', 2, 2)
figure(i) = '1'
policy(i) = sprintf('CS%d_WF2_WS2_JC2', i)
x2(i) = '5'
set multiplot layout 2,2
set xlabel 'number of projects'
set xrange [0.5:20.5]
source = results
name(i) = i == 1 ? 'CS1: by turns' : 'CS2: deadlines first'
merit = 'waste'
set ylabel merit
set yrange [0:0.2]
plot for [i = 1:2] @BAND, for [i = 1:2] @LINE, for [i = 1:2] @RING_BAR, @EXPLAIN_RING
merit = 'monotony'
set ylabel merit
set yrange [0:1]
plot for [i = 1:2] @BAND, for [i = 1:2] @LINE, for [i = 1:2] @RING, @EXPLAIN_RING
source = differences
name(i) = 'CS2 - CS1'
set yrange [*:*]
merit = 'waste'
set ylabel 'paired difference of waste'
plot @ZERO, for [i = 2:2] @BAND, for [i = 2:2] @LINE
merit = 'monotony'
set ylabel 'paired difference of monotony'
plot @ZERO, for [i = 2:2] @BAND, for [i = 2:2] @LINE
unset multiplot

# ---- 2: slack ----
eval begin('figure2', 1.3, 1)
figure(i) = '2'
policy(i) = 'CS2_WF2_WS2_JC2'
x2(i) = ''
name(i) = 'here'
source = results
set xlabel 'slack: latency bound / run time'
set logscale x
set xrange [0.95:65]
set yrange [0:1.03]
set xtics (1, 1.5, 2, 3, 4, 5, 10, 20, 60)
merit = 'waste'
set ylabel merit
plot for [i = 1:1] @BAND, for [i = 1:1] @LINE, for [i = 1:1] @RING_BAR, @EXPLAIN_RING, @EXPLAIN_BAND
set xtics auto
unset logscale x

# ---- 3: buffer and slack ----
eval begin('figure3', 1.6, 1.1)
figure(i) = '3'
x2(i) = sprintf('%d', i)
name(i) = sprintf('slack %d', i)
set xlabel 'whole buffer, hours'
set xrange [0.8:8.6]
set key outside right center vertical
merit = 'waste'
set ylabel merit
plot for [i = 1:5] @BAND, for [i = 1:5] @LINE, for [i = 1:5] @RING_BAR, @EXPLAIN_RING, @EXPLAIN_BAND
set key tmargin center horizontal

# ---- 4: work fetch by job mix ----
eval begin('figure4', 2, 2)
figure(i) = '4'
policy(i) = sprintf('CS2_WF%d_WS2_JC2', i)
x2(i) = '5'
set multiplot layout 2,2
set xlabel 'number of projects'
set xrange [0.5:20.5]
source = results
name(i) = sprintf('WF%d', i)
merit = 'waste'
set ylabel merit
set yrange [0:1]
plot for [i = 1:2] @BAND, for [i = 1:2] @LINE, for [i = 1:2] @RING_BAR, @EXPLAIN_RING
merit = 'share_violation'
set ylabel 'share violation'
set yrange [0:0.5]
plot for [i = 1:2] @BAND, for [i = 1:2] @LINE, for [i = 1:2] @RING, @EXPLAIN_RING
source = differences
name(i) = 'WF2 - WF1'
set yrange [*:*]
merit = 'waste'
set ylabel 'paired difference of waste'
plot @ZERO, for [i = 2:2] @BAND, for [i = 2:2] @LINE
merit = 'share_violation'
set ylabel 'paired difference of share violation'
plot @ZERO, for [i = 2:2] @BAND, for [i = 2:2] @LINE
unset multiplot

# ---- 5: sending ----
eval begin('figure5', 2, 2)
figure(i) = i == 3 ? '5now' : '5'
policy(i) = i == 1 ? 'CS2_WF2_WS1_JC2' : 'CS2_WF2_WS2_JC2'
x2(i) = ''
set multiplot layout 2,2
set xlabel 'standard deviation of job sizes / mean'
set logscale x
set xrange [0.9:1100]
set yrange [0:1.03]
source = results
name(i) = i == 1 ? 'WS1' : i == 2 ? 'WS2' : 'WS2 from now'
merit = 'waste'
set ylabel merit
plot for [i = 1:3] @BAND, for [i = 1:3] @LINE, for [i = 1:2] @RING_BAR, @EXPLAIN_RING
merit = 'idleness'
set ylabel merit
plot for [i = 1:3] @BAND, for [i = 1:3] @LINE, for [i = 1:2] @RING_BAR, @EXPLAIN_RING
source = differences
name(i) = i == 2 ? 'WS2 - WS1' : 'WS2 from now - WS1'
set yrange [-1.03:1.03]
merit = 'waste'
set ylabel 'paired difference of waste'
plot @ZERO, for [i = 2:3] @BAND, for [i = 2:3] @LINE
merit = 'idleness'
set ylabel 'paired difference of idleness'
plot @ZERO, for [i = 2:3] @BAND, for [i = 2:3] @LINE
unset multiplot
unset logscale x

# ---- 6: errors of estimates ----
eval begin('figure6', 2, 2)
figure(i) = '6'
policy(i) = sprintf('CS2_WF2_WS2_JC%d', i)
set multiplot layout 2,2
set xlabel 'actual / estimated run time'
merit = 'waste'
source = results
name(i) = i == 1 ? 'JC1: uncorrected' : 'JC2: corrected'
set yrange [0:1.03]
x2(i) = '8'
set xrange [0.8:8.2]
set ylabel 'waste at slack 8'
plot for [i = 1:2] @BAND, for [i = 1:2] @LINE, for [i = 1:2] @RING_BAR, @EXPLAIN_RING
x2(i) = '10'
set xrange [0.8:10.2]
set ylabel 'waste at slack 10'
plot for [i = 1:2] @BAND, for [i = 1:2] @LINE, for [i = 1:2] @RING_BAR, @EXPLAIN_RING
source = differences
name(i) = 'JC2 - JC1'
set yrange [-1.03:0.2]
x2(i) = '8'
set xrange [0.8:8.2]
set ylabel 'paired difference of waste at slack 8'
plot @ZERO, for [i = 2:2] @BAND, for [i = 2:2] @LINE
x2(i) = '10'
set xrange [0.8:10.2]
set ylabel 'paired difference of waste at slack 10'
plot @ZERO, for [i = 2:2] @BAND, for [i = 2:2] @LINE
unset multiplot

# ---- Profiles ----
# A row for each axis: two merits, and what the others have more of the first than `current`.
eval begin('profiles', 3, 4)
tidy(merit) = merit eq 'share_violation' ? 'share violation' : merit
array axes[4] = ['slack: latency bound / run time', 'number of projects', 'whole buffer, hours, at slack 5', \
    'actual / estimated run time, at slack 10']
array lowest[4] = [0.95, 0.5, 0, 0.8]
array highest[4] = [65, 20.5, 49, 10.2]
array most_waste[4] = [1.03, 0.1, 1.03, 1.03]
array most_second[4] = [1.03, 0.08, 1.03, 1.03]
policy(i) = word('rpc2003 study2007 current', i)
set multiplot layout 4,3
do for [row = 1:4] {
    figure(i) = word('slack mix buffer error', row)
    x2(i) = row == 1 ? '' : row == 4 ? '10' : '5'
    second = word('idleness share_violation idleness idleness', row)
    set xlabel axes[row]
    set xrange [lowest[row]:highest[row]]
    if (row == 1) {
        set logscale x
        set xtics (1, 1.5, 2, 3, 4, 5, 10, 20, 60)
    } else {
        unset logscale x
        set xtics auto
    }
    source = results
    name(i) = policy(i)
    merit = 'waste'
    set ylabel merit
    set yrange [0:most_waste[row]]
    plot for [i = 1:3] @BAND, for [i = 1:3] @LINE
    merit = second
    set ylabel tidy(merit)
    set yrange [0:most_second[row]]
    plot for [i = 1:3] @BAND, for [i = 1:3] @LINE
    source = differences
    name(i) = policy(i) . ' - current'
    merit = 'waste'
    set ylabel 'paired difference of waste'
    set yrange [*:*]
    plot @ZERO, for [i = 1:2] @BAND, for [i = 1:2] @LINE
}
unset multiplot

# ---- Hysteresis of work fetch ----
eval begin('hysteresis', 2, 2)
figure(i) = 'calls'
policy(i) = word('current original', i)
x2(i) = ''
set multiplot layout 2,2
set xlabel 'number of projects'
set xrange [0.5:20.5]
source = results
name(i) = i == 1 ? 'with hysteresis' : 'without'
set yrange [0.01:2]
set logscale y
merit = 'rpcs_per_job'
set ylabel 'calls per job'
plot for [i = 1:2] @BAND, for [i = 1:2] @LINE
unset logscale y
set yrange [0:1]
merit = 'monotony'
set ylabel merit
plot for [i = 1:2] @BAND, for [i = 1:2] @LINE
source = differences
name(i) = 'without - with hysteresis'
set yrange [0:1.1]
merit = 'rpcs_per_job'
set ylabel 'paired difference of calls per job'
plot @ZERO, for [i = 2:2] @BAND, for [i = 2:2] @LINE
set yrange [-1:0.1]
merit = 'monotony'
set ylabel 'paired difference of monotony'
plot @ZERO, for [i = 2:2] @BAND, for [i = 2:2] @LINE
unset multiplot

# ---- Accounting ----
eval begin('accounting', 2, 1)
figure(i) = 'accounting'
policy(i) = word('global local', i)
best(x) = x > 2 ? x / (x + 2) - 0.5 : 0
set multiplot layout 1,2
set xlabel 'speed of the GPU / that of a CPU'
set xrange [0:16.5]
source = results
name(i) = policy(i)
set yrange [0:0.5]
merit = 'share_violation'
set ylabel 'share violation'
plot for [i = 1:2] @BAND, for [i = 1:2] @LINE, best(x) linetype 7 title 'the least possible'
source = differences
name(i) = 'local - global'
set ylabel 'paired difference of share violation'
plot @ZERO, for [i = 2:2] @BAND, for [i = 2:2] @LINE
unset multiplot
unset output
