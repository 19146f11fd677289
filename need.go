package studycircle

import "time"

// NeedKind says what a Need asks its user to do.
type NeedKind string

// The kinds.
const (
	NeedHandIn   NeedKind = "hand-in"  // work for an assignment of a circle
	NeedAppeal   NeedKind = "appeal"   // decide it, or wait for the new reviewers
	NeedFinalize NeedKind = "finalize" // submissions that have the reviews asked for
	NeedAnswer   NeedKind = "answer"   // questions of reviewers
	NeedReports  NeedKind = "reports"  // decide on them
	NeedRequests NeedKind = "requests" // admit users who ask to join a circle, or decline
)

// MaxNeeds bounds the needs of each kind in Today.
const MaxNeeds = 20

// Need is what waits for a user, besides reviews and Decisions.
type Need struct {
	Kind         NeedKind
	CircleID     string // "" in the hall
	AssignmentID string // "" for reports and requests
	SubmissionID string // of an appeal or an answer
	Title        string // the assignment's
	// Count is how many submissions, questions, reports or users wait; 0 for one assignment or appeal.
	Count int64
	By    time.Time // until when the user is to do it; zero for reports and requests
	Since time.Time // when the first report or request came; zero for other kinds
}

// URL returns the path of the page on which the user does it.
func (n Need) URL() string {
	switch n.Kind {
	case NeedAppeal:
		return ResultURL(n.AssignmentID, n.SubmissionID)
	case NeedFinalize:
		return "/assignment/" + n.AssignmentID + "#results"
	case NeedAnswer:
		return "/attemded-assignments"
	case NeedReports:
		if n.CircleID == Hall {
			return "/moderation"
		}
		return "/circle/" + n.CircleID + "?tab=reports"
	case NeedRequests:
		return "/circle/" + n.CircleID + "?tab=members"
	default:
		return "/assignment/" + n.AssignmentID
	}
}

// HandsIn reports whether m is to hand in for an assignment of the circle: all members are but its creator and the
// organizers, who may.
func (m Membership) HandsIn(a Assignment) bool {
	return m.UserID != a.Creator.UserID && !m.Role.Organizes()
}

// AsksForWork reports whether an assignment asks a member of its circle to hand in, where MaySubmit allows it: it is
// due soon, or was due as recently. due is the date that applies to the member, who has no submission for it.
func (a Assignment) AsksForWork(in OwnCircle, due DueDate, now time.Time) bool {
	near := due.Time().After(now.Add(-DueSoon)) && !due.Time().After(now.Add(DueSoon))
	return near && a.CircleID != Hall && in.Mine.HandsIn(a) && MaySubmit(in.Mine.UserID, in, a) == nil
}

// AsksToSettle reports whether a submission asks viewer, its assignment's creator, to settle it, where MaySettle allows
// that: it has the reviews that were asked for at first, or the review due date is over.
func (r Reviewing) AsksToSettle(viewer string, in OwnCircle, a Assignment, now time.Time) bool {
	over := !a.ReviewDue.IsZero() && !a.ReviewDue.Time().After(now)
	return r.Phase == ReviewOpen && (r.Reviews >= r.Needed || over) && a.Creator.UserID == viewer &&
		MaySettle(viewer, in, a, r) == nil
}

// AsksToDecide reports whether an appeal for which new reviewers are being asked tells viewer, the assignment's
// creator, that MayReopen allows to set the mark at once. Later WaitsForCreator is true.
func (r Reviewing) AsksToDecide(viewer string, in OwnCircle, a Assignment) bool {
	marked := Submission{Status: Completed, CircleID: a.CircleID} // the mark stands during an appeal
	return r.Phase == ReviewAppealed && !r.Asked && a.Creator.UserID == viewer &&
		MayReopen(viewer, in, a, marked, r, ReopenMark) == nil
}
