package store

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"studycircle/internal/store/engine"
)

// troubles logs what keeps the database from working, and when it works again, a line each, however many requests fail
// meanwhile.
type troubles struct {
	mu    sync.Mutex
	since time.Time // zero while the database works
	said  map[engine.Trouble]bool
}

// begin logs t, unless it is known.
func (k *troubles) begin(t engine.Trouble, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.said[t] {
		return
	}
	if k.since.IsZero() {
		k.since, k.said = time.Now(), map[engine.Trouble]bool{}
	}
	k.said[t] = true
	slog.Error("the database does not work", "wrong", t.Wrong, "do", t.Do, "error", err)
}

// began returns when the database stopped working; zero if it works.
func (k *troubles) began() time.Time {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.since
}

// end logs that the database works again.
func (k *troubles) end(ctx context.Context) {
	k.mu.Lock()
	defer k.mu.Unlock()
	slog.InfoContext(ctx, "the database works again", "after", time.Since(k.since).Round(time.Second).String())
	k.since, k.said = time.Time{}, nil
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
		if !s.troubles.began().IsZero() && s.Ping(ctx) == nil && s.classify(engine.TryRoom(ctx, s.engine)) == nil {
			s.troubles.end(ctx)
		}
	}
}
