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
	"runtime"
	"slices"
	"time"
	"unicode/utf8"

	"studycircle/internal/csvfile"
	"studycircle/internal/store/bulk"
)

// maxLine is the longest line, in bytes.
const maxLine = 1 << 20

// lineError is an error in a line of a file.
type lineError struct {
	file string
	line int
	err  error
}

func (e *lineError) Error() string { return fmt.Sprintf("%s line %d: %v", e.file, e.line, e.err) }
func (e *lineError) Unwrap() error { return e.err }

// line is a record's position in its file.
type line struct {
	number int
	offset int64
	length int
	at     int64 // the order of lines, microseconds since 1970
}

// source is an open file of records.
type source struct {
	file  *os.File
	name  string
	lines []line
}

// open reads the whole file once. check parses a line and returns when its record was
// created. The lines are then in that order, oldest first. A missing file has no lines.
func open(dir, name string, check func([]byte) (time.Time, error)) (*source, error) {
	file, err := os.Open(filepath.Join(dir, name)) //nolint:gosec // the operator names this folder
	if errors.Is(err, fs.ErrNotExist) {
		return &source{name: name}, nil
	}
	if err != nil {
		return nil, err
	}
	s := &source{file: file, name: name}
	if err := s.decode(); err != nil {
		return nil, errors.Join(err, s.close())
	}
	if err := s.scan(check); err != nil {
		return nil, errors.Join(err, s.close())
	}
	slices.SortStableFunc(s.lines, func(a, b line) int { return compare(a.at, b.at) })
	return s, nil
}

// decode puts the text of a file that begins with a byte order mark, as programs on Windows write it, in its place.
func (s *source) decode() (err error) {
	head := make([]byte, len(csvfile.Mark))
	n, err := s.file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if !csvfile.Marked(head[:n]) {
		return nil
	}
	text, err := csvfile.Decode(s.file)
	if err != nil {
		return fmt.Errorf("%s %w", s.name, err)
	}
	own, err := os.CreateTemp("", "studycircle-import-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(own.Name())) }() // it lives as long as it is open
	if _, err = io.Copy(own, text); err == nil {
		_, err = own.Seek(0, io.SeekStart)
	}
	err = errors.Join(err, s.file.Close())
	s.file = own
	return err
}

// openAs is open for lines that parse returns as nouns; at returns when a noun was created.
func openAs[N any](dir, name string, parse func([]byte) (N, error), at func(N) time.Time) (*source, error) {
	return open(dir, name, func(line []byte) (time.Time, error) {
		n, err := parse(line)
		if err != nil {
			return time.Time{}, err
		}
		return at(n), nil
	})
}

// closeAll closes those of some sources that were opened.
func closeAll(all []*source) error {
	var errs []error
	for _, s := range all {
		if s != nil {
			errs = append(errs, s.close())
		}
	}
	return errors.Join(errs...)
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

// scan checks the lines of several pieces of the file concurrently, and collects them in
// order, so that the first bad line is reported.
func (s *source) scan(check func([]byte) (time.Time, error)) error {
	pieces, enough := make(chan *piece, runtime.GOMAXPROCS(0)), make(chan struct{})
	defer close(enough)
	go func() {
		defer close(pieces)
		s.cut(func(p *piece) bool {
			go p.check(s.name, check)
			select {
			case pieces <- p:
				return p.err == nil
			case <-enough:
				return false
			}
		})
	}()
	for p := range pieces {
		if err := <-p.checked; err != nil {
			return err
		}
		s.lines = append(s.lines, p.lines...)
	}
	return nil
}

// piece is a run of lines of a file.
type piece struct {
	lines   []line
	text    []byte // the text of the lines
	err     error  // an error after the lines, other than the end of the file
	checked chan error
}

func (p *piece) check(name string, check func([]byte) (time.Time, error)) {
	lines, text := p.lines, p.text
	p.lines = nil
	for _, l := range lines {
		own := text[:l.length]
		text = text[l.length:]
		if len(bytes.TrimSpace(own)) == 0 {
			continue
		}
		if !utf8.Valid(own) {
			p.checked <- &lineError{name, l.number, errors.New("this line is not in UTF-8; save the file as UTF-8")}
			return
		}
		at, err := check(own)
		if err != nil {
			p.checked <- &lineError{name, l.number, err}
			return
		}
		l.at = at.UnixMicro()
		p.lines = append(p.lines, l)
	}
	p.checked <- p.err
}

// cut cuts the whole file into pieces, until take returns false.
func (s *source) cut(take func(*piece) bool) {
	reader := bufio.NewReaderSize(s.file, maxLine)
	var offset int64
	for number, last := 1, false; !last; {
		p := &piece{checked: make(chan error, 1)}
		for ; !last && len(p.lines) < batchLines && len(p.text) < batchBytes; number++ {
			text, err := reader.ReadSlice('\n')
			last = err != nil
			switch {
			case errors.Is(err, bufio.ErrBufferFull):
				p.err = &lineError{s.name, number, errors.New("the line is longer than 1 MiB")}
			case err != nil && !errors.Is(err, io.EOF):
				p.err = err
			default:
				p.lines = append(p.lines, line{number: number, offset: offset, length: len(text)})
				p.text = append(p.text, text...)
				offset += int64(len(text))
			}
		}
		if !take(p) {
			return
		}
	}
}

// Records are passed on in batches, so that a database over a network takes each batch in
// one round trip.
const (
	batchLines = 512
	batchBytes = 1 << 20
)

// batch is consecutive records with their line numbers.
type batch[R any] struct {
	records []R
	numbers []int
}

// each parses every line in order, concurrently with use, and calls use with batches of
// records. It returns the first error, with its line if it belongs to one, as use reports
// by a bulk.RowError.
func each[R any](ctx context.Context, s *source, parse func([]byte) (R, error), use func([]R) error) (err error) {
	ctx, cancel := context.WithCancel(ctx)
	ahead, done := make(chan batch[R], 4), make(chan error, 1)
	go func() {
		defer close(ahead)
		done <- readAhead(ctx, s, parse, ahead)
	}()
	defer func() {
		cancel()
		if parsing := <-done; err == nil { // the reading of the file has ended
			err = parsing
		}
	}()
	for b := range ahead {
		err := use(b.records)
		if row, ok := errors.AsType[*bulk.RowError](err); ok {
			return &lineError{s.name, b.numbers[row.Row], row.Err}
		}
		if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// readAhead parses the lines into batches, until the end or the first bad line.
func readAhead[R any](ctx context.Context, s *source, parse func([]byte) (R, error), ahead chan<- batch[R]) error {
	var text []byte
	for lines := s.lines; len(lines) > 0; {
		var b batch[R]
		for size := 0; len(lines) > 0 && len(b.records) < batchLines && size < batchBytes; lines = lines[1:] {
			l := lines[0]
			text = slices.Grow(text[:0], l.length)[:l.length]
			if _, err := s.file.ReadAt(text, l.offset); err != nil {
				return &lineError{s.name, l.number, err}
			}
			record, err := parse(text)
			if err != nil {
				return &lineError{s.name, l.number, err}
			}
			b.records, b.numbers = append(b.records, record), append(b.numbers, l.number)
			size += l.length
		}
		select {
		case ahead <- b:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

func (s *source) close() error {
	if s.file == nil {
		return nil
	}
	return s.file.Close()
}
