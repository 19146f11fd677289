package service

import (
	"context"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/markdown"
	"studycircle/internal/store"
)

// ReviewsGiven returns a page of viewer's reviews, newest first, and their number.
func (s *Service) ReviewsGiven(
	ctx context.Context, viewer studycircle.User, p studycircle.Page,
) ([]studycircle.GivenReview, int64, error) {
	found, total, err := s.store.ReviewsGiven(ctx, s.as(viewer).Party(), p)
	for i := range found {
		in, placed := s.circleOf(ctx, viewer, found[i].CircleID)
		if placed != nil {
			return nil, 0, placed
		}
		found[i].MayCorrect = studycircle.MayCorrect(viewer.ID, in, found[i].Review, found[i].Reviewing) == nil
	}
	return found, total, err
}

// ReviewToCorrect returns one of viewer's reviews with the work that it is about. ErrNotFound and the errors of
// MayCorrect.
func (s *Service) ReviewToCorrect(
	ctx context.Context, viewer studycircle.User, id string,
) (c studycircle.CorrectableReview, err error) {
	if !studycircle.ValidID(id) { // see assignmentOf
		return c, studycircle.ErrNotFound
	}
	given, err := s.store.GivenReview(ctx, s.as(viewer), id)
	if err != nil {
		return c, err
	}
	in, err := s.circleOf(ctx, viewer, given.CircleID)
	if err != nil {
		return c, err
	}
	if err := studycircle.MayCorrect(viewer.ID, in, given.Review, given.Reviewing); err != nil {
		return c, err
	}
	c.Review, c.Label = given.Review, given.SubmissionLabel
	if c.Submission, err = s.store.Submission(ctx, s.as(viewer), given.SubmissionID); err != nil {
		return c, err
	}
	c.Assignment, err = s.partyAssignment(ctx, viewer, c.Submission.AssignmentID)
	return c, err
}

// CorrectReview lets a reviewer correct their review, and reports whether that changes it. It counts as a grade.
// CodeInvalid, ErrNotFound, CodeRateLimited and the errors of MayCorrect.
func (s *Service) CorrectReview(
	ctx context.Context, viewer studycircle.User, id string, in studycircle.ReviewInput,
) (changed bool, err error) {
	if in, err = in.Clean(); err != nil {
		return false, err
	}
	if !studycircle.ValidID(id) { // see assignmentOf
		return false, studycircle.ErrNotFound
	}
	to := studycircle.ReviewContent{
		Levels: in.Levels, Feedback: in.Feedback, HTML: markdown.Render(in.Feedback, feedbackHeadings).HTML,
	}
	use := limit.Use{Window: gradeLimit, Subject: viewer.ID, At: s.clock()}
	err = s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		changed = false
		given, err := tx.Review(ctx, id)
		if err != nil {
			return err
		}
		c, err := caseOf(ctx, tx, given.SubmissionID, viewer.ID)
		if err != nil {
			return err
		}
		given, found := c.Review(id)
		if !found { // withdrawn while the case was locked
			return studycircle.ErrNotFound
		}
		place, err := tx.OwnCircle(ctx, c.Submission.CircleID)
		if err != nil {
			return err
		}
		if err := studycircle.MayCorrect(viewer.ID, place, given, c.Reviewing); err != nil {
			return err
		}
		if to.Mark, err = in.MarkUnder(c.Assignment.Rubric, c.Submission.Marks); err != nil {
			return err
		}
		if err := s.use(ctx, tx, use); err != nil {
			return err
		}
		m, err := measureOf(ctx, tx, c)
		if err != nil {
			return err
		}
		if changed, err = c.Correct(id, to, use.At, m.judge); err != nil || !changed {
			return err
		}
		return tx.SaveReviewCase(ctx, c, m.parts(c.Reviews))
	})
	return changed, err
}

// CorrectedReview is the earlier versions of a review, oldest first.
type CorrectedReview struct {
	Label    string // the review's
	Versions []studycircle.ReviewVersion
}

// Corrections returns those reviews of a settled submission that were corrected, in the order of their labels, to those
// who may read the results. ErrNotFound.
func (s *Service) Corrections(ctx context.Context, viewer studycircle.User, id string) ([]CorrectedReview, error) {
	sub, err := s.submission(ctx, s.as(viewer), id)
	if err != nil {
		return nil, err
	}
	a, err := s.partyAssignment(ctx, viewer, sub.AssignmentID)
	if err != nil {
		return nil, err
	}
	in, err := s.circleOf(ctx, viewer, sub.CircleID)
	if err != nil {
		return nil, err
	}
	settlements, err := s.store.Settlements(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := studycircle.MayReadCorrections(viewer.ID, in, a, explained(settlements)); err != nil {
		return nil, err
	}
	reviews, err := s.releasedReviews(ctx, id)
	if err != nil {
		return nil, err
	}
	versions, err := s.store.ReviewVersions(ctx, id)
	var out []CorrectedReview
	for _, r := range reviews {
		if earlier := versions[r.ID]; len(earlier) > 0 {
			out = append(out, CorrectedReview{r.Label, earlier})
		}
	}
	return out, err
}
