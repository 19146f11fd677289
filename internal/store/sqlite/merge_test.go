package sqlite

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

type mergedIndex struct {
	*DB
	index *index
	t     *testing.T
	mu    sync.Mutex
	docs  int64
	words int
}

func newMergedIndex(t *testing.T, d *DB) *mergedIndex {
	t.Helper()
	return &mergedIndex{t: t, DB: d, index: d.search.indexes[tables.HallIndex]}
}

// openAlone opens a database without background work.
func openAlone(t *testing.T) *DB {
	t.Helper()
	return openDirAlone(t, t.TempDir())
}

func openDirAlone(t *testing.T, dir string) *DB {
	t.Helper()
	d, err := Open(t.Context(), dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	return d
}

// publish indexes one document of new words, and one word that all documents contain.
func (m *mergedIndex) publish(words int) {
	m.t.Helper()
	var text strings.Builder
	text.WriteString("everywhere")
	m.mu.Lock()
	m.docs++
	seq := m.docs
	for range words {
		m.words++
		fmt.Fprintf(&text, " word%06d", m.words*7919%1_000_003)
	}
	m.mu.Unlock()
	assert.NoError(m.t, m.Write(m.t.Context(), func(ctx context.Context, tx *engine.Tx) error {
		return tx.Index(ctx, engine.Change{Index: tables.HallIndex, Place: seq, Put: true, Doc: engine.Doc{All: text.String(), Markers: []string{"easy"}}})
	}))
}

func (m *mergedIndex) segments() int {
	m.t.Helper()
	var structure []byte
	require.NoError(m.t, m.reads.QueryRowContext(m.t.Context(), "SELECT block FROM assignment_search_data WHERE id = 10").Scan(&structure))
	return segments(structure)
}

// whole checks that the index is sound and finds every document.
func (m *mergedIndex) whole() {
	m.t.Helper()
	_, err := m.writes.ExecContext(m.t.Context(), "INSERT INTO assignment_search (assignment_search) VALUES ('integrity-check')")
	require.NoError(m.t, err)
	for _, word := range []string{"everywhere", "word"} {
		_, total, err := m.Search(m.t.Context(), engine.Match{Index: tables.HallIndex, Words: []string{word}}, studycircle.Page{Number: 1, Limit: 1})
		require.NoError(m.t, err)
		require.Equal(m.t, m.docs, total, word)
	}
}

func TestIndexIsMergedWhenWritesPause(t *testing.T) {
	t.Parallel()
	m := newMergedIndex(t, openDir(t, t.TempDir()))
	for range 8 {
		m.publish(4000)
	}
	require.Eventually(t, func() bool { return m.segments() == 1 }, time.Minute, 20*time.Millisecond)
	m.whole()

	m.publish(10)
	scatters, _, err := scattered(t.Context(), m.reads, m.index)
	require.NoError(t, err)
	require.False(t, scatters, "so little is not worth it")
	require.Greater(t, m.segments(), 1)
	m.publish(8000)
	require.Eventually(t, func() bool { return m.segments() == 1 }, time.Minute, 20*time.Millisecond)
	m.whole()
}

func TestIndexIsMergedWhileOthersWrite(t *testing.T) {
	t.Parallel()
	m := newMergedIndex(t, openAlone(t)) // this test merges by itself
	for range 4 {
		m.publish(4000)
	}
	var writers sync.WaitGroup
	for range 32 {
		writers.Go(func() {
			for range 8 {
				m.publish(50)
			}
		})
	}
	written := make(chan struct{})
	go func() {
		writers.Wait()
		close(written)
	}()
	for writing := true; writing; {
		select {
		case <-written:
			writing = false
		default:
		}
		_, err := m.search.mergeStep(t.Context(), m.DB, m.index)
		require.NoError(t, err)
	}
	steps := 0
	require.NoError(t, m.Analyze(t.Context(), nil, func() { steps++ }))
	require.Equal(t, m.AnalyzeSteps(nil), steps)
	m.whole()
	scatters, _, err := scattered(t.Context(), m.reads, m.index)
	require.NoError(t, err)
	require.False(t, scatters)
}

// A writer that writes more often than a full merge takes does not keep it from completing.
func TestAFullMergeCompletesBesideWrites(t *testing.T) {
	t.Parallel()
	m := newMergedIndex(t, openAlone(t))
	for range 8 {
		m.publish(4000)
	}
	const patience = 100
	steps := 0
	for merging := true; merging && steps < patience; steps++ {
		pages, err := m.search.mergeStep(t.Context(), m.DB, m.index)
		require.NoError(t, err)
		merging = pages > 0
		for range 3 {
			m.publish(10)
		}
	}
	require.Less(t, steps, patience)
	require.Less(t, m.segments(), 2*usualSegments)
	m.whole()
}

func TestEmptyIndexIsNotScattered(t *testing.T) {
	t.Parallel()
	m := newMergedIndex(t, openAlone(t))
	scatters, _, err := scattered(t.Context(), m.reads, m.index)
	require.NoError(t, err)
	require.False(t, scatters)
	require.NoError(t, m.search.mergeAll(t.Context(), m.DB, m.index, func() {}))
}
