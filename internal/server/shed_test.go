package server

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/admission"
)

func everybody(*http.Request) admission.Claim { return admission.Claim{} }

// through answers a request by h as a node does, with the answer sent at the end.
func through(t *testing.T, h http.Handler, method, target string, body io.Reader) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	answering(h, newBudget(maxAnswers, everybody)).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, target, body))
	return w
}

func TestShedSaysNoEarlyAndRecovers(t *testing.T) {
	t.Parallel()
	entered, leave := make(chan struct{}), make(chan struct{})
	var reasons []string
	limited := &limitConcurrency{queue: admission.NewQueue(1, 0, time.Millisecond), claim: everybody, shed: func(reason string) { reasons = append(reasons, reason) }}
	slow := limited.queued(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		entered <- struct{}{}
		<-leave
	}))
	quick := limited.queued(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	ask := func(h http.Handler) *httptest.ResponseRecorder { return through(t, h, http.MethodGet, "/", nil) }
	first := make(chan *httptest.ResponseRecorder)
	for range 2 {
		go func() { first <- ask(slow) }()
		<-entered
		for _, h := range []http.Handler{slow, quick} {
			refused := ask(h)
			require.Equal(t, http.StatusServiceUnavailable, refused.Code)
			require.Equal(t, "1", refused.Header().Get("Retry-After"))
			require.Equal(t, "application/problem+json", refused.Header().Get("Content-Type"))
			require.Contains(t, refused.Body.String(), `"unavailable"`)
		}
		leave <- struct{}{}
		require.Equal(t, http.StatusOK, (<-first).Code)
		require.Equal(t, http.StatusOK, ask(quick).Code)
	}
	require.Equal(t, []string{SlotsFull, SlotsFull, SlotsFull, SlotsFull}, reasons, "each refusal is counted, and no more")
}

// A handler that panics releases its slot, and its client gets an answer.
func TestAPanicKeepsNoPlace(t *testing.T) {
	t.Parallel()
	limited := &limitConcurrency{queue: admission.NewQueue(1, 0, time.Millisecond), claim: everybody}
	broken := limited.queued(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Etag", `"half"`)
		_, _ = w.Write([]byte("half of it"))
		panic("secret detail")
	}))
	w := through(t, broken, http.MethodGet, "/", nil)
	require.Equal(t, http.StatusInternalServerError, w.Code)
	require.Equal(t, "application/problem+json", w.Header().Get("Content-Type"))
	require.Empty(t, w.Header().Get("Etag"))
	require.NotContains(t, w.Body.String(), "secret")
	require.NotContains(t, w.Body.String(), "half", "nothing that was begun is before the problem")
	whole := limited.queued(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	require.Equal(t, http.StatusOK, through(t, whole, http.MethodGet, "/", nil).Code)
}

// A panic is logged with its stack, which only the operator sees.
func TestAPanicIsLoggedWithItsStack(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	broken := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("secret detail") })
	w := through(t, broken, http.MethodGet, "/broken", nil)
	require.Equal(t, http.StatusInternalServerError, w.Code)
	require.NotContains(t, w.Body.String(), ".go")
	for _, told := range []string{"level=ERROR", `panic="secret detail"`, "path=/broken", "TestAPanicIsLoggedWithItsStack", "shed_test.go:"} {
		require.Contains(t, log.String(), told)
	}
}

// An answer that breaks off ends in a broken connection, so that the client does not take it for complete.
func TestAPanicBehindTheHeaderBreaksTheConnection(t *testing.T) {
	t.Parallel()
	limited := &limitConcurrency{queue: admission.NewQueue(1, 0, time.Millisecond), claim: everybody}
	s := httptest.NewServer(answering(limited.queued(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(make([]byte, 3*maxAnswer))
		panic("half way")
	})), newBudget(maxAnswers, everybody)))
	defer s.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL, nil)
	require.NoError(t, err)
	response, err := s.Client().Do(r)
	require.NoError(t, err)
	got, err := io.ReadAll(response.Body)
	require.NoError(t, response.Body.Close())
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.NotContains(t, string(got), "went wrong")
}

// A handler that waits outside of the processor holds no slot.
func TestWaitingOutsideHoldsNoSlot(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		limited := &limitConcurrency{queue: admission.NewQueue(1, 0, time.Millisecond), claim: everybody}
		waiting := limited.queued(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			_ = admission.WithoutSlot(r.Context(), func() error {
				select {
				case <-time.After(time.Hour):
				case <-r.Context().Done():
				}
				return nil
			})
		}))
		ctx, stop := context.WithCancel(t.Context())
		for range 100 {
			go waiting.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil))
			synctest.Wait()
		}
		quick := limited.queued(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
		require.Equal(t, http.StatusOK, through(t, quick, http.MethodGet, "/", nil).Code)
		stop()
		synctest.Wait()
		require.Equal(t, http.StatusOK, through(t, quick, http.MethodGet, "/", nil).Code)
	})
}
