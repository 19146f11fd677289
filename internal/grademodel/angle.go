package grademodel

import "math"

// edge is ε of the formulas. It keeps angles away from 0 and π/2, where the sine is flat.
const edge = .005

// angle returns z, the angle of a mark: asin √(ε + (1−2ε)·mark/total).
func angle(mark float64, total int) float64 {
	return math.Asin(math.Sqrt(edge + (1-2*edge)*mark/float64(total)))
}

// share returns the share of the total, from 0 to 1, at an angle.
func share(z float64) float64 {
	sine := math.Sin(min(max(z, 0), math.Pi/2))
	return min(max((sine*sine-edge)/(1-2*edge), 0), 1)
}

// markAt returns the mark at an angle, not rounded.
func markAt(z float64, total int) float64 { return float64(total) * share(z) }
