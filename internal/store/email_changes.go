package store

import (
	"context"
	"database/sql"
	"time"

	"studycircle"
	"studycircle/internal/jobs"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
)

// EmailChange is a link that gives an account another address.
type EmailChange struct {
	No     int64 // of two changes of an account the later one's is higher
	UserID string
	Email  string
	// Undoes reports that Email was the account's address before. Otherwise its owner has yet to confirm it.
	Undoes     bool
	VerifiedAt time.Time // of Email, as the undo restores it
}

func emailChangeOf(row db.EmailChange) EmailChange {
	return EmailChange{
		No: row.Seq, UserID: row.UserID, Email: row.Email, Undoes: row.Undoes, VerifiedAt: optionalInstant(row.VerifiedAt),
	}
}

// AskEmailChange keeps the address that a user wants until its owner confirms it, in place of one that waits, and
// queues the email to it.
func (tx *Tx) AskEmailChange(ctx context.Context, userID, email string, expires time.Time) (err error) {
	defer tx.operation(&err, "Tx.AskEmailChange", userID)
	if err := tx.Queries.DeletePendingEmailChanges(ctx, userID); err != nil {
		return err
	}
	return tx.insertEmailChange(ctx, EmailChange{UserID: userID, Email: email}, expires)
}

func (tx *Tx) insertEmailChange(ctx context.Context, c EmailChange, expires time.Time) error {
	no, err := tx.Queries.InsertEmailChange(ctx, db.InsertEmailChangeParams{
		UserID: c.UserID, Email: c.Email, Undoes: c.Undoes, VerifiedAt: optionalMicros(c.VerifiedAt),
		ExpiresAt: micros(expires),
	})
	if err != nil {
		return err
	}
	return tx.QueueMail(ctx, c.UserID, jobs.AddressMail(no))
}

// ComposeEmailChange stores the hash of the code in the email about a change, and returns the change; ErrNotFound if it
// is over.
func (tx *Tx) ComposeEmailChange(
	ctx context.Context, no int64, codeHash string, now time.Time,
) (_ EmailChange, err error) {
	defer tx.operation(&err, "Tx.ComposeEmailChange")
	row, err := tx.Queries.ComposeEmailChange(ctx, db.ComposeEmailChangeParams{
		Seq: no, CodeHash: optionalText(codeHash), Now: micros(now),
	})
	return emailChangeOf(row), err
}

// EmailChange returns the change, or the undo of one, of a valid code; ErrNotFound.
func (s *Store) EmailChange(
	ctx context.Context, undoes bool, codeHash string, now time.Time,
) (_ EmailChange, err error) {
	defer s.operation(&err, "Store.EmailChange")
	row, err := s.engine.Queries().GetEmailChange(ctx, db.GetEmailChangeParams{
		CodeHash: optionalText(codeHash), Undoes: undoes, Now: micros(now),
	})
	return emailChangeOf(row), err
}

// UseEmailChange is EmailChange and deletes the code.
func (tx *Tx) UseEmailChange(
	ctx context.Context, undoes bool, codeHash string, now time.Time,
) (_ EmailChange, err error) {
	defer tx.operation(&err, "Tx.UseEmailChange")
	row, err := tx.Queries.UseEmailChange(ctx, db.UseEmailChangeParams{
		CodeHash: optionalText(codeHash), Undoes: undoes, Now: micros(now),
	})
	return emailChangeOf(row), err
}

// ChangeEmail gives a locked account a verified address, and queues the email by which the owner of the one before can
// undo that until a time. CodeEmailInUse.
func (tx *Tx) ChangeEmail(
	ctx context.Context, a studycircle.Account, email string, now, undoUntil time.Time,
) (err error) {
	defer tx.operation(&err, "Tx.ChangeEmail", a.ID)
	if err := tx.setEmail(ctx, a.ID, email, optionalMicros(now)); err != nil {
		return err
	}
	return tx.insertEmailChange(ctx, EmailChange{
		UserID: a.ID, Email: a.Email, Undoes: true, VerifiedAt: a.EmailVerifiedAt,
	}, undoUntil)
}

// UndoEmailChange gives an account the address back that it had before a change, and forgets later changes.
// CodeEmailInUse.
func (tx *Tx) UndoEmailChange(ctx context.Context, c EmailChange) (err error) {
	defer tx.operation(&err, "Tx.UndoEmailChange", c.UserID)
	if err := tx.setEmail(ctx, c.UserID, c.Email, optionalMicros(c.VerifiedAt)); err != nil {
		return err
	}
	return tx.Queries.DeleteLaterEmailChanges(ctx, db.DeleteLaterEmailChangesParams{UserID: c.UserID, Seq: c.No})
}

func (tx *Tx) setEmail(ctx context.Context, userID, email string, verified sql.NullInt64) error {
	n, err := tx.Queries.SetEmail(ctx, db.SetEmailParams{ID: userID, Email: email, EmailVerifiedAt: verified})
	if tx.Engine.Fault(err) == engine.Unique {
		return &studycircle.Error{
			Code: studycircle.CodeEmailInUse, Err: err,
			Message: "Another account has this email address. Your account stays as it is.",
		}
	}
	if err := mustAffect(n, err); err != nil {
		return err
	}
	// What the previous address refused says nothing about this one.
	return tx.Queries.AcceptMails(ctx, userID)
}
