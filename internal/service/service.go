// Package service holds the use cases: each one checks the input, asks the policy and runs one transaction. The
// service, not the client, sets creator, submitter, grader and times.
//
// It knows nothing of HTTP and SQL: it declares the store it needs.
package service

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/limit"
)

// Store is the store of the use cases. Each file declares the part that it needs.
type Store struct {
	AssignmentStore
	SubmissionStore
	ProgressStore
	ReviewStore
	CorrectionStore
	SelfAssessmentStore
	QuestionStore
	CraftStore
	ResultStore
	MarkStore
	OweStore
	LinkStore
	CommentStore
	ModerationStore
	NotificationStore
	CircleStore
	CircleMemberStore
	CircleExportStore
	PlaceStore
	OperatorStore
	Transactions
}

// Transactions runs transactions and numbers their commits.
type Transactions interface {
	// Version returns the number of the latest committed state: see Service.Version.
	Version(ctx context.Context) (uint64, error)
	// Write runs f in one transaction that reads as v, and returns once it is durable. f may run again.
	Write(ctx context.Context, v studycircle.Viewer, f func(context.Context, Tx) error) error
}

// The hourly limits of one user.
var (
	createLimit = limit.Window{Name: "create", Max: 120, Per: time.Hour, Sentence: "You have created a lot of assignments within the hour."}
	submitLimit = limit.Window{Name: "submit", Max: 120, Per: time.Hour, Sentence: "You have handed in a lot within the hour."}
	gradeLimit  = limit.Window{Name: "grade", Max: 120, Per: time.Hour, Sentence: "You have marked a lot within the hour."}
)

// Tx is one write transaction. Each file declares the part that it needs.
type Tx struct {
	AssignmentTx
	SubmissionTx
	ReviewTx
	SelfAssessmentTx
	QuestionTx
	CraftTx
	ReviewRequestTx
	LeaseTx
	ExemplarTx
	LinkTx
	CommentTx
	ModerationTx
	NotifyTx
	NotificationTx
	OweTx
	PlaceTx
	CircleTx
	CircleMemberTx
	InvitationTx
	RosterTx
	OperatorTx
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
	// Hall says what users may do in the hall: everything, unless set before the first use.
	Hall studycircle.HallMode
	// Operators are the users for whom ReadOverview reads the state of the server. Set both before the first use.
	Operators    studycircle.Addresses
	ReadOverview func(context.Context) (studycircle.Overview, error)
	// Suspended, if not nil, is called after the commit with the account that a moderator suspended.
	Suspended func(userID string)
}

// New returns a Service that reads the time from now.
func New(s Store, now func() time.Time, moderators studycircle.Moderators) *Service {
	return &Service{store: s, now: now, moderators: moderators, Hall: studycircle.HallOn}
}

// as returns a user, or the zero User for a visitor, as a Viewer.
func (s *Service) as(u studycircle.User) studycircle.Viewer {
	return s.Hall.As(studycircle.ViewerOf(u.ID))
}

// clock returns the present in UTC, with the store's precision.
func (s *Service) clock() time.Time { return s.now().UTC().Truncate(time.Microsecond) }

// Version returns the number of the latest committed state, for caches of answers: data read after a call is current
// for later calls that return the same number. It grows with each commit of any node.
func (s *Service) Version(ctx context.Context) (uint64, error) { return s.store.Version(ctx) }

// Now returns the present in UTC, with the store's precision.
func (s *Service) Now() time.Time { return s.clock() }
