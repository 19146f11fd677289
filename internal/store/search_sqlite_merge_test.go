package store

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
)

type mergedIndex struct {
	*Store
	search *sqliteSearch
	t      *testing.T
	mu     sync.Mutex
	docs   int64
	words  int
}

func newMergedIndex(t *testing.T) *mergedIndex {
	t.Helper()
	s := openDir(t, t.TempDir())
	return &mergedIndex{t: t, Store: s, search: s.search.(*sqliteSearch)}
}

// publish indexes one document of new words, and of one that all have.
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
	assert.NoError(m.t, m.Write(m.t.Context(), func(ctx context.Context, tx *Tx) error {
		return tx.index(ctx, searchChange{seq: seq, put: true, doc: searchDoc{all: text.String(), level: studycircle.Easy}})
	}))
}

func (m *mergedIndex) pieces() int {
	m.t.Helper()
	var structure []byte
	require.NoError(m.t, m.reads.QueryRowContext(m.t.Context(), "SELECT block FROM assignment_search_data WHERE id = 10").Scan(&structure))
	return pieces(structure)
}

// whole checks that the index is sound and finds every document.
func (m *mergedIndex) whole() {
	m.t.Helper()
	_, err := m.writes.ExecContext(m.t.Context(), "INSERT INTO assignment_search (assignment_search) VALUES ('integrity-check')")
	require.NoError(m.t, err)
	for _, word := range []string{"everywhere", "word"} {
		_, total, err := m.search.page(m.t.Context(), nil, match{words: []string{word}}, studycircle.Page{Number: 1, Limit: 1})
		require.NoError(m.t, err)
		require.Equal(m.t, m.docs, total, word)
	}
}

func TestIndexIsMergedOnceNobodyWrites(t *testing.T) {
	t.Parallel()
	m := newMergedIndex(t)
	for range 8 {
		m.publish(4000)
	}
	require.Eventually(t, func() bool { return m.pieces() == 1 }, time.Minute, 20*time.Millisecond)
	m.whole()

	m.publish(10)
	scatters, _, err := scattered(t.Context(), m.reads)
	require.NoError(t, err)
	require.False(t, scatters, "so little is not worth it")
	require.Greater(t, m.pieces(), 1)
	m.publish(8000)
	require.Eventually(t, func() bool { return m.pieces() == 1 }, time.Minute, 20*time.Millisecond)
	m.whole()
}

func TestIndexIsMergedWhileOthersWrite(t *testing.T) {
	t.Parallel()
	m := newMergedIndex(t)
	m.stop() // here it is merged again and again
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
		_, err := m.search.mergeSome(t.Context())
		require.NoError(t, err)
	}
	steps := 0
	require.NoError(t, m.Analyze(t.Context(), func() { steps++ }))
	require.Equal(t, m.AnalyzeSteps(), steps)
	m.whole()
	scatters, _, err := scattered(t.Context(), m.reads)
	require.NoError(t, err)
	require.False(t, scatters)
}

func TestEmptyIndexIsNotScattered(t *testing.T) {
	t.Parallel()
	m := newMergedIndex(t)
	scatters, _, err := scattered(t.Context(), m.reads)
	require.NoError(t, err)
	require.False(t, scatters)
	require.NoError(t, m.search.mergeAll(t.Context(), func() {}))
}
