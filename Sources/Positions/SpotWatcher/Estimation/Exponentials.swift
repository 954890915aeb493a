import CLibrary

/// Returns the exponential of a number; a separate function since members of vectors are named
/// like those of the C library.
func exponential(_ value: Double) -> Double { exp(value) }

/// The probability that a point with a round normal distribution lies in a circle.
///
/// It is the distribution function of the noncentral χ² with two degrees of freedom, by the
/// approximation of M. Sankaran, "Approximations to the non-central chi-square distribution",
/// Biometrika 50, 1963; its error is below 0.03 in the middle of the range, and less at its ends.
///
/// - Parameters:
///   - radius: The radius of the circle, positive.
///   - distance: The distance from the circle's centre to the mean.
///   - variance: The variance on each axis, positive.
/// - Returns: The probability, 0–1.
func probability(within radius: Double, ofPointAt distance: Double, variance: Double) -> Double {
  let noncentrality = distance * distance / variance
  let quantile = radius * radius / variance
  let mean = 2 + noncentrality
  let spread = 2 + 2 * noncentrality
  let h = 1 - 2 / 3 * mean * (2 + 3 * noncentrality) / (spread * spread)
  let p = spread / (mean * mean)
  let m = (h - 1) * (1 - 3 * h)
  let center = 1 + h * p * (h - 1 - 0.5 * (2 - h) * m * p)
  let deviation = h * (2 * p).squareRoot() * (1 + 0.5 * m * p)
  return 0.5 * erfc(-(pow(quantile / mean, h) - center) / deviation / 2.0.squareRoot())
}
