package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"studycircle"
	"studycircle/internal/csvfile"
)

// tableFile is a file that is read, and where its columns are.
type tableFile struct {
	name    string
	columns []string
	chosen  map[string]string // columns by their headings, see csvfile.Chosen
}

// addRow takes a row: the cells of the columns, which the next row overwrites.
type addRow func(t *csvfile.Table, line int, row []string) error

// read reads a table as csvfile does and calls add for each row below its headings. No field may be empty. The error of
// a wrong line names file and line, and ends the reading.
func (f tableFile) read(ctx context.Context, add addRow) error {
	file, err := os.Open(f.name)
	if err != nil {
		return err
	}
	closeFile := func() { _ = file.Close() } // nothing was written
	defer closeFile()
	defer context.AfterFunc(ctx, closeFile)() // ends a read from a pipe without a writer
	err = f.parse(file, add)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s %w", filepath.Base(f.name), err)
	}
	return nil
}

func (f tableFile) parse(file io.Reader, add addRow) error {
	header := strings.Join(f.columns, ",")
	t, err := csvfile.Open(file)
	if errors.Is(err, csvfile.ErrNothing) {
		return fmt.Errorf("%w; the first line is %s", err, header)
	}
	if err != nil {
		return err
	}
	found, err := t.Find(f.columns, nil, f.chosen)
	if err != nil {
		return err
	}
	at := make([]int, len(f.columns))
	for i, column := range f.columns {
		var known bool
		if at[i], known = found[column]; !known {
			return fmt.Errorf(
				"line %d: the first line is not %s: no column is named %s; --columns %s=HEADING names it", t.Line, header, column,
				column,
			)
		}
	}
	cells := make([]string, len(at))
	for row, err := range t.Rows() {
		if err == nil {
			err = f.cells(t, row, at, cells)
		}
		if err != nil {
			return err
		}
		if err := add(t, row.Line, cells); err != nil {
			return fmt.Errorf("line %d: %w", row.Line, err)
		}
	}
	return nil
}

// cells reads the columns of a row.
func (f tableFile) cells(t *csvfile.Table, row csvfile.Row, at []int, into []string) error {
	if n := len(t.Headings); len(row.Cells) < n ||
		slices.ContainsFunc(row.Cells[n:], func(cell string) bool { return studycircle.Trim(cell) != "" }) {
		return fmt.Errorf("line %d: %d columns instead of %d: %s", row.Line, len(row.Cells), n, strings.Join(t.Headings, ","))
	}
	if err := t.Check(row, at...); err != nil {
		return err
	}
	for i, from := range at {
		into[i] = row.Cells[from]
		switch {
		case hasNUL(into[i]):
			return fmt.Errorf("line %d: the %s contains a NUL character", row.Line, f.columns[i])
		case into[i] == "":
			return fmt.Errorf("line %d: the %s is empty", row.Line, f.columns[i])
		}
	}
	return nil
}

func hasNUL(field string) bool { return strings.ContainsRune(field, 0) }

// output is a file that is written completely or not at all, and may replace an older one.
type output struct{ name string }

// newOutput checks that name may be written: if it exists, it is a regular file and none
// of the inputs.
func newOutput(name string, read ...string) (output, error) {
	there, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return output{name}, nil
	}
	if err != nil {
		return output{}, err
	}
	if !there.Mode().IsRegular() {
		return output{}, fmt.Errorf("%s exists and is not a regular file", name)
	}
	for _, other := range read {
		if info, err := os.Stat(other); err == nil && os.SameFile(there, info) {
			return output{}, fmt.Errorf("%s is one of the inputs", name)
		}
	}
	return output{name}, nil
}

// write writes the rows to a file beside the named one, syncs it, and renames it.
func (o output) write(ctx context.Context, header []string, rows iter.Seq[[]string]) (err error) {
	file, err := os.CreateTemp(filepath.Dir(o.name), "."+filepath.Base(o.name)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	err = errors.Join(writeRows(file, header, rows), file.Close())
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), o.name)
}

func writeRows(file *os.File, header []string, rows iter.Seq[[]string]) error {
	writer := csvfile.NewLineWriter(file)
	if err := writer.Row(header...); err != nil {
		return err
	}
	for row := range rows {
		if err := writer.Row(row...); err != nil {
			return err
		}
	}
	return errors.Join(writer.Flush(), file.Sync())
}
