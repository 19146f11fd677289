package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"studycircle"
)

// What is kept of the counts outlives this store's own commits, and no others.
func TestCountsAreCarriedOverOwnCommits(t *testing.T) {
	t.Parallel()
	s, other := openBeside(t)

	made := 0
	publish := func(n int) {
		t.Helper()
		require.NoError(t, s.publishNumbered(t.Context(), made, n))
		made += n
	}
	// look reads the third page, which lies in the block before the newest where that has just begun.
	look := func() {
		t.Helper()
		rows, total, err := s.Assignments(t.Context(), "", studycircle.Page{Number: 3, Limit: 10})
		require.NoError(t, err)
		require.EqualValues(t, made, total)
		require.Equal(t, fmt.Sprint(made-21), rows[0].ID)
	}
	carried := func() bool {
		t.Helper()
		now, err := s.Version(t.Context())
		require.NoError(t, err)
		return s.pages.version == now && len(s.pages.big) > 0
	}
	publish(250)
	look()
	for range 20 { // over the border of a block
		publish(1)
		require.True(t, carried())
		look()
	}
	foreign := func() {
		t.Helper()
		require.NoError(t, commitBeside(t.Context(), other))
	}
	foreign()
	require.False(t, carried())
	publish(1)
	require.False(t, carried())
	look()
	require.True(t, carried())
	require.NoError(t, s.execute(t.Context(), "UPDATE page_counts SET n = n + 1"))
	require.False(t, carried(), "a write that may have counted anew")
}

// Counts read under a version that is over may be of the next one already: they
// would be brought up to date with what they have.
func TestCountsReadTooLateAreNotKept(t *testing.T) {
	t.Parallel()
	s, other := openBeside(t)
	require.NoError(t, s.publishNumbered(t.Context(), 0, 1))
	before, err := s.Version(t.Context())
	require.NoError(t, err)
	keep := func(version uint64) (kept bool) {
		s.pages.keep(version, oneScope(levelScope(studycircle.Easy)), 1, func() { kept = true })
		return kept
	}
	require.True(t, keep(before))
	require.NoError(t, commitBeside(t.Context(), other))
	now, err := s.Version(t.Context())
	require.NoError(t, err)
	require.NotEqual(t, before, now)
	require.False(t, keep(before))
	require.True(t, keep(now))
}

// openBeside opens a store, and its database as another program does.
func openBeside(t *testing.T) (*Store, *sql.DB) {
	t.Helper()
	dir := t.TempDir()
	s, err := Open(t.Context(), Config{Dir: dir})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	other, err := sql.Open("sqlite", sqliteName(dir))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, other.Close()) })
	return s, other
}

// commitBeside writes what has nothing to do with counts.
func commitBeside(ctx context.Context, other *sql.DB) error {
	_, err := other.ExecContext(ctx, "INSERT INTO settings (name, value) VALUES ('x', '') ON CONFLICT (name) DO UPDATE SET value = value || 'x'")
	return err
}

// publishNumbered publishes n assignments whose ids are numbers.
func (s *Store) publishNumbered(ctx context.Context, from, n int) error {
	return s.Write(ctx, func(ctx context.Context, tx *Tx) error {
		for i := range n {
			_, err := tx.InsertAssignment(ctx, studycircle.Assignment{
				ID: fmt.Sprint(from + i), Title: "A", Level: studycircle.Easy, CreatedAt: time.Now(), UpdatedAt: time.Now(),
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Totals have every write that was acknowledged, and none twice, while readers
// read counts anew, writers bring them up to date, and another program commits.
func TestCarriedCountsAreRightAmongWriters(t *testing.T) {
	t.Parallel()
	s, other := openBeside(t)

	const writers, each = 4, 80
	var begun, done atomic.Int64
	read := func(ctx context.Context, level studycircle.Level) error {
		least := done.Load()
		_, total, err := s.Assignments(ctx, level, studycircle.Page{Number: 2, Limit: 10})
		if most := begun.Load(); err == nil && (total < least || total > most) {
			err = fmt.Errorf("a total of %d, and between %d and %d were published", total, least, most)
		}
		return err
	}
	var group errgroup.Group
	for w := range writers {
		group.Go(func() error {
			for n := range each {
				begun.Add(1)
				if err := s.publishNumbered(t.Context(), w*each+n, 1); err != nil {
					return err
				}
				done.Add(1)
				if err := read(t.Context(), ""); err != nil {
					return err
				}
			}
			return nil
		})
	}
	group.Go(func() error {
		for done.Load() < writers*each && t.Context().Err() == nil {
			if err := read(t.Context(), studycircle.Easy); err != nil {
				return err
			}
		}
		return nil
	})
	group.Go(func() error {
		for range each {
			if err := commitBeside(t.Context(), other); err != nil {
				return err
			}
		}
		return nil
	})
	require.NoError(t, group.Wait())
	require.NoError(t, read(t.Context(), ""))
}
