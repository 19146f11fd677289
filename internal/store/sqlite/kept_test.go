package sqlite

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
)

// longText makes rows that fill pages.
var longText = strings.Repeat("words and words ", 250)

func publish(t *testing.T, d *DB, ids ...string) {
	t.Helper()
	now := time.Now().UTC().Truncate(time.Microsecond)
	var all errgroup.Group
	all.SetLimit(16)
	for _, id := range ids {
		all.Go(func() error {
			return d.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error {
				return tables.Publish(ctx, tx, studycircle.Assignment{
					ID: id, Title: "Title of " + id, Description: longText, Thumbnail: "https://example.org/a.png", Marks: 10,
					Level: studycircle.Easy, Due: studycircle.DueDateAt(now.UnixMicro(), 0), CreatedAt: now, UpdatedAt: now,
				})
			})
		})
	}
	require.NoError(t, all.Wait())
}

// read returns the assignment with an id; none if there is none.
func read(t *testing.T, d *DB, id string) (found []studycircle.Assignment, err error) {
	t.Helper()
	all := tables.Assignments.Collect(1)
	err = d.Find(t.Context(), studycircle.ViewerOf("anyone"), tables.AssignmentByID, []any{id}, all)
	return all.All, err
}

// newest returns the newest assignment, and the number of all.
func newest(t *testing.T, d *DB) (studycircle.Assignment, int64) {
	t.Helper()
	start, err := d.Counts().Locate(t.Context(), pages.NewestFirst, 0, tables.AllLevels(studycircle.Hall), func(block int64) ([]int64, error) {
		return d.Positions(t.Context(), studycircle.ViewerOf("anyone"), tables.AllAssignments, []any{studycircle.Hall}, block)
	})
	require.NoError(t, err)
	all := tables.Assignments.Collect(1)
	require.NoError(t, d.Page(t.Context(), studycircle.ViewerOf("anyone"), tables.AllAssignments, []any{studycircle.Hall}, start, 1, all))
	return all.All[0], start.Total
}

func numbered100(name string) (ids []string) {
	for i := range 100 {
		ids = append(ids, fmt.Sprint(name, i))
	}
	return ids
}

// openDir opens a database with its background work.
func openDir(t *testing.T, dir string) *DB {
	t.Helper()
	d, err := Open(t.Context(), dir)
	require.NoError(t, err)
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.Run(ctx)
	}()
	t.Cleanup(func() {
		stop()
		<-done
		require.NoError(t, d.Close())
	})
	return d
}

// keepAll reads until all connections keep their transactions.
func keepAll(t *testing.T, d *DB) {
	t.Helper()
	reads := d.rows
	require.Eventually(t, func() bool {
		for range reads.all { // each in turn
			if _, err := read(t, d, "none"); err != nil {
				return false
			}
		}
		kept := true
		for range reads.all {
			c := <-reads.free
			kept = kept && c.version != 0
			reads.free <- c
		}
		return kept
	}, time.Minute, time.Millisecond)
}

// A reader in a kept transaction sees every write committed before the read.
func TestKeptTransactionsAreExact(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	here, there := openDir(t, dir), openDir(t, dir)
	for i := range 5 {
		for j, writer := range []*DB{here, there} {
			keepAll(t, here)
			id := fmt.Sprintf("a%d-%d", i, j)
			publish(t, writer, id)
			for range here.rows.all {
				a, err := read(t, here, id)
				require.NoError(t, err)
				require.Equal(t, "Title of "+id, a[0].Title)
				last, total := newest(t, here)
				require.EqualValues(t, 2*i+j+1, total)
				require.Equal(t, id, last.ID)
			}
		}
	}
}

// The log is checkpointed once writes stop. Readers then do not search it, also those with an older kept transaction,
// and still see every write.
func TestReadersLeaveASavedLogAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	here, there := openDir(t, dir), openDir(t, dir)
	reads := here.rows
	for i, writer := range []*DB{here, there} {
		id := fmt.Sprintf("a%d", i)
		publish(t, writer, id)
		_, err := read(t, here, id)
		require.NoError(t, err)
		keepAll(t, here)
		require.Eventually(t, reads.db.versions.checkpointed, time.Minute, time.Millisecond)
		require.Eventually(t, func() bool {
			for range reads.all { // each in turn
				_, err := read(t, here, id)
				require.NoError(t, err)
			}
			past := 0
			for range reads.all {
				c := <-reads.free
				if c.skipsWAL {
					past++
				}
				reads.free <- c
			}
			return past == len(reads.all)
		}, time.Minute, time.Millisecond)
	}
}

// Kept transactions do not keep SQLite from resetting its log, even if each write meets some.
func TestKeptTransactionsLetTheLogBeginAnew(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := openDir(t, dir)
	reads := d.rows
	kept, written := 0, int64(0)
	for i := range 60 {
		reads.settle(t.Context(), reads.settle(t.Context(), 0)) // as if some time had passed
		for range reads.all {
			_, err := read(t, d, "none")
			require.NoError(t, err)
		}
		c := <-reads.free
		if c.version != 0 {
			kept++
		}
		reads.free <- c
		publish(t, d, numbered100(fmt.Sprintf("a%d-", i))...)
		written += 100 * int64(len(longText))
	}
	require.NotZero(t, kept)
	info, err := os.Stat(filepath.Join(dir, fileName+"-wal"))
	require.NoError(t, err)
	require.Less(t, info.Size(), written/2)
}
