package api

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// answersAt returns answers to a store with the given version.
func answersAt(version *atomic.Uint64) *answers {
	c := newAnswers(Config{})
	c.version = func(context.Context) (uint64, error) { return version.Load(), nil }
	return c
}

// A request that panics fails the requests that wait for its answer, and later ones make it anew.
func TestAnswerWhoseMakingPanicsIsMadeAnew(t *testing.T) {
	c := answersAt(new(atomic.Uint64))
	key := answerKey{kind: oneAssignment, text: "a"}
	c.wanted(key) // answers are kept from the second time on
	require.Panics(t, func() {
		_, _ = c.get(t.Context(), key, func(context.Context) (content, error) { panic("no") })
	})
	got, err := c.get(t.Context(), key, func(context.Context) (content, error) { return content{body: []byte("{}")}, nil })
	require.NoError(t, err)
	require.Equal(t, "{}", string(got.body))
}

// Requests for the same and for other answers at once each get their own.
func TestAnswersShareNoMemory(t *testing.T) {
	c := answersAt(new(atomic.Uint64))
	ask := func(id string) {
		want := strings.Repeat(id, 1+len(id)%3*200)
		w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		got, err := c.get(t.Context(), answerKey{kind: oneAssignment, text: id}, func(context.Context) (content, error) {
			return content{body: []byte(want)}, nil
		})
		assert.NoError(t, err)
		assert.NoError(t, got.send(w, r))
		assert.Equal(t, want, w.Body.String())
	}
	var clients sync.WaitGroup
	for client := range 32 {
		clients.Go(func() {
			for n := range 100 {
				ask("kept")
				ask("kept too")
				ask(fmt.Sprintf("%d of %d", n, client))
			}
		})
	}
	clients.Wait()
}

// Answers fill a generation, which becomes the older one; a commit empties both.
func TestNoGenerationOutlivesACommit(t *testing.T) {
	var version atomic.Uint64
	version.Store(1)
	c := answersAt(&version)
	made := map[string]int{}
	ask := func(id string) string {
		key := answerKey{kind: oneAssignment, text: id}
		c.wanted(key) // answers are kept from the second time on
		got, err := c.get(t.Context(), key, func(context.Context) (content, error) {
			made[id]++
			return content{body: fmt.Appendf(nil, "%s at %d %s", id, version.Load(), strings.Repeat(".", 1<<19))}, nil
		})
		require.NoError(t, err)
		said, _, _ := strings.Cut(string(got.body), " .")
		return said
	}
	ids := make([]string, 20) // of a mebibyte each, with the compressed form
	for i := range ids {
		ids[i] = fmt.Sprint("a", i)
		require.Equal(t, ids[i]+" at 1", ask(ids[i]))
	}
	require.NotEmpty(t, c.old)
	require.Equal(t, "a0 at 1", ask("a0"), "the older generation is used")
	require.Equal(t, 1, made["a0"])
	version.Store(2)
	for _, id := range ids {
		require.Equal(t, id+" at 2", ask(id))
		require.Equal(t, 2, made[id], id)
	}
}

// The kept answers stay within their bound, keys included.
func TestKeysCountTowardsTheBound(t *testing.T) {
	c := answersAt(new(atomic.Uint64))
	for i := range 4000 {
		key := answerKey{kind: assignmentList, text: fmt.Sprint(i, strings.Repeat(" ", 60_000))}
		c.wanted(key)
		_, err := c.get(t.Context(), key, func(context.Context) (content, error) { return content{body: []byte("{}")}, nil })
		require.NoError(t, err)
	}
	kept := 0
	for _, generation := range []map[answerKey]*entry{c.young, c.old} {
		for key := range generation {
			kept += len(key.text)
		}
	}
	require.Positive(t, kept)
	require.LessOrEqual(t, kept, maxAnswers)
}

// A read gets the version that was asked for. If the first of several waiting requests leaves, the others get their
// answer.
func TestReadsGetTheVersionAndTheirOwnTime(t *testing.T) {
	var version atomic.Uint64
	version.Store(7)
	c := answersAt(&version)
	type versionKey struct{}
	c.withVersion = func(ctx context.Context, v uint64) context.Context { return context.WithValue(ctx, versionKey{}, v) }
	key := answerKey{kind: oneAssignment, text: "a"}
	c.wanted(key)
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err := c.get(gone, key, func(ctx context.Context) (content, error) {
		require.Equal(t, uint64(7), ctx.Value(versionKey{}))
		require.NoError(t, ctx.Err())
		until, bounded := ctx.Deadline()
		require.True(t, bounded)
		require.WithinDuration(t, time.Now().Add(answerWithin), until, answerWithin/2)
		return content{body: []byte("{}")}, nil
	})
	require.NoError(t, err)
}
