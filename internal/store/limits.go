package store

import (
	"context"
	"time"

	"studycircle/internal/limit"
	"studycircle/internal/store/engine"
)

// LimitWait returns how long subject has to wait for room in w; zero if there is room.
func (r *reads) LimitWait(
	ctx context.Context, w limit.Window, subject string, now time.Time,
) (_ time.Duration, err error) {
	defer r.operation(&err, "reads.LimitWait")
	l, err := engine.LimitLog(ctx, r.query, engine.LimitName(w, subject))
	return w.Wait(l, now), err
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
