package grademodel

import "math"

// The priors of SC2: strictness 0 counts as five reviews, weight 1 as four.
const strictnessCounts2, weightCounts2 = 5, 4

// judgeReviewers is step 2. For each reviewer with n reviews; Σ' runs over all their reviews
// but r:
//
//	b = clamp(Σ' c·d / (Σ' c + 5), ±.4)          l = (Σ' z + μ)/n
//	e = (d−b)/s   x = (θ−μ)/s   y = (z−μ)/s       (b, e and L of each other review are its own)
//	follows = (4 + Σ' c·x·y − b·Σ' c·x/s)/(4 + Σ' c·x²)      exact = (3 + n)/(4 + Σ' c·e²)
//	a = p·clamp(follows·√exact, 0, 2)
//
// Afterwards π = min((4 + G·Σ(1−p)/R)/(20 + G), ½), of G reviewers and R reviews.
func (c *class) judgeReviewers() {
	k := c.looking
	k.odds = math.Log((1 - k.not) / k.not)
	inParallel(len(c.reviewers), func(from, to int) {
		for _, of := range c.reviewers[from:to] {
			c.judgeReviewer(&k, of)
		}
	})
	var unread float64
	for i := range c.reviews {
		unread += onGrid(1 - c.reviews[i].p)
	}
	if g := float64(len(c.reviewers)); g > 0 {
		c.looking.not = min((4+g*unread/float64(len(c.reviews)))/(20+g), .5)
	}
}

func (c *class) judgeReviewer(k *looking, of []int) {
	n := float64(len(of))
	var weights, distances, angles float64
	for _, i := range of {
		r := &c.reviews[i]
		weights += onGrid(r.c)
		distances += onGrid(r.c * r.d)
		angles += onGrid(r.z)
	}
	var all record2
	for _, i := range of {
		r := &c.reviews[i]
		others := weights - onGrid(r.c)
		r.b = strictness(others, distances-onGrid(r.c*r.d))
		level := (angles - onGrid(r.z) + r.scale.Usual) / n
		r.hint = k.hint(r, others, level, len(of) == 1)
		all = all.plus(r.record(), 1)
	}
	for _, i := range of {
		r := &c.reviews[i]
		without := all.plus(r.record(), -1)
		r.p = k.probability(without.hints)
		r.a = r.p * without.weight(r.b, n-1)
	}
}

func strictness(c, cd float64) float64 {
	return min(max(cd/(c+strictnessCounts2), -.4), .4)
}

// record2 is what a reviewer's reviews say about whether the reviewer looks, follows the
// work and is exact.
type record2 struct{ hints, cxy, cx, cxx, cee float64 }

func (r *judged) record() record2 {
	s := r.scale.Noise
	x, y, e := (r.theta-r.scale.Usual)/s, (r.z-r.scale.Usual)/s, (r.d-r.b)/s
	return record2{
		hints: onGrid(r.hint), cxy: onGrid(r.c * x * y), cx: onGrid(r.c * x / s), cxx: onGrid(r.c * x * x),
		cee: onGrid(r.c * e * e),
	}
}

func (r record2) plus(o record2, times float64) record2 {
	return record2{
		hints: r.hints + times*o.hints, cxy: r.cxy + times*o.cxy, cx: r.cx + times*o.cx,
		cxx: r.cxx + times*o.cxx, cee: r.cee + times*o.cee,
	}
}

// weight returns a/p of a reviewer whose n other reviews have this record.
func (r record2) weight(b, n float64) float64 {
	follows := (weightCounts2 + r.cxy - b*r.cx) / (weightCounts2 + r.cxx)
	exact := (weightCounts2 + n) / (weightCounts2 + r.cee)
	return min(max(follows*math.Sqrt(exact), 0), 2)
}
