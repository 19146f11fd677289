package studycircle_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestCodeOf(t *testing.T) {
	t.Parallel()
	require.Empty(t, studycircle.CodeOf(nil))
	require.Equal(t, studycircle.CodeInternal, studycircle.CodeOf(errors.New("a plug was pulled")))
	require.Equal(t, studycircle.CodeNotFound, studycircle.CodeOf(fmt.Errorf("read: %w", studycircle.ErrNotFound)))
}

func TestErrorKeepsItsCauseForLogs(t *testing.T) {
	t.Parallel()
	cause := errors.New("disk full")
	err := &studycircle.Error{Code: studycircle.CodeUnavailable, Message: "Please wait.", Err: cause}
	require.ErrorIs(t, err, cause)
	require.ErrorContains(t, err, "disk full")
}
