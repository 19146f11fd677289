package studycircle

import "time"

// Who may do what, as pure functions. A nil error means yes; a "no" carries the
// code and the sentence that the user gets. viewer is a user's id; whoever is
// not signed in gets to MayHear only. Anything these functions do not know is a no.

// MayChangeAssignment lets the creator alone update or delete.
func MayChangeAssignment(viewer string, a Assignment) error {
	if viewer == "" || a.Creator.UserID != viewer {
		return Errorf(CodeNotYourAssignment, "This is not your assignment.")
	}
	return nil
}

// MaySubmit lets everybody but the creator hand in.
func MaySubmit(viewer string, a Assignment) error {
	if viewer == "" || a.Creator.UserID == viewer {
		return Errorf(CodeOwnAssignment, "This is your assignment.")
	}
	return nil
}

// MayBeReminded lets everybody but the creator ask to be reminded.
func MayBeReminded(viewer string, a Assignment) error { return MaySubmit(viewer, a) }

// MayReadResults lets the creator alone see what others got.
func MayReadResults(viewer string, a Assignment) error { return MayChangeAssignment(viewer, a) }

// MayGrade lets everybody but the submitter grade what is still pending.
func MayGrade(viewer string, s Gradable) error {
	if viewer == "" || s.SubmitterID == viewer {
		return Errorf(CodeOwnSubmission, "You cannot grade your own submission.")
	}
	return stillPending(s.Status)
}

// MayChangeSubmission lets the submitter change or withdraw what is still pending.
func MayChangeSubmission(viewer string, s Submission) error {
	if err := MayReadOwn(viewer, s); err != nil {
		return err
	}
	return stillPending(s.Status)
}

// MayReadOwn lets the submitter alone read a submission as its submitter does.
func MayReadOwn(viewer string, s Submission) error {
	if viewer == "" || s.Submitter.UserID != viewer {
		return Errorf(CodeNotYourSubmissions, "This is not your submission.")
	}
	return nil
}

// MayChangeComment lets the author alone change a comment.
func MayChangeComment(viewer string, c Comment) error {
	if viewer == "" || c.Author.UserID != viewer {
		return Errorf(CodeNotYourComment, "This is not your comment.")
	}
	return nil
}

// MayDeleteComment lets the author, the assignment's creator and moderators delete
// a comment.
func MayDeleteComment(viewer string, moderates bool, c Comment, a Assignment) error {
	if viewer != "" && (moderates || a.Creator.UserID == viewer) {
		return nil
	}
	return MayChangeComment(viewer, c)
}

// MayCloseDiscussion lets the assignment's creator and moderators close and open
// its discussion.
func MayCloseDiscussion(viewer string, moderates bool, a Assignment) error {
	if viewer != "" && moderates {
		return nil
	}
	return MayChangeAssignment(viewer, a)
}

// MayModerate lets moderators alone see and decide what was reported.
func MayModerate(viewer User, moderators Moderators) error {
	if !moderators.Include(viewer) {
		return Errorf(CodeNotModerator, "This is for moderators.")
	}
	return nil
}

// MayDecide lets a moderator decide about the words and accounts of users who are not
// moderators; the operator decides about moderators. Of what stays anonymous it refuses a
// moderator's own only, since to refuse another's would tell that a moderator made it.
func MayDecide(viewer, authorID string, byModerator bool, kind SubjectKind) error {
	if viewer == "" || authorID == viewer || byModerator && !kind.Blind() {
		return Errorf(CodeOperatorDecides, "The operator decides about moderators.")
	}
	return nil
}

// MayReportReview lets those report a review who received it, once it is released. To
// all others there is none: ErrNotFound.
func MayReportReview(viewer string, r Review, s Submission) error {
	if viewer == "" || viewer != s.Submitter.UserID || r.Label == "" {
		return ErrNotFound
	}
	return nil
}

// MayReportSubmission lets those report a submission who hold l, its lease. To all
// others there is none: ErrNotFound.
func MayReportSubmission(submissionID string, l Lease, now time.Time) error {
	if submissionID == "" || l.SubmissionID != submissionID || !l.Until.After(now) {
		return ErrNotFound
	}
	return nil
}

// MayRewrite refuses to change what somebody reviews or has reviewed.
func MayRewrite(r Reviewing, leases int64) error {
	if r.Reviews+leases > 0 {
		return Errorf(CodeUnderReview, "Somebody is reviewing this submission already. You can withdraw it and hand it in again.")
	}
	return nil
}

// ReviewerFacts are what of a submission and of somebody a review is decided by.
type ReviewerFacts struct {
	Reviewing
	CreatorID string // the assignment's; "" where the account is gone
	Turn      Turn   // what became of it when it was given to them
	Room      bool   // it has a place that is neither taken nor reserved
}

// MayReview lets those review to whom the submission is reserved; also those whose
// time is over, where there is room still, and everybody but submitter and creator
// what nobody came for.
func MayReview(viewer string, f ReviewerFacts) error {
	switch {
	case viewer == "" || f.SubmitterID == viewer:
		return Errorf(CodeOwnSubmission, "You cannot review your own submission.")
	case !f.Phase.TakesReviews():
		return Errorf(CodeAlreadyGraded, "This submission has its mark already.")
	case f.Turn == TurnReviewed:
		return Errorf(CodeAlreadyReviewed, "You have reviewed this submission already.")
	case f.Turn == TurnLeased, f.Turn == TurnLapsed && f.Room:
		return nil
	case f.Phase == ReviewUnattended && f.CreatorID != viewer:
		return nil
	default:
		return Errorf(CodeNotLeased, "This submission is not reserved for you. Ask for the next one to review.")
	}
}

// MayBeOffered tells whether a submission may be given to viewer to review: neither
// their own, nor one of their assignment, nor one that was given to them before.
func MayBeOffered(viewer string, o Offer) bool {
	return viewer != "" && o.SubmitterID != viewer && o.CreatorID != viewer && o.Turn == NoTurn
}

// MayChangeReviewing refuses to change how work is reviewed once there is some.
func MayChangeReviewing(taken bool) error {
	if taken {
		return Errorf(CodeAlreadyTaken, "Somebody has handed in already: how submissions are reviewed stays as it is.")
	}
	return nil
}

// MayReadReviews lets the submitter and the assignment's creator read a
// submission's reviews, once it has been settled. To all others there are none:
// ErrNotFound.
func MayReadReviews(viewer string, s Submission, creatorID string, settled bool) error {
	if viewer == "" || !settled || (viewer != s.Submitter.UserID && viewer != creatorID) {
		return ErrNotFound
	}
	return nil
}

// MayReply lets the submitter say something of a review.
func MayReply(viewer string, s Submission) error {
	if viewer == "" || viewer != s.Submitter.UserID {
		return Errorf(CodeNotYourReview, "This is not a review of your work.")
	}
	return nil
}

// MaySettle lets the assignment's creator settle what has a review, early: of what is
// open again one that came since. An appeal is not cut short: its two reviewers come
// first, until the creator is asked to decide.
func MaySettle(viewer string, a Assignment, r Reviewing) error {
	switch {
	case MayChangeAssignment(viewer, a) != nil:
		return MayChangeAssignment(viewer, a)
	case !r.Phase.TakesReviews():
		return Errorf(CodeAlreadyGraded, "This submission has its mark already.")
	case r.Phase == ReviewAppealed && !r.Asked:
		return Errorf(CodeNoReviews, "The second new reviewer settles an appeal.")
	case r.Came() == 0:
		return Errorf(CodeNoReviews, "Nobody has reviewed this submission yet.")
	}
	return nil
}

// MayAppeal lets the submitter appeal once, soon after the mark was settled. To all
// others there is nothing to appeal: ErrNotFound. r is the zero Reviewing where one
// grade is the mark.
func MayAppeal(viewer string, s Submission, r Reviewing, settled, now time.Time) error {
	switch {
	case viewer == "" || viewer != s.Submitter.UserID:
		return ErrNotFound
	case s.Status != Completed || s.Grade == nil:
		return Errorf(CodeNotGraded, "This submission has no mark yet.")
	case r.Appeal != "":
		return Errorf(CodeAlreadyAppealed, "You have appealed against this mark already.")
	case r.Phase != "" && r.Phase != ReviewSettled:
		return Errorf(CodeNotGraded, "The creator has reopened this submission.")
	case Day(now) > Day(settled.Add(AppealWithin)): // pages name the last day
		return Errorf(CodeAlreadyGraded, "An appeal is possible for 14 days after a mark was settled.")
	}
	return nil
}

// MayReopen lets the assignment's creator decide about what has a mark, or about what
// nobody came for. While new reviewers are being asked they can say the mark, and not
// ask for others: nothing would ever end.
func MayReopen(viewer string, a Assignment, s Submission, r Reviewing, action ReopenAction) error {
	switch {
	case MayChangeAssignment(viewer, a) != nil:
		return MayChangeAssignment(viewer, a)
	case s.Status != Completed && r.Phase != ReviewUnattended:
		return Errorf(CodeNotGraded, "This submission has no mark yet.")
	case action == ReopenReviews && (r.Phase == ReviewReopened || (r.Phase == ReviewAppealed && !r.Asked)):
		return Errorf(CodeUnderReview, "New reviewers are being asked already. You can set the mark.")
	}
	return nil
}

// MayReadWork lets the assignment's creator read the work while an appeal or a
// reopening is open. To all others there is none: ErrNotFound.
func MayReadWork(viewer string, a Assignment, r Reviewing) error {
	if MayChangeAssignment(viewer, a) != nil || (r.Phase != ReviewAppealed && r.Phase != ReviewReopened) {
		return ErrNotFound
	}
	return nil
}

// MayReadLink lets those ask after a submission's document link who have it: the
// submitter, the assignment's creator, and to whom it is reserved. To all others there
// is none: ErrNotFound.
func MayReadLink(viewer string, f LinkFacts, now time.Time) error {
	if viewer == "" || (viewer != f.SubmitterID && viewer != f.CreatorID && !f.LeasedUntil.After(now)) {
		return ErrNotFound
	}
	return nil
}

// MayListSubmissionsOf lets users list their own submissions only. email is
// normalized.
func MayListSubmissionsOf(viewer User, email string) error {
	if viewer.Email == "" || viewer.Email != email {
		return Errorf(CodeNotYourSubmissions, "You can list your own submissions only.")
	}
	return nil
}

// MayHear tells whether viewer, "" for a visitor, is told of an event.
func MayHear(viewer string, e Event) bool {
	switch e.Audience {
	case Everybody:
		return true
	case AllUsers:
		return viewer != ""
	default:
		return viewer != "" && viewer == string(e.Audience)
	}
}

func stillPending(s Status) error {
	if s != Pending {
		return Errorf(CodeAlreadyGraded, "Someone has already marked this submission.")
	}
	return nil
}
