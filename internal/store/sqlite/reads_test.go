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
	err = d.Parts().Find(t.Context(), studycircle.ViewerOf("anyone"), tables.AssignmentByID, []any{id}, all)
	return all.All, err
}

// newest returns the newest assignment, and the number of all.
func newest(t *testing.T, d *DB) (studycircle.Assignment, int64) {
	t.Helper()
	start, err := d.Counts().Locate(t.Context(), pages.NewestFirst, 0, tables.AllLevels(studycircle.Hall))
	require.NoError(t, err)
	all := tables.Assignments.Collect(1)
	require.NoError(t, d.Parts().Page(t.Context(), studycircle.ViewerOf("anyone"), tables.AllAssignments, []any{studycircle.Hall}, start, 1, all))
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

// A reader sees every write committed before the read, by this program or another.
func TestReadsAreExact(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	here, there := openDir(t, dir), openDir(t, dir)
	for i := range 20 {
		for j, writer := range []*DB{here, there} {
			id := fmt.Sprintf("a%d-%d", i, j)
			publish(t, writer, id)
			for range readers() {
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

// SQLite resets its log beside reads, which would otherwise grow with each write.
func TestTheLogBeginsAnew(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := openDir(t, dir)
	written := int64(0)
	for i := range 60 {
		for range readers() {
			_, err := read(t, d, "none")
			require.NoError(t, err)
		}
		publish(t, d, numbered100(fmt.Sprintf("a%d-", i))...)
		written += 100 * int64(len(longText))
	}
	info, err := os.Stat(filepath.Join(dir, fileName+"-wal"))
	require.NoError(t, err)
	require.Less(t, info.Size(), written/2)
}

// A page that the disk cannot read fails its reader only. The first read after the disk has recovered succeeds, and
// writes continue.
func TestReadsSurviveAFaultOfThePages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	d := openDir(t, dir)
	publish(t, d, numbered100("a")...)
	_, err := d.writes.ExecContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)")
	require.NoError(t, err)
	file := filepath.Join(dir, fileName)
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.Truncate(file, 4096))
	for range readers() {
		_, err := read(t, d, "a0")
		require.Equal(t, engine.Unavailable, d.Fault(err))
	}

	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.Write(whole)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	for range readers() {
		found, err := read(t, d, "a0")
		require.NoError(t, err)
		require.Equal(t, longText, found[0].Description)
	}
	publish(t, d, numbered100("b")...)
	_, total := newest(t, d)
	require.EqualValues(t, 200, total)
}
