// Package csvfile reads and writes files of comma-separated values, RFC 4180. It does not know their columns.
package csvfile

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
)

// Row is a row of a file.
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

// Rows yields the rows of a file with a separator; the next row overwrites Cells. It ignores a byte order mark and
// empty lines, and accepts either kind of line end. It ends with an error, an *Error for a wrong line.
func Rows(file io.Reader, separator rune) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		buffer := bufio.NewReaderSize(file, 64<<10)
		mark := []byte(Mark)
		if head, _ := buffer.Peek(len(mark)); bytes.Equal(head, mark) { // the next read returns the error
			if _, err := buffer.Discard(len(mark)); err != nil {
				yield(Row{}, err)
				return
			}
		}
		reader := csv.NewReader(buffer)
		reader.Comma, reader.ReuseRecord, reader.FieldsPerRecord = separator, true, -1
		for {
			cells, err := reader.Read()
			if errors.Is(err, io.EOF) {
				return
			}
			if wrong := (*csv.ParseError)(nil); errors.As(err, &wrong) {
				err = &Error{wrong.StartLine, wrong.Err}
			}
			if err != nil {
				yield(Row{}, err)
				return
			}
			line, _ := reader.FieldPos(0)
			if !yield(Row{line, cells}, nil) {
				return
			}
		}
	}
}
