package identity

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/limit"
)

// Store is what identity reads and writes. "Not found" is studycircle.ErrNotFound.
type Store interface {
	SettingOr(ctx context.Context, name, fallback string) (string, error)
	AccountByEmail(ctx context.Context, email string) (studycircle.Account, error)
	Account(ctx context.Context, userID string) (studycircle.Account, error)
	Session(ctx context.Context, id string) (studycircle.Session, error)
	SessionBySecret(ctx context.Context, secretHash string) (studycircle.Session, error)
	SessionsOf(ctx context.Context, userID string, now time.Time) ([]OpenSession, error)
	ActionCode(ctx context.Context, purpose, codeHash string, now time.Time) (userID string, err error)
	LimitWait(ctx context.Context, w limit.Window, subject string, now time.Time) (time.Duration, error)
	NextMailDue(ctx context.Context) (time.Time, error)
	EachAssignmentOf(ctx context.Context, userID string, f func(studycircle.Assignment) error) error
	EachSubmissionOf(ctx context.Context, userID string, f func(studycircle.Submission) error) error
	EachSubmissionGradedBy(ctx context.Context, userID string, f func(studycircle.Submission) error) error
	// Write runs f in one transaction and returns once it is durable. f may run again.
	Write(ctx context.Context, f func(context.Context, Tx) error) error
}

// Tx is one transaction that writes.
type Tx interface {
	User(ctx context.Context, id string) (studycircle.User, error)
	InsertAccount(ctx context.Context, a studycircle.Account) error
	UpdateProfile(ctx context.Context, userID string, p studycircle.Profile) error
	// ReplacePasswordHash is ErrNotFound where oldHash is not in place any more or
	// the account is suspended, and keeps others from changing it until the end.
	ReplacePasswordHash(ctx context.Context, userID, oldHash, newHash string) error
	ResetPassword(ctx context.Context, userID, newHash string, now time.Time) error
	VerifyEmail(ctx context.Context, userID string, now time.Time) error
	DeleteAccount(ctx context.Context, userID string) error
	InsertSession(ctx context.Context, s NewSession) error
	SeeSession(ctx context.Context, id string, at time.Time) error
	DeleteSessionBySecret(ctx context.Context, secretHash string) (id string, err error)
	DeleteSessionOf(ctx context.Context, userID, id string) error
	DeleteSessionsOf(ctx context.Context, userID, but string) (int64, error)
	InsertActionCode(ctx context.Context, userID, purpose, codeHash string, expires time.Time) error
	UseActionCode(ctx context.Context, purpose, codeHash string, now time.Time) (userID string, err error)
	DeleteActionCodesOf(ctx context.Context, userID string) error
	QueueMail(ctx context.Context, userID, kind string, now time.Time) error
	ClaimMail(ctx context.Context, now, until time.Time) (QueuedMail, error)
	PostponeMail(ctx context.Context, id string, due time.Time) error
	DeleteMail(ctx context.Context, id string) error
	DeleteMailsOf(ctx context.Context, userID, kind string) error
	LimitWait(ctx context.Context, w limit.Window, subject string, now time.Time) (time.Duration, error)
	Spend(ctx context.Context, w limit.Window, subject string, now time.Time) error
	DeleteExpired(ctx context.Context, now time.Time) error
}

// NewSession is a session to be stored.
type NewSession struct {
	ID, UserID, SecretHash, UserAgent string
	CreatedAt, ExpiresAt              time.Time
}

// OpenSession is a session as its user may see it.
type OpenSession struct {
	ID, UserAgent                    string
	CreatedAt, LastSeenAt, ExpiresAt time.Time
}

// QueuedMail is a mail that is still to be sent. Attempts counts this one too.
type QueuedMail struct {
	ID, UserID, Kind string
	CreatedAt        time.Time
	Attempts         int64
}
