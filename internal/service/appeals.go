package service

import (
	"context"
	"time"

	"studycircle"
)

// Appeal asks for more reviews of viewer's submission, whose mark stands until they
// are there. CodeInvalid, what MayAppeal says.
func (s *Service) Appeal(ctx context.Context, viewer studycircle.User, id string, why studycircle.Reason) error {
	why, err := why.Clean()
	if err != nil {
		return err
	}
	return s.writeAbout(ctx, id, func(ctx context.Context, tx Tx, sub studycircle.Submission, r studycircle.Reviewing) error {
		now := s.clock()
		settled, err := settledAt(ctx, tx, sub)
		if err != nil {
			return err
		}
		if err := studycircle.MayAppeal(viewer.ID, sub, r, settled, now); err != nil {
			return err
		}
		if r, err = reviewed(ctx, tx, sub, r); err != nil {
			return err
		}
		was := r
		r.Phase, r.Appeal, r.SettleAt = studycircle.ReviewAppealed, why.Words, now.Add(studycircle.AppealPatience)
		if err := tellCreator(ctx, tx, r, studycircle.NotifyAppeal, viewer.ID, now); err != nil {
			return err
		}
		return moreReviews(ctx, tx, was, r)
	})
}

// Reopen lets the creator of an assignment have a submission reviewed by more people,
// or say its mark. CodeInvalid, ErrNotFound, what MayReopen says.
func (s *Service) Reopen(ctx context.Context, viewer studycircle.User, id string, in studycircle.ReopenInput) error {
	in, err := in.Clean()
	if err != nil {
		return err
	}
	return s.writeAbout(ctx, id, func(ctx context.Context, tx Tx, sub studycircle.Submission, r studycircle.Reviewing) error {
		a, err := tx.AnyAssignment(ctx, sub.AssignmentID)
		if err != nil {
			return likeWork(ctx, tx, viewer, id, err)
		}
		if err := studycircle.MayReopen(viewer.ID, a, sub, r, in.Action); err != nil {
			return err
		}
		if err := in.CheckTotal(sub.Marks); err != nil {
			return err
		}
		if r, err = reviewed(ctx, tx, sub, r); err != nil {
			return err
		}
		if in.Action == studycircle.ReopenMark {
			return setMark(ctx, tx, settling{Reviewing: r, Total: sub.Marks, Now: s.clock()}, in)
		}
		was := r
		r.Phase, r.SettleAt = studycircle.ReviewReopened, s.clock().Add(studycircle.SettleAfter)
		return moreReviews(ctx, tx, was, r)
	})
}

// Work returns a submission to the assignment's creator, who is to decide about it.
// ErrNotFound.
func (s *Service) Work(ctx context.Context, viewer studycircle.User, id string) (sub studycircle.Submission, err error) {
	err = s.writeAbout(ctx, id, func(ctx context.Context, tx Tx, found studycircle.Submission, r studycircle.Reviewing) error {
		a, err := tx.AnyAssignment(ctx, found.AssignmentID)
		if err != nil {
			return err
		}
		sub = found
		return studycircle.MayReadWork(viewer.ID, a, r)
	})
	return sub, err
}

// writeAbout runs f on a submission and where its reviews stand, locked; the zero
// Reviewing where one grade is the mark. ErrNotFound.
func (s *Service) writeAbout(ctx context.Context, id string, f func(context.Context, Tx, studycircle.Submission, studycircle.Reviewing) error) error {
	if !studycircle.ValidID(id) { // see assignmentOf
		return studycircle.ErrNotFound
	}
	return s.store.Write(ctx, func(ctx context.Context, tx Tx) error {
		r, err := tx.LockReviewing(ctx, id)
		if err != nil && studycircle.CodeOf(err) != studycircle.CodeNotFound {
			return err
		}
		if err != nil {
			r = studycircle.Reviewing{}
		}
		sub, err := tx.Submission(ctx, id)
		if err != nil {
			return err
		}
		return f(ctx, tx, sub, r)
	})
}

// settledAt is when a submission got its present mark.
func settledAt(ctx context.Context, tx Tx, sub studycircle.Submission) (time.Time, error) {
	all, err := tx.Settlements(ctx, sub.ID)
	if err != nil || sub.Grade == nil {
		return time.Time{}, err
	}
	if len(all) > 0 {
		return all[len(all)-1].At, nil
	}
	return sub.Grade.MarkedAt, nil
}

// reviewed is where a submission's reviews stand; of one that a grade has marked, the
// grade becomes the first.
func reviewed(ctx context.Context, tx Tx, sub studycircle.Submission, r studycircle.Reviewing) (studycircle.Reviewing, error) {
	if r.Phase != "" {
		return r, nil
	}
	if sub.AssignmentID == "" { // imported without it: nobody knows what was asked
		return r, studycircle.ErrNotFound
	}
	g := sub.Grade
	return tx.ReviewGraded(ctx, sub.ID, studycircle.RandomLabel(), studycircle.Review{
		ID: studycircle.NewBlindID(), SubmissionID: sub.ID, Label: "A", Mark: g.Mark, Feedback: g.Feedback, HTML: g.HTML, GivenAt: g.MarkedAt,
	}, studycircle.Settlement{At: g.MarkedAt, By: studycircle.SettledByGrader, Reason: studycircle.SettleGrade, Mark: g.Mark})
}

// moreReviews asks for more reviews of what was settled.
func moreReviews(ctx context.Context, tx Tx, was, r studycircle.Reviewing) error {
	r.Wanted = r.Reviews + studycircle.AppealReviews
	if was.Phase == studycircle.ReviewAppealed || was.Phase == studycircle.ReviewReopened {
		if err := tx.Unqueue(ctx, was); err != nil { // it is in the queue as it was
			return err
		}
	}
	if err := tx.UpdateReviewing(ctx, was, r); err != nil {
		return err
	}
	if err := tx.Queue(ctx, r, 0); err != nil {
		return err
	}
	return tx.AnnounceReviewing(ctx, r)
}

// setMark makes a mark of the creator's the submission's.
func setMark(ctx context.Context, tx Tx, of settling, in studycircle.ReopenInput) error {
	reviews, err := tx.Reviews(ctx, of.SubmissionID)
	if err != nil {
		return err
	}
	if err := label(ctx, tx, release(reviews)); err != nil {
		return err
	}
	was := of.Reviewing
	of.Phase = studycircle.ReviewSettled
	if err := tx.UpdateReviewing(ctx, was, of.Reviewing); err != nil {
		return err
	}
	err = tx.Settle(ctx, of.SubmissionID, studycircle.Settlement{
		At: of.Now, By: studycircle.SettledByCreator, Reason: studycircle.SettleSetMark, Words: in.Reason.Words, Mark: *in.Mark,
	}, studycircle.FeedbackOf(reviews))
	if err != nil {
		return err
	}
	return tx.Unqueue(ctx, of.Reviewing)
}
