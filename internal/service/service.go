// Package service holds the use cases: each one checks the input, asks the policy and runs one transaction. The
// service, not the client, sets creator, submitter, grader and times.
//
// It knows nothing of HTTP and SQL.
package service

import (
	"cmp"
	"context"
	"time"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store"
)

// The hourly limits of one user.
var (
	createLimit = limit.Window{
		Name: "create", Max: 120, Per: time.Hour,
		Message: "You have created a lot of assignments within the hour. Please try again in %s.",
	}
	submitLimit = limit.Window{
		Name: "submit", Max: 120, Per: time.Hour,
		Message: "You have handed in a lot within the hour. Please try again in %s.",
	}
	gradeLimit = limit.Window{
		Name: "grade", Max: 120, Per: time.Hour, Message: "You have marked a lot within the hour. Please try again in %s.",
	}
)

// Config is what the use cases need to know.
type Config struct {
	// Now is the clock.
	Now func() time.Time
	// Limits enables the limits on what one user does in an hour.
	Limits bool
	// Hall says what users may do in the hall; everything if empty.
	Hall       studycircle.HallMode
	Moderators studycircle.Moderators
	// EnrolDomains are the domains whose verified addresses rosters enroll without asking their users.
	EnrolDomains studycircle.Domains
	// Operators are the users for whom ReadOverview reads the state of the server.
	Operators    studycircle.Addresses
	ReadOverview func(context.Context) (studycircle.Overview, error)
	// Suspended, if not nil, is called after the commit with the account that a moderator suspended.
	Suspended func(userID string)
}

// Service runs the use cases. Its methods are safe for concurrent use; viewer is
// always the signed-in user.
type Service struct {
	Config
	store *store.Store
}

// New returns a Service on s.
func New(s *store.Store, c Config) *Service {
	c.Hall = cmp.Or(c.Hall, studycircle.HallOn)
	return &Service{c, s}
}

// use counts a use of a limit; CodeRateLimited. The zero Use, and any if limits are off, count as none.
func (s *Service) use(ctx context.Context, tx *store.Tx, u limit.Use) error {
	if !s.Limits || u.None() {
		return nil
	}
	return tx.Spend(ctx, u.Window, u.Subject, u.At)
}

// room returns CodeRateLimited if a limit has no room for u, before anything is locked.
func (s *Service) room(ctx context.Context, tx *store.Tx, u limit.Use) error {
	if !s.Limits || u.None() {
		return nil
	}
	return tx.CheckRoom(ctx, u)
}

// write runs f in a transaction that reads as viewer, about what a client names by id; ErrNotFound if that is no id.
// See assignmentOf.
func (s *Service) write(
	ctx context.Context, viewer studycircle.User, id string, f func(context.Context, *store.Tx) error,
) error {
	if !studycircle.ValidID(id) {
		return studycircle.ErrNotFound
	}
	return s.store.Write(ctx, s.as(viewer), f)
}

// as returns a user, or the zero User for a visitor, as a Viewer.
func (s *Service) as(u studycircle.User) studycircle.Viewer {
	return s.Hall.As(studycircle.ViewerOf(u.ID))
}

// clock returns the present in UTC, with the store's precision.
func (s *Service) clock() time.Time { return s.Config.Now().UTC().Truncate(time.Microsecond) }

// Version returns the number of the latest committed state, for caches of answers: data read after a call is current
// for later calls that return the same number. It grows with each commit of any node.
func (s *Service) Version(ctx context.Context) (uint64, error) { return s.store.Version(ctx) }

// Now returns the present in UTC, with the store's precision.
func (s *Service) Now() time.Time { return s.clock() }
