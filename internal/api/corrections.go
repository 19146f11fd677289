package api

import (
	"context"

	"studycircle"
)

// CorrectableReview is a review that its reviewer may still correct, with the work that it is about.
type CorrectableReview struct {
	ID string `json:"_id"`
	WorkToReview
	Mark     int64   `json:"mark"`
	Levels   []int64 `json:"levels,omitempty" doc:"The chosen levels of the rubric, counted from 0."`
	Feedback string  `json:"feedback,omitempty" doc:"Markdown."`
}

// CorrectedReviews are the earlier versions of a submission's reviews. They name no reviewer.
type CorrectedReviews struct {
	Data []ReviewVersion `json:"data"`
}

// ReviewVersion is what a review said until its reviewer corrected it.
type ReviewVersion struct {
	Label  string  `json:"label" doc:"The review's letter."`
	N      int64   `json:"n" doc:"From 1, oldest first."`
	Until  string  `json:"until" doc:"YYYY-MM-DD, UTC: when it was corrected."`
	Mark   int64   `json:"mark"`
	Levels []int64 `json:"levels,omitempty"`
	ShownFeedback
}

func versionOf(label string, v studycircle.ReviewVersion) ReviewVersion {
	return ReviewVersion{
		Label: label, N: v.N, Until: day(v.Until), Mark: v.Mark, Levels: v.Levels,
		ShownFeedback: shownFeedback(v.Feedback, v.HTML, false),
	}
}

func (o *operations) registerCorrections(r *router) {
	const tags = tag("Reviews")
	operation(r, signedIn, tags.op("get-given-review", "GET /api/reviews/{id}",
		"Read a review of yours that you may still correct", 401, 403, 404, 409),
		func(ctx context.Context, in *byID) (*CorrectableReview, error) {
			c, err := o.Service.ReviewToCorrect(ctx, viewer(ctx).User, in.ID)
			return &CorrectableReview{
				ID: c.ID, WorkToReview: workToReviewOf(c.Submission, c.Assignment, c.Label), Mark: c.Mark, Levels: c.Levels,
				Feedback: c.Feedback,
			}, err
		})
	operation(r, signedIn, tags.op("correct-review", "PUT /api/reviews/{id}",
		"Correct a review of yours until its submission is settled", 401, 403, 404, 409, 422, 429),
		func(ctx context.Context, in *gradeInput) (*Modified, error) {
			changed, err := o.Service.CorrectReview(ctx, viewer(ctx).User, in.ID, in.review())
			return &Modified{ModifiedCount: count(changed)}, err
		}, sent)
	operation(r, signedIn, tags.op("list-corrections", "GET /api/submissions/{id}/corrections",
		"List what corrected reviews said before", 401, 404),
		func(ctx context.Context, in *byID) (*CorrectedReviews, error) {
			found, err := o.Service.Corrections(ctx, viewer(ctx).User, in.ID)
			out := CorrectedReviews{Data: []ReviewVersion{}}
			for _, of := range found {
				for _, v := range of.Versions {
					out.Data = append(out.Data, versionOf(of.Label, v))
				}
			}
			return &out, err
		})
}
