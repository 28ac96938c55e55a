/* Whether a program for WebAssembly can be built here. SPDX-License-Identifier: MIT */
#include <stdlib.h>

int main(void) {
    return malloc(1) == NULL;
}
