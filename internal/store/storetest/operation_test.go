package storetest

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/teststore"
)

// A log of a fault names the operation that failed and its ids. Errors for users stay
// as they are.
func TestFaultsNameTheOperation(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), store.Config{Dir: teststore.Dir(t)})
	require.NoError(t, err)
	_, err = s.Assignment(t.Context(), anyone, "tides")
	require.Equal(t, fmt.Sprint(studycircle.ErrNotFound), err.Error())
	require.NoError(t, s.Close())

	_, fault := s.Assignment(t.Context(), anyone, "tides")
	require.Error(t, fault)
	var log bytes.Buffer
	slog.New(slog.NewTextHandler(&log, nil)).ErrorContext(t.Context(), "request failed", "error", fault)
	require.Contains(t, log.String(), "Store.Assignment(tides): ")
	require.Error(t, errors.Unwrap(fault), "the cause is kept")

	_, err = s.AccountByEmail(t.Context(), "ada@example.org")
	require.ErrorContains(t, err, "reads.AccountByEmail(): ")
	require.NotContains(t, err.Error(), "ada@")
}
