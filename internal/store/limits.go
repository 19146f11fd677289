package store

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store/db"
)

// LimitWait is how long subject has to wait for room in w; zero where there is room.
func (s *Store) LimitWait(ctx context.Context, w limit.Window, subject string, now time.Time) (time.Duration, error) {
	return limitWait(ctx, s.query, w, subject, now)
}

// LimitWait is how long subject has to wait for room in w; zero where there is room.
func (tx *Tx) LimitWait(ctx context.Context, w limit.Window, subject string, now time.Time) (time.Duration, error) {
	return limitWait(ctx, tx.query, w, subject, now)
}

func limitWait(ctx context.Context, q *db.Queries, w limit.Window, subject string, now time.Time) (time.Duration, error) {
	l, err := limitLog(ctx, q, limitName(w, subject))
	return w.Wait(l, now), err
}

// Spend counts one use of w by subject as part of tx; CodeRateLimited, and
// nothing written, where there is no room.
func (tx *Tx) Spend(ctx context.Context, w limit.Window, subject string, now time.Time) error {
	name := limitName(w, subject)
	for {
		before, err := limitLog(ctx, tx.query, name)
		if err != nil {
			return err
		}
		if wait := w.Wait(before, now); wait > 0 {
			return w.Refuse(wait)
		}
		n, err := tx.query.PutRateLimit(ctx, db.PutRateLimitParams{
			Name: name, Stamps: w.With(before, now).String(), OldStamps: before.String(), ExpiresAt: micros(now.Add(w.Per)),
		})
		if err != nil || n > 0 {
			return classify(err)
		}
		// Somebody else counted meanwhile. The row is ours now: the next turn is the last.
	}
}

// use is Spend, of nothing where u is none.
func (tx *Tx) use(ctx context.Context, u limit.Use) error {
	if u.None() {
		return nil
	}
	return tx.Spend(ctx, u.Window, u.Subject, u.At)
}

func limitName(w limit.Window, subject string) string { return w.Name + ":" + subject }

func limitLog(ctx context.Context, q *db.Queries, name string) (limit.Log, error) {
	stamps, err := q.GetRateLimit(ctx, name)
	if err = classify(err); studycircle.CodeOf(err) == studycircle.CodeNotFound {
		err = nil
	}
	return limit.Parse(stamps), err
}
