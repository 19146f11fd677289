package storetest

import (
	"context"
	"database/sql"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/teststore"
)

// commitBeside makes a write that affects no counts.
func commitBeside(ctx context.Context, other *sql.DB) error {
	_, err := other.ExecContext(ctx, "INSERT INTO settings (name, value) VALUES ('x', '') ON CONFLICT (name) DO UPDATE SET value = settings.value || 'x'")
	return err
}

// Totals include every acknowledged write exactly once, while readers reload counts,
// writers update them, and another program commits.
func TestCarriedCountsAreRightAmongWriters(t *testing.T) {
	t.Parallel()
	b := setup(t, store.Config{Dir: teststore.Dir(t)})

	const writers, each = 4, 80
	var begun, done atomic.Int64
	read := func(ctx context.Context, level studycircle.Level) error {
		least := done.Load()
		_, total, err := b.Assignments(ctx, anyone, studycircle.Hall, level, studycircle.Page{Number: 2, Limit: 10})
		if most := begun.Load(); err == nil && (total < least || total > most) {
			err = fmt.Errorf("a total of %d, and between %d and %d were published", total, least, most)
		}
		return err
	}
	var group errgroup.Group
	for range writers {
		group.Go(func() error {
			for range each {
				begun.Add(1)
				if err := teststore.Publish(t.Context(), b.Store, sample(studycircle.User{}, studycircle.Easy, "A", "B")); err != nil {
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
			if err := commitBeside(t.Context(), b.plain); err != nil {
				return err
			}
		}
		return nil
	})
	require.NoError(t, group.Wait())
	require.NoError(t, read(t.Context(), ""))
}
