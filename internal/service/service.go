// Package service holds the use cases: each one checks the input, asks the
// policy and runs one transaction. It says who the creator, the submitter and
// the grader are, and when things happened; no client does.
//
// It knows nothing of HTTP and SQL: it declares the store it needs.
package service

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/limit"
)

// Store is what the use cases read and write.
type Store interface {
	Assignment(ctx context.Context, v studycircle.Viewer, id string) (studycircle.Assignment, error)
	Assignments(ctx context.Context, v studycircle.Viewer, level studycircle.Level, p studycircle.Page) ([]studycircle.Assignment, int64, error)
	SearchAssignments(ctx context.Context, v studycircle.Viewer, text string, level studycircle.Level, p studycircle.Page) ([]studycircle.Assignment, int64, error)
	AssignmentsByState(ctx context.Context, v studycircle.Viewer, state studycircle.State, level studycircle.Level, p studycircle.Page) ([]studycircle.Assignment, int64, error)
	AssignmentsDueSoon(ctx context.Context, v studycircle.Viewer, level studycircle.Level, now time.Time, p studycircle.Page) ([]studycircle.Assignment, int64, error)
	Progress(ctx context.Context, v studycircle.Viewer, assignmentIDs []string) ([]studycircle.Progress, error)
	Dashboard(ctx context.Context, v studycircle.Viewer, now time.Time) (studycircle.Dashboard, error)
	PendingSubmissions(ctx context.Context, v studycircle.Viewer, p studycircle.Page) ([]studycircle.PendingSubmission, int64, error)
	OwnSubmissions(ctx context.Context, v studycircle.Viewer, status studycircle.Status, p studycircle.Page) ([]studycircle.Submission, int64, error)
	// DiscussionClosed tells whether the discussion of a live assignment is closed; ErrNotFound.
	DiscussionClosed(ctx context.Context, v studycircle.Viewer, assignmentID string) (bool, error)
	Comment(ctx context.Context, v studycircle.Viewer, id string) (studycircle.Comment, error)
	Threads(ctx context.Context, v studycircle.Viewer, assignmentID string, p studycircle.Page) ([]studycircle.Comment, int64, error)
	Replies(ctx context.Context, v studycircle.Viewer, threadID string, p studycircle.Page) ([]studycircle.Comment, int64, error)
	// FirstReplies returns the first n replies to each of some comments.
	FirstReplies(ctx context.Context, v studycircle.Viewer, threadIDs []string, n int) (map[string][]studycircle.Comment, error)
	// ThreadsBefore is how many threads stand before one in its list.
	ThreadsBefore(ctx context.Context, v studycircle.Viewer, thread studycircle.Comment) (int64, error)
	Participants(ctx context.Context, assignmentID, search string, limit int) ([]studycircle.Person, int64, error)
	// Names returns the display names of users, by their ids.
	Names(ctx context.Context, v studycircle.Viewer, userIDs []string) (map[string]string, error)
	// ReactionsOf returns what a user chose of some comments, by their ids.
	ReactionsOf(ctx context.Context, v studycircle.Viewer, commentIDs []string) (map[string][]studycircle.Reaction, error)
	Reports(ctx context.Context, v studycircle.Viewer, p studycircle.Page) ([]studycircle.ReportedThing, int64, error)
	// AccountByEmail returns the account known under a normalized address; ErrNotFound.
	AccountByEmail(ctx context.Context, email string) (studycircle.Account, error)
	Notifications(ctx context.Context, v studycircle.Viewer, unread bool, p studycircle.Page) (list []studycircle.Notification, total, unreadTotal int64, err error)
	Preferences(ctx context.Context, userID string) (studycircle.Preferences, error)
	Calendar(ctx context.Context, userID string) (time.Time, error)
	CalendarOwner(ctx context.Context, hash string) (userID string, err error)
	CalendarEvents(ctx context.Context, v studycircle.Viewer) ([]studycircle.CalendarEvent, error)
	// Version numbers the state of what is committed: see Service.Version.
	Version(ctx context.Context) (uint64, error)
	// Publish publishes a in a transaction of its own and returns once it is durable;
	// ErrNotFound where the creator is gone.
	Publish(ctx context.Context, a studycircle.Assignment, u limit.Use) error
	// Submit hands in what decide makes of a live assignment, counts u with it and
	// returns once that is durable. An error of decide is returned, and nothing is
	// written or counted; ErrNotFound, CodeRateLimited, CodeAlreadyPending,
	// ErrAccountGone. decide may run again, beside others, and must keep nothing.
	Submit(ctx context.Context, v studycircle.Viewer, assignmentID string, u limit.Use, decide func(studycircle.Assignment) (studycircle.Submission, error)) error
	// Grade grades a pending submission as decide says, like Submit; ErrNotFound,
	// CodeRateLimited, CodeAlreadyGraded, ErrAccountGone.
	Grade(ctx context.Context, v studycircle.Viewer, submissionID string, u limit.Use, decide func(studycircle.Gradable) (studycircle.Grade, error)) error
	ReviewStore
	ResultStore
	LinkStore
	// Write runs f in one transaction that reads on behalf of v, and returns once it is durable. f may run again.
	Write(ctx context.Context, v studycircle.Viewer, f func(context.Context, Tx) error) error
}

// What one user may do in an hour.
var (
	createLimit = limit.Window{Name: "create", Max: 120, Per: time.Hour, Sentence: "You have created a lot of assignments within the hour."}
	submitLimit = limit.Window{Name: "submit", Max: 120, Per: time.Hour, Sentence: "You have handed in a lot within the hour."}
	gradeLimit  = limit.Window{Name: "grade", Max: 120, Per: time.Hour, Sentence: "You have marked a lot within the hour."}
)

// Tx is one transaction that writes.
type Tx interface {
	Assignment(ctx context.Context, id string) (studycircle.Assignment, error)
	UpdateAssignment(ctx context.Context, before, after studycircle.Assignment) error
	DeleteAssignment(ctx context.Context, id string, now time.Time) error
	Submission(ctx context.Context, id string) (studycircle.Submission, error)
	UpdateSubmission(ctx context.Context, id string, in studycircle.SubmissionInput) error
	WithdrawSubmission(ctx context.Context, id string) error

	DiscussionClosed(ctx context.Context, assignmentID string) (bool, error)
	SetDiscussionClosed(ctx context.Context, assignmentID string, closed bool) (changed bool, err error)
	// Comment returns a comment, whatever became of it; ErrNotFound.
	Comment(ctx context.Context, id string) (studycircle.Comment, error)
	// TakesPart tells whether a user wrote under an assignment, or made it.
	TakesPart(ctx context.Context, assignmentID, userID string) (bool, error)
	InsertComment(ctx context.Context, c studycircle.Comment) error
	EditComment(ctx context.Context, c studycircle.Comment) error
	DeleteComment(ctx context.Context, c studycircle.Comment, now time.Time) error
	React(ctx context.Context, commentID, userID string, r studycircle.Reaction, on bool) (changed bool, err error)
	InsertReport(ctx context.Context, r studycircle.Report, reporterID string) (id string, isNew bool, err error)
	// Report returns a report, and who made what it is about; ErrNotFound.
	Report(ctx context.Context, id string) (r studycircle.Report, authorID string, err error)
	// Moderate does what a moderator decided; it tells whether anything changed. ErrNotFound.
	Moderate(ctx context.Context, m studycircle.Moderation) (changed bool, err error)
	// AccountByEmail returns the account known under a normalized address; ErrNotFound.
	AccountByEmail(ctx context.Context, email string) (studycircle.Account, error)
	// Notify tells people of what this transaction does, once it is done.
	Notify(notices ...studycircle.Notice)
	// NotifyThread tells of a reply all who wrote in the thread n.Subject before it, but
	// for those who are told apart from that.
	NotifyThread(ctx context.Context, replyID string, n studycircle.Notice, apart []string) error

	// AnyAssignment returns an assignment, deleted or not; ErrNotFound.
	AnyAssignment(ctx context.Context, id string) (studycircle.Assignment, error)
	// Use counts a use of a limit; CodeRateLimited.
	Use(ctx context.Context, u limit.Use) error
	// Spend counts a use of a limit that no flag turns off; CodeRateLimited.
	Spend(ctx context.Context, w limit.Window, subject string, now time.Time) error
	// Reviewing returns where the reviews of a submission stand; ErrNotFound.
	Reviewing(ctx context.Context, submissionID string) (studycircle.Reviewing, error)
	ReviewTx
	ReviewRequestTx
	ExemplarTx
	SetReminder(ctx context.Context, userID, assignmentID string, remind bool, now time.Time) (changed bool, err error)
	ReadNotifications(ctx context.Context, userID string, ids []string, now time.Time) (int64, error)
	ReadNotificationsUntil(ctx context.Context, userID, id string, now time.Time) (int64, error)
	LockPreferences(ctx context.Context, userID string) (studycircle.Preferences, error)
	PutPreferences(ctx context.Context, userID string, p studycircle.Preferences) error
	TellTimeZone(ctx context.Context, userID, zone string) (told bool, err error)
	PutCalendar(ctx context.Context, userID, hash string, now time.Time) error
	DeleteCalendar(ctx context.Context, userID string) (was bool, err error)
	LinkTx
}

// Service runs the use cases. Its methods are safe for concurrent use; viewer is
// always the signed-in user.
type Service struct {
	store      Store
	now        func() time.Time
	moderators studycircle.Moderators
}

// New makes a Service that reads the time from now.
func New(s Store, now func() time.Time, moderators studycircle.Moderators) *Service {
	return &Service{store: s, now: now, moderators: moderators}
}

// as returns a user, or the zero User for a visitor, as a Viewer.
func as(u studycircle.User) studycircle.Viewer { return studycircle.ViewerOf(u.ID) }

// clock is the present, in UTC and as fine as the store keeps it.
func (s *Service) clock() time.Time { return s.now().UTC().Truncate(time.Microsecond) }

// Version numbers the state of what is committed, for caches of answers: what was
// read after a version was asked for is exact for as long as a request that comes
// later gets the same one. It grows with every commit, of any node.
func (s *Service) Version(ctx context.Context) (uint64, error) { return s.store.Version(ctx) }

// Now is the present as the service sees it, in UTC.
func (s *Service) Now() time.Time { return s.clock() }
