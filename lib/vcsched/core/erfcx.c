/* SPDX-License-Identifier: MIT */
#include "vcsched/core/erfcx.h"

#include "vcsched/core/number.h"

/* The coefficients of Chebyshev's polynomials of s = (3 - x) / (3 + x) in (1 + x / 3) * erfcx(x). */
static const double coefficients[] = {
    0x1.e2741dd938093p-2,   0x1.8235f4a946a3dp-2,  0x1.e379c076813ffp-4,   0x1.d0b04de0d50fap-6,
    0x1.3f46883e31fa9p-8,   0x1.e230af787e3cdp-12, -0x1.678a1ab19c720p-16, -0x1.b4b17a52ca726p-17,
    -0x1.d8f1df243a5fap-21, 0x1.26e6ab303f6f1p-22, 0x1.7b54b056fb1e2p-25,  -0x1.b7b1fd9efca0bp-28,
    -0x1.ccecd2eae180dp-30, 0x1.ac393dc079c9fp-33, 0x1.12c3ef91a0e35p-34,  -0x1.1ddb823c22160p-37,
    -0x1.47f66ea3ed31ap-39, 0x1.d7de7621dcaccp-42, 0x1.70feb96abfcd7p-44,  -0x1.a4ae44e9a6d56p-46,
    -0x1.436e86c3ad571p-49, 0x1.7143b5040e74cp-50, 0x1.4645b7b06948ep-60,  -0x1.294280ed90f45p-54,
};

enum { DEGREE = sizeof coefficients / sizeof *coefficients - 1 };

double vcs_erfcx(double x) {
    const double s = (3.0 - x) / (3.0 + x);
    /* Clenshaw's sum, from the least term on */
    double sum = 0.0, sum_before = 0.0;
    for (int i = DEGREE; i > 0; i--) {
        const double next = 2.0 * s * sum - sum_before + coefficients[i];
        sum_before = sum;
        sum = next;
    }
    return (s * sum - sum_before + coefficients[0]) * (3.0 / (3.0 + x));
}
