# SPDX-License-Identifier: MIT
"""Work that one can look at: a large picture of the Mandelbrot set, a tile a work unit. The worker renders them."""
