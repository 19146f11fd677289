package service

import (
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// An update that always loses to other users ends.
func TestUpdateGivesUp(t *testing.T) {
	t.Parallel()
	rounds := 0
	err := inRounds(func() (bool, error) { rounds++; return true, nil })
	require.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(err))
	require.Equal(t, maxRounds, rounds)

	rounds = 0
	require.NoError(t, inRounds(func() (bool, error) { rounds++; return rounds < 41, nil }))
	require.Equal(t, 41, rounds)
}
