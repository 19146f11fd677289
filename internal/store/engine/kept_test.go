package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestByVersionKeepsTheNewestVersionWithinItsBound(t *testing.T) {
	t.Parallel()
	c := NewByVersion[string, string](20, 2)
	put := func(version uint64, key, value string) { c.Put(version, key, value, len(value)) }
	check := func(version uint64, want string) {
		t.Helper()
		var known []string
		for key := range strings.FieldsSeq("a b c") {
			if value, is := c.Get(version, key); is {
				known = append(known, key+value)
			}
		}
		require.Equal(t, want, strings.Join(known, " "))
	}
	check(0, "")
	put(2, "a", "1")
	put(2, "b", "22")
	check(2, "a1 b22")
	check(1, "")
	check(3, "")
	put(1, "c", "3")
	check(2, "a1 b22") // what was read before a commit is dropped
	check(1, "")
	put(2, "c", strings.Repeat("x", 11))
	check(2, "a1 b22") // more than half
	put(2, "c", strings.Repeat("x", 10))
	check(2, "a1 b22 c"+strings.Repeat("x", 10)[:10]) // 3 + 4 + 12 elements
	put(2, "a", "55")
	check(2, "a55") // 23 would be too many
	put(3, "b", "")
	check(2, "")
	check(3, "b")
}
