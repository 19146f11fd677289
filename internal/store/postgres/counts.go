package postgres

import (
	"context"
	"time"

	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
)

// foldEvery bounds the number of deltas that a page has to read beside the counts.
const foldEvery = 100 * time.Millisecond

// foldLock is an arbitrary number that no other code locks: FoldCounts holds it exclusively, and DropCounts shares
// it. Both delete deltas, in different orders.
const foldLock = 0x53435f666f6c6473

// foldAll takes the oldest deltas and adds them up in page_counts.
const foldAll = `
WITH drained AS (
	DELETE FROM page_deltas WHERE id <= (SELECT MAX(d.id) FROM (SELECT id FROM page_deltas ORDER BY id LIMIT 20000) AS d)
	RETURNING scope, block, n, total
), sums (scope, tier, block, n, total) AS (
	SELECT scope, 0, block, CAST(SUM(n) AS BIGINT), CAST(SUM(total) AS BIGINT) FROM drained GROUP BY 1, 3
	UNION ALL SELECT scope, 1, block / $1, CAST(SUM(n) AS BIGINT), 0 FROM drained
		WHERE NOT scope ^@ ANY(CAST($2 AS TEXT[])) GROUP BY 1, 3
)
INSERT INTO page_counts (scope, tier, block, n, total)
	SELECT scope, tier, block, n, total FROM sums WHERE n <> 0 OR total <> 0
ON CONFLICT (scope, tier, block) DO UPDATE
	SET n = page_counts.n + excluded.n, total = page_counts.total + excluded.total`

// FoldCounts implements engine.Database, in one statement: a reader sees a change either in the deltas or in the
// counts, never in both or neither. It does nothing while another node folds, or drops counts.
func (d *DB) FoldCounts(ctx context.Context) error {
	return d.Write(ctx, func(ctx context.Context, tx *engine.Tx) error {
		var may bool
		if err := tx.DB.QueryRowContext(ctx, "SELECT pg_try_advisory_xact_lock($1)", foldLock).Scan(&may); err != nil ||
			!may {
			return err
		}
		_, err := tx.DB.ExecContext(ctx, foldAll, pages.BlockFanout, tables.FigureKinds)
		return err
	})
}

// DropCounts implements engine.TxEngine. It excludes folding: folded deltas are in the counts before it deletes
// those.
func (*DB) DropCounts(ctx context.Context, tx *engine.Tx, scopes ...pages.Scope) error {
	if _, err := tx.DB.ExecContext(ctx, "SELECT pg_advisory_xact_lock_shared($1)", foldLock); err != nil {
		return err
	}
	for _, s := range scopes {
		if err := tx.Queries.DropPageDeltas(ctx, string(s)); err != nil {
			return err
		}
	}
	for _, s := range scopes {
		if err := tx.Queries.DropPageCounts(ctx, string(s)); err != nil {
			return err
		}
	}
	return nil
}

// LockRows implements engine.TxEngine. It is sent with the next statement: later reads see the locked rows.
func (*DB) LockRows(ctx context.Context, tx *engine.Tx, rows engine.Selection, args ...any) error {
	_, err := tx.Later.DB.ExecContext(ctx, rows.SQL("FOR NO KEY UPDATE"), args...)
	return err
}

// ShareRows implements engine.TxEngine. Like LockRows it is sent with the next statement.
func (*DB) ShareRows(ctx context.Context, tx *engine.Tx, rows engine.Selection, args ...any) error {
	_, err := tx.Later.DB.ExecContext(ctx, rows.SQL("FOR KEY SHARE"), args...)
	return err
}

// SealRows implements engine.TxEngine. Like LockRows it is sent with the next statement.
func (*DB) SealRows(ctx context.Context, tx *engine.Tx, rows engine.Selection, args ...any) error {
	_, err := tx.Later.DB.ExecContext(ctx, rows.SQL("FOR UPDATE"), args...)
	return err
}

// Ask implements engine.TxEngine.
func (*DB) Ask(_ context.Context, tx *engine.Tx, sink engine.Sink, text string, args ...any) error {
	native(tx).ask(sink, text, args...)
	return nil
}

// Answered implements engine.TxEngine.
func (*DB) Answered(ctx context.Context, tx *engine.Tx) error { return native(tx).flush(ctx) }

// Lock implements engine.TxEngine. It removes the transaction's lock timeout, for this lock and later ones.
func (*DB) Lock(ctx context.Context, tx *engine.Tx, number int64) error {
	if _, err := tx.DB.ExecContext(ctx, "SET LOCAL lock_timeout = 0"); err != nil {
		return err
	}
	_, err := tx.DB.ExecContext(ctx, "SELECT pg_advisory_xact_lock($1)", number)
	return err
}
