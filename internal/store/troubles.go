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
	seen  time.Time // the last trouble
	lasts bool      // one of said does not end
	said  map[engine.Trouble]bool
}

// begin logs t, unless it is known.
func (k *troubles) begin(t engine.Trouble, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.seen = time.Now()
	if k.said[t] {
		return
	}
	if k.since.IsZero() {
		k.since, k.said = time.Now(), map[engine.Trouble]bool{}
	}
	k.said[t], k.lasts = true, k.lasts || t.Lasting
	slog.Error("the database does not work", "wrong", t.Wrong, "do", t.Do, "error", err)
}

// over reports whether there was trouble that may be over: the last was quietFor ago.
func (k *troubles) over() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return !k.since.IsZero() && !k.lasts && time.Since(k.seen) >= quietFor
}

// end logs that the database works again.
func (k *troubles) end(ctx context.Context) {
	k.mu.Lock()
	defer k.mu.Unlock()
	slog.InfoContext(ctx, "the database works again", "after", time.Since(k.since).Round(time.Second).String())
	k.since, k.said = time.Time{}, nil
}

const (
	// recheckEvery is the time between two looks at a database that does not work.
	recheckEvery = time.Second
	// quietFor is how long a database that does not work must cause no trouble before it counts as working: one that
	// fails now and then, as without free connections, answers in between.
	quietFor = 5 * time.Second
)

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
		if s.troubles.over() && s.Ping(ctx) == nil && s.classify(engine.TryRoom(ctx, s.engine)) == nil {
			s.troubles.end(ctx)
		}
	}
}
