package identity

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/limit"
)

// Store is what identity reads and writes. "Not found" is studycircle.ErrNotFound.
type Store struct {
	AccountStore
	SessionStore
	CodeStore
	InvitationStore
	ExportReader
	CircleExportReader
	CraftExportReader
}

// AccountStore reads accounts and how their users sign in, and runs transactions.
type AccountStore interface {
	CredentialReader
	SettingOr(ctx context.Context, name, fallback string) (string, error)
	Account(ctx context.Context, userID string) (studycircle.Account, error)
	PasskeyByCredential(ctx context.Context, credentialID string) (studycircle.Passkey, error)
	// Write runs f in one transaction and returns once it is durable. f may run again.
	Write(ctx context.Context, f func(context.Context, Tx) error) error
}

// SessionStore reads sessions.
type SessionStore interface {
	Session(ctx context.Context, id string) (studycircle.Session, error)
	SessionBySecret(ctx context.Context, secretHash string) (studycircle.Session, error)
	SessionsOf(ctx context.Context, userID string, now time.Time) ([]OpenSession, error)
}

// CodeStore reads emailed codes, tickets and how long a limit holds.
type CodeStore interface {
	ActionCode(ctx context.Context, purpose, codeHash string, now time.Time) (userID string, err error)
	TicketUsed(ctx context.Context, ticketHash string) (bool, error)
	LimitWait(ctx context.Context, w limit.Window, subject string, now time.Time) (time.Duration, error)
}

// InvitationStore reads the invitations with which people register.
type InvitationStore interface {
	// MayRegisterBy returns nil if the invitation with a secret, by its hash, lets a person with an address register, and
	// an error with a code if not.
	MayRegisterBy(ctx context.Context, secretHash, email string, now time.Time) error
}

// Tx is one transaction that writes.
type Tx struct {
	AccountTx
	CredentialTx
	SessionTx
	CodeTx
	InvitationTx
}

// AccountTx reads and writes accounts.
type AccountTx interface {
	User(ctx context.Context, id string) (studycircle.User, error)
	InsertAccount(ctx context.Context, a studycircle.Account) error
	UpdateProfile(ctx context.Context, userID string, p studycircle.Profile) error
	// ReplacePasswordHash returns ErrNotFound if oldHash is no longer in place or the
	// account is suspended. It locks the account until the transaction ends.
	ReplacePasswordHash(ctx context.Context, userID, oldHash, newHash string) error
	ResetPassword(ctx context.Context, userID, newHash string, now time.Time) error
	VerifyEmail(ctx context.Context, userID string, now time.Time) error
	DeleteAccount(ctx context.Context, userID string, now time.Time) error
	// LockAccount locks an account against changes and sign-ins until the transaction
	// ends.
	LockAccount(ctx context.Context, userID string) (studycircle.Account, error)
	ContestAccount(ctx context.Context, userID string, now time.Time) error
	ClaimAccount(ctx context.Context, userID string, now time.Time) error
}

// CredentialTx reads and writes provider links and passkeys.
type CredentialTx interface {
	CredentialReader
	InsertProviderLink(ctx context.Context, l studycircle.ProviderLink) error
	UseProviderLink(ctx context.Context, l studycircle.ProviderLink) error
	DeleteProviderLink(ctx context.Context, issuer, subject string) error
	DeleteCredentials(ctx context.Context, userID string) error
	InsertPasskey(ctx context.Context, k studycircle.Passkey) error
	RenamePasskey(ctx context.Context, userID, id, name string) (studycircle.Passkey, error)
	UsePasskey(ctx context.Context, id, credential string, now time.Time) error
	DeletePasskey(ctx context.Context, userID, id string) error
}

// SessionTx writes sessions.
type SessionTx interface {
	HasSession(ctx context.Context, userID, sessionID string) (bool, error)
	InsertSession(ctx context.Context, s NewSession) error
	SeeSession(ctx context.Context, id string, at time.Time) error
	DeleteSessionBySecret(ctx context.Context, secretHash string) (id string, err error)
	DeleteSessionOf(ctx context.Context, userID, id string) error
	DeleteSessionsOf(ctx context.Context, userID, but string) (int64, error)
	DeleteExpired(ctx context.Context, now time.Time) error
}

// CodeTx writes emailed codes, tickets, queued emails and uses of limits.
type CodeTx interface {
	InsertActionCode(ctx context.Context, userID, purpose, codeHash string, expires time.Time) error
	UseActionCode(ctx context.Context, purpose, codeHash string, now time.Time) (userID string, err error)
	DeleteActionCodesOf(ctx context.Context, userID string) error
	UseTicket(ctx context.Context, ticketHash string, expires time.Time) error
	// QueueMail costs the same if there is no such user.
	QueueMail(ctx context.Context, userID, kind string) error
	DeleteMailsOf(ctx context.Context, userID, kind string) error
	LimitWait(ctx context.Context, w limit.Window, subject string, now time.Time) (time.Duration, error)
	Spend(ctx context.Context, w limit.Window, subject string, now time.Time) error
}

// InvitationTx knows the invitations of circles, whose rosters name people by their addresses, and of the operator.
type InvitationTx interface {
	// RegisterBy uses an invitation for a user whose account the transaction has inserted. Its errors are those of
	// MayRegisterBy.
	RegisterBy(ctx context.Context, secretHash string, u studycircle.User, now time.Time) error
	// JoinOnceVerified makes a user with a verified address a member of the circles whose rosters name the address, and
	// of the circle by whose invitation the user registered.
	JoinOnceVerified(ctx context.Context, userID string, now time.Time) error
	// RosterAddress returns the address to which an invitation of a roster is emailed, and stores the hash of the secret
	// in the email; ErrNotFound if the invitation admits the address no more.
	RosterAddress(ctx context.Context, invitationID, secretHash string, now time.Time) (string, error)
}

// NewSession is a session to be stored.
type NewSession struct {
	ID, UserID, SecretHash, UserAgent string
	CreatedAt, ExpiresAt              time.Time
}

// OpenSession is a session as its user sees it.
type OpenSession struct {
	ID, UserAgent                    string
	CreatedAt, LastSeenAt, ExpiresAt time.Time
}
