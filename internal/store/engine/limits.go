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
	name, expires := LimitName(w, subject), now.Add(w.Per).UnixMicro()
	for {
		stamps, err := tx.Queries.LockRateLimit(ctx, name)
		first := errors.Is(err, sql.ErrNoRows)
		if err != nil && !first {
			return err
		}
		before := limit.Parse(stamps)
		if wait := w.Wait(before, now); wait > 0 {
			return w.Refuse(wait)
		}
		with := w.With(before, now).String()
		if !first {
			return tx.Later.SetRateLimit(ctx, db.SetRateLimitParams{Name: name, Stamps: with, ExpiresAt: expires})
		}
		n, err := tx.Queries.PutRateLimit(ctx, db.PutRateLimitParams{Name: name, Stamps: with, ExpiresAt: expires})
		if err != nil || n > 0 {
			return err
		}
		// Another transaction has counted the first use meanwhile.
	}
}
