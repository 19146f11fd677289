package studycircle

import "time"

// SubmitterMay lists what a submitter may do with their submission. The policy allows everything that is true here.
type SubmitterMay struct {
	// Change is false if the submission has several reviewers: a refusal would reveal that a reviewer has begun.
	// Withdrawing and handing in again is always possible.
	Change   bool
	Withdraw bool
	Appeal   bool
	// AppealUntil is the last day of an appeal, counted from 1970 in UTC; 0 without one.
	AppealUntil int64
}

// MayDoWithOwn returns what viewer may do with s. settled is the time of its present mark; the other arguments are
// those of MayAppeal.
func MayDoWithOwn(viewer string, s Submission, r Reviewing, settled, now time.Time) (may SubmitterMay) {
	pending := MayChangeSubmission(viewer, s) == nil
	may.Change, may.Withdraw = pending && s.Reviews == 0, pending
	if s.AssignmentID != "" && MayAppeal(viewer, s, r, settled, now) == nil {
		may.Appeal, may.AppealUntil = true, Day(settled.Add(AppealWithin))
	}
	return may
}

// CreatorMay lists what an assignment's creator may do with a submission.
type CreatorMay struct {
	Grade   bool // give its one grade
	Settle  bool // on its present reviews
	Reopen  bool // ask two new reviewers
	SetMark bool
	// Waits reports whether the submission waits for the creator: see Reviewing.WaitsForCreator.
	Waits bool
}

// MayDoAbout returns what viewer may do with s, a submission for a. r is the zero Reviewing if one grade is the mark.
func MayDoAbout(viewer string, a Assignment, s Submission, r Reviewing) CreatorMay {
	creates := MayChangeAssignment(viewer, a) == nil
	gradable := Gradable{SubmitterID: s.Submitter.UserID, Status: s.Status}
	return CreatorMay{
		Grade:   creates && s.Reviews == 0 && MayGrade(viewer, gradable) == nil,
		Settle:  r.Phase != "" && MaySettle(viewer, a, r) == nil,
		Reopen:  MayReopen(viewer, a, s, r, ReopenReviews) == nil,
		SetMark: MayReopen(viewer, a, s, r, ReopenMark) == nil,
		Waits:   creates && r.WaitsForCreator(),
	}
}

// WaitsForCreator reports whether the submission waits for the creator's decision: on an appeal that got too few
// reviewers, or on a submission that got no review in time.
func (r Reviewing) WaitsForCreator() bool {
	return r.Phase == ReviewUnattended || (r.Phase == ReviewAppealed && r.Asked)
}
