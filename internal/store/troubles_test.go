package store

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/store/engine"
)

// Trouble is over once none was seen for some time, however often the database answers in between. A damaged database
// stays one.
func TestTroubleIsOverOnceItIsQuiet(t *testing.T) {
	t.Parallel()
	cause := errors.New("the cause")
	passing, lasting := engine.Trouble{Wrong: "no connection"}, engine.Trouble{Wrong: "damaged", Lasting: true}
	var k troubles
	require.False(t, k.over(), "there was none")
	k.begin(passing, cause)
	require.False(t, k.over())
	k.seen = time.Now().Add(-quietFor)
	require.True(t, k.over())
	k.begin(passing, cause)
	require.False(t, k.over(), "seen again")
	k.begin(lasting, cause)
	k.seen = time.Now().Add(-quietFor)
	require.False(t, k.over())
}
