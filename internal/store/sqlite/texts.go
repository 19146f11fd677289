package sqlite

import (
	"unsafe"

	"zombiezen.com/go/sqlite"
)

// texts stores texts in a few blocks of memory: an allocation for each costs more than reading it.
type texts struct {
	last  []byte
	block int // the size of the next allocation, in bytes
}

const (
	rowBlock = 512
	maxBlock = 8 << 10
)

// textsOf returns texts with memory for about this many rows.
func textsOf(rows int64) texts { return texts{block: int(min(maxBlock, rowBlock*max(rows, 1)))} }

// column returns a text of a row. It copies a text into the block before it asks for the text's length.
func (t *texts) column(s *sqlite.Stmt, column int) string {
	rest := t.last[len(t.last):cap(t.last)]
	n := s.ColumnBytes(column, rest)
	if n == len(rest) { // it may be cut
		if n = s.ColumnLen(column); n == 0 {
			return ""
		}
		if n > len(rest) {
			t.last = make([]byte, 0, max(n, t.block))
			rest = t.last[:n]
			s.ColumnBytes(column, rest)
		}
	}
	if n == 0 {
		return ""
	}
	t.last = t.last[:len(t.last)+n]
	return unsafe.String(&rest[0], n) //nolint:gosec // it is not written again
}
