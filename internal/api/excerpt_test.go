package api

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// The first card of a list shows what the author means, not how they typed it; no other entry pays for the parsing.
func TestListsBeginWithAnExcerpt(t *testing.T) {
	t.Parallel()
	marked := studycircle.Assignment{Description: "Draw **three** things,\nand say `how`.", HTML: "<p>…</p>"}
	typed := studycircle.Assignment{Description: "2 * 3 *\n 4\u202e"}
	long := studycircle.Assignment{Description: strings.Repeat("word ", 400)}
	first := studycircle.Page{Number: 1, Limit: 10}
	for want, a := range map[string]studycircle.Assignment{
		"Draw three things, and say how.": marked, "2 * 3 * 4": typed, strings.TrimSpace(strings.Repeat("word ", 56)[:279]) + "…": long,
	} {
		list := AssignmentListOf([]studycircle.Assignment{a, marked}, 2, first, nil)
		require.Equal(t, want, list.Data[0].Excerpt)
		require.Empty(t, list.Data[1].Excerpt)
	}
	require.Empty(t, AssignmentListOf([]studycircle.Assignment{marked}, 11, studycircle.Page{Number: 2, Limit: 10}, nil).Data[0].Excerpt)
	require.Empty(t, AssignmentListOf(nil, 0, first, nil).Data)
	require.Empty(t, AssignmentOf(marked, nil).Excerpt, "an assignment has its whole description")
}
