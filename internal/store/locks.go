package store

import (
	"context"

	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// lock locks rows until tx ends, several of one table in the order of their keys. The
// order of the tables is in tables/locks.go.
func (tx *Tx) lock(ctx context.Context, rows engine.Selection, args ...any) error {
	return tx.Engine.LockRows(ctx, tx.Tx, rows, args...)
}

// share locks rows against seal, for any number of transactions: see engine.TxEngine.
func (tx *Tx) share(ctx context.Context, rows engine.Selection, args ...any) error {
	return tx.Engine.ShareRows(ctx, tx.Tx, rows, args...)
}

// seal is lock also against share: transactions that share the rows are committed first.
func (tx *Tx) seal(ctx context.Context, rows engine.Selection, args ...any) error {
	return tx.Engine.SealRows(ctx, tx.Tx, rows, args...)
}

// lockDeletion locks every row that DeleteAccount changes, in the lock order.
// review_totals follow while the user's reviews are discarded, in the order of their
// assignments.
func (tx *Tx) lockDeletion(ctx context.Context, userID string) error {
	for _, rows := range tables.AccountRows {
		if err := tx.lock(ctx, rows, userID); err != nil {
			return err
		}
	}
	return nil
}
