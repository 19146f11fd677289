package grademodel

import "math"

// start:   μ, s as SC1;  κ = 1;  all b = 0, a = 1;  π = .2
//
//	24 equal bins of [asin√.005, asin√.995]; f_b = (.5 + reviews in bin b)/(12 + reviews)
func start(submissions []Submission) *class {
	c := &class{submissions: submissions, of: make([]int, len(submissions)), first: make([]int, 1, len(submissions)+1)}
	assignments, reviewers := map[string]int{}, map[string]int{}
	for i, sub := range submissions {
		at, known := assignments[sub.Assignment]
		if !known {
			at = len(c.assignments)
			assignments[sub.Assignment] = at
			c.assignments = append(c.assignments, assignment{name: sub.Assignment})
		}
		c.of[i] = at
		if sub.Known == nil && len(sub.Reviews) > 0 {
			c.assignments[at].submissions = append(c.assignments[at].submissions, i)
		}
		c.first = append(c.first, c.first[i]+len(sub.Reviews))
	}
	var bins [bins]int
	counted := 0
	c.reviews = make([]judged, 0, c.first[len(submissions)])
	for i, sub := range submissions {
		known := sub.knownAngle()
		for _, r := range sub.Reviews {
			who, met := reviewers[r.Reviewer]
			if !met {
				who = len(c.reviewers)
				reviewers[r.Reviewer] = who
				c.reviewers = append(c.reviewers, nil)
			}
			c.reviewers[who] = append(c.reviewers[who], len(c.reviews))
			z := angle(r.Mark, sub.Total)
			j := judged{z: z, bin: binOf(z), scale: &c.assignments[c.of[i]].scale, a: 1}
			if known != nil {
				j.exemplar, j.theta, j.c, j.d = true, *known, 1, z-*known
			} else {
				bins[j.bin]++
				counted++
			}
			c.reviews = append(c.reviews, j)
		}
	}
	c.looking = lookingAtFirst(bins, counted)
	for i, a := range c.assignments {
		spreads := make([]Spread, len(a.submissions))
		for j, of := range a.submissions {
			spreads[j] = SpreadOf(submissions[of].Total, submissions[of].Reviews)
		}
		c.assignments[i].scale = ScaleOf(SC1, spreads)
		c.assignments[i].scale.Kappa = 1
	}
	return c
}

// bins is the number of equal parts of the range of angles.
const bins = 24

var (
	lowestAngle = math.Asin(math.Sqrt(edge))
	binWidth    = (math.Asin(math.Sqrt(1-edge)) - lowestAngle) / bins
)

// binOf returns the bin of an angle. Half of a total lies where two bins meet and belongs
// to the upper one, in spite of rounding.
func binOf(z float64) int {
	return min(int((z-lowestAngle)/binWidth+1e-9), bins-1)
}

// binMiddle is x_b.
func binMiddle(b int) float64 { return lowestAngle + (float64(b)+.5)*binWidth }
