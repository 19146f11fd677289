package studycircle

import "math"

// RoundPercent rounds a percentage, from -100 to 100, half away from zero to one decimal. A limit, 0 or 100, shows only
// where it is reached: the average of 999 and 1,000 of 1,000 is 99.9, and that of 0 and 1 is .1.
func RoundPercent(percent float64) float64 {
	// Sums of percentages are exact to a millionth of one, and averages of floating-point numbers to less than this.
	const noise = 1e-9
	if percent < 0 {
		return 0 - RoundPercent(-percent) // 0 − 0, unlike −0, is 0
	}
	if percent < noise || math.Abs(100-percent) < noise {
		return math.Round(percent)
	}
	// Rounding to a thousandth first keeps what should be an exact half from turning down.
	rounded := math.Floor((math.Round(1000*percent)+50)/100) / 10
	return min(max(rounded, .1), 99.9)
}
