package service

import (
	"context"
	"encoding/json"
	"math/rand/v2"

	"studycircle"
	"studycircle/internal/grademodel"
)

// ModelRecord is what a settlement keeps of the grade model: all it used, with the
// letters of the reviews, in their order.
type ModelRecord struct {
	Labels []string `json:"labels"`
	grademodel.Settlement
}

// measure is what a submission's reviews are measured by.
type measure struct {
	assignmentID string
	total        int
	sums         grademodel.Totals // with the reviews that there were
	before       []studycircle.Review
	records      map[string]grademodel.Record
}

// measureOf reads what the reviews of a case are measured by.
func measureOf(ctx context.Context, tx ReviewTx, c studycircle.ReviewCase) (m measure, err error) {
	m = measure{assignmentID: c.Submission.AssignmentID, total: int(c.Submission.Marks), before: c.Reviews}
	m.sums, m.records, err = tx.ReviewModel(ctx, m.assignmentID, c.Submission.ID)
	return m, err
}

func modelReviews(reviews []studycircle.Review) []grademodel.Review {
	out := make([]grademodel.Review, len(reviews))
	for i, r := range reviews {
		out[i] = grademodel.Review{Reviewer: r.Reviewer, Mark: float64(r.Mark)}
	}
	return out
}

// scale is the assignment's scale once the submission has these reviews.
func (m measure) scale(reviews []studycircle.Review) grademodel.Scale {
	if len(reviews) == len(m.before) { // none has come
		return m.sums.Scale()
	}
	return m.sums.Moved(m.total, modelReviews(m.before), modelReviews(reviews)).Scale()
}

// judge is a studycircle.Judge.
func (m measure) judge(reviews []studycircle.Review) (studycircle.Verdict, error) {
	in := grademodel.Inputs{Model: grademodel.SC1, Total: m.total, Scale: m.scale(reviews)}
	record := ModelRecord{}
	for _, r := range reviews {
		strictness, weight := m.records[r.Reviewer].Judge()
		in.Reviews = append(in.Reviews, grademodel.Input{Mark: float64(r.Mark), Strictness: strictness, Weight: weight})
		record.Labels = append(record.Labels, r.Label)
	}
	record.Settlement = in.Settle()
	text, err := json.Marshal(record)
	return studycircle.Verdict{Mark: int64(record.Mark), Open: record.Open, Model: string(text)}, err
}

// parts are what reviews say about their reviewers, in their order.
func (m measure) parts(reviews []studycircle.Review) []grademodel.Part {
	return m.scale(reviews).PartsOf(grademodel.Submission{Assignment: m.assignmentID, Total: m.total, Reviews: modelReviews(reviews)})
}

// caseOf loads a case for a viewer; ErrNotFound.
func caseOf(ctx context.Context, tx ReviewTx, id, viewerID string) (studycircle.ReviewCase, error) {
	c, err := tx.LoadReviewCase(ctx, id, viewerID)
	c.Shuffle = rand.Shuffle
	return c, err
}

// arrive adds a review to a case and saves what follows of it.
func arrive(ctx context.Context, tx ReviewTx, c studycircle.ReviewCase, given studycircle.Review) error {
	m, err := measureOf(ctx, tx, c)
	if err != nil {
		return err
	}
	if err := c.Arrive(given, m.judge); err != nil {
		return err
	}
	return tx.SaveReviewCase(ctx, c, m.parts(c.Reviews))
}
