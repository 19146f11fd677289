// Package csvfile reads tables of comma-separated values as spreadsheets and other systems write them, and writes
// files of them, RFC 4180. It does not know their columns.
package csvfile

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"studycircle"
)

// MaxColumns is the most columns of a table.
const MaxColumns = 2_000

// Letters as a text in another encoding has them when it is read as Windows-1252: signs within words or in place of
// their first or last letters, capitals after small letters, and four letters in a row without a plain one.
var (
	implausible = regexp.MustCompile(`\p{L}[\xa1-\xa9«¬\xae-\xb3¶¸¹\xbb-\xbf×÷†‡ˆ˜‰€‚„•‹›“”]\p{L}|` +
		`[£¥¤¦³¹¼¾]\p{L}|\p{L}{3}[³¹¿¼¾£¥]|` +
		`\p{Ll}[ŠŒŽŸÐÞ]|\p{L}[ŠŒŽŸ]\p{Ll}`)
	foreign = regexp.MustCompile(`[À-ÖØ-öø-ÿŠŒŽŸšœžƒ]{4,}`)
	umlauts = regexp.MustCompile(`^[äöüßÄÖÜåÅ]+$`)
)

// Table is a file of rows below a line that names the columns.
type Table struct {
	// Headings are the names of the columns, without blanks around them.
	Headings []string
	// Line is where they are, from 1.
	Line int
	// Separator is between cells: a comma, a semicolon or a tab.
	Separator rune

	reader *csv.Reader
	before int // the lines before those that reader counts
	text   *decoder
}

// Row is a row of a table.
type Row struct {
	Line  int // where it begins, from 1
	Cells []string
}

// Error says what is wrong with a line, which the reading does not pass.
type Error struct {
	Line int
	Err  error
}

// Error implements error.
func (e *Error) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// ErrNothing is the reason of a file without any text.
var ErrNothing = errors.New("there is nothing")

// Open reads a file up to its headings, the first line with any text. It finds out the encoding and the separator, and
// accepts any kind of line end. The error of a wrong file is an *Error.
func Open(file io.Reader) (*Table, error) {
	text, as, err := decoded(file)
	if err != nil {
		return nil, err
	}
	const ahead = 64 << 10
	buffer := bufio.NewReaderSize(text, ahead)
	head, _ := buffer.Peek(ahead) // the next read returns the error
	t := &Table{text: as, reader: csv.NewReader(buffer)}
	if named, rest := separatorLine(head); named != 0 {
		t.Separator, t.before = named, 1
		if _, err := buffer.Discard(len(head) - len(rest)); err != nil {
			return nil, err
		}
	} else {
		t.Separator = separatorOf(head)
	}
	t.reader.Comma, t.reader.ReuseRecord, t.reader.FieldsPerRecord = t.Separator, true, -1
	for row, err := range t.Rows() {
		if err != nil {
			return nil, err
		}
		t.Line, t.Headings = row.Line, make([]string, len(row.Cells))
		for i, cell := range row.Cells {
			t.Headings[i] = strings.Clone(studycircle.Trim(cell))
		}
		err = t.Check(row)
		return t, err
	}
	return nil, &Error{1, ErrNothing}
}

// separatorLine returns the separator that a first line like “sep=;” names, 0 without one, and the text after it.
func separatorLine(head []byte) (rune, []byte) {
	line, rest, _ := bytes.Cut(head, []byte("\n"))
	named, is := strings.CutPrefix(strings.ToLower(string(bytes.Trim(line, ` "`))), "sep=")
	if is && (named == "," || named == ";" || named == "\t") {
		return rune(named[0]), rest
	}
	return 0, head
}

// separatorOf returns the separator of which the first line with any text has most, outside of quotation marks.
func separatorOf(head []byte) rune {
	counts, quoted, text := map[rune]int{}, false, false
	for _, r := range string(head) {
		switch {
		case r == '"':
			quoted, text = !quoted, true
		case quoted:
		case r == '\n' && text:
			return most(counts)
		case r == '\n':
			clear(counts)
		case r == ',', r == ';', r == '\t':
			counts[r]++
		default:
			text = text || !studycircle.Unseen(r)
		}
	}
	return most(counts)
}

func most(counts map[rune]int) rune {
	found := ','
	for _, r := range ";\t" {
		if counts[r] > counts[found] {
			found = r
		}
	}
	return found
}

// Rows yields the rows that have any text; the next row overwrites Cells. It ends with an error, an *Error for a wrong
// line.
func (t *Table) Rows() iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for {
			cells, err := t.reader.Read()
			if errors.Is(err, io.EOF) {
				err = t.text.end()
				if err == nil {
					return
				}
			}
			if wrong := (*csv.ParseError)(nil); errors.As(err, &wrong) {
				err = &Error{wrong.StartLine + t.before, wrong.Err}
			}
			if err != nil {
				yield(Row{}, err)
				return
			}
			line, _ := t.reader.FieldPos(0)
			row := Row{line + t.before, cells}
			if len(cells) > MaxColumns {
				yield(row, &Error{row.Line, fmt.Errorf("a table has at most %d columns; this line has %d", MaxColumns, len(cells))})
				return
			}
			if slices.ContainsFunc(cells, func(cell string) bool { return studycircle.Trim(cell) != "" }) && !yield(row, nil) {
				return
			}
		}
	}
}

// Check returns the error of a row of which some cells were lost, or read in another encoding than they are in. Without
// columns it checks all cells.
func (t *Table) Check(r Row, columns ...int) error {
	for i, cell := range r.Cells {
		if len(columns) > 0 && !slices.Contains(columns, i) {
			continue
		}
		if err := t.text.strange(cell); err != nil {
			return &Error{r.Line, err}
		}
	}
	return nil
}

// Fold returns a heading without case, accents and all but letters and digits, by which headings are compared.
func Fold(heading string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFKD.String(strings.ReplaceAll(heading, "ß", "ss")))
}

// Columns are where the columns of a table are that a reader knows, by their names there.
type Columns map[string]int

// Find returns where columns are: chosen ones by their heading or, as “#2”, by their number; others by their names, of
// which each stands above one column, or by the first of the known headings, in the form of Fold.
func (t *Table) Find(names []string, known map[string]string, chosen map[string]string) (Columns, error) {
	at := Columns{}
	for i, heading := range t.Headings {
		if name := known[Fold(heading)]; name != "" {
			if _, there := at[name]; !there {
				at[name] = i
			}
		}
	}
	for _, name := range names {
		own, n := 0, 0
		for i, heading := range t.Headings {
			if Fold(heading) == Fold(name) {
				own, n = i, n+1
			}
		}
		if n > 0 {
			delete(at, name)
		}
		if n == 1 {
			at[name] = own
		}
	}
	for name, heading := range chosen {
		if !slices.Contains(names, name) {
			return nil, &Error{t.Line, fmt.Errorf("“%s” is none of the columns %s", name, strings.Join(names, ", "))}
		}
		i := slices.IndexFunc(t.Headings, func(h string) bool { return Fold(h) == Fold(heading) && Fold(h) != "" })
		if number, is := strings.CutPrefix(heading, "#"); is {
			n, err := strconv.Atoi(number)
			if err != nil || n < 1 || n > len(t.Headings) {
				n = 0
			}
			i = n - 1
		}
		if i < 0 {
			return nil, &Error{t.Line, fmt.Errorf("no column is named “%s”", heading)}
		}
		for other, j := range at {
			if j == i {
				delete(at, other)
			}
		}
		at[name] = i
	}
	return at, nil
}

// Chosen parses a choice of columns for Find, such as “email=Contact,name=#2”.
func Chosen(text string) (map[string]string, error) {
	chosen := map[string]string{}
	if text == "" {
		return chosen, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		name, heading, is := strings.Cut(part, "=")
		name, heading = strings.TrimSpace(name), strings.TrimSpace(heading)
		if _, twice := chosen[name]; !is || twice || name == "" || heading == "" {
			return nil, fmt.Errorf("columns are chosen as “email=Contact,name=#2”, not as “%s”", text)
		}
		chosen[name] = heading
	}
	return chosen, nil
}

// Number parses a decimal number, with a comma or a point before its decimals. It refuses a number like 1,000, which
// is one or a thousand, and 1.000 beside semicolons.
func (t *Table) Number(text string) (float64, error) {
	text, original := studycircle.Trim(text), text
	if strings.Trim(text, "0123456789") != "" && !number.MatchString(text) {
		return 0, fmt.Errorf("%q is not a number", original)
	}
	if thousands.MatchString(text) && (strings.Contains(text, ",") || t.Separator == ';') {
		return 0, fmt.Errorf("%q %w", original, ErrThousands)
	}
	n, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
	if err != nil {
		return 0, fmt.Errorf("%q is not a number", original)
	}
	return n, nil
}

// ErrThousands is the reason of a number that may have decimals or thousands.
var ErrThousands = errors.New("may have decimals or be above 999: write it without a separator")

var (
	number    = regexp.MustCompile(`^[+-]?(\d+[.,]?\d*|[.,]\d+)([eE][+-]?\d+)?$`)
	thousands = regexp.MustCompile(`^[+-]?[1-9]\d{0,2}[.,]\d{3}$`)
)
