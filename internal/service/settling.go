package service

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"

	"studycircle"
	"studycircle/internal/grademodel"
	"studycircle/internal/store"
)

// ModelRecord is the grade model's part of a settlement: all its input, with the letters of the reviews, in their
// order.
type ModelRecord struct {
	Labels []string `json:"labels"`
	grademodel.Settlement
}

// measure is the grade model's input for a submission's reviews.
type measure struct {
	assignmentID string
	model        string // the assignment's version
	markBy       studycircle.MarkBy
	total        int
	sums         grademodel.Totals // with the present reviews
	before       []studycircle.Review
	known        *float64 // the mark of known work, which makes no part of sums
	records      map[string]grademodel.Record
}

// measureOf reads the measure of a case's reviews.
func measureOf(ctx context.Context, tx *store.Tx, c studycircle.ReviewCase) (m measure, err error) {
	m = measure{
		assignmentID: c.Submission.AssignmentID, model: c.Assignment.Model, markBy: c.Assignment.MarkBy,
		total: int(c.Submission.Marks), before: c.Reviews, known: knownMark(c.Reviewing.Known),
	}
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

// scale returns the assignment's scale with these reviews of the submission.
func (m measure) scale(reviews []studycircle.Review) grademodel.Scale {
	if m.known != nil || m.has(reviews) { // no new review of the scale
		return m.sums.Scale(m.model)
	}
	return m.sums.Moved(m.total, modelReviews(m.before), modelReviews(reviews)).Scale(m.model)
}

// has reports whether the sums are of these reviews, in any order: none is new or corrected.
func (m measure) has(reviews []studycircle.Review) bool {
	marks := make(map[string]int64, len(m.before))
	for _, r := range m.before {
		marks[r.ID] = r.Mark
	}
	return len(reviews) == len(marks) && !slices.ContainsFunc(reviews, func(r studycircle.Review) bool {
		mark, there := marks[r.ID]
		return !there || mark != r.Mark
	})
}

// judge is a studycircle.Judge.
func (m measure) judge(reviews []studycircle.Review) (studycircle.Verdict, error) {
	in := grademodel.Inputs{Model: m.model, Total: m.total, Scale: m.scale(reviews)}
	record := ModelRecord{}
	for _, r := range reviews {
		strictness, weight := m.records[r.Reviewer].Judge()
		in.Reviews = append(in.Reviews, grademodel.Input{Mark: float64(r.Mark), Strictness: strictness, Weight: weight})
		record.Labels = append(record.Labels, r.Label)
	}
	record.Settlement = in.Settle()
	open := record.Open
	if name := plainModels[m.markBy]; name != "" {
		record.Settlement = in.Plainly(name).Settle()
	}
	text, err := json.Marshal(record)
	return studycircle.Verdict{Mark: int64(record.Mark), Open: open, Model: string(text)}, err
}

// plainModels are the ways to a mark that ask no grade model. The queue is still led by the model of the assignment,
// which says how far more reviews may move the mark.
var plainModels = map[studycircle.MarkBy]string{
	studycircle.MarkByAverage: grademodel.Mean, studycircle.MarkByMedian: grademodel.Median,
}

// parts returns the parts of the grade model from reviews, in their order.
func (m measure) parts(reviews []studycircle.Review) []grademodel.Part {
	return m.scale(reviews).PartsOf(grademodel.Submission{
		Assignment: m.assignmentID, Total: m.total, Known: m.known, Reviews: modelReviews(reviews),
	})
}

// caseOf loads a case for a viewer; ErrNotFound.
func caseOf(ctx context.Context, tx *store.Tx, id, viewerID string) (studycircle.ReviewCase, error) {
	c, err := tx.LoadReviewCase(ctx, id, viewerID)
	if c.Submission.Status.Ended() {
		err = studycircle.ErrNotFound
	}
	c.Shuffle = rand.Shuffle
	return c, err
}

// caseIn loads a case for a viewer, and the viewer's circle to which it belongs; ErrNotFound.
func caseIn(
	ctx context.Context, tx *store.Tx, id, viewerID string,
) (c studycircle.ReviewCase, in studycircle.OwnCircle, err error) {
	if c, err = caseOf(ctx, tx, id, viewerID); err == nil {
		in, err = tx.OwnCircle(ctx, c.Submission.CircleID)
	}
	return c, in, err
}

// arrive adds a review to a case and saves the decision.
func arrive(ctx context.Context, tx *store.Tx, c studycircle.ReviewCase, given studycircle.Review) error {
	m, err := measureOf(ctx, tx, c)
	if err != nil {
		return err
	}
	if err := c.Arrive(given, m.judge); err != nil {
		return err
	}
	return tx.SaveReviewCase(ctx, c, m.parts(c.Reviews))
}
