package receipt

import (
	"slices"

	"studycircle/internal/grademodel"
)

// Of returns the receipt of a settlement by a model. The letters of the reviews are in
// their order.
func Of(s grademodel.Settlement, labels []string) Receipt {
	estimate, low, high := Rounded(s.Estimate), Rounded(s.Low), Rounded(s.High)
	r := Receipt{
		Estimate: &estimate, Low: &low, High: &high, Mark: int64(s.Mark), Model: s.Model, Total: int64(s.Total),
		Scale: &Scale{Usual: s.Scale.Usual, Noise: s.Scale.Noise, Kappa: s.Scale.Counts()}, Reviews: []Review{},
	}
	for i, in := range s.Reviews {
		r.Reviews = append(r.Reviews, Review{Label: labels[i], Mark: in.Mark, Strictness: in.Strictness, Weight: in.Weight})
	}
	return r
}

// recompute returns ErrMark unless the reviews make the mark. A mark that the creator set
// has no reviews.
func (r Receipt) recompute() error {
	if r.Model == "" {
		return nil
	}
	if !slices.Contains(grademodel.Names, r.Model) || r.Scale == nil || r.Estimate == nil || r.Low == nil ||
		r.High == nil || len(r.Reviews) == 0 || r.Total < 1 {
		return ErrFormat
	}
	in := grademodel.Inputs{
		Model: r.Model, Total: int(r.Total),
		Scale: grademodel.Scale{Usual: r.Scale.Usual, Noise: r.Scale.Noise, Kappa: r.Scale.Kappa},
	}
	for _, review := range r.Reviews {
		in.Reviews = append(in.Reviews, grademodel.Input{
			Mark: review.Mark, Strictness: review.Strictness, Weight: review.Weight,
		})
	}
	s := in.Settle()
	if int64(s.Mark) != r.Mark || Rounded(s.Estimate) != *r.Estimate || Rounded(s.Low) != *r.Low ||
		Rounded(s.High) != *r.High {
		return ErrMark
	}
	return nil
}
