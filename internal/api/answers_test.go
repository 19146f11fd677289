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

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// answersAt are answers to a store whose version is what a test says.
func answersAt(version *atomic.Uint64) *answers {
	c := newAnswers(Config{})
	c.version = func(context.Context) (uint64, error) { return version.Load(), nil }
	return c
}

// One request that panics must neither hold up those who wait for its answer nor
// stay in the way of later ones.
func TestAnswerWhoseMakingPanicsIsMadeAnew(t *testing.T) {
	c := answersAt(new(atomic.Uint64))
	key := answerKey{kind: oneAssignment, text: "a"}
	c.wanted(key) // from the second time on answers are kept
	require.Panics(t, func() {
		_, _ = c.get(t.Context(), key, func(context.Context, []byte) (content, error) { panic("no") }, nil)
	})
	got, err := c.get(t.Context(), key, func(context.Context, []byte) (content, error) { return content{body: []byte("{}")}, nil }, nil)
	require.NoError(t, err)
	require.Equal(t, "{}", string(got.body))
}

// Bodies that are not kept stand in memory that is used again; that must show in no
// answer, kept or not.
func TestAnswersShareNoMemory(t *testing.T) {
	o := &operations{answers: answersAt(new(atomic.Uint64))}
	ask := func(id string) {
		want := strings.Repeat(id, 1+len(id)%3*200)
		w, r := httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
		o.answer(w, r, answerKey{kind: oneAssignment, text: id}, func(_ context.Context, into []byte) (content, error) {
			return content{body: append(into, want...)}, nil
		})
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
