package studycircle

import (
	"slices"
	"time"
)

// NotificationKind says what somebody is told of.
type NotificationKind string

// What people are told of, and who is.
const (
	NotifyGraded     NotificationKind = "graded"     // the submitter: the work has a mark
	NotifyTaken      NotificationKind = "taken"      // the creator: somebody handed in
	NotifyComment    NotificationKind = "comment"    // the creator: a new thread
	NotifyReply      NotificationKind = "reply"      // whoever wrote in the thread
	NotifyMention    NotificationKind = "mention"    // whoever is mentioned
	NotifyDue        NotificationKind = "due"        // whoever wants to be reminded
	NotifyReport     NotificationKind = "report"     // moderators
	NotifyReview     NotificationKind = "review"     // submitters: please review
	NotifyAppeal     NotificationKind = "appeal"     // the creator: please decide
	NotifySettlement NotificationKind = "settlement" // the submitter: a mark has changed
	NotifyUnreviewed NotificationKind = "unreviewed" // the creator: no reviewer came
	NotifyShort      NotificationKind = "short"      // the creator: too few have handed in, see TooFew
)

// NotificationKinds lists every kind, in the order in which people set them.
var NotificationKinds = []NotificationKind{
	NotifyGraded, NotifySettlement, NotifyTaken, NotifyComment, NotifyReply, NotifyMention,
	NotifyDue, NotifyReview, NotifyAppeal, NotifyUnreviewed, NotifyShort, NotifyReport,
}

// Valid tells whether k is one of NotificationKinds.
func (k NotificationKind) Valid() bool {
	return slices.Contains(NotificationKinds, k)
}

// NamesActor tells whether who did it is shown. It is not where that person is to
// stay unknown, or where nobody did it.
func (k NotificationKind) NamesActor() bool {
	return k == NotifyTaken || k == NotifyComment || k == NotifyReply || k == NotifyMention
}

// Notice is one thing that a user is to be told of. Notices of one kind about one
// subject, of which none was read, are one Notification.
type Notice struct {
	UserID string // who is told; "" is nobody
	Kind   NotificationKind
	// Subject is the id of what it is about: notices about the same are gathered.
	Subject string
	// AssignmentID, where it is given, is what Title and URL are of: once that
	// assignment is gone, so is the notification.
	AssignmentID string
	Title        string // of the assignment
	URL          string // a path of this app
	// ActorID is who caused it, who is never told; shown where the kind names actors.
	ActorID string
	At      time.Time
}

// ResultURL returns the path of a submission in its assignment's results.
func ResultURL(assignmentID, submissionID string) string {
	return "/assignment/" + assignmentID + "#result-" + submissionID
}

// Wanted tells whether there is somebody to tell: nobody is told of what they did.
func (n Notice) Wanted() bool { return n.UserID != "" && n.UserID != n.ActorID }

// CommentURL returns the path of this app that leads to a comment.
func CommentURL(assignmentID, commentID string) string {
	return "/assignment/" + assignmentID + "#comment-" + commentID
}

// CalendarEvent is something due that a user wants to be reminded of.
type CalendarEvent struct {
	AssignmentID string
	Title        string
	Due          DueDate
	HandedIn     bool
	Revision     int64     // grows with the due date's changes
	ChangedAt    time.Time // when due date or title last did
}

// Notification is what a user finds in their list.
type Notification struct {
	ID        string
	UserID    string
	Kind      NotificationKind
	Count     int64 // of the notices it stands for
	Title     string
	URL       string
	Actor     Person // of the latest notice; zero where the kind names none
	CreatedAt time.Time
	ReadAt    time.Time // zero while unread
}
