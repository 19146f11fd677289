package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
)

// walIndex is SQLite's WAL index, the file by which all processes that have the database open share the committed
// state (https://www.sqlite.org/walformat.html, 2.1). It is only read.
type walIndex struct{ file *os.File }

// openWALIndex opens the WAL index of an open database; nil if there is none, or if reads of it may lag behind
// SQLite's writes through its mapping.
func openWALIndex(database string) (*walIndex, error) {
	if runtime.GOOS != "linux" {
		return nil, nil //nolint:nilnil // the caller has another way
	}
	file, err := os.Open(database + "-shm") //nolint:gosec // the operator named the folder
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // the caller has another way
	}
	if err != nil {
		return nil, fmt.Errorf("open SQLite's WAL index: %w", err)
	}
	return &walIndex{file}, nil
}

// Offsets in the WAL index, in bytes: the log's length in the first of two equal headers, and after both how much of
// the log is in the database already. Both are in pages.
const (
	headerSize   = 48
	commitsAt    = 8
	lengthAt     = 16
	checkpointAt = 96
)

// walHeader is the first header: a counter of commits, the log's length, its salts and
// checksums.
type walHeader [headerSize]byte

// commits is a counter that each commit adds one to.
func (h walHeader) commits() uint32 { return binary.NativeEndian.Uint32(h[commitsAt:]) }

// logState is the length of the log and how much of it is in the database already, in pages.
type logState struct{ length, saved uint32 }

// read may run while others write. A mixture of two headers is harmless: its checksums fit neither, so it equals no
// version of a cache entry. Writers write this header last.
func (w *walIndex) read() (h walHeader, l logState, err error) {
	var all [checkpointAt + 4]byte
	if _, err := w.file.ReadAt(all[:], 0); err != nil {
		return h, l, fmt.Errorf("read SQLite's WAL index: %w", err)
	}
	copy(h[:], all[:])
	l.length = binary.NativeEndian.Uint32(all[lengthAt:])
	l.saved = binary.NativeEndian.Uint32(all[checkpointAt:])
	return h, l, nil
}

func (w *walIndex) close() error {
	if err := w.file.Close(); !errors.Is(err, fs.ErrClosed) {
		return err
	}
	return nil
}
