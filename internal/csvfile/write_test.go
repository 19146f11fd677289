package csvfile_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"studycircle/internal/csvfile"
)

// hostile are texts that break careless writers, readers and spreadsheets.
var hostile = []string{
	"", " ", "  both  ", ",", ",,", `"`, `""`, `"""`, `a"b`, `"quoted"`, "\n", "\r\n", "\r", "a\nb", "a\r\nb", "a,b\"c\nd", "=1+1", "+1", "-1", "@SUM(A1)",
	"\t=1", "=cmd|' /C calc'!A0", `=HYPERLINK("https://example.org","x")`, "'=1", "''", "';", ";", "a;b", "\ufeff", "\ufeffx", "ä", "日本語", "👩‍🏫",
	"\u202eabc", "\u2028", "a\x00b", "1e5", "007", "TRUE", "NULL", "#REF!", `\"`, `\N`, "a\tb", "../../etc", "<script>",
}

// A strict reader of RFC 4180 gets every cell back, and each line ends with CR LF.
func TestWriterWritesWhatAStrictReaderReads(t *testing.T) {
	t.Parallel()
	require.GreaterOrEqual(t, len(hostile), 40)
	var b bytes.Buffer
	w := csvfile.NewWriter(&b)
	for _, text := range hostile {
		require.NoError(t, w.Row("before", csvfile.Text(text), "after"))
	}
	require.NoError(t, w.Flush())
	rows, err := strict(b.Bytes())
	require.NoError(t, err)
	require.Len(t, rows, len(hostile))
	for i, text := range hostile {
		want := text
		if text != "" && strings.IndexByte("=+-@\t", text[0]) >= 0 || text == "'=1" {
			want = "'" + text
		}
		require.Equal(t, []string{"before", want, "after"}, rows[i], "%q", text)
	}
}

func TestWriterWritesAnyCells(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.SliceOfN(rapid.String(), 2, 2), 1, 5).Draw(t, "rows")
		var b bytes.Buffer
		w := csvfile.NewWriter(&b)
		for _, row := range want {
			require.NoError(t, w.Row(row...))
		}
		require.NoError(t, w.Flush())
		got, err := strict(b.Bytes())
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

// The reader of this package and Go's read it too.
func TestWriterAndReadersAgree(t *testing.T) {
	t.Parallel()
	for _, writer := range []func(io.Writer) *csvfile.Writer{csvfile.NewWriter, csvfile.NewLineWriter} {
		var b bytes.Buffer
		w := writer(&b)
		require.NoError(t, w.Row("name", "mark"))
		require.NoError(t, w.Row(`Ada, "Countess"`, "12"))
		require.NoError(t, w.Flush())
		rows, err := csv.NewReader(bytes.NewReader(b.Bytes())).ReadAll()
		require.NoError(t, err)
		require.Equal(t, [][]string{{"name", "mark"}, {`Ada, "Countess"`, "12"}}, rows)
		_, all, err := readAll(b.String())
		require.NoError(t, err)
		require.Equal(t, [][]any{{1.0, "name", "mark"}, {2.0, `Ada, "Countess"`, "12"}}, all)
	}
}

func TestWriterReportsErrors(t *testing.T) {
	t.Parallel()
	w := csvfile.NewWriter(broken{})
	require.NoError(t, w.Row("buffered"))
	require.ErrorIs(t, w.Flush(), errBroken)
	require.ErrorIs(t, w.Row("after"), errBroken)
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }

// strict reads RFC 4180 without any leniency: CR LF ends each line, a quoted cell ends at its quote, and an unquoted
// cell has no quote and no CR or LF.
func strict(file []byte) (rows [][]string, err error) {
	for text := string(file); text != ""; {
		var row []string
		for more := true; more; {
			var cell string
			if cell, text, err = strictCell(text); err != nil {
				return nil, err
			}
			row = append(row, cell)
			if rest, is := strings.CutPrefix(text, ","); is {
				text = rest
				continue
			}
			rest, is := strings.CutPrefix(text, "\r\n")
			if !is {
				return nil, errors.New("a line does not end with CR LF: " + text[:min(20, len(text))])
			}
			text, more = rest, false
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func strictCell(text string) (cell, rest string, err error) {
	quoted, is := strings.CutPrefix(text, `"`)
	if !is {
		end := strings.IndexAny(text, ",\r\n\"")
		if end < 0 || text[end] == '"' {
			return "", "", errors.New("an unquoted cell has a quote or no end")
		}
		return text[:end], text[end:], nil
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(quoted, `"`)
		if !found {
			return "", "", errors.New("a quoted cell has no end")
		}
		b.WriteString(before)
		if escaped, is := strings.CutPrefix(after, `"`); is {
			b.WriteByte('"')
			quoted = escaped
			continue
		}
		return b.String(), after, nil
	}
}
