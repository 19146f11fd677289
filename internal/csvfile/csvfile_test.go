package csvfile_test

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/encoding/unicode"

	"studycircle/internal/csvfile"
)

// shared are the cases of tables.json, which the reader of the web app reads too.
type shared struct {
	Tables []struct {
		Name, As, Text, Separator string
		Rows                      [][]any // the line and the cells; the first one is of the headings
		Error                     *struct {
			Line int
			Text string
		}
	}
	Numbers [][3]any // text, separator, and the number, null for none
}

func sharedCases(t *testing.T) (all shared) {
	t.Helper()
	text, err := os.ReadFile("testdata/tables.json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &all))
	return all
}

// fileOf returns the bytes of a text. “bytes” have the code points of the text.
func fileOf(t *testing.T, text, as string) string {
	t.Helper()
	var out []byte
	var err error
	switch as {
	case "utf8":
		return text
	case "utf16le":
		out, err = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewEncoder().Bytes([]byte(text))
	case "utf16be":
		out, err = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewEncoder().Bytes([]byte(text))
	default:
		for _, r := range text {
			require.Less(t, r, rune(256))
			out = append(out, byte(r))
		}
	}
	require.NoError(t, err)
	return string(out)
}

// readAll reads a table with its headings as the first row.
func readAll(file string) (t *csvfile.Table, rows [][]any, err error) {
	if t, err = csvfile.Open(strings.NewReader(file)); err != nil {
		return t, nil, err
	}
	add := func(line int, cells []string) {
		row := []any{float64(line)}
		for _, cell := range cells {
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	add(t.Line, t.Headings)
	for row, err := range t.Rows() {
		if err == nil {
			err = t.Check(row)
		}
		if err != nil {
			return t, rows, err
		}
		add(row.Line, row.Cells)
	}
	return t, rows, nil
}

// Files are read as spreadsheets and other systems write them, or refused with the line and what is wrong.
func TestTables(t *testing.T) {
	t.Parallel()
	for _, test := range sharedCases(t).Tables {
		t.Run(test.Name, func(t *testing.T) {
			t.Parallel()
			table, rows, err := readAll(fileOf(t, test.Text, test.As))
			if test.Error != nil {
				wrong, is := errors.AsType[*csvfile.Error](err)
				require.True(t, is, "%v, %v", rows, err)
				require.Contains(t, wrong.Err.Error(), test.Error.Text)
				require.Equal(t, test.Error.Line, wrong.Line)
				return
			}
			require.NoError(t, err)
			require.Equal(t, test.Rows, rows)
			require.Equal(t, test.Separator, string(table.Separator))
		})
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, test := range sharedCases(t).Numbers {
		separator, _ := utf8.DecodeRuneInString(test[1].(string))
		table := csvfile.Table{Separator: separator}
		got, err := table.Number(test[0].(string))
		if test[2] == nil {
			require.Error(t, err, "%q", test[0])
			continue
		}
		require.NoError(t, err, "%q", test[0])
		require.InDelta(t, test[2], got, 0, "%q", test[0])
	}
}

func TestBoundsOfTables(t *testing.T) {
	t.Parallel()
	wide := strings.Repeat("a,", 100_000)
	for name, file := range map[string]string{"headings": wide + "\nb", "a row": "a\n" + wide} {
		_, _, err := readAll(file)
		require.ErrorContains(t, err, "a table has at most 2000 columns; this line has 100001", name)
	}
	broken := errors.New("broken")
	_, err := csvfile.Open(iotest.ErrReader(broken))
	require.ErrorIs(t, err, broken)
	_, _, err = readAll(strings.Repeat("ä,b\n", 100_000) + "\xff")
	require.ErrorContains(t, err, "line 100001: This line is not in UTF-8")
	_, rows, err := readAll(strings.Repeat("a,b\r\n", 100_000) + "\xe4,b")
	require.NoError(t, err)
	require.Equal(t, []any{100_001.0, "ä", "b"}, rows[len(rows)-1])
	for _, size := range []func(string) (*csvfile.Table, error){
		func(file string) (*csvfile.Table, error) {
			return csvfile.Open(iotest.OneByteReader(strings.NewReader(file)))
		},
		func(file string) (*csvfile.Table, error) {
			return csvfile.Open(iotest.DataErrReader(strings.NewReader(file)))
		},
	} {
		table, err := size("\ufeffnäme;b\r\nc;d")
		require.NoError(t, err)
		require.Equal(t, []string{"näme", "b"}, table.Headings)
	}
}

// Columns are found by their names, by known headings, and as they are chosen.
func TestFind(t *testing.T) {
	t.Parallel()
	names := []string{"email", "name"}
	known := map[string]string{"emailadresse": "email", "vollername": "name", "anzeigename": "name"}
	for test, want := range map[string]csvfile.Columns{
		"name,EMAIL|":                                    {"name": 0, "email": 1},
		" E-Mail-Adresse \u200b,other|":                  {"email": 0},
		"E-Mail-Adresse,email|":                          {"email": 1},
		"email,email|":                                   {},
		"Voller Name,Anzeigename,email|":                 {"name": 0, "email": 2},
		"Kontakt,x|email=kontakt":                        {"email": 0},
		"a,b|email=#2, name = #1":                        {"email": 1, "name": 0},
		"email,b|email=b":                                {"email": 1},
		"email,b|name=email":                             {"name": 0},
		"Prénom et nom,Mél|name=PRENOM ET NOM,email=mel": {"name": 0, "email": 1},
	} {
		headings, choice, _ := strings.Cut(test, "|")
		table, err := csvfile.Open(strings.NewReader(headings + "\n"))
		require.NoError(t, err)
		chosen, err := csvfile.Chosen(choice)
		require.NoError(t, err)
		got, err := table.Find(names, known, chosen)
		require.NoError(t, err, test)
		require.Equal(t, want, got, test)
	}
	table, err := csvfile.Open(strings.NewReader("a,b\n"))
	require.NoError(t, err)
	for choice, text := range map[string]string{
		"age=a":    "line 1: “age” is none of the columns email, name",
		"email=c":  "line 1: no column is named “c”",
		"email=#3": "line 1: no column is named “#3”",
		"email=#x": "line 1: no column is named “#x”",
	} {
		chosen, err := csvfile.Chosen(choice)
		require.NoError(t, err)
		_, err = table.Find(names, known, chosen)
		require.ErrorContains(t, err, text)
	}
	for _, choice := range []string{"email", "=a", "email=", "email=a,email=b", ","} {
		_, err := csvfile.Chosen(choice)
		require.Error(t, err, choice)
	}
}
