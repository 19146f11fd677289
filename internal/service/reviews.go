package service

import (
	"context"
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/grademodel"
	"studycircle/internal/limit"
)

// ReviewStore is the part of the store that reads reviews.
type ReviewStore interface {
	Submission(ctx context.Context, v studycircle.Viewer, id string) (studycircle.Submission, error)
	Reviews(ctx context.Context, submissionID string) ([]studycircle.Review, error)
	// RubricOf returns the rubric of a submission that v has read.
	RubricOf(ctx context.Context, v studycircle.Viewer, of studycircle.Submission) (studycircle.Rubric, error)
	Settlements(ctx context.Context, submissionID string) ([]studycircle.Settlement, error)
	// SettledAt returns the times of the submissions' present marks, by their ids.
	SettledAt(ctx context.Context, v studycircle.Viewer, submissionIDs []string) (map[string]time.Time, error)
	Reviewing(ctx context.Context, v studycircle.Viewer, submissionID string) (studycircle.Reviewing, error)
	ReviewsGiven(ctx context.Context, v studycircle.Viewer, p studycircle.Page) ([]studycircle.GivenReview, int64, error)
	ComparedReviews(ctx context.Context, v studycircle.Viewer) ([]studycircle.ComparedReview, error)
	// ReservedReview returns the submission that is leased to v at this time; ErrNotFound.
	ReservedReview(ctx context.Context, v studycircle.Viewer, now time.Time) (studycircle.ReservedReview, error)
	// DueReviews and LapsedLeases return some of those whose time is over, after the first skip.
	DueReviews(ctx context.Context, now time.Time, skip int) ([]string, error)
	// ReviewRequestsWait reports whether DueReviewRequests would return any.
	ReviewRequestsWait(ctx context.Context, now time.Time) (bool, error)
	// ChangedScales returns some assignments that changed before a day and whose parts are not renewed since, after
	// the first skip. ReviewedAfter returns ids of reviewed submissions.
	ChangedScales(ctx context.Context, day int64, skip int) ([]string, error)
	ReviewedAfter(ctx context.Context, assignmentID, after string) ([]string, error)
	Exemplars(ctx context.Context, v studycircle.Viewer, assignmentID string) ([]studycircle.Exemplar, error)
	LapsedLeases(ctx context.Context, now time.Time, skip int) ([]studycircle.HeldLease, error)
}

// ReviewTx is the part of a transaction that reads and writes reviews.
type ReviewTx interface {
	Taken(ctx context.Context, assignmentID string) (bool, error)
	SubmitForReview(ctx context.Context, s studycircle.Submission, a studycircle.Assignment, r studycircle.Reviewing) error
	// Submitters returns the number of users who handed in for an assignment, counted as far as studycircle.TooFew
	// needs.
	Submitters(ctx context.Context, assignmentID string) (int64, error)
	DiscardReviewing(ctx context.Context, submissionID string) error
	// LoadReviewCase returns the case of a submission or exemplar, locked; viewerID may be "". ErrNotFound.
	LoadReviewCase(ctx context.Context, id, viewerID string) (studycircle.ReviewCase, error)
	// ReviewModel returns the grade model's input for a submission's reviews.
	ReviewModel(ctx context.Context, assignmentID, submissionID string) (grademodel.Totals, map[string]grademodel.Record, error)
	// SaveReviewCase stores a decision. parts, if given, are the parts of the grade model from the case's reviews.
	SaveReviewCase(ctx context.Context, c studycircle.ReviewCase, parts []grademodel.Part) error
	PutParts(ctx context.Context, reviews []studycircle.Review, parts []grademodel.Part) error
	ScaleRenewed(ctx context.Context, assignmentID string, day int64) error
	Review(ctx context.Context, id string) (studycircle.Review, error)
	ReplyToReview(ctx context.Context, id string, in studycircle.ReplyInput) error
}

// ReviewRequestTx is the part of a transaction that asks users to review.
type ReviewRequestTx interface {
	DueReviewRequests(ctx context.Context, now time.Time) ([]studycircle.ReviewRequest, error)
	PlanReviewRequest(ctx context.Context, r studycircle.ReviewRequest, next time.Time) error
}

// ExemplarTx is the part of a transaction that reads and writes exemplars.
type ExemplarTx interface {
	Exemplar(ctx context.Context, id string) (studycircle.Exemplar, error)
	ExemplarIDs(ctx context.Context, assignmentID string) ([]string, error)
	InsertExemplar(ctx context.Context, e studycircle.Exemplar, title string, now time.Time) error
	UpdateExemplar(ctx context.Context, id string, m studycircle.ExemplarMark) error
	DeleteExemplar(ctx context.Context, id string) error
	ExemplarsFor(ctx context.Context, userID, assignmentID string) ([]string, error)
	LeaseExemplar(ctx context.Context, userID, id string, until time.Time) error
	InsertExemplarReview(ctx context.Context, r studycircle.Review, e studycircle.Exemplar, p grademodel.Part) error
}

// returnLimit is a rule and no protection: without it a user could choose what to review.
var returnLimit = limit.Window{Name: "give-back", Max: 2, Per: 24 * time.Hour, Sentence: "You have given back two submissions today."}

// reviewingFixed refuses to change the way of reviewing after the first submission; CodeAlreadyTaken, CodeInvalid.
func reviewingFixed(ctx context.Context, tx Tx, before, after studycircle.Assignment) error {
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
func rewritable(ctx context.Context, tx Tx, sub studycircle.Submission) error {
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
func submitForReview(ctx context.Context, tx Tx, a studycircle.Assignment, sub studycircle.Submission) error {
	err := tx.SubmitForReview(ctx, sub, a, studycircle.Reviewing{
		SubmissionID: sub.ID, AssignmentID: a.ID, CircleID: a.CircleID, SubmitterID: sub.Submitter.UserID, Label: studycircle.RandomLabel(),
		Phase: studycircle.ReviewOpen, Needed: sub.Reviews, Wanted: sub.Reviews, SettleAt: studycircle.SettlesBy(sub.SubmittedAt, a.Due),
	})
	if err != nil {
		return err
	}
	return warnOfTooFew(ctx, tx, a, sub.Submitter.UserID, sub.SubmittedAt)
}

// review stores a review of a submission with several reviewers. CodeInvalid, CodeRateLimited and the errors of
// MayReview.
func review(ctx context.Context, tx Tx, viewer studycircle.User, c studycircle.ReviewCase, use limit.Use, in studycircle.ReviewInput) error {
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
	if err := tx.Use(ctx, use); err != nil {
		return err
	}
	return arrive(ctx, tx, c, studycircle.Review{
		ID: studycircle.NewBlindID(), SubmissionID: c.Submission.ID, Reviewer: viewer.ID, Mark: mark, Levels: in.Levels, Feedback: in.Feedback, HTML: in.HTML, GivenAt: use.At,
	})
}

// SettleNow lets the creator settle a submission on its present reviews. ErrNotFound and the errors of MaySettle.
func (s *Service) SettleNow(ctx context.Context, viewer studycircle.User, id string) error {
	return s.decide(ctx, viewer, id, func(ctx context.Context, tx Tx, c *studycircle.ReviewCase) error {
		if !c.Reviewed() {
			return likeWork(ctx, tx, viewer, id, studycircle.ErrNotFound)
		}
		in, err := tx.OwnCircle(ctx, c.Assignment.CircleID)
		if err != nil {
			return err
		}
		if err := studycircle.MaySettle(viewer.ID, in, c.Assignment, c.Reviewing); err != nil {
			return err
		}
		m, err := measureOf(ctx, tx, *c)
		if err != nil {
			return err
		}
		return c.Settle(c.Reviewing.ByHand(), s.clock(), m.judge)
	})
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
	if !studycircle.ValidID(id) { // see assignmentOf
		return e, studycircle.ErrNotFound
	}
	if e.Submission, err = s.store.Submission(ctx, s.as(viewer).Party(), id); err != nil {
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
	e.Own = studycircle.MayDoWithOwn(viewer.ID, in, e.Submission, h.Reviewing, last, s.clock())
	e.May = studycircle.MayDoAbout(viewer.ID, in, a, e.Submission, h.Reviewing)
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
	return slices.ContainsFunc(settlements, func(st studycircle.Settlement) bool { return st.Reason != studycircle.SettleGrade })
}

// ReplyToReview stores the submitter's reply to a review. CodeInvalid, ErrNotFound, CodeNotYourReview.
func (s *Service) ReplyToReview(ctx context.Context, viewer studycircle.User, id string, in studycircle.ReplyInput) error {
	in, err := in.Clean()
	if err != nil {
		return err
	}
	if !studycircle.ValidID(id) { // see assignmentOf
		return studycircle.ErrNotFound
	}
	return s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx Tx) error {
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
