package store

import (
	"context"
	"log/slog"
	"time"

	"studycircle/internal/store/engine"
)

// troubles logs when the database stops working and when it works again, a line each, however many requests fail
// meanwhile.
type troubles struct{ begun chan time.Time }

func newTroubles() troubles { return troubles{make(chan time.Time, 1)} }

// begin logs t, unless the database is known not to work.
func (k troubles) begin(t engine.Trouble, err error) {
	select {
	case k.begun <- time.Now():
		//nolint:sloglint // the trouble is the database's, not that of the request that met it first
		slog.Error(t.Wrong, "do", t.Do, "error", err)
	default:
	}
}

// recheckEvery is the time between two looks at a database that does not work.
const recheckEvery = time.Second

// watchTroubles looks, until ctx ends, whether a database that does not work answers and takes writes again.
func (s *Store) watchTroubles(ctx context.Context) {
	look := time.NewTicker(recheckEvery)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-look.C:
		}
		if len(s.troubles.begun) == 0 || s.Ping(ctx) != nil || s.classify(engine.TryRoom(ctx, s.engine)) != nil {
			continue
		}
		since := <-s.troubles.begun
		slog.InfoContext(ctx, "the database works again", "after", time.Since(since).Round(time.Second).String())
	}
}
