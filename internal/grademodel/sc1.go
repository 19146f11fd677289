package grademodel

// sc1 is SC1 or SC1K, which look at each reviewer once. In SC1 the usual mark always counts
// as one review, in SC1K as κ.
type sc1 struct{ name string }

func (m sc1) Name() string { return m.name }

func (m sc1) Grade(submissions []Submission) []Settlement {
	graded := GradeByRecords(m.name, submissions, nil)
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

// GradeByRecords recomputes whole assignments by SC1 or SC1K, all parts with the final
// scales, and returns results in the order of the submissions. elsewhere holds what the
// reviewers' records have from other assignments.
func GradeByRecords(model string, submissions []Submission, elsewhere map[string]Record) []Graded {
	scales := scalesOf(model, submissions)
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
			Model: model, Total: sub.Total, Exemplar: sub.Known != nil, Scale: scales[sub.Assignment],
			Reviews: make([]Input, len(sub.Reviews)),
		}
	}
	for name, h := range reviewers {
		for i, record := range recordsWithout(h.parts, elsewhere[name]) {
			at := h.of[i]
			b, a := record.Judge()
			inputs[at.submission].Reviews[at.review] = Input{
				Mark: submissions[at.submission].Reviews[at.review].Mark, Strictness: b, Weight: a,
			}
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

func scalesOf(model string, submissions []Submission) map[string]Scale {
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
		scales[assignment] = ScaleOf(model, of)
	}
	return scales
}
