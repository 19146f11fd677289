package teststore

import (
	"context"
	"database/sql"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/store"
	"studycircle/internal/store/engine"
)

// Beside pauses the write first at a point of engine.At, runs second until it ends or waits for first, lets first go
// on, and returns the errors of both.
func Beside(t *testing.T, c store.Config, point string, first, second func(context.Context) error) (one, other error) {
	t.Helper()
	reached, resume := make(chan struct{}), make(chan struct{})
	var once sync.Once
	paused := context.WithValue(t.Context(), engine.AtPoint{}, func(at string) {
		if at == point {
			once.Do(func() {
				close(reached)
				<-resume
			})
		}
	})
	ones, others := make(chan error, 1), make(chan error, 1)
	go func() { ones <- first(paused) }()
	select {
	case <-reached:
	case one = <-ones:
		require.Failf(t, "not paused", "the first write ended before %q: %v", point, one)
	}
	go func() { others <- second(t.Context()) }()
	select {
	case other = <-others:
		others <- other
	case <-waits(t, c):
	}
	close(resume)
	return <-ones, <-others
}

// waits returns a channel that is closed once a write waits for another one. On SQLite every write waits for the one
// that runs.
func waits(t *testing.T, c store.Config) <-chan struct{} {
	t.Helper()
	out := make(chan struct{})
	go func() {
		defer close(out)
		<-time.After(50 * time.Millisecond)
		if c.URL == "" {
			return
		}
		plain, err := sql.Open("pgx", c.URL)
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = plain.Close() }()
		look := time.NewTicker(2 * time.Millisecond)
		defer look.Stop()
		for waiting := 0; waiting == 0 && err == nil; <-look.C {
			err = plain.QueryRowContext(t.Context(),
				"SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = "+
					"'Lock'").Scan(&waiting)
		}
	}()
	return out
}
