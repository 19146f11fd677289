package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// longText makes rows that fill pages.
var longText = strings.Repeat("words and words ", 250)

func publish(t *testing.T, s *Store, ids ...string) {
	t.Helper()
	now := time.Now().UTC().Truncate(time.Microsecond)
	require.NoError(t, s.Write(t.Context(), func(ctx context.Context, tx *Tx) error {
		for _, id := range ids {
			_, err := tx.InsertAssignment(ctx, studycircle.Assignment{
				ID: id, Title: "Title of " + id, Description: longText, Thumbnail: "https://example.org/a.png", Marks: 10,
				Level: studycircle.Easy, Due: studycircle.DueDateAt(now.UnixMicro(), 0), CreatedAt: now, UpdatedAt: now,
			})
			if err != nil {
				return err
			}
		}
		return nil
	}))
}

func numbered100(name string) (ids []string) {
	for i := range 100 {
		ids = append(ids, fmt.Sprint(name, i))
	}
	return ids
}

func openDir(t *testing.T, dir string) *Store {
	t.Helper()
	s, err := Open(t.Context(), Config{Dir: dir})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

// keepAll reads until all connections keep their transactions.
func keepAll(t *testing.T, s *Store) {
	t.Helper()
	reads := s.rows.(*sqliteReads)
	require.Eventually(t, func() bool {
		for range reads.all { // each in its turn
			if _, err := s.Assignment(t.Context(), "none"); !errors.Is(err, studycircle.ErrNotFound) {
				return false
			}
		}
		kept := true
		for range reads.all {
			c := <-reads.free
			kept = kept && c.under != 0
			reads.free <- c
		}
		return kept
	}, time.Minute, time.Millisecond)
}

// Who reads in a kept transaction sees what anybody wrote before they asked.
func TestKeptTransactionsAreExact(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	here, there := openDir(t, dir), openDir(t, dir)
	for i := range 5 {
		for j, writer := range []*Store{here, there} {
			keepAll(t, here)
			id := fmt.Sprintf("a%d-%d", i, j)
			publish(t, writer, id)
			for range here.rows.(*sqliteReads).all {
				a, err := here.Assignment(t.Context(), id)
				require.NoError(t, err)
				require.Equal(t, "Title of "+id, a.Title)
				found, total, err := here.Assignments(t.Context(), "", studycircle.Page{Number: 1, Limit: 3})
				require.NoError(t, err)
				require.EqualValues(t, 2*i+j+1, total)
				require.Equal(t, id, found[0].ID)
			}
		}
	}
}

// The log is saved once nobody writes; those who read then look for nothing in it,
// also where they kept a transaction from before, and go on to see every write.
func TestReadersLeaveASavedLogAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	here, there := openDir(t, dir), openDir(t, dir)
	reads := here.rows.(*sqliteReads)
	for i, writer := range []*Store{here, there} {
		id := fmt.Sprintf("a%d", i)
		publish(t, writer, id)
		_, err := here.Assignment(t.Context(), id)
		require.NoError(t, err)
		keepAll(t, here)
		require.Eventually(t, reads.log.logSaved, time.Minute, time.Millisecond)
		require.Eventually(t, func() bool {
			for range reads.all { // each in its turn
				_, err := here.Assignment(t.Context(), id)
				require.NoError(t, err)
			}
			past := 0
			for range reads.all {
				c := <-reads.free
				if c.pastLog {
					past++
				}
				reads.free <- c
			}
			return past == len(reads.all)
		}, time.Minute, time.Millisecond)
	}
}

// Kept transactions do not keep SQLite from beginning its log anew, also where
// each write meets some.
func TestKeptTransactionsLetTheLogBeginAnew(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openDir(t, dir)
	reads := s.rows.(*sqliteReads)
	kept, written := 0, int64(0)
	for i := range 60 {
		reads.settle(t.Context(), reads.settle(t.Context(), 0)) // as if some time had passed
		for range reads.all {
			_, err := s.Assignment(t.Context(), "none")
			require.ErrorIs(t, err, studycircle.ErrNotFound)
		}
		c := <-reads.free
		if c.under != 0 {
			kept++
		}
		reads.free <- c
		publish(t, s, numbered100(fmt.Sprintf("a%d-", i))...)
		written += 100 * int64(len(longText))
	}
	require.NotZero(t, kept)
	info, err := os.Stat(filepath.Join(dir, fileName+"-wal"))
	require.NoError(t, err)
	require.Less(t, info.Size(), written/2)
}

// A page that the disk does not give fails its reader and nobody else, and the
// first reader after the disk has healed gets an answer.
func TestReadsSurviveAFault(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := openDir(t, dir)
	publish(t, s, numbered100("a")...)
	var busy, frames, done int
	require.NoError(t, s.reads.QueryRowContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&busy, &frames, &done))
	require.Zero(t, busy)
	keepAll(t, s)
	file := filepath.Join(dir, fileName)
	whole, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, os.Truncate(file, 4096))
	for range s.rows.(*sqliteReads).all {
		_, err := s.Assignment(t.Context(), "a0")
		require.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(err), "%v", err)
	}
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = f.Write(whole)
	require.NoError(t, err)
	require.NoError(t, f.Close())
	for range s.rows.(*sqliteReads).all {
		a, err := s.Assignment(t.Context(), "a0")
		require.NoError(t, err)
		require.Equal(t, longText, a.Description)
	}
}

// Pages are found across long stretches of deleted rows.
func TestPagesPassDeletedRows(t *testing.T) {
	t.Parallel()
	s := openDir(t, t.TempDir())
	publish(t, s, numbered100("a")...)
	publish(t, s, numbered100("b")...)
	publish(t, s, numbered100("c")...)
	for _, id := range append(numbered100("b"), numbered100("a")[97:]...) {
		require.NoError(t, s.Write(t.Context(), func(ctx context.Context, tx *Tx) error { return tx.DeleteAssignment(ctx, id, time.Now()) }))
	}
	var want []string
	for i := range 197 {
		name, at := "c", 99-i
		if i >= 100 {
			name, at = "a", 196-i
		}
		want = append(want, fmt.Sprint(name, at))
	}
	for _, limit := range []int64{1, 3, 7, 100} {
		var got []string
		for number := int64(1); ; number++ {
			found, total, err := s.Assignments(t.Context(), "", studycircle.Page{Number: number, Limit: limit})
			require.NoError(t, err)
			require.EqualValues(t, 197, total)
			for _, a := range found {
				got = append(got, a.ID)
			}
			if len(found) == 0 {
				break
			}
		}
		require.Equal(t, want, got)
	}
}
