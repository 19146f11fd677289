package api

import (
	"context"

	"studycircle"
)

// SelfAssessment is how a submitter judged their own work by the rubric.
type SelfAssessment struct {
	Levels []int64 `json:"levels" doc:"The chosen levels of the rubric, counted from 0."`
	Mark   int64   `json:"mark" doc:"The sum of their marks."`
}

// selfAssessmentOf maps a self-assessment; nil for none.
func selfAssessmentOf(a *studycircle.SelfAssessment, r studycircle.Rubric) *SelfAssessment {
	if a == nil {
		return nil
	}
	mark, chosen := r.Mark(a.Levels)
	if !chosen { // the assignment is gone, and its rubric with it
		return nil
	}
	return &SelfAssessment{a.Levels, mark}
}

type selfAssessmentInput struct {
	ID   string `path:"id"`
	Body struct {
		Levels []whole `json:"levels" doc:"One level for each criterion of the rubric, counted from 0."`
	}
}

func (o *operations) registerSelfAssessments(r *router) {
	operation(r, signedIn, tag("Reviews").op("assess-own", "PUT /api/submissions/{id}/self-assessment",
		"Judge your own work by the rubric until it is settled", 401, 403, 404, 409, 422),
		func(ctx context.Context, in *selfAssessmentInput) (*Modified, error) {
			err := o.Service.AssessOwn(
				ctx, viewer(ctx).User, in.ID, studycircle.SelfAssessmentInput{Levels: levelsOf(in.Body.Levels)},
			)
			return &Modified{ModifiedCount: 1}, err
		}, sent)
}
