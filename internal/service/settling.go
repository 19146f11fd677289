package service

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/grademodel"
)

// wideOpen is how far reviews may still move a mark, as a share of the total, so that
// one more is asked for.
const wideOpen = .12

// settling is a submission whose reviews change.
type settling struct {
	studycircle.Reviewing
	Total int64
	Now   time.Time
}

// judged is what the reviews of a submission are measured by.
type judged struct {
	scale grademodel.Scale
	// inputs are the reviews with what their reviewers' other work says of them, by
	// reviewer.
	inputs map[string]grademodel.Input
}

// judge reads what the reviews of a submission are measured by.
func judge(ctx context.Context, tx Tx, of settling, reviews []studycircle.Review) (j judged, err error) {
	if j.scale, err = tx.Scale(ctx, of.AssignmentID); err != nil {
		return j, err
	}
	records, err := tx.Records(ctx, of.SubmissionID)
	j.inputs = map[string]grademodel.Input{}
	for _, r := range reviews {
		strictness, weight := records[r.Reviewer].Judge()
		j.inputs[r.Reviewer] = grademodel.Input{Mark: float64(r.Mark), Strictness: strictness, Weight: weight}
	}
	return j, err
}

// model is what the grade model makes of reviews, in their order.
func (j judged) model(of settling, reviews []studycircle.Review) grademodel.Settlement {
	in := grademodel.Inputs{Model: grademodel.Version, Total: int(of.Total), Scale: j.scale}
	for _, r := range reviews {
		in.Reviews = append(in.Reviews, j.inputs[r.Reviewer])
	}
	return in.Settle()
}

// arrive stores a review and what follows of it: sums and parts of the grade model,
// and where it is the last that was asked for, the mark. took tells whether it takes
// a place that was not reserved.
func (s *Service) arrive(ctx context.Context, tx Tx, of settling, given studycircle.Review, took bool) error {
	before, err := tx.Reviews(ctx, of.SubmissionID)
	if err != nil {
		return err
	}
	if err := tx.GaveReview(ctx, given.Reviewer, of.Reviewing); err != nil {
		return err
	}
	if given, err = tx.InsertReview(ctx, given, of.Reviewing); err != nil {
		return err
	}
	reviews := append(slices.Clone(before), given)
	if err := tx.ChangeTotals(ctx, of.Reviewing, studycircle.Day(of.Now), of.Total, before, reviews); err != nil {
		return err
	}
	by, err := judge(ctx, tx, of, reviews)
	if err != nil {
		return err
	}
	made := by.model(of, reviews)
	was := of.Reviewing
	if day := studycircle.Day(of.Now); day > of.LastDay {
		of.LastDay, of.BeforeLastDay = day, of.Reviews
	}
	of.Reviews++
	if of.Phase == studycircle.ReviewOpen && of.Reviews >= of.Wanted && of.Reviews < of.Most() && made.Open > wideOpen*float64(of.Total) {
		of.Wanted = of.Reviews + 1
	}
	reason, now := settlesNow(of.Reviewing)
	if now {
		release(reviews)
	}
	if err := putParts(ctx, tx, by.scale, of, reviews); err != nil {
		return err
	}
	if now {
		return s.settleBy(ctx, tx, of, by, reviews, reason)
	}
	if err := tx.UpdateQueued(ctx, of.Reviewing, int64(made.Open/float64(of.Total)*1e6), took); err != nil {
		return err
	}
	return tx.UpdateReviewing(ctx, was, of.Reviewing)
}

// settlesNow tells whether a review that has arrived settles the submission, and why.
func settlesNow(r studycircle.Reviewing) (studycircle.SettleReason, bool) {
	switch r.Phase {
	case studycircle.ReviewUnattended:
		return studycircle.SettleTime, true
	case studycircle.ReviewAppealed:
		return studycircle.SettleAppeal, r.Reviews >= r.Wanted
	case studycircle.ReviewReopened:
		return studycircle.SettleReopen, r.Reviews >= r.Wanted
	default:
		return studycircle.SettleEnough, r.Reviews >= r.Wanted
	}
}

// putParts stores what each review of a submission says about its reviewer, and its
// letter.
func putParts(ctx context.Context, tx Tx, scale grademodel.Scale, of settling, reviews []studycircle.Review) error {
	sub := grademodel.Submission{Assignment: of.AssignmentID, Total: int(of.Total)}
	for _, r := range reviews {
		sub.Reviews = append(sub.Reviews, grademodel.Review{Reviewer: r.Reviewer, Mark: float64(r.Mark)})
	}
	for i, part := range scale.PartsOf(sub) {
		if err := tx.PutPart(ctx, reviews[i], part); err != nil {
			return err
		}
	}
	return nil
}

// ModelRecord is what a settlement keeps of the grade model: all it used, with the
// letters of the reviews, in their order.
type ModelRecord struct {
	Labels []string `json:"labels"`
	grademodel.Settlement
}

// settle releases the reviews and makes their mark the submission's.
func (s *Service) settle(ctx context.Context, tx Tx, of settling, reviews []studycircle.Review, reason studycircle.SettleReason) error {
	by, err := judge(ctx, tx, of, reviews)
	if err != nil {
		return err
	}
	if err := label(ctx, tx, release(reviews)); err != nil {
		return err
	}
	return s.settleBy(ctx, tx, of, by, reviews, reason)
}

// settleBy is settle of reviews that are released, with what they are measured by.
func (*Service) settleBy(ctx context.Context, tx Tx, of settling, by judged, reviews []studycircle.Review, reason studycircle.SettleReason) error {
	made := by.model(of, reviews)
	record := ModelRecord{Settlement: made}
	for _, r := range reviews {
		record.Labels = append(record.Labels, r.Label)
	}
	text, err := json.Marshal(record)
	if err != nil {
		return err
	}
	was := of.Reviewing
	of.Phase = studycircle.ReviewSettled
	if err := tx.UpdateReviewing(ctx, was, of.Reviewing); err != nil {
		return err
	}
	err = tx.Settle(ctx, of.SubmissionID, studycircle.Settlement{
		At: of.Now, By: studycircle.SettledByModel, Reason: reason, Mark: int64(made.Mark), Model: string(text),
	}, studycircle.FeedbackOf(reviews))
	if err != nil {
		return err
	}
	return tx.Unqueue(ctx, of.Reviewing)
}

// release gives those reviews letters that have none yet, by chance, and returns them:
// neither letters nor their order tell who came first. The reviews are in the order of
// letters then.
func release(reviews []studycircle.Review) (fresh []studycircle.Review) {
	var unlabeled []int
	next := byte('A')
	for i, r := range reviews {
		if r.Label == "" {
			unlabeled = append(unlabeled, i)
		} else if r.Label[0] >= next {
			next = r.Label[0] + 1
		}
	}
	rand.Shuffle(len(unlabeled), func(i, j int) { unlabeled[i], unlabeled[j] = unlabeled[j], unlabeled[i] }) //nolint:gosec // its generator is seeded by the system, and nobody sees a state
	for _, i := range unlabeled {
		reviews[i].Label = string(next)
		next++
		fresh = append(fresh, reviews[i])
	}
	slices.SortFunc(reviews, func(a, b studycircle.Review) int { return strings.Compare(a.Label, b.Label) })
	return fresh
}

// label stores the letters of reviews.
func label(ctx context.Context, tx Tx, reviews []studycircle.Review) error {
	for _, r := range reviews {
		if err := tx.LabelReview(ctx, r.ID, r.Label); err != nil {
			return err
		}
	}
	return nil
}
