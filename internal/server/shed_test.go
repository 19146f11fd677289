package server

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestShedSaysNoEarlyAndRecovers(t *testing.T) {
	t.Parallel()
	entered, leave := make(chan struct{}), make(chan struct{})
	inTurn := shed(1, time.Millisecond)
	slow := inTurn(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		entered <- struct{}{}
		<-leave
	}))
	quick := inTurn(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	ask := func(h http.Handler) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
		return w
	}
	first := make(chan *httptest.ResponseRecorder)
	go func() { first <- ask(slow) }()
	<-entered
	for _, h := range []http.Handler{slow, quick} {
		refused := ask(h)
		require.Equal(t, http.StatusServiceUnavailable, refused.Code)
		require.Equal(t, "1", refused.Header().Get("Retry-After"))
		require.Contains(t, refused.Body.String(), `"unavailable"`)
	}
	leave <- struct{}{}
	require.Equal(t, http.StatusOK, (<-first).Code)
	require.Equal(t, http.StatusOK, ask(quick).Code)

	go func() { first <- ask(slow) }()
	<-entered
	leave <- struct{}{}
	require.Equal(t, http.StatusOK, (<-first).Code)
}

// Who sends a body slowly has no place meanwhile, and who sends a long one slowly
// takes none of those that short ones need.
func TestSlowBodiesKeepNobodyOut(t *testing.T) {
	t.Parallel()
	work := shed(2, time.Millisecond)(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, err := io.ReadAll(r.Body)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
		}
		_, _ = w.Write(text)
	}))
	h := gather(work, shed(1, time.Millisecond)(work))
	ask := func(body io.Reader) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/", body))
		return w
	}
	short := strings.Repeat("s", earlyBody-1)
	long := strings.Repeat("l", earlyBody+100)
	var slow []*io.PipeWriter
	answers := make(chan *httptest.ResponseRecorder, 5)
	for range 5 {
		body, sender := io.Pipe()
		go func() { answers <- ask(body) }()
		_, err := sender.Write([]byte("begun")) // returns once it has been read
		require.NoError(t, err)
		slow = append(slow, sender)
	}
	require.Equal(t, short, ask(strings.NewReader(short)).Body.String())
	require.Equal(t, long, ask(strings.NewReader(long)).Body.String())
	require.Equal(t, http.StatusOK, ask(http.NoBody).Code)

	_, err := slow[0].Write([]byte(long)) // more than is read early: it has the only late place
	require.NoError(t, err)
	_, err = slow[1].Write([]byte(long[:earlyBody-len("begun")]))
	require.NoError(t, err)
	refused := <-answers
	require.Equal(t, http.StatusServiceUnavailable, refused.Code)
	require.Equal(t, short, ask(strings.NewReader(short)).Body.String(), "a place is left for short ones")
	require.NoError(t, slow[0].Close())
	require.Equal(t, "begun"+long, (<-answers).Body.String())
	require.NoError(t, slow[2].CloseWithError(errors.New("gone")))
	require.Equal(t, http.StatusBadRequest, (<-answers).Code)
	for _, sender := range slow[3:] {
		require.NoError(t, sender.Close())
		require.Equal(t, "begun", (<-answers).Body.String())
	}
}

func TestAPanicIsAnInternalError(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	recovered(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("secret detail") }), false).
		ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
	require.Equal(t, http.StatusInternalServerError, w.Code)
	require.NotContains(t, w.Body.String(), "secret")
}
