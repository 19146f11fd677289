package grademodel

import (
	"cmp"
	"math"
	"slices"
)

// The priors of an assignment's scale, and the number of submissions or reviews that they
// count as.
const (
	usualBefore, usualCounts = 1.05, 2
	noiseBefore, noiseCounts = .24, 10
)

// Scale is the usual mark and the noise of an assignment's reviews.
type Scale struct {
	Usual float64 `json:"usual"`           // μ, the assignment's usual mark, an angle
	Noise float64 `json:"noise"`           // s, the noise of one review, an angle
	Kappa float64 `json:"kappa,omitempty"` // κ, how many reviews the usual mark counts as; 0 in SC1, where it counts as one
}

func (s Scale) kappa() float64 {
	if s.Kappa == 0 {
		return 1
	}
	return s.Kappa
}

// Spread is the contribution of one submission's reviews to its assignment's scale.
type Spread struct {
	Mean    float64 // m_i, the plain mean of the angles
	Squares float64 // Σ_j (z_ij − m_i)²
	Free    int     // k_i − 1
}

// SpreadOf returns the spread of a submission with these reviews, at least one.
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

// ScaleOf returns the scale of an assignment whose reviewed submissions have these
// spreads. Exemplars are left out, because their marks say nothing about others.
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

// Unit is the fixed-point unit of stored sums: integers add up to the same in any order.
const Unit = 1 << 32

// Moved returns the sums after a submission's reviews change from before to after. total
// is the submission's total marks.
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

// Scale returns the scale of an assignment with these sums.
func (t Totals) Scale() Scale {
	return Scale{
		Usual: (usualCounts*usualBefore + t.Means) / float64(usualCounts+t.Submissions),
		Noise: math.Sqrt((noiseCounts*noiseBefore*noiseBefore + t.Squares) / float64(noiseCounts+t.Free)),
	}
}
