package store

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOperationAllocatesNothingWithoutAnError(t *testing.T) {
	id := strings.Repeat("x", 26)
	read := func() (err error) {
		defer operation(&err, "Store.Assignment", id)
		return nil
	}
	require.Zero(t, testing.AllocsPerRun(100, func() { _ = read() }))
}
