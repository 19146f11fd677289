package studycircle

import "time"

// SubmitterMay is what a submitter may do with a submission of theirs. What is true here,
// the policy allows.
type SubmitterMay struct {
	// Change is false where several people review the submission: it would tell that a
	// reviewer has begun. Withdrawing it and handing it in again is always possible.
	Change   bool
	Withdraw bool
	Appeal   bool
	// AppealUntil is the last day of an appeal, counted from 1970 in UTC; 0 without one.
	AppealUntil int64
}

// MayDoWithOwn returns what viewer may do with s. settled is when it got its present
// mark; the other arguments are MayAppeal's.
func MayDoWithOwn(viewer string, s Submission, r Reviewing, settled, now time.Time) (may SubmitterMay) {
	pending := MayChangeSubmission(viewer, s) == nil
	may.Change, may.Withdraw = pending && s.Reviews == 0, pending
	if s.AssignmentID != "" && MayAppeal(viewer, s, r, settled, now) == nil {
		may.Appeal, may.AppealUntil = true, Day(settled.Add(AppealWithin))
	}
	return may
}

// CreatorMay is what an assignment's creator may do about a submission.
type CreatorMay struct {
	Grade   bool // give its one grade
	Settle  bool // on the reviews that it has
	Reopen  bool // ask two new reviewers
	SetMark bool
	// Waits reports whether it waits for the creator: see Reviewing.WaitsForCreator.
	Waits bool
}

// MayDoAbout returns what viewer may do about s, a submission for a. r is the zero
// Reviewing where one grade is the mark.
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

// WaitsForCreator reports whether the assignment's creator is asked to decide: about an
// appeal to which too few reviewers came, or about work that nobody reviewed in time.
func (r Reviewing) WaitsForCreator() bool {
	return r.Phase == ReviewUnattended || (r.Phase == ReviewAppealed && r.Asked)
}
