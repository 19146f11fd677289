package api

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"
)

// One request that panics must neither hold up those who wait for its answer nor
// stay in the way of later ones.
func TestAnswerWhoseMakingPanicsIsMadeAnew(t *testing.T) {
	c := newAnswers(func(context.Context) (uint64, error) { return 1, nil })
	key := answerKey{kind: oneAssignment, text: "a"}
	c.wanted(key) // from the second time on answers are kept
	require.Panics(t, func() {
		_, _ = c.get(t.Context(), key, func(context.Context, []byte) (content, error) { panic("no") })
	})
	got, err := c.get(t.Context(), key, func(context.Context, []byte) (content, error) { return content{body: []byte("{}")}, nil })
	require.NoError(t, err)
	require.Equal(t, "{}", string(got.body))
}
