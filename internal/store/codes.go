package store

import (
	"context"
	"time"

	"studycircle/internal/store/db"
)

// InsertActionCode stores the hash of a one-time code; ErrNotFound if the
// user is gone.
func (tx *Tx) InsertActionCode(ctx context.Context, userID, purpose, codeHash string, expires time.Time) (err error) {
	defer tx.operation(&err, "Tx.InsertActionCode")
	err = tx.Queries.InsertActionCode(ctx, db.InsertActionCodeParams{
		CodeHash: codeHash, UserID: userID, Purpose: purpose, ExpiresAt: micros(expires),
	})
	return tx.orGone(err)
}

// ActionCode returns the user of a valid code; ErrNotFound.
func (s *Store) ActionCode(ctx context.Context, purpose, codeHash string, now time.Time) (userID string, err error) {
	defer s.operation(&err, "Store.ActionCode")
	return s.engine.Queries().GetActionCode(ctx, db.GetActionCodeParams{
		CodeHash: codeHash, Purpose: purpose, Now: micros(now),
	})
}

// UseActionCode is ActionCode and deletes the code.
func (tx *Tx) UseActionCode(ctx context.Context, purpose, codeHash string, now time.Time) (userID string, err error) {
	defer tx.operation(&err, "Tx.UseActionCode")
	return tx.Queries.UseActionCode(ctx, db.UseActionCodeParams{CodeHash: codeHash, Purpose: purpose, Now: micros(now)})
}

// DeleteActionCodesOf deletes all codes of a user, but for those that undo a change of address.
func (tx *Tx) DeleteActionCodesOf(ctx context.Context, userID string) (err error) {
	defer tx.operation(&err, "Tx.DeleteActionCodesOf")
	if err := tx.Queries.DeletePendingEmailChanges(ctx, userID); err != nil {
		return err
	}
	return tx.Queries.DeleteActionCodesOfUser(ctx, userID)
}
