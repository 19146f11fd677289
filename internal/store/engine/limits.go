package engine

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"studycircle/internal/limit"
	"studycircle/internal/store/db"
)

// LimitName returns the key of the row with a subject's uses of a window.
func LimitName(w limit.Window, subject string) string { return w.Name + ":" + subject }

// LimitLog returns the uses of a row; none if there is no row.
func LimitLog(ctx context.Context, q *db.Queries, name string) (limit.Log, error) {
	stamps, err := q.GetRateLimit(ctx, name)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return limit.Parse(stamps), err
}

// Spend counts one use of w by subject as part of tx; CodeRateLimited, with nothing written, if there is no room.
func (tx *Tx) Spend(ctx context.Context, w limit.Window, subject string, now time.Time) error {
	name := LimitName(w, subject)
	for {
		before, err := LimitLog(ctx, tx.Queries, name)
		if err != nil {
			return tx.Classify(err)
		}
		if wait := w.Wait(before, now); wait > 0 {
			return w.Refuse(wait)
		}
		n, err := tx.Queries.PutRateLimit(ctx, db.PutRateLimitParams{
			Name: name, Stamps: w.With(before, now).String(), OldStamps: before.String(), ExpiresAt: now.Add(w.Per).UnixMicro(),
		})
		if err != nil || n > 0 {
			return tx.Classify(err)
		}
		// Another transaction counted meanwhile. This one now holds the row: the next round is the last.
	}
}
