# What all pictures of the studies have in common. SPDX-License-Identifier: MIT
#
#     gnuplot -e "folder = '.'; format = 'svg'" style.gp FILE
#
# The format is svg, png or pdf.

set datafile separator comma
set datafile missing NaN

# A panel shows one merit of the rows of `source`, and one curve for each i, of the rows for which is(i), called
# name(i). A curve is a line with markers through the means, in a band: the confidence interval of the means, 95 %.
has_runs(i) = is(i) && column("runs") > 0
BAND = "source using 'x':(has_runs(i) ? column(merit) - column(merit . '_ci') : NaN):(column(merit) + \
    column(merit . '_ci')) with filledcurves linetype i fillstyle transparent solid 0.2 noborder notitle"
LINE = "source using 'x':(has_runs(i) ? column(merit) : NaN) with linespoints linetype i title name(i)"
EXPLAIN_BAND = "NaN with filledcurves linetype 7 fillstyle transparent solid 0.2 noborder title 'band: 95 %'"
ZERO = "0 with lines linecolor rgb '#444444' linewidth 1 dashtype 2 notitle"

# Colours that colour-blind readers can tell apart; lines and markers differ too, for prints without colours.
array colours[7] = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#8a6d00', '#444444', '#444444']
array dashes[7] = ['solid', '(12,4)', '(4,3)', '(12,3,3,3)', '(2,3)', 'solid', '(2,3)']
array filled[7] = [7, 5, 9, 13, 11, 7, 7]
array open[7] = [6, 4, 8, 12, 10, 6, 6]
do for [i = 1:7] {
    eval sprintf("set linetype %d linecolor rgb '%s' linewidth 1.6 dashtype %s pointtype %d pointsize 0.55", i, \
        colours[i], dashes[i], filled[i])
    set style line (10 + i) linecolor rgb colours[i] linewidth 1.1 dashtype solid pointtype open[i] pointsize 0.95
}

set border 3
set tics nomirror out
set format '%h'
set grid linecolor rgb '#dddddd' linetype 1 linewidth 1
set key tmargin center horizontal reverse Left samplen 3.5 spacing 1.2 width 1

# A picture with this many panels. The background is white, so that it can be read on a dark page too; a PDF has none.
begin_svg(file, across, down) = sprintf("set terminal svg size %d,%d dynamic enhanced font 'sans-serif,13' \
    background rgb 'white'; set output '%s/%s.svg'", 400 * across, 310 * down, folder, file)
begin_png(file, across, down) = sprintf("set terminal pngcairo size %d,%d enhanced font 'sans-serif,13' fontscale 1.6 \
    linewidth 1.6 pointscale 1.6 background rgb 'white'; set output '%s/%s.png'", \
    800 * across, 620 * down, folder, file)
begin_pdf(file, across, down) = sprintf("set terminal pdfcairo size %gcm,%gcm enhanced font 'sans-serif,9' \
    linewidth 1 pointscale 0.7; set output '%s/%s.pdf'", 9.0 * across, 7.0 * down, folder, file)
begin(file, across, down) = format eq 'svg' ? begin_svg(file, across, down) : \
    format eq 'png' ? begin_png(file, across, down) : begin_pdf(file, across, down)

