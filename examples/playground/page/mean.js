// SPDX-License-Identifier: MIT
//
// The mean of several seeds, and how sure it is.

/** Student's t for 95 %, by degrees of freedom: how many standard errors the mean of a few values may be off. */
const STUDENT = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145,
  2.131, 2.12, 2.11, 2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042];

const student = (degrees) => STUDENT[degrees - 1] ?? 1.96 + 2.372 / degrees + 2.823 / degrees ** 2;

/** Mean, and half of its 95 % confidence interval. */
export function meanOf(values) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (values.length < 2) {
    return { mean, half: 0 };
  }
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
  return { mean, half: student(values.length - 1) * Math.sqrt(variance / values.length) };
}
