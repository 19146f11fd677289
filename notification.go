package studycircle

import (
	"slices"
	"strings"
	"time"
)

// NotificationKind is the kind of a notification.
type NotificationKind string

// The kinds, each with the users who get it.
const (
	NotifyGraded     NotificationKind = "graded"     // the submitter: the submission has a mark
	NotifyTaken      NotificationKind = "taken"      // the creator: a user handed in
	NotifyComment    NotificationKind = "comment"    // the creator: a new thread
	NotifyReply      NotificationKind = "reply"      // users who wrote in the thread
	NotifyMention    NotificationKind = "mention"    // the mentioned user
	NotifyJoined     NotificationKind = "joined"     // the member: an organizer or a roster has put the user into a circle
	NotifyPublished  NotificationKind = "published"  // the members of a circle: it has a new assignment
	NotifyMoved      NotificationKind = "moved"      // those of them who have not handed in: its due date has changed
	NotifyDue        NotificationKind = "due"        // users who asked to be reminded
	NotifyOwed       NotificationKind = "owed"       // submitters who asked to be reminded: please give your reviews
	NotifyReport     NotificationKind = "report"     // moderators
	NotifyReview     NotificationKind = "review"     // submitters: please review
	NotifyAppeal     NotificationKind = "appeal"     // the creator: please decide
	NotifySettlement NotificationKind = "settlement" // the submitter: the mark has changed
	NotifyQuestion   NotificationKind = "question"   // the submitter: a reviewer asks
	NotifyAnswer     NotificationKind = "answer"     // the reviewer who asked: the submitter's answer
	NotifyReturned   NotificationKind = "returned"   // the submitter: the work was sent back
	NotifyUnopened   NotificationKind = "unopened"   // the submitter: a reviewer could not open the work
	NotifyUnreviewed NotificationKind = "unreviewed" // the creator: no reviewer came in time
	NotifyShort      NotificationKind = "short"      // the creator: too few users handed in, see TooFew
	NotifyHidden     NotificationKind = "hidden"     // the author: a moderator hid something
	NotifyRestored   NotificationKind = "restored"   // the author: it is shown again
	NotifyDecided    NotificationKind = "decided"    // the reporters: a moderator decided
	NotifyInvited    NotificationKind = "invited"    // a user in a roster: please answer the invitation
)

// NotificationKinds lists every kind, in the order of the settings page.
var NotificationKinds = []NotificationKind{
	NotifyGraded, NotifySettlement, NotifyReturned, NotifyUnopened, NotifyTaken, NotifyComment, NotifyReply, NotifyMention,
	NotifyJoined, NotifyPublished, NotifyMoved, NotifyDue, NotifyOwed, NotifyReview, NotifyQuestion, NotifyAnswer,
	NotifyAppeal, NotifyUnreviewed, NotifyShort, NotifyHidden, NotifyRestored, NotifyDecided, NotifyInvited, NotifyReport,
}

// Valid reports whether k is one of NotificationKinds.
func (k NotificationKind) Valid() bool {
	return slices.Contains(NotificationKinds, k)
}

// OfComments reports whether a notification of kind k goes while a moderator hides its comment.
func (k NotificationKind) OfComments() bool {
	return k == NotifyComment || k == NotifyReply || k == NotifyMention
}

// NamesActor reports whether a notification shows the user who caused it. Kinds with an anonymous or no actor do not.
func (k NotificationKind) NamesActor() bool {
	return k == NotifyTaken || k == NotifyComment || k == NotifyReply || k == NotifyMention || k == NotifyPublished ||
		k == NotifyInvited
}

// OfCircle reports whether k notifies the members of a circle of what is new in it. Such notifications name the circle.
func (k NotificationKind) OfCircle() bool {
	return k == NotifyJoined || k == NotifyPublished || k == NotifyMoved
}

// Notice is one event that a user is notified of. Unread notices of one kind with one subject form one Notification.
type Notice struct {
	UserID string // the recipient; "" for none
	Kind   NotificationKind
	// Subject is the id of the notice's subject, by which notices are gathered.
	Subject string
	// CircleID is the circle of what the notice tells about, "" for the hall: it is delivered to members only.
	CircleID string
	// AssignmentID, unless "", is the assignment of Title and URL. The notification is deleted with that assignment.
	AssignmentID string
	Title        string // of the assignment, or the circle
	URL          string // a path of this app
	// ActorID is the user who caused the notice and does not receive it; shown if the kind names actors.
	ActorID string
	At      time.Time
	Mailed  bool // the recipient has had an email of it, or wants none
	// No is the place that its notification had before its comment was hidden; 0 for a new one.
	No int64
}

// JoinedNotice notifies a member whom another user, by, has put into a circle; by is "" for a roster.
func JoinedNotice(m Membership, by string) Notice {
	return Notice{
		UserID: m.UserID, Kind: NotifyJoined, Subject: m.CircleID, CircleID: m.CircleID, URL: "/circle/" + m.CircleID,
		ActorID: by, At: m.JoinedAt,
	}
}

// CircleNotice notifies a member of a circle of an assignment in it that is new, or whose due date has changed, at a
// time.
func CircleNotice(k NotificationKind, userID string, a Assignment, at time.Time) Notice {
	n := Notice{
		UserID: userID, Kind: k, Subject: a.ID, CircleID: a.CircleID, AssignmentID: a.ID, Title: a.Title,
		URL: "/assignment/" + a.ID, At: at,
	}
	if k.NamesActor() {
		n.ActorID = a.Creator.UserID
	}
	return n
}

// ResultURL returns the path of a submission in its assignment's results.
func ResultURL(assignmentID, submissionID string) string {
	return "/assignment/" + assignmentID + "#result-" + submissionID
}

// Wanted reports whether n has a recipient other than its actor.
func (n Notice) Wanted() bool { return n.UserID != "" && n.UserID != n.ActorID }

// CommentURL returns the path of a comment in this app.
func CommentURL(assignmentID, commentID string) string {
	return "/assignment/" + assignmentID + "#comment-" + commentID
}

// CirclesURL is the path of the page with the user's circles and invitations.
const CirclesURL = "/circles"

// PendingURL is the path of the page with the work to review.
const PendingURL = "/pending-assignments"

// AssignmentIn returns the id of the assignment that a path of this app leads to, or "".
func AssignmentIn(url string) string {
	below, is := strings.CutPrefix(url, "/assignment/")
	id, _, _ := strings.Cut(below, "#")
	if !is {
		return ""
	}
	return id
}

// CommentIn returns the id of the comment that a path of this app leads to, or "".
func CommentIn(url string) string {
	_, id, _ := strings.Cut(url, "#comment-")
	return id
}

// CalendarEvent is a due date that a user wants to be reminded of.
type CalendarEvent struct {
	AssignmentID string
	Title        string
	Due          DueDate
	HandedIn     bool
	Revision     int64     // grows with each change of the due date
	ChangedAt    time.Time // time of the last change of due date or title
}

// Notification is an entry in a user's list of notifications.
type Notification struct {
	ID      string
	UserID  string
	Kind    NotificationKind
	Count   int64  // of its notices
	Subject string // of its notices
	// AssignmentID is that of its notices, which the user may not see any more; "" without one.
	AssignmentID string
	CircleID     string
	Title        string
	// CircleName is the circle's name, in emails about what is new in it.
	CircleName string
	// Due is the due date that the notification names, as it applies to the user at present; zero if it names none.
	Due       DueDate
	URL       string // "" if the user does not see the assignment that it leads to
	Actor     Person // of the latest notice; zero if the kind names none
	CreatedAt time.Time
	ReadAt    time.Time // zero while unread
}

// NotificationDetail is what a user may read at present about what a notification tells.
type NotificationDetail struct {
	AssignmentID string // "" if the user does not see the assignment
	// Mark is the mark that the notification tells its submitter; nil for another kind.
	Mark   *Obtained
	Before *int64 // the mark before that; nil for a first one
	// Words are the reason of the decision or, for a single grade, the feedback, and HTML as in Grade.
	Words, HTML string
}

// TellsMark reports whether notifications of kind k have a submission as their subject and tell its submitter a mark.
func (k NotificationKind) TellsMark() bool { return k == NotifyGraded || k == NotifySettlement }

// MarkDetail returns the detail of n, which tells a mark: that of the settlements, oldest first, by which the
// submission s got it. A settlement counts from the beginning of its day.
func (n Notification) MarkDetail(s Submission, settlements []Settlement) NotificationDetail {
	d := NotificationDetail{AssignmentID: s.AssignmentID}
	if len(settlements) == 0 {
		if s.Grade != nil {
			d.Mark, d.Words, d.HTML = &Obtained{s.Grade.Mark, s.Marks}, s.Grade.Feedback, s.Grade.HTML
		}
		return d
	}
	at := 0
	if n.Kind == NotifySettlement {
		for i, st := range settlements {
			if Day(st.At) <= Day(n.CreatedAt) {
				at = i
			}
		}
	}
	if at > 0 {
		d.Before = &settlements[at-1].Mark
	}
	d.Mark, d.Words = &Obtained{settlements[at].Mark, s.Marks}, settlements[at].Words
	return d
}
