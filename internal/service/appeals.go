package service

import (
	"context"

	"studycircle"
	"studycircle/internal/store"
)

// Appeal asks for more reviews of viewer's submission. Its mark stands until they arrive. It reports whether too few
// users are free to review it, so that the creator decides. CodeInvalid and the errors of MayAppeal.
func (s *Service) Appeal(
	ctx context.Context, viewer studycircle.User, id string, why studycircle.Reason,
) (toCreator bool, err error) {
	why, err = why.Clean()
	if err != nil {
		return false, err
	}
	appeal := func(ctx context.Context, tx *store.Tx, c *studycircle.ReviewCase, in studycircle.OwnCircle) error {
		now := s.clock()
		if err := studycircle.MayAppeal(viewer.ID, in, c.Submission, c.Reviewing, c.SettledAt, now); err != nil {
			return err
		}
		if c.Submission.AssignmentID == "" { // imported without its assignment
			return studycircle.ErrNotFound
		}
		free, err := tx.CountFreeReviewers(ctx, *c)
		if err != nil {
			return err
		}
		c.Appeal(why, free, now)
		toCreator = c.Reviewing.Asked
		return nil
	}
	err = s.decide(ctx, viewer, id, appeal)
	return toCreator, err
}

// Reopen lets the creator of an assignment ask for more reviews of a submission, or set its mark. CodeInvalid,
// ErrNotFound and the errors of MayReopen.
func (s *Service) Reopen(ctx context.Context, viewer studycircle.User, id string, in studycircle.ReopenInput) error {
	in, err := in.Clean()
	if err != nil {
		return err
	}
	reopen := func(ctx context.Context, tx *store.Tx, c *studycircle.ReviewCase, place studycircle.OwnCircle) error {
		if c.Assignment.ID == "" {
			return likeWork(ctx, tx, viewer, id, studycircle.ErrNotFound)
		}
		if err := studycircle.MayReopen(viewer.ID, place, c.Assignment, c.Submission, c.Reviewing, in.Action); err != nil {
			return err
		}
		if err := in.CheckUnder(c.Assignment.Rubric, c.Submission.Marks); err != nil {
			return err
		}
		if in.Action == studycircle.ReopenMark {
			c.SetMark(in, s.clock())
		} else {
			c.Reopen(in.Reason, s.clock())
		}
		return nil
	}
	return s.decide(ctx, viewer, id, reopen)
}

// Work returns a submission to the assignment's creator, who decides on it. ErrNotFound.
func (s *Service) Work(
	ctx context.Context, viewer studycircle.User, id string,
) (sub studycircle.Submission, err error) {
	if sub, err = s.submission(ctx, s.as(viewer), id); err != nil {
		return studycircle.Submission{}, err
	}
	a, err := s.store.Assignment(ctx, s.as(viewer).Party(), sub.AssignmentID)
	if err != nil {
		return studycircle.Submission{}, err
	}
	r, err := s.store.Reviewing(ctx, s.as(viewer), id)
	if err != nil {
		return studycircle.Submission{}, err
	}
	in, err := s.circleOf(ctx, viewer, a.CircleID)
	if err == nil {
		err = studycircle.MayReadWork(viewer.ID, in, a, r)
	}
	if err != nil {
		return studycircle.Submission{}, err
	}
	return sub, nil
}

// decide loads a case and the viewer's circle to which it belongs, has f decide, and saves the case. ErrNotFound.
func (s *Service) decide(
	ctx context.Context, viewer studycircle.User, id string,
	f func(context.Context, *store.Tx, *studycircle.ReviewCase, studycircle.OwnCircle) error,
) error {
	return s.write(ctx, viewer, id, func(ctx context.Context, tx *store.Tx) error {
		c, in, err := caseIn(ctx, tx, id, viewer.ID)
		if err != nil {
			return err
		}
		if err := f(ctx, tx, &c, in); err != nil {
			return err
		}
		c.DecidedBy(viewer.ID)
		return tx.SaveReviewCase(ctx, c, nil)
	})
}
