package storetest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/jobs"
	"studycircle/internal/periodic"
	"studycircle/internal/store"
)

// runJobs runs w on a node until the test ends.
func (b *bundle) runJobs(t *testing.T, w jobs.Work) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- b.RunJobs(ctx, w) }()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-done)
	})
}

// Jobs of each minute run in the queue; jobs of each second, or of each node, run beside it. A failure ends neither.
func TestPeriodicJobsRunWhereTheyBelong(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		t.Helper()
		ran := make(chan string, 1000)
		job := func(name string, every time.Duration, onEachNode bool) periodic.Job {
			return periodic.Job{Name: name, Every: every, Timeout: time.Minute, OnEachNode: onEachNode, Run: func(context.Context) error {
				select {
				case ran <- name:
				default:
				}
				return errors.New("expected by the test")
			}}
		}
		b.runJobs(t, jobs.Work{Periodic: []periodic.Job{
			job("each minute", time.Minute, false), job("each hour on each node", time.Hour, true), job("often", 100*time.Millisecond, false),
		}})
		runs := map[string]int{}
		require.Eventually(t, func() bool {
			for len(ran) > 0 {
				runs[<-ran]++
			}
			return runs["each minute"] > 0 && runs["each hour on each node"] > 0 && runs["often"] > 1
		}, time.Minute, 50*time.Millisecond)
		queued := b.ids(t, "SELECT CAST(args->>'name' AS TEXT) FROM river_job WHERE kind = 'periodic' AND args->>'name' LIKE 'each %'")
		require.Equal(t, []string{"each minute"}, queued)
	})
}

// Figures are checked once after a migration and once a night.
func TestFiguresAreCheckedOnceANight(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		t.Helper()
		at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
		check := b.FigureCheck(func() time.Time { return at })
		checked := func() []string { return b.ids(t, "SELECT value FROM settings WHERE name = 'figures-checked'") }
		require.NoError(t, check.Once(t.Context()))
		first := checked()
		require.Regexp(t, `^\d+ 2026-11-20$`, first[0])

		at = at.Add(14 * time.Hour) // two at night
		version, err := b.Version(t.Context())
		require.NoError(t, err)
		require.NoError(t, check.Once(t.Context()))
		require.Equal(t, first, checked())
		same, err := b.Version(t.Context())
		require.NoError(t, err)
		if b.sqlite { // on PostgreSQL, transactions of other tests count too
			require.Equal(t, version, same, "a check that is not due writes nothing")
		}

		at = at.Add(2 * time.Hour)
		require.NoError(t, check.Once(t.Context()))
		require.Regexp(t, `^\d+ 2026-11-21$`, checked()[0])

		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.DB.ExecContext(ctx, "UPDATE settings SET value = '1 2026-11-21' WHERE name = 'figures-checked'")
			return err
		})
		require.NoError(t, check.Once(t.Context()))
		require.NotEqual(t, "1 2026-11-21", checked()[0], "after a migration")
	})
}
