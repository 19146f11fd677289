package store

import (
	"context"
	"time"

	"studycircle/internal/limit"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
)

// LimitWait returns how long subject has to wait for room in w; zero if there is room.
func (s *Store) LimitWait(
	ctx context.Context, w limit.Window, subject string, now time.Time,
) (_ time.Duration, err error) {
	defer s.operation(&err, "Store.LimitWait")
	return limitWait(ctx, s.engine.Queries(), w, subject, now)
}

// LimitWait returns how long subject has to wait for room in w; zero if there is room.
func (tx *Tx) LimitWait(
	ctx context.Context, w limit.Window, subject string, now time.Time,
) (_ time.Duration, err error) {
	defer tx.operation(&err, "Tx.LimitWait")
	return limitWait(ctx, tx.Queries, w, subject, now)
}

// CheckRoom returns CodeRateLimited if u has no room now. It locks nothing, so that an attempt that is refused costs no
// write; Spend decides.
func (tx *Tx) CheckRoom(ctx context.Context, u limit.Use) (err error) {
	defer tx.operation(&err, "Tx.CheckRoom")
	wait, err := tx.LimitWait(ctx, u.Window, u.Subject, u.At)
	if err == nil && wait > 0 {
		err = u.Refuse(wait)
	}
	return err
}

func limitWait(
	ctx context.Context, q *db.Queries, w limit.Window, subject string, now time.Time,
) (time.Duration, error) {
	l, err := engine.LimitLog(ctx, q, engine.LimitName(w, subject))
	return w.Wait(l, now), err
}
