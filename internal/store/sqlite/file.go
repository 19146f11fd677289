package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// errFileGone means that the database's file is not the one that was opened any more.
var errFileGone = errors.New("the database's file was removed or written over")

// errFileHidden means that it cannot be known whether the file is still the opened one.
var errFileHidden = errors.New("the database's file cannot be found")

// databaseFile is the opened database file. SQLite continues on a file that was removed, and all that it commits is
// lost.
type databaseFile struct {
	path   string
	opened *os.File // until the database closes: see DB.Close
	info   os.FileInfo
}

// magic begins every SQLite database.
var magic = []byte("SQLite format 3\x00")

func watchFile(path string) (*databaseFile, error) {
	opened, err := os.Open(path) //nolint:gosec // the operator named the folder
	if err != nil {
		return nil, fmt.Errorf("open the embedded database: %w", err)
	}
	info, err := opened.Stat()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open the embedded database: %w", err), opened.Close())
	}
	return &databaseFile{path, opened, info}, nil
}

// check returns errFileGone if the file's name leads to another file, or its head is not a database's. It costs a
// microsecond or two.
func (f *databaseFile) check() error {
	now, err := os.Stat(f.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: %w", errFileHidden, err)
	}
	if err != nil || !os.SameFile(now, f.info) {
		return errFileGone
	}
	head := make([]byte, len(magic))
	if _, err := f.opened.ReadAt(head, 0); err == nil && !bytes.Equal(head, magic) {
		return errFileGone
	}
	return nil
}

func (f *databaseFile) close() error {
	if err := f.opened.Close(); !errors.Is(err, os.ErrClosed) {
		return err
	}
	return nil
}
