package store

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
)

// User returns a user by id, or ErrNotFound.
func (s *Store) User(ctx context.Context, id string) (studycircle.User, error) {
	row, err := s.query.GetUser(ctx, id)
	return toUser(row), classify(err)
}

// AccountByEmail returns the account known under a normalized address, or ErrNotFound.
func (s *Store) AccountByEmail(ctx context.Context, email string) (studycircle.Account, error) {
	if !studycircle.ValidEmail(email) {
		return studycircle.Account{}, studycircle.ErrNotFound // PostgreSQL fails on a NUL in a text
	}
	row, err := s.query.GetUserByEmail(ctx, email)
	return studycircle.Account{User: toUser(row), PasswordHash: row.PasswordHash}, classify(err)
}

// User returns a user by id, or ErrNotFound.
func (tx *Tx) User(ctx context.Context, id string) (studycircle.User, error) {
	row, err := tx.query.GetUser(ctx, id)
	return toUser(row), classify(err)
}

// InsertAccount adds an account; CodeEmailInUse where the address is taken.
func (tx *Tx) InsertAccount(ctx context.Context, a studycircle.Account) error {
	err := tx.query.InsertUser(ctx, db.InsertUserParams{
		ID: a.ID, Email: a.Email, DisplayName: a.DisplayName, PhotoUrl: a.PhotoURL,
		PasswordHash: a.PasswordHash, CreatedAt: micros(a.CreatedAt), EmailVerifiedAt: optionalMicros(a.EmailVerifiedAt),
	})
	if isUnique(err) {
		return &studycircle.Error{
			Code: studycircle.CodeEmailInUse, Err: err,
			Message: "An account with this e-mail address exists already. Try to log in, or reset its password.",
		}
	}
	return classify(err)
}

// UpdateProfile changes the name and photo of a user; ErrNotFound.
func (tx *Tx) UpdateProfile(ctx context.Context, userID string, p studycircle.Profile) error {
	n, err := tx.query.UpdateProfile(ctx, db.UpdateProfileParams{ID: userID, DisplayName: p.DisplayName, PhotoUrl: p.PhotoURL})
	return mustAffect(n, err)
}

// ReplacePasswordHash stores a new hash if the old one is still in place;
// ErrNotFound where it is not.
func (tx *Tx) ReplacePasswordHash(ctx context.Context, userID, oldHash, newHash string) error {
	n, err := tx.query.UpdatePasswordHash(ctx, db.UpdatePasswordHashParams{ID: userID, OldHash: oldHash, NewHash: newHash})
	return mustAffect(n, err)
}

// DeleteAccount removes a user with their sessions and pending submissions.
// Their assignments and graded submissions stay, as nobody's. ErrNotFound.
func (tx *Tx) DeleteAccount(ctx context.Context, userID string) error {
	withdrawn, err := tx.query.DeletePendingSubmissionsOf(ctx, optionalText(userID))
	if err != nil {
		return classify(err)
	}
	for _, seq := range withdrawn {
		tx.count(scopePending, seq, -1)
	}
	// The schema's ON DELETE rules forget the user in all other tables.
	if err := mustAffect(tx.query.DeleteUser(ctx, userID)); err != nil {
		return err
	}
	for _, st := range []studycircle.Status{studycircle.Pending, studycircle.Completed} {
		if err := tx.query.DropPageCounts(ctx, string(ownScope(userID, st))); err != nil {
			return classify(err)
		}
		if err := tx.query.DropPageDeltas(ctx, string(ownScope(userID, st))); err != nil {
			return classify(err)
		}
	}
	return nil
}

// mustAffect is ErrNotFound for a statement that changed no row.
func mustAffect(n int64, err error) error {
	if err == nil && n == 0 {
		return studycircle.ErrNotFound
	}
	return classify(err)
}

// Session returns a session by id, with its user; ErrNotFound.
func (s *Store) Session(ctx context.Context, id string) (studycircle.Session, error) {
	row, err := s.query.GetSession(ctx, id)
	return studycircle.Session{ID: row.ID, User: toUser(row.User), ExpiresAt: instant(row.ExpiresAt)}, classify(err)
}

// SessionBySecret returns a session by the hash of its cookie, with its user; ErrNotFound.
func (s *Store) SessionBySecret(ctx context.Context, secretHash string) (studycircle.Session, error) {
	row, err := s.query.GetSessionBySecret(ctx, secretHash)
	return studycircle.Session{ID: row.ID, User: toUser(row.User), ExpiresAt: instant(row.ExpiresAt)}, classify(err)
}

// NewSession is what InsertSession stores.
type NewSession struct {
	ID, UserID, SecretHash, UserAgent string
	CreatedAt, ExpiresAt              time.Time
}

// InsertSession signs a browser in; ErrNotFound where the user is gone.
func (tx *Tx) InsertSession(ctx context.Context, n NewSession) error {
	err := tx.query.InsertSession(ctx, db.InsertSessionParams{
		ID: n.ID, UserID: n.UserID, SecretHash: n.SecretHash, UserAgent: n.UserAgent,
		CreatedAt: micros(n.CreatedAt), LastSeenAt: micros(n.CreatedAt), ExpiresAt: micros(n.ExpiresAt),
	})
	if isForeignKey(err) {
		return studycircle.ErrNotFound
	}
	return classify(err)
}

// DeleteSession signs a browser out; no error where it was signed out before.
func (tx *Tx) DeleteSession(ctx context.Context, id string) error {
	_, err := tx.query.DeleteSession(ctx, id)
	return classify(err)
}

// DeleteSessionsOf signs a user out everywhere and returns the sessions' ids.
func (tx *Tx) DeleteSessionsOf(ctx context.Context, userID string) ([]string, error) {
	ids, err := tx.query.DeleteSessionsOfUser(ctx, userID)
	return ids, classify(err)
}

// DeleteExpiredSessions removes what nobody can use any more.
func (tx *Tx) DeleteExpiredSessions(ctx context.Context, now time.Time) error {
	_, err := tx.query.DeleteExpiredSessions(ctx, micros(now))
	return classify(err)
}
