package grademodel

import "math"

// The number of submissions that the prior of κ counts as, and the smallest κ.
const kappaCounts, leastKappa = 20, .25

// rescale is step 3. For each submission (not exemplars):
//
//	θ, W = settle(all);  q = W−κ;  leave out where q < .05;  m = (θW − κμ)/q;  h = q/(q+1)
//	μ  = (2·1.05 + Σ h·m)/(2 + Σ h)
//	s² = (10·.24² + Σ p·c·(d−b)²)/(10 + Σ p)                              reviews of those submissions
//	κ  = clamp(s²/v, ¼, 1),  v = max((20·s² + Σ h((m−μ)² − s²/q))/(20 + Σ h), 10⁻⁶)
func (c *class) rescale() {
	views := make([]view, len(c.submissions))
	inParallel(len(c.submissions), func(from, to int) {
		var work others
		for i := from; i < to; i++ {
			if c.submissions[i].Known == nil {
				views[i] = work.view(c.assignments[c.of[i]].scale, c.reviewsOf(i))
			}
		}
	})
	for i, a := range c.assignments {
		c.assignments[i].scale = c.scaleOf(a.submissions, views)
	}
}

func (c *class) scaleOf(submissions []int, views []view) Scale {
	var h, hm, p, squares, spread float64
	for _, i := range submissions {
		v := views[i]
		if v.q < .05 {
			continue
		}
		h += onGrid(v.h)
		hm += onGrid(v.h * v.m)
		for _, r := range c.reviewsOf(i) {
			p += onGrid(r.p)
			squares += onGrid(r.p * r.c * (r.d - r.b) * (r.d - r.b))
		}
	}
	usual := (usualCounts*usualBefore + hm) / (usualCounts + h)
	variance := (noiseCounts*noiseBefore*noiseBefore + squares) / (noiseCounts + p)
	for _, i := range submissions {
		if v := views[i]; v.q >= .05 {
			spread += onGrid(v.h * ((v.m-usual)*(v.m-usual) - variance/v.q))
		}
	}
	return Scale{Usual: usual, Noise: math.Sqrt(variance), Kappa: kappaOf(variance, spread, h)}
}

// kappaOf returns κ from s², Σ h((m−μ)² − s²/q) and Σ h.
func kappaOf(variance, spread, h float64) float64 {
	between := max((kappaCounts*variance+spread)/(kappaCounts+h), 1e-6)
	return min(max(variance/between, leastKappa), 1)
}

// view is what the reviews of one submission say without the usual mark.
type view struct {
	m float64 // their mean
	q float64 // their weight
	h float64 // how much they say
}
