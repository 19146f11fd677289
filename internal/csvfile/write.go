package csvfile

import (
	"bufio"
	"io"
	"strings"
)

// Mark is the byte order mark by which spreadsheets know UTF-8.
const Mark = "\ufeff"

// Text returns a text as a cell that a spreadsheet does not evaluate: a leading apostrophe precedes the characters
// that begin a formula, also after apostrophes, so that Plain returns every text again.
func Text(text string) string {
	if rest := strings.TrimLeft(text, "'"); rest != "" && strings.ContainsRune(formulas, rune(rest[0])) {
		return "'" + text
	}
	return text
}

// Plain returns the text of which Text made a cell.
func Plain(cell string) string {
	if text, is := strings.CutPrefix(cell, "'"); is && Text(text) != text {
		return text
	}
	return cell
}

// formulas are the characters that begin a formula.
const formulas = "=+-@\t"

// Writer writes rows. Its errors are those of Flush, which ends the file.
type Writer struct {
	out *bufio.Writer
	end string
	row []byte // reused
}

// NewWriter returns a Writer whose lines end with CR LF, as RFC 4180 asks for.
func NewWriter(to io.Writer) *Writer {
	return &Writer{out: bufio.NewWriterSize(to, 64<<10), end: "\r\n"}
}

// NewLineWriter returns a Writer whose lines end with LF, for tools that read lines.
func NewLineWriter(to io.Writer) *Writer {
	return &Writer{out: bufio.NewWriterSize(to, 1<<20), end: "\n"}
}

// Row writes a row of cells as they are: cells of users' texts go through Text.
func (w *Writer) Row(cells ...string) error {
	w.row = w.row[:0]
	for i, cell := range cells {
		if i > 0 {
			w.row = append(w.row, ',')
		}
		w.row = appendCell(w.row, cell)
	}
	w.row = append(w.row, w.end...)
	_, err := w.out.Write(w.row)
	return err
}

// appendCell quotes a cell that would not be read as one.
func appendCell(to []byte, cell string) []byte {
	if !strings.ContainsAny(cell, "\",\r\n") && strings.TrimSpace(cell) == cell {
		return append(to, cell...)
	}
	to = append(to, '"')
	to = append(to, strings.ReplaceAll(cell, `"`, `""`)...)
	return append(to, '"')
}

// Flush writes what is buffered, and returns the first error.
func (w *Writer) Flush() error { return w.out.Flush() }
