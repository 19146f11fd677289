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

// room is memory for a text of n bytes, which are more than none.
func (t *texts) room(n int) []byte {
	if cap(t.last)-len(t.last) < n {
		t.last = make([]byte, 0, max(n, t.block))
	}
	at := len(t.last)
	t.last = t.last[:at+n]
	return t.last[at:]
}

func (t *texts) column(s *sqlite.Stmt, column int) string {
	n := s.ColumnLen(column)
	if n == 0 {
		return ""
	}
	room := t.room(n)
	s.ColumnBytes(column, room)
	return unsafe.String(&room[0], n) //nolint:gosec // nobody writes there again
}
