package studycircle_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"studycircle"
)

func TestNewID(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		at := time.UnixMilli(rapid.Int64Range(0, 1<<47).Draw(t, "at"))
		id := studycircle.NewID(at)
		require.Len(t, id, 26)
		require.True(t, studycircle.ValidID(id), id)
		require.NotEqual(t, id, studycircle.NewID(at))
		later := at.Add(time.Duration(rapid.Int64Range(1, 1<<40).Draw(t, "later")) * time.Millisecond)
		require.Less(t, id, studycircle.NewID(later), "indexes grow at their end")
	})
}

// A clock far off makes odd ids, but no invalid ones.
func TestNewIDWithAnyClock(t *testing.T) {
	t.Parallel()
	for _, at := range []time.Time{{}, time.Unix(-1<<40, 0), time.Unix(1<<40, 0), time.Unix(1<<60, 0)} {
		require.True(t, studycircle.ValidID(studycircle.NewID(at)))
	}
}

func TestContentID(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.SliceOf(rapid.Byte()).Draw(t, "a"), rapid.SliceOf(rapid.Byte()).Draw(t, "b")
		require.Equal(t, bytes.Equal(a, b), studycircle.ContentID(a) == studycircle.ContentID(b))
		require.True(t, studycircle.ValidID(studycircle.ContentID(a)))
	})
}

func TestValidID(t *testing.T) {
	t.Parallel()
	for _, good := range []string{"a", "A-z_0", strings.Repeat("x", 64), "507f1f77bcf86cd799439011"} {
		require.True(t, studycircle.ValidID(good), good)
	}
	for _, bad := range []string{"", " ", "a b", "a\n", "a/b", "..", "ä", "a\x00", "\xff", strings.Repeat("x", 65), "a%20"} {
		require.False(t, studycircle.ValidID(bad), "%q", bad)
	}
}

func TestNewSecret(t *testing.T) {
	t.Parallel()
	require.Regexp(t, `^[A-Za-z0-9_-]{43}$`, studycircle.NewSecret())
	one, another := studycircle.NewSecret(), studycircle.NewSecret()
	require.NotEqual(t, one, another)
}
