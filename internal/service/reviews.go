package service

import (
	"context"
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store"
)

// returnLimit is a rule and no protection: without it a user could choose what to review.
var returnLimit = limit.Window{
	Name: "give-back", Max: 2, Per: 24 * time.Hour,
	Message: "You have given back two submissions today. Please try again in %s.",
}

// reviewingFixed refuses to change the way of reviewing after the first submission; CodeAlreadyTaken, CodeInvalid.
func reviewingFixed(ctx context.Context, tx *store.Tx, before, after studycircle.Assignment) error {
	if before.ChangesReviewing(after) {
		taken, err := tx.Taken(ctx, before.ID)
		if err != nil {
			return err
		}
		if err := studycircle.MayChangeReviewing(taken); err != nil {
			return err
		}
	}
	return after.CheckReviewing()
}

// rewritable refuses to change a submission that a reviewer has begun to review; CodeUnderReview.
func rewritable(ctx context.Context, tx *store.Tx, sub studycircle.Submission) error {
	if sub.Reviews == 0 {
		return nil
	}
	c, err := tx.LoadReviewCase(ctx, sub.ID, "")
	if err != nil {
		return err
	}
	return studycircle.MayRewrite(c.Reviewing, c.Leases)
}

// submitForReview hands in a submission with several reviewers.
func submitForReview(ctx context.Context, tx *store.Tx, a studycircle.Assignment, sub studycircle.Submission) error {
	err := tx.SubmitForReview(ctx, sub, a, studycircle.Reviewing{
		SubmissionID: sub.ID, AssignmentID: a.ID, CircleID: a.CircleID, SubmitterID: sub.Submitter.UserID,
		Phase: studycircle.ReviewOpen, Needed: sub.Reviews, Wanted: sub.Reviews,
		SettleAt: studycircle.SettlesBy(sub.SubmittedAt, a.Due),
	})
	if err != nil || sub.SubmittedAt.Before(a.ShortFrom()) {
		return err
	}
	return warnOfTooFew(ctx, tx, a, sub.SubmittedAt)
}

// review stores a review of a submission with several reviewers. CodeInvalid, CodeRateLimited and the errors of
// MayReview.
func (s *Service) review(
	ctx context.Context, tx *store.Tx, viewer studycircle.User, c studycircle.ReviewCase,
	use limit.Use, in studycircle.ReviewInput,
) error {
	place, err := tx.OwnCircle(ctx, c.Submission.CircleID)
	if err != nil {
		return err
	}
	if err := studycircle.MayReview(viewer.ID, place, c.Facts()); err != nil {
		return err
	}
	mark, err := in.MarkUnder(c.Assignment.Rubric, c.Submission.Marks)
	if err != nil {
		return err
	}
	if err := s.use(ctx, tx, use); err != nil {
		return err
	}
	return arrive(ctx, tx, c, studycircle.Review{
		ID: studycircle.NewBlindID(), SubmissionID: c.Submission.ID, Reviewer: viewer.ID, Mark: mark, Levels: in.Levels,
		Feedback: in.Feedback, HTML: in.HTML, GivenAt: use.At,
	})
}

// SettleNow lets the creator settle a submission on its present reviews. ErrNotFound and the errors of MaySettle.
func (s *Service) SettleNow(ctx context.Context, viewer studycircle.User, id string) error {
	settle := func(ctx context.Context, tx *store.Tx, c *studycircle.ReviewCase, in studycircle.OwnCircle) error {
		if !c.Reviewed() {
			return likeWork(ctx, tx, viewer, id, studycircle.ErrNotFound)
		}
		if err := studycircle.MaySettle(viewer.ID, in, c.Assignment, c.Reviewing); err != nil {
			return err
		}
		m, err := measureOf(ctx, tx, *c)
		if err != nil {
			return err
		}
		return c.Settle(c.Reviewing.ByHand(), s.clock(), m.judge)
	}
	return s.decide(ctx, viewer, id, settle)
}

// Explained is a settled submission with the explanation of its mark.
type Explained struct {
	Submission  studycircle.Submission
	Rubric      studycircle.Rubric
	Reviews     []studycircle.Review
	Questions   map[string]studycircle.Question // by their reviewers
	Settlements []studycircle.Settlement
	Reviewing   studycircle.Reviewing
	Timeline    []studycircle.Step
	Mine        bool   // viewer handed it in
	MayReply    bool   // to the reviews, and report them
	CircleID    string // a circle of viewer's; "" in the hall and once viewer has left it
	// May and Own are what viewer may do, as the assignment's creator and as the submitter.
	May  studycircle.CreatorMay
	Own  studycircle.SubmitterMay
	Self *studycircle.SelfAssessment // nil without one
}

// Explain returns how a submission got its mark, to users who may read its reviews. ErrNotFound.
func (s *Service) Explain(ctx context.Context, viewer studycircle.User, id string) (e Explained, err error) {
	if e.Submission, err = s.submission(ctx, s.as(viewer).Party(), id); err != nil {
		return e, err
	}
	a, err := s.partyAssignment(ctx, viewer, e.Submission.AssignmentID)
	if err != nil {
		return e, err
	}
	h, err := s.historyOf(ctx, viewer, e.Submission, a)
	if err != nil {
		return e, err
	}
	e.Settlements = h.Settlements
	in, err := s.circleOf(ctx, viewer, e.Submission.CircleID)
	if err != nil {
		return e, err
	}
	if err := studycircle.MayReadReviews(viewer.ID, in, e.Submission, a, explained(h.Settlements)); err != nil {
		return e, err
	}
	if e.Rubric, err = s.store.RubricOf(ctx, s.as(viewer).Party(), e.Submission); err != nil {
		return e, err
	}
	e.Reviewing, e.Timeline, e.Mine = h.Reviewing, h.Timeline(), e.Submission.Submitter.UserID == viewer.ID
	e.MayReply, e.CircleID = studycircle.MayReply(viewer.ID, in, e.Submission) == nil, in.ID
	last := e.Settlements[len(e.Settlements)-1].At
	e.Own = studycircle.SubmitterActions(viewer.ID, in, e.Submission, h.Reviewing, last, s.clock())
	e.May = studycircle.CreatorActions(viewer.ID, in, a, e.Submission, h.Reviewing)
	if e.Reviews, err = s.releasedReviews(ctx, id); err != nil {
		return e, err
	}
	asked, err := s.questionsOn(ctx, id, e.Mine)
	if err != nil {
		return e, err
	}
	e.Questions = byReviewer(asked)
	e.Self, err = s.selfAssessmentOf(ctx, id)
	return e, err
}

// explained reports whether a mark has an explanation: a grade alone has none, also while
// an appeal against it is open.
func explained(settlements []studycircle.Settlement) bool {
	return slices.ContainsFunc(
		settlements, func(st studycircle.Settlement) bool { return st.Reason != studycircle.SettleGrade },
	)
}

// ReplyToReview stores the submitter's reply to a review. CodeInvalid, ErrNotFound, CodeNotYourReview.
func (s *Service) ReplyToReview(
	ctx context.Context, viewer studycircle.User, id string, in studycircle.ReplyInput,
) error {
	in, err := in.Clean()
	if err != nil {
		return err
	}
	return s.write(ctx, viewer, id, func(ctx context.Context, tx *store.Tx) error {
		r, err := tx.Review(ctx, id)
		if err != nil {
			return err
		}
		if r.Label == "" { // not released
			return studycircle.ErrNotFound
		}
		sub, err := tx.Submission(ctx, r.SubmissionID)
		if err != nil {
			return err
		}
		place, err := tx.OwnCircle(ctx, sub.CircleID)
		if err != nil {
			return err
		}
		if err := studycircle.MayReply(viewer.ID, place, sub); err != nil {
			return err
		}
		return tx.ReplyToReview(ctx, id, in)
	})
}

// HowReviewed returns how viewer reviews, in the places that viewer may see; nil after few reviews.
func (s *Service) HowReviewed(ctx context.Context, viewer studycircle.User) (*studycircle.ReviewHabit, error) {
	compared, err := s.store.ComparedReviews(ctx, s.as(viewer))
	return studycircle.HabitOf(compared), err
}
