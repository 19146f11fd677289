package studycircle

import "strings"

// EventKind is the kind of a change.
type EventKind string

// The kinds of events. CanHear decides who receives them.
const (
	AssignmentCreated EventKind = "assignment.created"
	AssignmentUpdated EventKind = "assignment.updated"
	AssignmentDeleted EventKind = "assignment.deleted"

	// The pending list changed.
	SubmissionPending   EventKind = "submission.pending"
	SubmissionChanged   EventKind = "submission.changed"
	SubmissionWithdrawn EventKind = "submission.withdrawn"
	SubmissionGraded    EventKind = "submission.graded"

	// OwnSubmission: one of the listener's submissions was handed in, changed, withdrawn or graded.
	OwnSubmission EventKind = "own-submission"

	// QuestionAnswered: the listener's question about a submission has an answer.
	QuestionAnswered EventKind = "question.answered"

	// Events about comments name the assignment. Replies, edits, reactions, and closing or opening a discussion count
	// as changes.
	CommentCreated EventKind = "comment.created"
	CommentChanged EventKind = "comment.changed"
	CommentDeleted EventKind = "comment.deleted"

	// AssignmentResults: a submission for the listener's assignment was handed in, withdrawn, graded or reopened. The
	// event names the assignment.
	AssignmentResults EventKind = "assignment.results"

	// NotificationsChanged: the listener has a new notification, or has read one.
	NotificationsChanged EventKind = "notifications"

	// CircleChanged: a circle of the listener, its settings or its members changed, or the listener joined or left it.
	// The event names the circle.
	CircleChanged EventKind = "circle.changed"

	// ReportsChanged: a report came, or was decided on. The event names none.
	ReportsChanged EventKind = "reports"

	// EventsReset: anything may have changed; pages fetch all that they show.
	EventsReset EventKind = "reset"
)

// Audience is the set of users who may receive an event: all visitors and users, all users, those who decide on
// reports, or the user with that id; of those, if it names a circle, its members.
type Audience string

// The audiences other than a user's id.
const (
	Everybody Audience = "*"
	AllUsers  Audience = "+"
	Deciders  Audience = "!" // the moderators; in a circle, its organizers
)

// In returns the members of a circle among the audience; all of it for the hall, "".
func (a Audience) In(circleID string) Audience {
	if circleID == "" {
		return a
	}
	return a + "@" + Audience(circleID)
}

// Circle returns the audience without its circle, and the circle, "" for none.
func (a Audience) Circle() (of Audience, circleID string) {
	before, after, _ := strings.Cut(string(a), "@")
	return Audience(before), after
}

// Event reports that an object changed. It carries an id and no content; a listener fetches the object, and the
// policy decides anew.
type Event struct {
	Kind     EventKind
	ID       string // of the assignment, submission or circle; "" in NotificationsChanged, ReportsChanged and EventsReset
	Audience Audience
}

// Hearer is a listener to events.
type Hearer struct {
	UserID    string // "" for a visitor
	Moderator bool
	// RoleIn returns the user's role in a circle at this moment, "" for those who are not members. It is asked only
	// about events of circles.
	RoleIn func(circleID string) CircleRole
}

// PlacedEvent is an event with its cursor in the order of all events.
type PlacedEvent struct {
	Event
	// Token is the place right after the event, for News. Opaque.
	Token string
}

// News is the list of events after a cursor.
type News struct {
	Events []PlacedEvent
	// Now is the cursor after the last of Events.
	Now string
	// More reports that later events exist.
	More bool
	// Gone reports that the cursor is unknown or expired, so that events may be missing. Events is empty then, and
	// Now is the latest cursor.
	Gone bool
}
