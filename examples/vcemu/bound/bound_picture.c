/* The curves of the least losses as a picture. SPDX-License-Identifier: MIT */
#include "bound/bound.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* The picture and the plot in it, in pixels. */
#define WIDTH 640.0
#define HEIGHT 400.0
#define LEFT 64.0
#define RIGHT 24.0
#define TOP 24.0
#define BOTTOM 48.0

#define MOST_TICKS 12

/* What the axes reach. */
struct scales {
    double violation, loss, violation_step, loss_step;
};

/* Colours that colour-blind readers can tell apart, and dashes for black and white. */
static const struct stroke {
    const char *colour, *dashes, *label;
} strokes[VCS_BOUND_KINDS] = {
    [VCS_BOUND_OPTIMAL] = {"#0072b2", "none", "optimal"},
    [VCS_BOUND_HOPELESS] = {"#d55e00", "8 3", "hopeless"},
    [VCS_BOUND_ANY_SIZE] = {"#009e73", "2 3", "any size"},
    [VCS_BOUND_BLIND_OPTIMAL] = {"#cc79a7", "10 3 2 3", "blind: optimal"},
    [VCS_BOUND_BLIND_HOPELESS] = {"#555555", "5 5", "blind: hopeless"},
};

/* 1, 2 or 5 times a power of ten, so that at most five steps are needed. */
static double step_of(double reach) {
    double power = pow(10, floor(log10(reach / 5)));
    const double parts = reach / 5 / power;
    return power * (parts <= 1 ? 1 : parts <= 2 ? 2 : parts <= 5 ? 5 : 10);
}

static struct scales scales_of(const struct bound_answer *answer) {
    struct scales scales = {.violation = 0, .loss = 0};
    for (uint32_t kind = 0; kind < VCS_BOUND_KINDS; kind++) {
        for (uint32_t i = 0; i < answer->corners[kind]; i++) {
            const vcs_bound_point *point = &answer->points[kind][i];
            scales.violation = fmax(scales.violation, point->share_violation);
            scales.loss = fmax(scales.loss, point->loss);
        }
    }
    scales.violation = scales.violation > 1e-6 ? scales.violation : 1;
    scales.loss = scales.loss > 1e-6 ? scales.loss : 1;
    scales.violation_step = step_of(scales.violation);
    scales.loss_step = step_of(scales.loss);
    scales.loss = ceil(scales.loss / scales.loss_step - 1e-9) * scales.loss_step;
    scales.violation = ceil(scales.violation / scales.violation_step - 1e-9) * scales.violation_step;
    return scales;
}

static double x_of(const struct scales *scales, double violation) {
    return LEFT + violation / scales->violation * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct scales *scales, double loss) {
    return HEIGHT - BOTTOM - loss / scales->loss * (HEIGHT - TOP - BOTTOM);
}

static void draw_axes(const struct scales *scales, FILE *out) {
    for (int i = 0; i < MOST_TICKS && i * scales->loss_step <= scales->loss * (1 + 1e-9); i++) {
        const double y = y_of(scales, i * scales->loss_step);
        fprintf(out, "<path class=\"line\" d=\"M%.1f %.1fH%.1f\"/>\n", LEFT, y, WIDTH - RIGHT);
        fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\">%.6g</text>\n", LEFT - 8, y + 4,
                i * scales->loss_step);
    }
    for (int i = 0; i < MOST_TICKS && i * scales->violation_step <= scales->violation * (1 + 1e-9); i++) {
        const double x = x_of(scales, i * scales->violation_step);
        fprintf(out, "<path class=\"line\" d=\"M%.1f %.1fV%.1f\"/>\n", x, HEIGHT - BOTTOM, HEIGHT - BOTTOM + 5);
        fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">%.6g</text>\n", x, HEIGHT - BOTTOM + 18,
                i * scales->violation_step);
    }
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">share violation</text>\n",
            (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10);
    fprintf(out, "<text transform=\"translate(14 %.1f) rotate(-90)\" text-anchor=\"middle\">lost at least</text>\n",
            (TOP + HEIGHT - BOTTOM) / 2);
}

/* From its last corner on a curve is flat: who violates shares by more loses no less. */
static void draw_curve(const struct bound_answer *answer, uint32_t kind, const struct scales *scales, FILE *out) {
    fprintf(out, "<path id=\"%s\" class=\"curve\" stroke=\"%s\" stroke-dasharray=\"%s\" d=\"", vcs_bound_name(kind),
            strokes[kind].colour, strokes[kind].dashes);
    for (uint32_t i = 0; i < answer->corners[kind]; i++) {
        const vcs_bound_point *point = &answer->points[kind][i];
        fprintf(out, "%s%.2f %.2f", i == 0 ? "M" : "L", x_of(scales, point->share_violation),
                y_of(scales, point->loss));
    }
    fprintf(out, "H%.2f\"/>\n", x_of(scales, scales->violation));
}

static void draw_legend(FILE *out) {
    for (uint32_t kind = 0; kind < VCS_BOUND_KINDS; kind++) {
        const double y = TOP + 12 + 18 * kind, x = WIDTH - RIGHT - 150;
        fprintf(out, "<path class=\"curve\" stroke=\"%s\" stroke-dasharray=\"%s\" d=\"M%.1f %.1fh32\"/>\n",
                strokes[kind].colour, strokes[kind].dashes, x, y);
        fprintf(out, "<text x=\"%.1f\" y=\"%.1f\">%s</text>\n", x + 40, y + 4, strokes[kind].label);
    }
}

static void draw(const struct bound_answer *answer, FILE *out) {
    const struct scales scales = scales_of(answer);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\">\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    fputs("<title>What is lost at least at each share violation</title>\n"
          "<style>\n"
          "text { font: 12px sans-serif; fill: #333333; }\n"
          ".line { fill: none; stroke: #dddddd; }\n"
          ".curve { fill: none; stroke-width: 2; }\n"
          "</style>\n"
          "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
          out);
    draw_axes(&scales, out);
    for (uint32_t kind = 0; kind < VCS_BOUND_KINDS; kind++) {
        draw_curve(answer, kind, &scales, out);
    }
    draw_legend(out);
    fputs("</svg>\n", out);
}

bool bound_draw(const struct bound_answer *answer, const char *path, struct fault *fault) {
    if (answer->corners[VCS_BOUND_OPTIMAL] == 0) {
        return vcs_scn_fault_set(fault,
                                 "%s: there is no curve to draw: not all projects have a bound on the same "
                                 "resource",
                                 answer->file->document.file);
    }
    FILE *out = fopen(path, "wb");
    if (out == NULL) {
        return vcs_scn_fault_set(fault, "%s: cannot be written: %s", vcs_scn_fault_quote(path).text, strerror(errno));
    }
    draw(answer, out);
    const bool written = fflush(out) == 0 && ferror(out) == 0;
    const int problem = errno;
    return (fclose(out) == 0 && written) ||
           vcs_scn_fault_set(fault, "%s: cannot be written: %s", vcs_scn_fault_quote(path).text, strerror(problem));
}
