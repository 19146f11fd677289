package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"studycircle/internal/csvfile"
)

// readRows reads a file of comma-separated values whose first line is header, and calls
// add for each further row, which the next row overwrites. No field may be empty. It
// ignores a byte order mark and empty lines, and accepts either kind of line end. The
// error of a wrong line names file and line, and ends the reading.
func readRows(ctx context.Context, name, header string, add func(line int, row []string) error) error {
	file, err := os.Open(name) //nolint:gosec // the operator names this file
	if err != nil {
		return err
	}
	closeFile := func() { _ = file.Close() } // nothing was written
	defer closeFile()
	defer context.AfterFunc(ctx, closeFile)() // ends a read from a pipe without a writer
	err = parseRows(file, header, add)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		return fmt.Errorf("%s %w", filepath.Base(name), err)
	}
	return nil
}

func parseRows(file io.Reader, header string, add func(line int, row []string) error) error {
	columns := strings.Split(header, ",")
	first := true
	for row, err := range csvfile.Rows(bufio.NewReaderSize(file, 1<<20), ',') {
		line, cells := row.Line, row.Cells
		switch {
		case err != nil:
			return err
		case first && strings.Join(cells, ",") != header:
			return fmt.Errorf("line %d: the first line is not %s", line, header)
		case first:
			first = false
		case len(cells) != len(columns):
			return fmt.Errorf("line %d: %d columns instead of %d: %s", line, len(cells), len(columns), header)
		case slices.ContainsFunc(cells, hasNUL):
			return fmt.Errorf("line %d: the %s contains a NUL character", line, columns[slices.IndexFunc(cells, hasNUL)])
		case slices.Contains(cells, ""):
			return fmt.Errorf("line %d: the %s is empty", line, columns[slices.Index(cells, "")])
		default:
			if err := add(line, cells); err != nil {
				return fmt.Errorf("line %d: %w", line, err)
			}
		}
	}
	if first {
		return fmt.Errorf("line 1: there is nothing; the first line is %s", header)
	}
	return nil
}

func hasNUL(field string) bool { return strings.ContainsRune(field, 0) }

// parseNumber parses a finite decimal number, surrounding blanks allowed.
func parseNumber(text string) (float64, bool) {
	text = strings.Trim(text, " \t")
	if strings.Trim(text, "0123456789.+-eE") != "" { // excludes hexadecimal numbers and Inf
		return 0, false
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil
}

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
func (o output) write(ctx context.Context, header string, rows iter.Seq[[]string]) (err error) {
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

func writeRows(file *os.File, header string, rows iter.Seq[[]string]) error {
	writer := csvfile.NewLineWriter(file)
	if err := writer.Row(strings.Split(header, ",")...); err != nil {
		return err
	}
	for row := range rows {
		if err := writer.Row(row...); err != nil {
			return err
		}
	}
	return errors.Join(writer.Flush(), file.Sync())
}
