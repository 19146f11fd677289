package grademodel

import (
	"runtime"
	"sync"
)

// sc2 is SC1 with three changes. It estimates scale, strictness and weight eight times, each
// time with what it has learned. It estimates whether a reviewer looked at the work. The
// usual mark counts as ¼ to 1 review.
type sc2 struct{}

func (sc2) Name() string { return SC2 }

func (sc2) Grade(submissions []Submission) []Settlement {
	c := learn(submissions)
	out := make([]Settlement, len(submissions))
	inParallel(len(submissions), func(from, to int) {
		for i := from; i < to; i++ {
			if len(submissions[i].Reviews) > 0 {
				out[i] = c.inputs(i).Settle()
			}
		}
	})
	return out
}

// learn runs the eight rounds.
func learn(submissions []Submission) *class {
	c := start(submissions)
	for range 8 {
		c.hearOthers()
		c.judgeReviewers()
		c.rescale()
	}
	return c
}

// class is what SC2 knows of all reviews together.
type class struct {
	submissions []Submission
	assignments []assignment
	of          []int // the assignment of each submission
	reviews     []judged
	first       []int   // where the reviews of each submission begin in reviews; one more than submissions
	reviewers   [][]int // the reviews of each reviewer
	looking     looking
}

// assignment is one assignment of a class.
type assignment struct {
	name        string
	scale       Scale
	submissions []int // exemplars and submissions without reviews are left out
}

// judged is a review with what the rounds have made of it. All but z, bin and known come
// from other reviews alone.
type judged struct {
	z        float64 // the angle of its mark
	bin      int
	exemplar bool
	scale    *Scale

	theta float64 // θ, what the other reviews of the submission say
	c     float64 // how much they say
	d     float64 // z−θ

	b    float64 // strictness of the reviewer
	a    float64 // weight of the reviewer
	p    float64 // probability that the reviewer looked
	hint float64 // L, what this review says about that
}

func (c *class) reviewsOf(submission int) []judged {
	return c.reviews[c.first[submission]:c.first[submission+1]]
}

func (c *class) inputs(submission int) Inputs {
	sub := c.submissions[submission]
	in := Inputs{
		Model: SC2, Total: sub.Total, Exemplar: sub.Known != nil, Scale: c.assignments[c.of[submission]].scale,
		Reviews: make([]Input, len(sub.Reviews)),
	}
	for i, r := range c.reviewsOf(submission) {
		in.Reviews[i] = Input{Mark: sub.Reviews[i].Mark, Strictness: r.b, Weight: r.a}
	}
	return in
}

// onGrid rounds a summand to a multiple of 2⁻³². Such numbers add up to the same in any
// order, so that names, which decide the order, change no bit of a sum.
func onGrid(x float64) float64 {
	const grid = 3 << 19 // 1.5·2²⁰, whose last bit is worth 2⁻³²
	return (x + grid) - grid
}

// inParallel calls do for parts of the numbers below n, on all processors if there are many.
func inParallel(n int, do func(from, to int)) {
	const part = 4096
	if n <= part {
		do(0, n)
		return
	}
	var parts sync.WaitGroup
	next := make(chan int, n/part+1)
	for from := 0; from < n; from += part {
		next <- from
	}
	close(next)
	for range runtime.GOMAXPROCS(0) {
		parts.Go(func() {
			for from := range next {
				do(from, min(from+part, n))
			}
		})
	}
	parts.Wait()
}
