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
	Assignment(ctx context.Context, id string) (studycircle.Assignment, error)
	Assignments(ctx context.Context, level studycircle.Level, p studycircle.Page) ([]studycircle.Assignment, int64, error)
	SearchAssignments(ctx context.Context, text string, level studycircle.Level, p studycircle.Page) ([]studycircle.Assignment, int64, error)
	AssignmentsByState(ctx context.Context, userID string, state studycircle.State, level studycircle.Level, p studycircle.Page) ([]studycircle.Assignment, int64, error)
	AssignmentsDueSoon(ctx context.Context, level studycircle.Level, now time.Time, p studycircle.Page) ([]studycircle.Assignment, int64, error)
	Progress(ctx context.Context, userID string, assignmentIDs []string) ([]studycircle.Progress, error)
	Results(ctx context.Context, assignmentID string, status studycircle.Status, p studycircle.Page) ([]studycircle.Submission, int64, error)
	Dashboard(ctx context.Context, userID string, now time.Time) (studycircle.Dashboard, error)
	PendingSubmissions(ctx context.Context, p studycircle.Page) ([]studycircle.PendingSubmission, int64, error)
	OwnSubmissions(ctx context.Context, userID string, status studycircle.Status, p studycircle.Page) ([]studycircle.Submission, int64, error)
	Notifications(ctx context.Context, userID string, unread bool, p studycircle.Page) (list []studycircle.Notification, total, unreadTotal int64, err error)
	Preferences(ctx context.Context, userID string) (studycircle.Preferences, error)
	Calendar(ctx context.Context, userID string) (time.Time, error)
	CalendarOwner(ctx context.Context, hash string) (userID string, err error)
	CalendarEvents(ctx context.Context, userID string) ([]studycircle.CalendarEvent, error)
	// Version numbers the state of what is committed: see Service.Version.
	Version(ctx context.Context) (uint64, error)
	// Publish publishes a in a transaction of its own and returns once it is durable;
	// ErrNotFound where the creator is gone.
	Publish(ctx context.Context, a studycircle.Assignment) error
	// Submit hands in what decide makes of a live assignment, counts u with it and
	// returns once that is durable. An error of decide is returned, and nothing is
	// written or counted; ErrNotFound, CodeRateLimited, CodeAlreadyPending,
	// ErrAccountGone. decide may run again, beside others, and must keep nothing.
	Submit(ctx context.Context, assignmentID string, u limit.Use, decide func(studycircle.Assignment) (studycircle.Submission, error)) error
	// Grade grades a pending submission as decide says, like Submit; ErrNotFound,
	// CodeRateLimited, CodeAlreadyGraded, ErrAccountGone.
	Grade(ctx context.Context, submissionID string, u limit.Use, decide func(studycircle.Gradable) (studycircle.Grade, error)) error
	ReviewStore
	// Write runs f in one transaction and returns once it is durable. f may run again.
	Write(ctx context.Context, f func(context.Context, Tx) error) error
}

// What one user may do in an hour.
var (
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
	ReviewTx
	SetReminder(ctx context.Context, userID, assignmentID string, remind bool, now time.Time) (changed bool, err error)
	ReadNotifications(ctx context.Context, userID string, ids []string, now time.Time) (int64, error)
	ReadNotificationsUntil(ctx context.Context, userID, id string, now time.Time) (int64, error)
	LockPreferences(ctx context.Context, userID string) (studycircle.Preferences, error)
	PutPreferences(ctx context.Context, userID string, p studycircle.Preferences) error
	TellTimeZone(ctx context.Context, userID, zone string) (told bool, err error)
	PutCalendar(ctx context.Context, userID, hash string, now time.Time) error
	DeleteCalendar(ctx context.Context, userID string) (was bool, err error)
}

// Service runs the use cases. Its methods are safe for concurrent use; viewer is
// always the signed-in user.
type Service struct {
	store Store
	now   func() time.Time
}

// New makes a Service that reads the time from now.
func New(s Store, now func() time.Time) *Service { return &Service{store: s, now: now} }

// clock is the present, in UTC and as fine as the store keeps it.
func (s *Service) clock() time.Time { return s.now().UTC().Truncate(time.Microsecond) }

// Version numbers the state of what is committed, for caches of answers: what was
// read after a version was asked for is exact for as long as a request that comes
// later gets the same one. It grows with every commit, of any node.
func (s *Service) Version(ctx context.Context) (uint64, error) { return s.store.Version(ctx) }

// Now is the present as the service sees it, in UTC.
func (s *Service) Now() time.Time { return s.clock() }
