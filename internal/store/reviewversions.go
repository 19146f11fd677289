package store

import (
	"context"
	"slices"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// saveCorrected stores the review that its reviewer has corrected, and what it said before. It locks the submission in
// the queue.
func (tx *Tx) saveCorrected(ctx context.Context, c studycircle.ReviewCase) error {
	to := c.Decided.Corrected
	if to == nil {
		return nil
	}
	if err := tx.lock(ctx, tables.QueueRow, c.Submission.ID); err != nil {
		return err
	}
	if err := tx.Queries.CorrectReview(ctx, db.CorrectReviewParams{
		ID: to.Review.ID, Mark: to.Review.Mark, Levels: tables.LevelsText(to.Review.Levels), Feedback: to.Review.Feedback,
		FeedbackHtml: to.Review.HTML,
	}); err != nil {
		return err
	}
	if err := tx.Queries.InsertReviewVersion(ctx, db.InsertReviewVersionParams{
		ReviewID: to.Review.ID, Until: micros(to.At), Mark: to.Before.Mark, Levels: tables.LevelsText(to.Before.Levels),
		Feedback: to.Before.Feedback, FeedbackHtml: to.Before.HTML,
	}); err != nil {
		return err
	}
	before := slices.Clone(c.Reviews)
	for i := range before {
		if before[i].ID == to.Review.ID {
			before[i].Mark = to.Before.Mark
		}
	}
	return tx.changeTotals(ctx, c.Reviewing, studycircle.Day(to.At), c.Submission.Marks, before, c.Reviews)
}

func toVersion(v db.ReviewVersion) studycircle.ReviewVersion {
	return studycircle.ReviewVersion{
		ReviewID: v.ReviewID, N: v.N, Until: instant(v.Until),
		ReviewContent: studycircle.ReviewContent{
			Mark: v.Mark, Levels: tables.ParseLevels(v.Levels), Feedback: v.Feedback, HTML: v.FeedbackHtml,
		},
	}
}

// ReviewVersions returns the earlier versions of a submission's reviews by the reviews' ids, oldest first, without
// those of feedback that a moderator hides.
func (s *Store) ReviewVersions(
	ctx context.Context, submissionID string,
) (_ map[string][]studycircle.ReviewVersion, err error) {
	defer s.operation(&err, "Store.ReviewVersions", submissionID)
	rows, err := s.engine.Queries().VersionsOfReviewsOn(ctx, submissionID)
	out := map[string][]studycircle.ReviewVersion{}
	for _, v := range rows {
		out[v.ReviewID] = append(out[v.ReviewID], toVersion(v))
	}
	return out, err
}

// EachReviewVersionBy calls f with every earlier version of a user's reviews, by review, oldest first.
func (s *Store) EachReviewVersionBy(
	ctx context.Context, userID string, f func(studycircle.ReviewVersion) error,
) (err error) {
	defer s.operation(&err, "Store.EachReviewVersionBy", userID)
	return eachAfter(func(last db.ReviewVersion) ([]db.ReviewVersion, error) {
		return s.engine.Queries().VersionsBy(ctx, db.VersionsByParams{Reviewer: userID, ReviewID: last.ReviewID, N: last.N})
	}, func(v db.ReviewVersion) error { return f(toVersion(v)) })
}

// GivenReview returns a review with its submission's state, for its reviewer; ErrNotFound.
func (s *Store) GivenReview(
	ctx context.Context, v studycircle.Viewer, id string,
) (_ studycircle.GivenReview, err error) {
	defer s.operation(&err, "Store.GivenReview", id)
	r, err := find(ctx, s, v, tables.Reviews, tables.ReviewByID, id)
	if err == nil && r.Reviewer != v.UserID() {
		err = studycircle.ErrNotFound
	}
	if err != nil {
		return studycircle.GivenReview{}, err
	}
	given, err := s.givenReviews(ctx, v, []studycircle.Review{r})
	if err != nil {
		return studycircle.GivenReview{}, err
	}
	return given[0], nil
}
