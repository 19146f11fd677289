package grademodel

// sc1 is the first model: it looks at each reviewer once, and the usual mark always counts as
// one review.
type sc1 struct{}

func (sc1) Name() string { return SC1 }

func (sc1) Grade(submissions []Submission) []Settlement {
	graded := GradeSC1(submissions, nil)
	out := make([]Settlement, len(graded))
	for i, g := range graded {
		out[i] = g.Settlement
	}
	return out
}

// Graded is the result of a submission: the parts of its reviews, in their order, and, if
// it has reviews, its settlement.
type Graded struct {
	Parts      []Part
	Settlement Settlement
}

// GradeSC1 recomputes whole assignments, all parts with the final scales, and returns results
// in the order of the submissions. elsewhere holds what the reviewers' records have from
// other assignments.
func GradeSC1(submissions []Submission, elsewhere map[string]Record) []Graded {
	scales := scalesOf(submissions)
	graded := make([]Graded, len(submissions))
	reviewers := map[string]*history{}
	for i, sub := range submissions {
		graded[i].Parts = scales[sub.Assignment].PartsOf(sub)
		for j, r := range sub.Reviews {
			h := reviewers[r.Reviewer]
			if h == nil {
				h = &history{}
				reviewers[r.Reviewer] = h
			}
			h.parts = append(h.parts, graded[i].Parts[j])
			h.of = append(h.of, place{i, j})
		}
	}
	inputs := make([]Inputs, len(submissions))
	for i, sub := range submissions {
		inputs[i] = Inputs{
			Model: SC1, Total: sub.Total, Exemplar: sub.Known != nil, Scale: scales[sub.Assignment],
			Reviews: make([]Input, len(sub.Reviews)),
		}
	}
	for name, h := range reviewers {
		for i, record := range recordsWithout(h.parts, elsewhere[name]) {
			at := h.of[i]
			b, a := record.Judge()
			inputs[at.submission].Reviews[at.review] = Input{Mark: submissions[at.submission].Reviews[at.review].Mark, Strictness: b, Weight: a}
		}
	}
	for i, in := range inputs {
		if len(in.Reviews) > 0 {
			graded[i].Settlement = in.Settle()
		}
	}
	return graded
}

type place struct{ submission, review int }

// history is all reviews of one reviewer.
type history struct {
	parts []Part
	of    []place
}

func scalesOf(submissions []Submission) map[string]Scale {
	spreads := map[string][]Spread{}
	for _, sub := range submissions {
		of := spreads[sub.Assignment]
		if sub.Known == nil && len(sub.Reviews) > 0 {
			of = append(of, SpreadOf(sub.Total, sub.Reviews))
		}
		spreads[sub.Assignment] = of
	}
	scales := make(map[string]Scale, len(spreads))
	for assignment, of := range spreads {
		scales[assignment] = ScaleOf(of)
	}
	return scales
}
