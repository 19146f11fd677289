package studycircle

import "time"

// SubmitterMay lists what a submitter may do with their submission. The policy allows everything that is true here.
type SubmitterMay struct {
	// Change is false if the submission has several reviewers: a refusal would reveal that a reviewer has begun.
	// Withdrawing and handing in again is always possible.
	Change   bool
	Withdraw bool
	Appeal   bool
	Assess   bool // judge it by the assignment's rubric
	Answer   bool // a question of a reviewer
	// AppealUntil is the last day of an appeal, counted from 1970 in UTC; 0 without one.
	AppealUntil int64
}

// SubmitterActions returns what viewer may do with s. settled is the time of its present mark; the other arguments are
// those of MayAppeal.
func SubmitterActions(
	viewer string, in OwnCircle, s Submission, r Reviewing, settled, now time.Time,
) (may SubmitterMay) {
	pending := MayChangeSubmission(viewer, in, s) == nil
	may.Change, may.Withdraw = pending && s.Reviews == 0, pending
	if s.AssignmentID != "" && MayAppeal(viewer, in, s, r, settled, now) == nil {
		may.Appeal, may.AppealUntil = true, Day(settled.Add(AppealWithin))
	}
	return may
}

// AssignmentMay lists what a member of a circle may do with one of its assignments. The policy allows everything that
// is true here.
type AssignmentMay struct {
	Change bool // update and delete
	Take   bool // hand in, and ask for reminders
	Decide bool // about submissions, exemplars and the discussion
}

// AssignmentActions returns what viewer may do with a.
func AssignmentActions(viewer string, in OwnCircle, a Assignment) AssignmentMay {
	return AssignmentMay{
		Change: MayChangeAssignment(viewer, in, a) == nil, Take: MaySubmit(viewer, in, a) == nil,
		Decide: MayDecideAbout(viewer, in, a) == nil,
	}
}

// CreatorMay lists what an assignment's creator, or an organizer of its circle, may do with a submission.
type CreatorMay struct {
	Grade   bool // give its one grade
	Settle  bool // on its present reviews
	Reopen  bool // ask two new reviewers
	SetMark bool
	Known   bool // mark it as known work
	// Waits reports whether the submission waits for the creator: see Reviewing.WaitsForCreator.
	Waits bool
	// SendBack is possible until the submission has a mark.
	SendBack bool
	// Extend is to give its submitter extra time, until it has a mark. In a circle only members get some, which the
	// caller knows.
	Extend bool
}

// CreatorActions returns what viewer may do with s, a submission for a. r is the zero Reviewing if one grade is the
// mark.
func CreatorActions(viewer string, in OwnCircle, a Assignment, s Submission, r Reviewing) CreatorMay {
	decides := MayDecideAbout(viewer, in, a) == nil
	return CreatorMay{
		Grade:   decides && s.Reviews == 0 && MayGrade(viewer, in, s) == nil,
		Settle:  r.Phase != "" && MaySettle(viewer, in, a, r) == nil,
		Reopen:  MayReopen(viewer, in, a, s, r, ReopenReviews) == nil,
		SetMark: MayReopen(viewer, in, a, s, r, ReopenMark) == nil,
		Known:   MayMarkKnown(viewer, in, a, r) == nil,
		Waits:   decides && r.WaitsForCreator(),
		// A reviewer never decides for the class.
		SendBack: decides && MaySendBack(viewer, in, a, s) == nil,
		Extend:   s.Status == Pending && MayExtend(viewer, in, a, true, s.Submitter.UserID) == nil,
	}
}

// WaitsForCreator reports whether the submission waits for the creator's decision: on an appeal that got too few
// reviewers, or on a submission that got no review in time.
func (r Reviewing) WaitsForCreator() bool {
	return r.Phase == ReviewUnattended || (r.Phase == ReviewAppealed && r.Asked)
}
