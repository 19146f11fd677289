package engine

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/store/pages"
)

// timer is called with a kind of read or write, and how long its caller waited.
type timer func(kind string, wait time.Duration)

// since is deferred with the time at which the caller began to wait.
func (t timer) since(kind string, began time.Time) { t(kind, time.Since(began)) }

// Timed returns e with took called after each call of Page, Find, Search and Write. What runs within a transaction
// is part of it.
func Timed(e Engine, took func(kind string, wait time.Duration)) Engine {
	e.Reader, e.Searcher, e.Writer = timedReader{e.Reader, took}, timedSearcher{e.Searcher, took},
		timedWriter{e.Writer, took}
	return e
}

type timedReader struct {
	Reader
	took timer
}

// Page implements Reader.
func (r timedReader) Page(
	ctx context.Context, v studycircle.Viewer, l *List, args []any, start pages.Start, limit int64, into Sink,
) error {
	defer r.took.since("page", time.Now())
	return r.Reader.Page(ctx, v, l, args, start, limit, into)
}

// Find implements Reader.
func (r timedReader) Find(ctx context.Context, v studycircle.Viewer, l *Lookup, keys []any, into Sink) error {
	defer r.took.since("find", time.Now())
	return r.Reader.Find(ctx, v, l, keys, into)
}

type timedSearcher struct {
	Searcher
	took timer
}

// Search implements Searcher.
func (s timedSearcher) Search(
	ctx context.Context, m Match, p studycircle.Page,
) (places []int64, total int64, err error) {
	defer s.took.since("search", time.Now())
	return s.Searcher.Search(ctx, m, p)
}

type timedWriter struct {
	Writer
	took timer
}

// Write implements Writer.
func (w timedWriter) Write(ctx context.Context, f func(context.Context, *Tx) error) error {
	defer w.took.since("write", time.Now())
	return w.Writer.Write(ctx, f)
}
