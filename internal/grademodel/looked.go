package grademodel

import "math"

// looking is what a class knows about how reviewers mark who look at the work, and how
// those mark who do not.
type looking struct {
	not    float64       // π, the share of reviewers who do not look
	odds   float64       // ln((1−π)/π)
	marks  [bins]float64 // f, how often each bin is given; .002 is added where it is used
	unread [bins]float64 // u, how often reviewers who do not look give it
}

// lookingAtFirst:  π = .2;  f_b = (.5 + reviews in bin b)/(12 + reviews);  u_b = f_b/2 + 1/48
func lookingAtFirst(counts [bins]int, reviews int) looking {
	k := looking{not: .2}
	for b, n := range counts {
		f := (.5 + float64(n)) / (12 + float64(reviews))
		k.marks[b], k.unread[b] = f+.002, f/2+1./48
	}
	return k
}

// hint is L, what review r says about whether its reviewer looks at work. known is the
// Σ' c of the reviewer's other reviews; level is l, the reviewer's own level, which a
// first review does not have.
//
//	σ = s·√(1/c + 1/(Σ' c + 5))
//	looked = .97·[(f_k+.002)·φ((x_k−θ−b)/σ)] / Σ_b[(f_b+.002)·φ((x_b−θ−b)/σ)] + .03/24
//	not    = ½·[u_k·φ((x_k−l)/.2)] / Σ_b[u_b·φ((x_b−l)/.2)] + ½·u_k                 (n = 1: u_k)
//	L      = clamp(ln(looked/not), ±3)
func (k *looking) hint(r *judged, known float64, level float64, onlyReview bool) float64 {
	sigma := r.scale.Noise * math.Sqrt(1/r.c+1/(known+strictnessCounts2))
	looked := .97*near(&k.marks, r.bin, r.theta+r.b, sigma) + .03/bins
	not := k.unread[r.bin]
	if !onlyReview {
		not = near(&k.unread, r.bin, level, .2)/2 + not/2
	}
	return min(max(math.Log(looked/not), -3), 3)
}

// near returns the share of bin k among all bins, each weighted by how near it is to the
// middle: weights_k·φ((x_k−middle)/σ) / Σ_b weights_b·φ((x_b−middle)/σ), φ(t) = exp(−t²/2).
//
// φ is 1 in the bin nearest to the middle, by which numerator and denominator are divided.
// From bin to bin it changes by a factor, and that factor by exp(−h²), h the width in σ.
func near(weights *[bins]float64, k int, middle, sigma float64) float64 {
	nearest := int(min(max(math.Floor((middle-lowestAngle)/binWidth), 0), bins-1))
	t, h := (binMiddle(nearest)-middle)/sigma, binWidth/sigma
	shrink := math.Exp(-h * h)
	sum, at := weights[nearest], 0.
	if k == nearest {
		at = sum
	}
	if nearest < bins-1 {
		phi, factor := 1., math.Exp(-(t+h/2)*h)
		for b := nearest + 1; b < bins; b++ {
			phi *= factor
			factor *= shrink
			share := weights[b] * phi
			sum += share
			if b == k {
				at = share
			}
		}
	}
	if nearest > 0 {
		phi, factor := 1., math.Exp((t-h/2)*h)
		for b := nearest - 1; b >= 0; b-- {
			phi *= factor
			factor *= shrink
			share := weights[b] * phi
			sum += share
			if b == k {
				at = share
			}
		}
	}
	return at / sum
}

// probability:  p = 1/(1 + exp(−(ln((1−π)/π) + Σ' L)))
func (k *looking) probability(hints float64) float64 {
	return 1 / (1 + math.Exp(-(k.odds + hints)))
}
