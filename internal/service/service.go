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

// Store is what the use cases read and write. Each file declares the part that it needs.
type Store struct {
	AssignmentStore
	SubmissionStore
	ProgressStore
	ReviewStore
	ResultStore
	LinkStore
	CommentStore
	ModerationStore
	NotificationStore
	Transactions
}

// Transactions runs transactions and numbers their commits.
type Transactions interface {
	// Version numbers the state of what is committed: see Service.Version.
	Version(ctx context.Context) (uint64, error)
	// Write runs f in one transaction that reads on behalf of v, and returns once it is durable. f may run again.
	Write(ctx context.Context, v studycircle.Viewer, f func(context.Context, Tx) error) error
}

// What one user may do in an hour.
var (
	createLimit = limit.Window{Name: "create", Max: 120, Per: time.Hour, Sentence: "You have created a lot of assignments within the hour."}
	submitLimit = limit.Window{Name: "submit", Max: 120, Per: time.Hour, Sentence: "You have handed in a lot within the hour."}
	gradeLimit  = limit.Window{Name: "grade", Max: 120, Per: time.Hour, Sentence: "You have marked a lot within the hour."}
)

// Tx is one transaction that writes. Each file declares the part that it needs.
type Tx struct {
	AssignmentTx
	SubmissionTx
	ReviewTx
	ReviewRequestTx
	LeaseTx
	ExemplarTx
	LinkTx
	CommentTx
	ModerationTx
	NotifyTx
	NotificationTx
	LimitTx
}

// LimitTx counts attempts.
type LimitTx interface {
	// Use counts a use of a limit; CodeRateLimited.
	Use(ctx context.Context, u limit.Use) error
	// Spend counts a use of a limit that no flag turns off; CodeRateLimited.
	Spend(ctx context.Context, w limit.Window, subject string, now time.Time) error
}

// Service runs the use cases. Its methods are safe for concurrent use; viewer is
// always the signed-in user.
type Service struct {
	store      Store
	now        func() time.Time
	moderators studycircle.Moderators
	// Suspended, where not nil, is told which account a moderator has closed, after the commit.
	Suspended func(userID string)
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
