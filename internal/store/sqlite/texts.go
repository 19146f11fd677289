package sqlite

import (
	"unsafe"

	"zombiezen.com/go/sqlite"
)

// texts stand in a few blocks of memory: one for each costs more than reading it.
type texts struct {
	last  []byte
	block int // what is allocated at once, in bytes
}

const (
	rowBlock = 512
	maxBlock = 8 << 10
)

// textsOf have memory for about as many rows.
func textsOf(rows int64) texts { return texts{block: int(min(maxBlock, rowBlock*max(rows, 1)))} }

// column is a text of a row. What a block has room for is copied without asking
// first how long it is.
func (t *texts) column(s *sqlite.Stmt, column int) string {
	rest := t.last[len(t.last):cap(t.last)]
	n := s.ColumnBytes(column, rest)
	if n == len(rest) { // maybe not all of it
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
