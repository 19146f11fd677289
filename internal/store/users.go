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
	return toAccount(row), classify(err)
}

// Account returns an account by id, or ErrNotFound.
func (s *Store) Account(ctx context.Context, id string) (studycircle.Account, error) {
	row, err := s.query.GetUser(ctx, id)
	return toAccount(row), classify(err)
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
			Message: "An account with this email address exists already. Try to log in, or reset its password.",
		}
	}
	return classify(err)
}

// UpdateProfile changes the name and photo of a user; ErrNotFound.
func (tx *Tx) UpdateProfile(ctx context.Context, userID string, p studycircle.Profile) error {
	n, err := tx.query.UpdateProfile(ctx, db.UpdateProfileParams{ID: userID, DisplayName: p.DisplayName, PhotoUrl: p.PhotoURL})
	return mustAffect(n, err)
}

// ReplacePasswordHash stores a new hash, which may be the same, if the old one
// is still in place and its owner is not suspended; ErrNotFound where it is not.
// Until tx ends nobody else changes the account.
func (tx *Tx) ReplacePasswordHash(ctx context.Context, userID, oldHash, newHash string) error {
	n, err := tx.query.UpdatePasswordHash(ctx, db.UpdatePasswordHashParams{ID: userID, OldHash: oldHash, NewHash: newHash})
	return mustAffect(n, err)
}

// ResetPassword stores a new hash, whatever the old one was, for somebody who
// has shown that the address is theirs; ErrNotFound.
func (tx *Tx) ResetPassword(ctx context.Context, userID, newHash string, now time.Time) error {
	return mustAffect(tx.query.ResetPassword(ctx, db.ResetPasswordParams{ID: userID, PasswordHash: newHash, Now: micros(now)}))
}

// VerifyEmail remembers that the address is its user's; ErrNotFound.
func (tx *Tx) VerifyEmail(ctx context.Context, userID string, now time.Time) error {
	return mustAffect(tx.query.VerifyEmail(ctx, db.VerifyEmailParams{ID: userID, Now: micros(now)}))
}

// SetSuspended closes an account, or opens it again where at is zero, and
// returns its id; ErrNotFound. The address is normalized.
func (tx *Tx) SetSuspended(ctx context.Context, email string, at time.Time) (string, error) {
	ids, err := tx.query.SetSuspended(ctx, db.SetSuspendedParams{Email: email, SuspendedAt: optionalMicros(at)})
	if err == nil && len(ids) == 0 {
		err = studycircle.ErrNotFound
	}
	if err != nil {
		return "", classify(err)
	}
	return ids[0], nil
}

// lockSubmissionsWith takes the rows, in one order, that the schema's rules take in
// the order of whom they name: two people who leave and have graded each other
// would each wait for the other. SQLite's writers are alone.
func (tx *Tx) lockSubmissionsWith(ctx context.Context, userID string) error {
	if tx.conn == nil {
		return nil
	}
	_, err := tx.raw.ExecContext(ctx, `SELECT COUNT(*) FROM (
		SELECT id FROM submissions WHERE submitter_id = $1 OR grader_id = $1 ORDER BY id FOR NO KEY UPDATE) AS taken`, userID)
	return classify(err)
}

// DeleteAccount removes a user with their sessions and pending submissions.
// Their assignments and graded submissions stay, as nobody's. ErrNotFound.
func (tx *Tx) DeleteAccount(ctx context.Context, userID string) error {
	if err := tx.lockSubmissionsWith(ctx, userID); err != nil {
		return err
	}
	withdrawn, err := tx.query.DeletePendingSubmissionsOf(ctx, optionalText(userID))
	if err != nil {
		return classify(err)
	}
	for _, w := range withdrawn {
		tx.announceSubmission(studycircle.SubmissionWithdrawn, w.ID, "")
		tx.count(scopePending, w.Seq, -1)
	}
	// The schema's ON DELETE rules forget the user in all other tables.
	if err := mustAffect(tx.query.DeleteUser(ctx, userID)); err != nil {
		return err
	}
	// Nobody folds meanwhile: what is folded is in the counts before those go.
	if err := tx.awaitFold(ctx); err != nil {
		return err
	}
	tx.recounted = true
	scopes := []scope{ownScope(userID, studycircle.Pending), ownScope(userID, studycircle.Completed)}
	for _, of := range scopes {
		if err := tx.query.DropPageDeltas(ctx, string(of)); err != nil {
			return classify(err)
		}
	}
	for _, of := range scopes {
		if err := tx.query.DropPageCounts(ctx, string(of)); err != nil {
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
