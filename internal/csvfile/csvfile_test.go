package csvfile_test

import (
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"studycircle/internal/csvfile"
)

// Rows are read with their lines, without a byte order mark and empty lines, until the first wrong one.
func TestRows(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		file  string
		rows  [][]string
		lines []int
		wrong int
	}{
		"nothing":          {"", nil, nil, 0},
		"only a mark":      {"\ufeff", nil, nil, 0},
		"two kinds of end": {"\ufeffa;b\r\n\nc;\"d\n;e\"\nf", [][]string{{"a", "b"}, {"c", "d\n;e"}, {"f"}}, []int{1, 3, 5}, 0},
		"an open quote":    {"a\nb\n\"c\nd", [][]string{{"a"}, {"b"}}, []int{1, 2}, 3},
		"a quote inside":   {"a\nb\"c\nd", [][]string{{"a"}}, []int{1}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var rows [][]string
			var lines []int
			wrong := 0
			for row, err := range csvfile.Rows(strings.NewReader(test.file), ';') {
				if bad, is := errors.AsType[*csvfile.Error](err); is {
					wrong = bad.Line
					continue
				}
				require.NoError(t, err)
				rows, lines = append(rows, append([]string(nil), row.Cells...)), append(lines, row.Line)
			}
			require.Equal(t, test.rows, rows)
			require.Equal(t, test.lines, lines)
			require.Equal(t, test.wrong, wrong)
		})
	}
	broken := errors.New("broken")
	for _, err := range csvfile.Rows(iotest.ErrReader(broken), ',') {
		require.ErrorIs(t, err, broken)
	}
}
