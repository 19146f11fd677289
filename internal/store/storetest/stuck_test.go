package storetest

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store"
	"studycircle/internal/store/engine"
	"studycircle/internal/teststore"
)

// poolSize is at least the number of writes that an engine runs at a time.
const poolSize = 32

// finished returns what f returns, and fails the test if f takes too long.
func finished(t *testing.T, within time.Duration, f func() error) error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-time.After(within):
		t.Fatal("the write does not return")
		return nil
	}
}

// A write that begins another one would wait for itself on SQLite, and for a row or a
// connection that it holds on PostgreSQL.
func TestNestedWritesAreRefused(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		t.Helper()
		ada := b.user(t, "Ada")
		for name, nested := range map[string]func(ctx context.Context) error{
			"write": func(ctx context.Context) error {
				return b.Write(ctx, studycircle.System(), func(context.Context, *store.Tx) error { return nil })
			},
			"publish": func(ctx context.Context) error {
				return teststore.Publish(ctx, b.Store, sample(ada, studycircle.Easy, "Nested", "Text."))
			},
			"submit": func(ctx context.Context) error {
				return submit(ctx, b.Store, anyone, "none", limit.Use{}, func(studycircle.OwnCircle, studycircle.Assignment) (studycircle.Submission, error) {
					return studycircle.Submission{}, nil
				})
			},
			"grade": func(ctx context.Context) error {
				return grade(ctx, b.Store, anyone, "none", limit.Use{}, func(studycircle.OwnCircle, studycircle.Submission) (studycircle.Grade, error) {
					return studycircle.Grade{}, nil
				})
			},
		} {
			err := finished(t, 20*time.Second, func() error {
				return b.Write(t.Context(), studycircle.System(), func(ctx context.Context, _ *store.Tx) error { return nested(ctx) })
			})
			require.ErrorIs(t, err, engine.ErrNestedWrite, name)
		}
		require.NoError(t, b.writeSetting(t), "the next write is not affected")
	})
}

// Functions that ignore their context cannot be ended. While they block all writes, the
// store is not ready and other writes fail within their own deadlines.
func TestHangingWritesAreReported(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		t.Helper()
		release := make(chan struct{})
		var hanging sync.WaitGroup
		free := sync.OnceFunc(func() { close(release); hanging.Wait() })
		defer free()
		began := make(chan struct{}, poolSize)
		for range poolSize {
			hanging.Go(func() {
				_ = b.Write(context.WithoutCancel(t.Context()), studycircle.System(), func(context.Context, *store.Tx) error {
					began <- struct{}{}
					<-release
					return nil
				})
			})
		}
		<-began
		for n := 1; n < poolSize && !b.sqlite; n++ {
			<-began
		}
		reported := time.Now()
		require.Eventually(t, func() bool {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			return studycircle.CodeOf(b.Ping(ctx)) == studycircle.CodeUnavailable
		}, 20*time.Second, 50*time.Millisecond)
		require.Less(t, time.Since(reported), 5*time.Second)

		err := finished(t, 20*time.Second, func() error {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			return b.Write(ctx, studycircle.System(), func(context.Context, *store.Tx) error { return nil })
		})
		require.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(err), "%v", err)
		free()
		require.Eventually(t, func() bool { return b.Ping(t.Context()) == nil && b.writeSetting(t) == nil }, 20*time.Second, 50*time.Millisecond)
	})
}
