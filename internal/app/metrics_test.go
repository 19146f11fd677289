package app

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/mail"
)

// Kinds of emails may end in an id, also those of a later release, whose node has queued them.
func TestMailsAreCountedByKindAndResult(t *testing.T) {
	t.Parallel()
	var got []string
	h := hooks{mail: func(kind, result string) { got = append(got, kind+" "+result) }}
	refused := mail.Permanent{Reason: "SMTP 550"}
	h.delivered("reset", nil)
	h.delivered("invitation:06gzhm3b20000", errors.New("SMTP 451"))
	h.delivered("later-kind:06gzhm3b20000", fmt.Errorf("%w: %w", mail.ErrGivenUp, refused))
	h.delivered("notification", fmt.Errorf("%w: %w", mail.ErrGivenUp, errors.New("SMTP 451")))
	require.Equal(t, []string{"reset sent", "invitation failed", "later-kind refused", "notification given_up"}, got)
	hooks{}.delivered("reset", nil)
}

func TestRefusedWritesAreCounted(t *testing.T) {
	t.Parallel()
	var got []string
	w := newWrites(hooks{shed: func(reason string) { got = append(got, reason) }}.refused(writesFull))
	var fill func(left int) error
	fill = func(left int) error {
		return w.do(t.Context(), func() error {
			if left == 0 {
				return nil
			}
			return fill(left - 1)
		})
	}
	require.NoError(t, fill(maxWrites-1))
	require.Empty(t, got)
	require.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(fill(maxWrites)))
	require.Equal(t, []string{"writes"}, got)
	require.Nil(t, hooks{}.refused(writesFull))
}
