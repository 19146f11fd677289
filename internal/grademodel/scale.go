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
	Usual float64 `json:"usual"` // μ, the assignment's usual mark, an angle
	Noise float64 `json:"noise"` // s, the noise of one review, an angle
	// κ, how many reviews the usual mark counts as; 0 in SC1, where it counts as one
	Kappa float64 `json:"kappa,omitempty"`
}

// Counts returns κ, how many reviews the usual mark counts as.
func (s Scale) Counts() float64 {
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

// ScaleOf returns the scale by a model of an assignment whose reviewed submissions have
// these spreads. Exemplars are left out, because their marks say nothing about others.
func ScaleOf(model string, spreads []Spread) Scale {
	spreads = slices.Clone(spreads)
	slices.SortFunc(spreads, func(a, b Spread) int {
		return cmp.Or(cmp.Compare(a.Mean, b.Mean), cmp.Compare(a.Squares, b.Squares), cmp.Compare(a.Free, b.Free))
	})
	var all Totals
	for _, s := range spreads {
		all = all.Plus(s.Totals())
	}
	return all.Scale(model)
}

// Totals are sums over the spreads of an assignment's reviewed submissions.
type Totals struct {
	Submissions int
	Means       float64
	Squares     float64
	Free        int

	// With h_i = k_i/(k_i + 1), how much a submission's k_i reviews say. SC1 needs none of these.
	Unsaid      float64 // Σ (1 − h_i)
	Said        float64 // Σ h_i·m_i
	SaidSquares float64 // Σ h_i·m_i²
}

// Totals returns the sums over one submission.
func (s Spread) Totals() Totals {
	unsaid := 1 / float64(s.Free+2)
	h := 1 - unsaid
	return Totals{
		Submissions: 1, Means: s.Mean, Squares: s.Squares, Free: s.Free,
		Unsaid: unsaid, Said: h * s.Mean, SaidSquares: h * s.Mean * s.Mean,
	}
}

// Plus returns the sums over the submissions of both.
func (t Totals) Plus(o Totals) Totals {
	return Totals{
		Submissions: t.Submissions + o.Submissions, Means: t.Means + o.Means, Squares: t.Squares + o.Squares,
		Free: t.Free + o.Free, Unsaid: t.Unsaid + o.Unsaid, Said: t.Said + o.Said, SaidSquares: t.SaidSquares + o.SaidSquares,
	}
}

// Unit is the fixed-point unit of stored sums: integers add up to the same in any order.
const Unit = 1 << 32

// Stored are Totals, or a change of them, as they are stored: in units of 1/Unit but for counts.
type Stored struct{ Submissions, Means, Squares, Free, Unsaid, Said, SaidSquares int64 }

// StoredChange returns the change of stored sums when a submission's reviews change from before to
// after. total is the submission's total marks.
func StoredChange(total int, before, after []Review) Stored {
	old, now := storedOf(total, before), storedOf(total, after)
	return Stored{
		Submissions: now.Submissions - old.Submissions, Means: now.Means - old.Means, Squares: now.Squares - old.Squares,
		Free:   now.Free - old.Free,
		Unsaid: now.Unsaid - old.Unsaid, Said: now.Said - old.Said, SaidSquares: now.SaidSquares - old.SaidSquares,
	}
}

func storedOf(total int, reviews []Review) Stored {
	if len(reviews) == 0 {
		return Stored{}
	}
	t := SpreadOf(total, reviews).Totals()
	fixed := func(x float64) int64 { return int64(math.Round(x * Unit)) }
	return Stored{
		Submissions: int64(t.Submissions), Means: fixed(t.Means), Squares: fixed(t.Squares), Free: int64(t.Free),
		Unsaid: fixed(t.Unsaid), Said: fixed(t.Said), SaidSquares: fixed(t.SaidSquares),
	}
}

// Totals returns stored sums as numbers.
func (c Stored) Totals() Totals {
	float := func(n int64) float64 { return float64(n) / Unit }
	return Totals{
		Submissions: int(c.Submissions), Means: float(c.Means), Squares: float(c.Squares), Free: int(c.Free),
		Unsaid: float(c.Unsaid), Said: float(c.Said), SaidSquares: float(c.SaidSquares),
	}
}

// Moved returns the sums after a submission's reviews change from before to after. total
// is the submission's total marks.
func (t Totals) Moved(total int, before, after []Review) Totals {
	return t.Plus(StoredChange(total, before, after).Totals())
}

// Scale returns the scale by a model of an assignment with these sums. SC1 has no κ.
func (t Totals) Scale(model string) Scale {
	s := Scale{
		Usual: (usualCounts*usualBefore + t.Means) / float64(usualCounts+t.Submissions),
		Noise: math.Sqrt((noiseCounts*noiseBefore*noiseBefore + t.Squares) / float64(noiseCounts+t.Free)),
	}
	if model != SC1 {
		s.Kappa = t.kappa(s)
	}
	return s
}

// kappa is SC2's κ from plain means, m_i and q = k_i:
//
//	κ = clamp(s²/v, ¼, 1),  v = max((20·s² + Σ h((m−μ)² − s²/q))/(20 + Σ h), 10⁻⁶)
func (t Totals) kappa(s Scale) float64 {
	variance, h := s.Noise*s.Noise, float64(t.Submissions)-t.Unsaid
	spread := t.SaidSquares - 2*s.Usual*t.Said + s.Usual*s.Usual*h - variance*t.Unsaid // h/q is 1−h
	return kappaOf(variance, spread, h)
}
