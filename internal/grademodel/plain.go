package grademodel

import (
	"math"
	"slices"
)

// plain is a model without scale, records or interval: the mark is the middle of the
// reviews' marks. Known marks teach it nothing.
type plain struct{ name string }

// Plain reports whether a model is [Mean] or [Median], whose marks have no interval.
func Plain(model string) bool { return model == Mean || model == Median }

func (p plain) Name() string { return p.name }

func (p plain) Grade(submissions []Submission) []Settlement {
	out := make([]Settlement, len(submissions))
	for i, sub := range submissions {
		if len(sub.Reviews) > 0 {
			out[i] = p.settle(sub)
		}
	}
	return out
}

func (p plain) settle(sub Submission) Settlement {
	in := Inputs{Total: sub.Total, Reviews: make([]Input, len(sub.Reviews))}
	for i, r := range sub.Reviews {
		in.Reviews[i] = Input{Mark: r.Mark}
	}
	return in.Plainly(p.name).Settle()
}

// Plainly returns the inputs of [Mean] or [Median] for the same reviews.
func (in Inputs) Plainly(model string) Inputs {
	out := Inputs{Model: model, Total: in.Total, Reviews: make([]Input, len(in.Reviews))}
	for i, r := range in.Reviews {
		out.Reviews[i] = Input{Mark: r.Mark, Weight: 1}
	}
	return out
}

func (in Inputs) settlePlainly(middle func(sorted []float64) float64) Settlement {
	marks := make([]float64, len(in.Reviews))
	out := Settlement{Inputs: in, Counted: make([]Counted, len(in.Reviews))}
	for i, r := range in.Reviews {
		marks[i] = r.Mark
		out.Counted[i] = Counted{As: r.Mark, Weight: 1}
	}
	slices.Sort(marks)
	out.Estimate = middle(marks)
	out.Mark = int(math.Floor(out.Estimate + .5))
	return out
}

func mean(sorted []float64) float64 {
	var sum float64
	for _, mark := range sorted {
		sum += mark
	}
	return sum / float64(len(sorted))
}

func median(sorted []float64) float64 {
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
