package server

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestShedSaysNoEarlyAndRecovers(t *testing.T) {
	t.Parallel()
	entered, leave := make(chan struct{}), make(chan struct{})
	h := shed(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		entered <- struct{}{}
		<-leave
	}), 1, time.Millisecond)
	ask := func() *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
		return w
	}
	first := make(chan *httptest.ResponseRecorder)
	go func() { first <- ask() }()
	<-entered
	refused := ask()
	require.Equal(t, http.StatusServiceUnavailable, refused.Code)
	require.Equal(t, "1", refused.Header().Get("Retry-After"))
	require.Contains(t, refused.Body.String(), `"unavailable"`)
	leave <- struct{}{}
	require.Equal(t, http.StatusOK, (<-first).Code)

	go func() { first <- ask() }()
	<-entered
	leave <- struct{}{}
	require.Equal(t, http.StatusOK, (<-first).Code)
}

func TestAPanicIsAnInternalError(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	recovered(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic("secret detail") }), false).
		ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil))
	require.Equal(t, http.StatusInternalServerError, w.Code)
	require.NotContains(t, w.Body.String(), "secret")
}
