package grademodel

import (
	"cmp"
	"slices"
)

// hearOthers is step 1. For each review r:
//
//	θ, W = settle(z−b and a of the OTHER reviews of i);  c = 1/(1 + 1/W);  d = z−θ
//
// Exemplars keep their known θ and c = 1.
func (c *class) hearOthers() {
	inParallel(len(c.submissions), func(from, to int) {
		var work others
		for i := from; i < to; i++ {
			if c.submissions[i].Known == nil {
				work.hear(c.assignments[c.of[i]].scale, c.reviewsOf(i))
			}
		}
	})
}

// others has the space in which one submission's reviews are compared.
type others struct {
	order                       []int
	values, start, rest, restOf []float64
	w                           []float64
}

func (o *others) hear(scale Scale, reviews []judged) {
	o.sort(reviews)
	for at, i := range o.order {
		r := &reviews[i]
		if at > 0 && o.values[at] == o.values[at-1] && o.start[at] == o.start[at-1] {
			last := reviews[o.order[at-1]]
			r.theta, r.c = last.theta, last.c // the others are the same
		} else {
			o.rest = append(append(o.rest[:0], o.values[:at]...), o.values[at+1:]...)
			o.restOf = append(append(o.restOf[:0], o.start[:at]...), o.start[at+1:]...)
			o.w = slices.Grow(o.w[:0], len(o.rest))[:len(o.rest)]
			theta, sum := scale.settle(sc2Rounds, o.rest, o.restOf, o.w)
			r.theta, r.c = theta, 1/(1+1/sum)
		}
		r.d = r.z - r.theta
	}
}

// view settles a submission with all its reviews and returns what these say.
func (o *others) view(scale Scale, reviews []judged) view {
	o.sort(reviews)
	o.w = slices.Grow(o.w[:0], len(reviews))[:len(reviews)]
	theta, sum := scale.settle(sc2Rounds, o.values, o.start, o.w)
	q := sum - scale.Kappa
	return view{m: (theta*sum - scale.Kappa*scale.Usual) / q, q: q, h: q / (q + 1)}
}

// sort puts the reviews' values and weights in the order in which they are summed.
func (o *others) sort(reviews []judged) {
	o.order, o.values, o.start = o.order[:0], o.values[:0], o.start[:0]
	for i := range reviews {
		o.order = append(o.order, i)
	}
	slices.SortFunc(o.order, func(i, j int) int {
		a, b := &reviews[i], &reviews[j]
		return cmp.Or(cmp.Compare(a.z-a.b, b.z-b.b), cmp.Compare(a.a, b.a))
	})
	for _, i := range o.order {
		o.values = append(o.values, reviews[i].z-reviews[i].b)
		o.start = append(o.start, reviews[i].a)
	}
}
