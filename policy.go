package studycircle

import "time"

// The policy, as pure functions. Each MayX returns an error: nil allows, and others carry the code and the sentence for
// the user. Each CanX returns a bool. viewer is a user's id; of these functions only CanHear takes visitors. Unknown
// states are refused. in is the viewer's circle to which the assignment belongs: the zero OwnCircle in the hall, and of
// a circle for users who are not members.

var errNotYourAssignment = Errorf(CodeNotYourAssignment, "This is not your assignment.")

// MayChangeAssignment allows only the creator to update or delete.
func MayChangeAssignment(viewer string, in OwnCircle, a Assignment) error {
	if viewer == "" || a.Creator.UserID != viewer {
		return errNotYourAssignment
	}
	return MayWriteIn(in, a.CircleID)
}

// MayReadResults allows the creator, and the organizers of the assignment's circle, to read the results.
func MayReadResults(viewer string, in OwnCircle, a Assignment) error {
	if viewer == "" || (a.Creator.UserID != viewer && !in.organizes(a.CircleID)) {
		return errNotYourAssignment
	}
	return maySeeIn(in, a.CircleID)
}

// MayCopy allows those whom MayReadResults allows to copy an assignment, also from an archived circle.
func MayCopy(viewer string, in OwnCircle, a Assignment) error { return MayReadResults(viewer, in, a) }

// MayViewAsStudent allows those whom MayReadResults allows to read an assignment as a student does.
func MayViewAsStudent(viewer string, in OwnCircle, a Assignment) error {
	return MayReadResults(viewer, in, a)
}

// MayDecideAbout allows the creator, and the organizers of the assignment's circle, to decide about its submissions,
// exemplars and discussion.
func MayDecideAbout(viewer string, in OwnCircle, a Assignment) error {
	if err := MayReadResults(viewer, in, a); err != nil {
		return err
	}
	return MayWriteIn(in, a.CircleID)
}

// MaySubmit allows every user but the creator to hand in.
func MaySubmit(viewer string, in OwnCircle, a Assignment) error {
	if viewer == "" || a.Creator.UserID == viewer {
		return Errorf(CodeOwnAssignment, "This is your assignment.")
	}
	return MayWriteIn(in, a.CircleID)
}

// MayBeReminded allows every user but the creator to ask for reminders.
func MayBeReminded(viewer string, in OwnCircle, a Assignment) error { return MaySubmit(viewer, in, a) }

// MayGrade allows every user but the submitter to grade a pending submission; in a circle those whom MayGradeIn allows.
func MayGrade(viewer string, in OwnCircle, s Submission) error {
	if viewer == "" || s.Submitter.UserID == viewer {
		return Errorf(CodeOwnSubmission, "You cannot grade your own submission.")
	}
	if err := mayGradeIn(in, s.CircleID); err != nil {
		return err
	}
	return stillPending(s.Status)
}

// MayChangeSubmission allows only the submitter to change or withdraw a pending submission.
func MayChangeSubmission(viewer string, in OwnCircle, s Submission) error {
	if err := MayReadOwn(viewer, s); err != nil {
		return err
	}
	if err := MayWriteIn(in, s.CircleID); err != nil {
		return err
	}
	return stillPending(s.Status)
}

// MaySendBack allows those whom MayDecideAbout allows, and those whom MayGrade allows if one grade is the mark, to
// send a pending submission back.
func MaySendBack(viewer string, in OwnCircle, a Assignment, s Submission) error {
	if viewer == "" || s.Submitter.UserID == viewer {
		return Errorf(CodeOwnSubmission, "You cannot send your own submission back.")
	}
	if err := MayDecideAbout(viewer, in, a); err != nil {
		if s.Reviews > 0 {
			return err
		}
		return MayGrade(viewer, in, s)
	}
	return stillPending(s.Status)
}

// MayReadOwn allows only the submitter to read a submission as its submitter.
func MayReadOwn(viewer string, s Submission) error {
	if viewer == "" || s.Submitter.UserID != viewer {
		return Errorf(CodeNotYourSubmissions, "This is not your submission.")
	}
	return nil
}

// MayChangeComment allows only the author to change a comment.
func MayChangeComment(viewer string, in OwnCircle, c Comment) error {
	if viewer == "" || c.Author.UserID != viewer {
		return Errorf(CodeNotYourComment, "This is not your comment.")
	}
	return MayWriteIn(in, c.CircleID)
}

// MayDeleteComment allows the author and those whom MayCloseDiscussion allows to delete a comment.
func MayDeleteComment(viewer string, in OwnCircle, moderates bool, c Comment, a Assignment) error {
	if err := MayCloseDiscussion(viewer, in, moderates, a); CodeOf(err) != CodeNotYourAssignment {
		return err
	}
	return MayChangeComment(viewer, in, c)
}

// MayCloseDiscussion allows those whom MayDecideAbout allows to close and open a discussion, and in the hall
// moderators.
func MayCloseDiscussion(viewer string, in OwnCircle, moderates bool, a Assignment) error {
	if viewer != "" && moderates && a.CircleID == Hall {
		return nil
	}
	return MayDecideAbout(viewer, in, a)
}

// MayModerate allows only moderators to read reports and decide on them.
func MayModerate(viewer User, moderators Moderators) error {
	if !moderators.Include(viewer) {
		return Errorf(CodeNotModerator, "This is for moderators.")
	}
	return nil
}

// MayDecide allows a moderator to decide on texts and accounts of users who are not moderators; the operator decides
// on moderators. For anonymous subjects it refuses only the moderator's own: to refuse those of other moderators
// would reveal that a moderator is the author.
func MayDecide(viewer, authorID string, byModerator bool, kind SubjectKind) error {
	if viewer == "" || authorID == viewer || byModerator && !kind.Blind() {
		return Errorf(CodeOperatorDecides, "The operator decides about moderators.")
	}
	return nil
}

// MayReadReports allows organizers to read the reports to them and the decisions in their circle, and moderators those
// in the hall.
func MayReadReports(viewer User, moderators Moderators, in OwnCircle, circleID string) error {
	if circleID == Hall {
		return MayModerate(viewer, moderators)
	}
	return MayReadAsOrganizer(in.Mine, in.Circle)
}

// MayDecideIn allows organizers to decide on reports to them, and to restore what an organizer of their circle has
// hidden. Moderators do so in the hall. To other users no report exists: they get MayModerate's answer, or ErrNotFound.
func MayDecideIn(viewer User, moderators Moderators, in OwnCircle, circleID string) error {
	if circleID == Hall || maySeeIn(in, circleID) != nil {
		if err := MayModerate(viewer, moderators); err != nil || circleID == Hall {
			return err
		}
		return ErrNotFound
	}
	return MayOrganize(in.Mine, in.Circle)
}

// MayOrganizerDecide allows an organizer to dismiss reports of other users' words and to hide them. Only moderators
// suspend.
func MayOrganizerDecide(viewer, authorID string, a ModerationAction) error {
	switch {
	case viewer == "" || authorID == viewer:
		return Errorf(CodeNotModerator, "Other organizers, or the server's moderators, decide about your own words.")
	case a == Suspend:
		return Errorf(CodeNotModerator, "Only the server's moderators can suspend. You can remove a member.")
	}
	return nil
}

// MayReportReview allows only the review's recipient to report it, once it is released. Others get ErrNotFound.
func MayReportReview(viewer string, r Review, s Submission) error {
	if viewer == "" || viewer != s.Submitter.UserID || r.Label == "" {
		return ErrNotFound
	}
	return nil
}

// MayReportSubmission allows only the holder of l, a lease of the submission, to report it. Others get ErrNotFound.
func MayReportSubmission(submissionID string, l Lease, now time.Time) error {
	if submissionID == "" || l.SubmissionID != submissionID || !l.Until.After(now) {
		return ErrNotFound
	}
	return nil
}

// MayReportAnswer allows a reviewer whose question about a submission is answered to report the submission, as long as
// they may read the answer. q is the zero Question if they have asked none. Others get ErrNotFound.
func MayReportAnswer(q Question, turn Turn) error {
	if !q.Answered() {
		return ErrNotFound
	}
	return MayReadQuestion(turn)
}

// MayRewrite refuses to change a submission that a reviewer has begun to review or has reviewed.
func MayRewrite(r Reviewing, leases int64) error {
	if r.Reviews+leases > 0 {
		return Errorf(CodeUnderReview, "This submission is already under review, so it cannot change. Until its mark you "+
			"can withdraw it and hand it in again: what reviewers wrote until then stays with it.")
	}
	return nil
}

// ReviewerFacts are the facts about a submission and a user that decide whether the user may review it.
type ReviewerFacts struct {
	Reviewing
	CreatorID string // the assignment's; "" if the account is gone
	Turn      Turn   // the outcome of the user's lease
	Room      bool   // it has a slot that is neither taken nor reserved
}

// MayReview allows the holder of a lease to review; also a user whose lease has ended if a slot is free, and every
// user but submitter and creator once the submission is unattended. In a circle it allows those whom MayReviewIn
// allows.
func MayReview(viewer string, in OwnCircle, f ReviewerFacts) error {
	if viewer == "" || f.SubmitterID == viewer {
		return Errorf(CodeOwnSubmission, "You cannot review your own submission.")
	}
	if err := MayReviewIn(in, f.CircleID); err != nil {
		return err
	}
	switch {
	case !f.Phase.TakesReviews():
		return Errorf(CodeAlreadyGraded, "This submission already has its mark.")
	case f.Turn == TurnReviewed:
		return Errorf(CodeAlreadyReviewed, "You have already reviewed this submission.")
	case f.Turn == TurnLeased, f.Turn == TurnLapsed && f.Room:
		return nil
	case f.Phase == ReviewUnattended && f.CreatorID != viewer:
		return nil
	default:
		return ErrNotLeased
	}
}

// CanBeOffered reports whether viewer may lease a submission: it is not their own, not for their assignment, and was
// not leased to them before.
func CanBeOffered(viewer string, o Offer) bool {
	return viewer != "" && o.SubmitterID != viewer && o.CreatorID != viewer && o.Turn == NoTurn
}

// MayChangeReviewing refuses to change the way of reviewing after the first submission.
func MayChangeReviewing(taken bool) error {
	if taken {
		return Errorf(
			CodeAlreadyTaken, "The assignment already has a submission, so how it is reviewed can no longer change.",
		)
	}
	return nil
}

// MayReadReviews allows the submitter, also one who has left the circle, and those who may read the assignment's
// results to read a submission's reviews once it is settled. Others get ErrNotFound.
func MayReadReviews(viewer string, in OwnCircle, s Submission, a Assignment, settled bool) error {
	if viewer == "" || !settled || (viewer != s.Submitter.UserID && MayReadResults(viewer, in, a) != nil) {
		return ErrNotFound
	}
	return nil
}

// MayReply allows the submitter to reply to a review.
func MayReply(viewer string, in OwnCircle, s Submission) error {
	if viewer == "" || viewer != s.Submitter.UserID {
		return Errorf(CodeNotYourReview, "This is not a review of your work.")
	}
	return MayWriteIn(in, s.CircleID)
}

// MaySettle allows those whom MayDecideAbout allows to settle early a submission that has a review; a reopened one
// needs a review given since. An appeal runs its course: its two reviewers come first, until the creator is asked to
// decide.
func MaySettle(viewer string, in OwnCircle, a Assignment, r Reviewing) error {
	if err := MayDecideAbout(viewer, in, a); err != nil {
		return err
	}
	switch {
	case !r.Phase.TakesReviews():
		return Errorf(CodeAlreadyGraded, "This submission already has its mark.")
	case r.Phase == ReviewAppealed && !r.Asked:
		return Errorf(CodeNoReviews, "The second new reviewer settles an appeal.")
	case r.Came() == 0:
		return Errorf(CodeNoReviews, "This submission has no review yet.")
	}
	return nil
}

// MayAppeal allows the submitter one appeal, soon after the mark was settled. Others get ErrNotFound. r is the zero
// Reviewing if one grade is the mark.
func MayAppeal(viewer string, in OwnCircle, s Submission, r Reviewing, settled, now time.Time) error {
	if viewer == "" || viewer != s.Submitter.UserID {
		return ErrNotFound
	}
	if err := MayWriteIn(in, s.CircleID); err != nil {
		return err
	}
	switch {
	case s.Status != Completed || s.Grade == nil:
		return Errorf(CodeNotGraded, "This submission has no mark yet.")
	case r.Appeal != "":
		return Errorf(CodeAlreadyAppealed, "You have already appealed against this mark.")
	case r.Phase != "" && r.Phase != ReviewSettled:
		return Errorf(CodeNotGraded, "The creator has reopened this submission.")
	case Day(now) > Day(settled.Add(AppealWithin)): // pages name the last day
		return Errorf(CodeAlreadyGraded, "An appeal is possible for 14 days after a mark was settled.")
	}
	return nil
}

// MayReopen allows those whom MayDecideAbout allows to decide on a submission that has a mark, or that is unattended.
// While new reviewers are being asked, the creator can set the mark but not ask for more reviewers; otherwise reviewing
// might never end.
func MayReopen(viewer string, in OwnCircle, a Assignment, s Submission, r Reviewing, action ReopenAction) error {
	if err := MayDecideAbout(viewer, in, a); err != nil {
		return err
	}
	switch {
	case s.Status != Completed && r.Phase != ReviewUnattended:
		return Errorf(CodeNotGraded, "This submission has no mark yet.")
	case action == ReopenReviews && (r.Phase == ReviewReopened || (r.Phase == ReviewAppealed && !r.Asked)):
		return Errorf(CodeUnderReview, "New reviewers are already being asked. You can set the mark.")
	}
	return nil
}

// MayReadWork allows those who may read the assignment's results to read the submission while an appeal or a reopening
// is open. Others get ErrNotFound.
func MayReadWork(viewer string, in OwnCircle, a Assignment, r Reviewing) error {
	if MayReadResults(viewer, in, a) != nil || (r.Phase != ReviewAppealed && r.Phase != ReviewReopened) {
		return ErrNotFound
	}
	return nil
}

// MayReadLink allows users who have a submission's document link to read its state: the submitter, the assignment's
// creator, the organizers of its circle and the holder of a lease. Others get ErrNotFound.
func MayReadLink(viewer string, in OwnCircle, f LinkFacts, now time.Time) error {
	switch {
	case viewer != "" && viewer == f.SubmitterID:
		return nil
	case viewer == "", viewer != f.CreatorID && !in.organizes(f.CircleID) && !f.LeasedUntil.After(now):
		return ErrNotFound
	default:
		return maySeeIn(in, f.CircleID)
	}
}

// MayListSubmissionsOf allows users to list their own submissions only. email is normalized.
func MayListSubmissionsOf(viewer User, email string) error {
	if viewer.Email == "" || viewer.Email != email {
		return Errorf(CodeNotYourSubmissions, "You can list your own submissions only.")
	}
	return nil
}

// CanHear reports whether a listener receives an event.
func CanHear(who Hearer, e Event, hall HallMode) bool {
	of, circleID := e.Audience.Circle()
	decides := who.Moderator
	if circleID != Hall {
		if who.UserID == "" {
			return false
		}
		role := who.RoleIn(circleID)
		if role == "" {
			return false
		}
		decides = role.Organizes()
	}
	if circleID == Hall && hall == HallOff && (of == Everybody || of == AllUsers) && e.Kind != EventsReset {
		return false
	}
	switch of {
	case Everybody:
		return true
	case AllUsers:
		return who.UserID != ""
	case Deciders:
		return who.UserID != "" && decides
	default:
		return who.UserID != "" && who.UserID == string(of)
	}
}

func stillPending(s Status) error {
	if s != Pending {
		return Errorf(CodeAlreadyGraded, "Someone has already marked this submission.")
	}
	return nil
}
