package studycircle

// EventKind says what happened.
type EventKind string

// What people may be told of. Who is told, see MayHear.
const (
	AssignmentCreated EventKind = "assignment.created"
	AssignmentUpdated EventKind = "assignment.updated"
	AssignmentDeleted EventKind = "assignment.deleted"

	// The pending list has changed.
	SubmissionPending   EventKind = "submission.pending"
	SubmissionChanged   EventKind = "submission.changed"
	SubmissionWithdrawn EventKind = "submission.withdrawn"
	SubmissionGraded    EventKind = "submission.graded"

	// OwnSubmission: one of the listener's own submissions was handed in,
	// changed, withdrawn or graded.
	OwnSubmission EventKind = "own-submission"

	// Comments are told of by the assignment that they stand under. Replies, edits,
	// reactions, and that a discussion was closed or opened, are changes.
	CommentCreated EventKind = "comment.created"
	CommentChanged EventKind = "comment.changed"
	CommentDeleted EventKind = "comment.deleted"

	// AssignmentResults: what was handed in for the listener's own assignment, which it
	// names, has changed: handed in, withdrawn, graded, or to be reviewed anew.
	AssignmentResults EventKind = "assignment.results"

	// NotificationsChanged: the listener has a new notification, or has read some.
	NotificationsChanged EventKind = "notifications"

	// EventsReset: anything may have changed; what is shown must be asked for again.
	EventsReset EventKind = "reset"
)

// Audience says who may hear of an event: everybody, all users, or the user
// with that id.
type Audience string

// The audiences that are no user's id.
const (
	Everybody Audience = "*"
	AllUsers  Audience = "+"
)

// Event says that something has changed: what, and which one. It never says how;
// who wants to know asks, and the policy decides anew.
type Event struct {
	Kind     EventKind
	ID       string // of the assignment or submission; "" in NotificationsChanged and EventsReset
	Audience Audience
}

// PlacedEvent is an event with its place in the order of all events.
type PlacedEvent struct {
	Event
	// Token is the place right after the event, for News. Opaque.
	Token string
}

// News is what has happened since a place.
type News struct {
	Events []PlacedEvent
	// Now is the place up to which Events goes.
	Now string
	// More tells that there is more after Now already.
	More bool
	// Gone tells that the place is not of this history, or too long ago: what
	// happened since is not known. Events is empty then, and Now is the present.
	Gone bool
}
