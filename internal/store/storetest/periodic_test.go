package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/jobs"
	"studycircle/internal/periodic"
	"studycircle/internal/store/tables"
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

// Figures are checked once a night. A check that was interrupted continues where it was.
func TestFiguresAreCheckedOnceANight(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		t.Helper()
		var people []studycircle.User
		for i := range 45 {
			people = append(people, b.user(t, fmt.Sprint("Person", i)))
		}
		at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
		check := b.FigureCheck(func() time.Time { return at })
		checked := func() string { return b.ids(t, "SELECT value FROM settings WHERE name = 'figures-checked'")[0] }
		require.NoError(t, check.Once(t.Context()))
		require.Equal(t, "2026-11-20", checked())

		at = at.Add(14 * time.Hour) // two at night
		version, err := b.Version(t.Context())
		require.NoError(t, err)
		require.NoError(t, check.Once(t.Context()))
		require.Equal(t, "2026-11-20", checked())
		same, err := b.Version(t.Context())
		require.NoError(t, err)
		if b.sqlite { // on PostgreSQL, transactions of other tests count too
			require.Equal(t, version, same, "a check that is not due writes nothing")
		}

		at = at.Add(2 * time.Hour)
		require.NoError(t, check.Once(t.Context()))
		require.Equal(t, "2026-11-21", checked())

		b.fold(t)
		wrong := func() (n int) {
			return b.count(t, "page_counts WHERE scope LIKE 'of/%' AND n <> 0")
		}
		drift := func(u studycircle.User) {
			b.exec(t, "INSERT INTO page_counts (scope, tier, block, n) VALUES ('"+string(tables.Of(u.ID))+"', 0, 0, 3)")
		}
		slices.SortFunc(people, func(a, b studycircle.User) int { return strings.Compare(a.ID, b.ID) })
		drift(people[0])
		drift(people[44])
		b.exec(t, "UPDATE settings SET value = '2026-11-21 "+people[20].ID+"' WHERE name = 'figures-checked'")
		require.NoError(t, check.Once(t.Context()))
		require.Equal(t, "2026-11-21", checked())
		b.fold(t)
		require.Equal(t, 1, wrong(), "those before were checked already")
		at = at.AddDate(0, 0, 1)
		require.NoError(t, check.Once(t.Context()))
		b.fold(t)
		require.Zero(t, wrong())
	})
}
