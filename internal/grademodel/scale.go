package grademodel

import (
	"cmp"
	"math"
	"slices"
)

// What is believed of an assignment before anything of it was reviewed, and how
// many submissions or reviews that belief counts as.
const (
	usualBefore, usualCounts = 1.05, 2
	noiseBefore, noiseCounts = .24, 10
)

// Scale is what an assignment's reviews are measured on.
type Scale struct {
	Usual float64 `json:"usual"` // μ, the assignment's usual mark, an angle
	Noise float64 `json:"noise"` // s, the noise of one review, an angle
}

// Spread is what one submission's reviews add to its assignment's scale.
type Spread struct {
	Mean    float64 // m_i, the plain mean of the angles
	Squares float64 // Σ_j (z_ij − m_i)²
	Free    int     // k_i − 1
}

// SpreadOf is the spread of a submission that has these reviews, at least one.
func SpreadOf(total int, reviews []Review) Spread {
	return spreadOf(sortedAngles(total, reviews))
}

func sortedAngles(total int, reviews []Review) []float64 {
	angles := make([]float64, len(reviews))
	for i, r := range reviews {
		angles[i] = angle(r.Mark, total)
	}
	slices.Sort(angles)
	return angles
}

func spreadOf(angles []float64) Spread {
	s := Spread{Free: len(angles) - 1}
	for _, z := range angles {
		s.Mean += z
	}
	s.Mean /= float64(len(angles))
	for _, z := range angles {
		s.Squares += (z - s.Mean) * (z - s.Mean)
	}
	return s
}

// ScaleOf is the scale of an assignment whose reviewed submissions have these
// spreads. Exemplars are left out: their marks say nothing of the others'.
func ScaleOf(spreads []Spread) Scale {
	spreads = slices.Clone(spreads)
	slices.SortFunc(spreads, func(a, b Spread) int {
		return cmp.Or(cmp.Compare(a.Mean, b.Mean), cmp.Compare(a.Squares, b.Squares))
	})
	var all Totals
	for _, s := range spreads {
		all.Submissions++
		all.Means += s.Mean
		all.Squares += s.Squares
		all.Free += s.Free
	}
	return all.Scale()
}

// Totals are sums over the spreads of an assignment's reviewed submissions.
type Totals struct {
	Submissions int
	Means       float64
	Squares     float64
	Free        int
}

// Unit is what sums of spreads are stored in, as whole numbers: they add up to the same
// in any order.
const Unit = 1 << 32

// Moved returns the sums once a submission's reviews change from before to after. total is
// the submission's total marks.
func (t Totals) Moved(total int, before, after []Review) Totals {
	add := func(reviews []Review, times int) {
		if len(reviews) == 0 {
			return
		}
		s := SpreadOf(total, reviews)
		t.Submissions, t.Free = t.Submissions+times, t.Free+times*s.Free
		t.Means += float64(times) * math.Round(s.Mean*Unit) / Unit
		t.Squares += float64(times) * math.Round(s.Squares*Unit) / Unit
	}
	add(before, -1)
	add(after, 1)
	return t
}

// Scale is the scale of an assignment whose spreads have these sums.
func (t Totals) Scale() Scale {
	return Scale{
		Usual: (usualCounts*usualBefore + t.Means) / float64(usualCounts+t.Submissions),
		Noise: math.Sqrt((noiseCounts*noiseBefore*noiseBefore + t.Squares) / float64(noiseCounts+t.Free)),
	}
}

// settle is the mean of values and the usual mark, which weighs 1. A value begins
// with its weight of start, and loses of it the further it lies from the mean. The
// mean θ and the sum of all weights W belong to the weights that are left in w,
// which has room for as many. Sums run in the order of values.
func (s Scale) settle(values, start, w []float64) (theta, sum float64) {
	const rounds = 11
	variance := s.Noise * s.Noise
	copy(w, start)
	for round := 1; ; round++ {
		sum, theta = 1, s.Usual
		for i, v := range values {
			sum += w[i]
			theta += w[i] * v
		}
		theta /= sum
		if round == rounds {
			return theta, sum
		}
		for i, v := range values {
			w[i] = start[i] * 9 / (8 + (v-theta)*(v-theta)/variance)
		}
	}
}
