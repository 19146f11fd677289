package service

import (
	"context"

	"studycircle"
	"studycircle/internal/store"
)

// Appeal asks for more reviews of viewer's submission. Its mark stands until they arrive. CodeInvalid and the errors
// of MayAppeal.
func (s *Service) Appeal(ctx context.Context, viewer studycircle.User, id string, why studycircle.Reason) error {
	why, err := why.Clean()
	if err != nil {
		return err
	}
	return s.decide(ctx, viewer, id, func(ctx context.Context, tx *store.Tx, c *studycircle.ReviewCase) error {
		now := s.clock()
		in, err := tx.OwnCircle(ctx, c.Submission.CircleID)
		if err != nil {
			return err
		}
		if err := studycircle.MayAppeal(viewer.ID, in, c.Submission, c.Reviewing, c.SettledAt, now); err != nil {
			return err
		}
		if c.Submission.AssignmentID == "" { // imported without its assignment
			return studycircle.ErrNotFound
		}
		c.Appeal(why, now)
		return nil
	})
}

// Reopen lets the creator of an assignment ask for more reviews of a submission, or set its mark. CodeInvalid,
// ErrNotFound and the errors of MayReopen.
func (s *Service) Reopen(ctx context.Context, viewer studycircle.User, id string, in studycircle.ReopenInput) error {
	in, err := in.Clean()
	if err != nil {
		return err
	}
	return s.decide(ctx, viewer, id, func(ctx context.Context, tx *store.Tx, c *studycircle.ReviewCase) error {
		if c.Assignment.ID == "" {
			return likeWork(ctx, tx, viewer, id, studycircle.ErrNotFound)
		}
		place, err := tx.OwnCircle(ctx, c.Assignment.CircleID)
		if err != nil {
			return err
		}
		if err := studycircle.MayReopen(viewer.ID, place, c.Assignment, c.Submission, c.Reviewing, in.Action); err != nil {
			return err
		}
		if err := in.CheckTotal(c.Submission.Marks); err != nil {
			return err
		}
		if in.Action == studycircle.ReopenMark {
			c.SetMark(in, s.clock())
		} else {
			c.Reopen(in.Reason, s.clock())
		}
		return nil
	})
}

// Work returns a submission to the assignment's creator, who decides on it. ErrNotFound.
func (s *Service) Work(ctx context.Context, viewer studycircle.User, id string) (sub studycircle.Submission, err error) {
	if !studycircle.ValidID(id) { // see assignmentOf
		return sub, studycircle.ErrNotFound
	}
	if sub, err = s.store.Submission(ctx, s.as(viewer), id); err != nil {
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

// decide loads a case, has f decide, and saves it. ErrNotFound.
func (s *Service) decide(ctx context.Context, viewer studycircle.User, id string, f func(context.Context, *store.Tx, *studycircle.ReviewCase) error) error {
	if !studycircle.ValidID(id) { // see assignmentOf
		return studycircle.ErrNotFound
	}
	return s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		c, err := caseOf(ctx, tx, id, viewer.ID)
		if err != nil {
			return err
		}
		if err := f(ctx, tx, &c); err != nil {
			return err
		}
		return tx.SaveReviewCase(ctx, c, nil)
	})
}
