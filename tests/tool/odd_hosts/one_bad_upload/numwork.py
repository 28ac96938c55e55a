# SPDX-License-Identifier: MIT
"""A work whose comparison fails where an uploaded file holds no number."""

from countdown import Countdown


class Numbers(Countdown):
    """Compares answers as numbers within a tolerance. A file that holds no number makes float() raise ValueError."""

    def classify(self, number, outputs):
        values = [float(output.files[0].read_text()) for output in outputs]
        return [next(i for i, w in enumerate(values) if abs(w - x) < 1e-6) for x in values]
