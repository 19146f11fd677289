package transfer

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// maxLine is the longest line that is read, in bytes.
const maxLine = 1 << 20

// lineError says where a file is wrong.
type lineError struct {
	file string
	line int
	err  error
}

func (e *lineError) Error() string { return fmt.Sprintf("%s line %d: %v", e.file, e.line, e.err) }
func (e *lineError) Unwrap() error { return e.err }

// line is where a record lies in its file.
type line struct {
	number int
	offset int64
	length int
	at     int64 // what lines are ordered by, microseconds since 1970
}

// source is an open file of records.
type source struct {
	file  *os.File
	name  string
	lines []line
}

// open reads the whole file once: check parses a line and says when its record
// was made. The lines are then in that order, oldest first, however the file has
// them. A file that is not there has no lines.
func open(dir, name string, check func([]byte) (time.Time, error)) (*source, error) {
	file, err := os.Open(filepath.Join(dir, name)) //nolint:gosec // the operator names this folder
	if errors.Is(err, fs.ErrNotExist) {
		return &source{name: name}, nil
	}
	if err != nil {
		return nil, err
	}
	s := &source{file: file, name: name}
	if err := s.scan(check); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	slices.SortStableFunc(s.lines, func(a, b line) int { return compare(a.at, b.at) })
	return s, nil
}

func compare(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func (s *source) scan(check func([]byte) (time.Time, error)) error {
	reader := bufio.NewReaderSize(s.file, maxLine)
	var offset int64
	for number := 1; ; number++ {
		text, err := reader.ReadSlice('\n')
		last := errors.Is(err, io.EOF)
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			return &lineError{s.name, number, errors.New("the line is longer than 1 MiB")}
		case err != nil && !last:
			return err
		}
		if len(bytes.TrimSpace(text)) > 0 {
			at, err := check(text)
			if err != nil {
				return &lineError{s.name, number, err}
			}
			s.lines = append(s.lines, line{number: number, offset: offset, length: len(text), at: at.UnixMicro()})
		}
		offset += int64(len(text))
		if last {
			return nil
		}
	}
}

// each parses every line in order, ahead of use and beside it, and calls use with
// the records. It returns the first error, with the line it belongs to.
func each[R any](ctx context.Context, s *source, parse func([]byte) (R, error), use func(R) error) error {
	type parsed struct {
		record R
		number int
		err    error
	}
	ctx, cancel := context.WithCancel(ctx)
	ahead, done := make(chan parsed, 1024), make(chan struct{})
	defer func() {
		cancel()
		<-done // the file is not read any more
	}()
	go func() {
		defer close(done)
		defer close(ahead)
		var buffer []byte
		for _, l := range s.lines {
			buffer = slices.Grow(buffer[:0], l.length)[:l.length]
			p := parsed{number: l.number}
			if _, p.err = s.file.ReadAt(buffer, l.offset); p.err == nil {
				p.record, p.err = parse(buffer)
			}
			select {
			case ahead <- p:
			case <-ctx.Done():
				return
			}
		}
	}()
	for p := range ahead {
		if p.err == nil {
			p.err = use(p.record)
		}
		if p.err != nil {
			return &lineError{s.name, p.number, p.err}
		}
	}
	return ctx.Err()
}

func (s *source) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
