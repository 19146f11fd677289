package sqlite

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// learned returns all words of search_words.
func (i *index) learned() (words []string) {
	i.t.Helper()
	for after := ""; ; after = words[len(words)-1] {
		some, err := someWords(i.t.Context(), i.reads, after)
		require.NoError(i.t, err)
		if words = append(words, some...); len(some) < forgetAtOnce {
			return words
		}
	}
}

// finds requires that a number of documents contain a word with a prefix.
func (i *index) finds(prefix string, documents int64) {
	i.t.Helper()
	_, total, err := i.Search(i.t.Context(), engine.Match{Index: tables.HallIndex, Words: []string{prefix}}, studycircle.Page{Number: 1, Limit: 1})
	require.NoError(i.t, err)
	require.Equal(i.t, documents, total, prefix)
}

// Words that no text contains any more disappear from the index and from search_words. A word written meanwhile is
// found.
func TestWordsOfRemovedTextsAreForgotten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	m := &index{t: t, DB: openDirAlone(t, dir)}
	index := func(place int64, old bool, text string) {
		t.Helper()
		require.NoError(t, m.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error {
			return tx.Index(ctx, engine.Change{Index: tables.HallIndex, Place: place, Old: old, Put: true, Doc: engine.Doc{All: text}})
		}))
	}
	m.publish(4000)
	index(1001, false, "essay xanthippe everywhere")
	index(1002, false, "poem quimby everywhere")
	m.publish(4000)
	index(1001, true, "essay everywhere")
	index(1002, true, "poem everywhere")
	haveLostWords(t, m.DB, 2)
	require.Subset(t, m.learned(), []string{"essay", "poem", "quimby", "xanthippe"})

	now := time.Now()
	written := false
	require.NoError(t, m.search.forget(t.Context(), m.DB, now, func(context.Context, time.Time) {
		if !written { // during the merge, before words are checked
			written = true
			index(1002, true, "poem quimby everywhere")
		}
	}))
	require.True(t, written)
	require.NotContains(t, m.learned(), "xanthippe")
	require.Subset(t, m.learned(), []string{"essay", "poem", "quimby"})
	m.finds("quim", 1)
	index(1001, true, "essay xanthippe everywhere")
	m.finds("xanth", 1)
	index(1001, true, "essay everywhere")

	require.Zero(t, forgetIn(t, m.DB, now.Add(forgetEvery)), "no text has lost words since")
	haveLostWords(t, m.DB, 1)
	require.NotZero(t, forgetIn(t, m.DB, now.Add(forgetEvery)))
	_, err := m.writes.ExecContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)")
	require.NoError(t, err)
	file, err := os.ReadFile(FileIn(dir))
	require.NoError(t, err)
	require.Contains(t, string(file), "imby", "remaining words are found")
	require.NotContains(t, string(file), "anthippe")
}

// The time of the next pass does not depend on how long the program has run.
func TestForgettingIsDueAfterRestarts(t *testing.T) {
	t.Parallel()
	dir, first := t.TempDir(), time.Now()
	// after makes a newly started program check whether a pass is due.
	after := func(texts int64, since time.Duration) (parts int) {
		t.Helper()
		d, err := Open(t.Context(), dir)
		require.NoError(t, err)
		haveLostWords(t, d, texts)
		parts = forgetIn(t, d, first.Add(since))
		require.NoError(t, d.Close())
		return parts
	}
	require.Zero(t, after(0, 0))
	require.NotZero(t, after(1, 0))
	require.Zero(t, after(1, forgetEvery-time.Second))
	require.NotZero(t, after(0, forgetEvery))
	require.Zero(t, after(0, 2*forgetEvery))
	require.NotZero(t, after(1, -forgetEvery), "the clock was set back")
}

// haveLostWords records that a number of texts have lost words, as triggers do.
func haveLostWords(t *testing.T, d *DB, texts int64) {
	t.Helper()
	require.NoError(t, d.Write(t.Context(), func(ctx context.Context, tx *engine.Tx) error {
		_, err := tx.DB.ExecContext(ctx, "UPDATE search_gone SET n = n + ?", texts)
		return err
	}))
}

// forgetIn runs forget at a time, and returns the number of parts.
func forgetIn(t *testing.T, d *DB, now time.Time) (parts int) {
	t.Helper()
	require.NoError(t, d.search.forget(t.Context(), d, now, func(context.Context, time.Time) { parts++ }))
	return parts
}
