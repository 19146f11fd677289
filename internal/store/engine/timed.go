package engine

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store/pages"
)

// timer is called with a kind of read or write, and how long its caller waited.
type timer func(kind string, wait time.Duration)

// since is deferred with the time at which the caller began to wait.
func (t timer) since(kind string, began time.Time) { t(kind, time.Since(began)) }

// Timed returns e with took called after each call of Page, Find, Search, Write, Publish, Submit and Grade. What runs
// within a transaction is part of it.
func Timed(e Engine, took func(kind string, wait time.Duration)) Engine {
	e.Reader, e.Searcher, e.Writer = timedReader{e.Reader, took}, timedSearcher{e.Searcher, took}, timedWriter{e.Writer, took}
	return e
}

type timedReader struct {
	Reader
	took timer
}

// Page implements Reader.
func (r timedReader) Page(ctx context.Context, v studycircle.Viewer, l *List, args []any, start pages.Start, limit int64, into Sink) error {
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
func (s timedSearcher) Search(ctx context.Context, m Match, p studycircle.Page) (places []int64, total int64, err error) {
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

// Publish implements Writer.
func (w timedWriter) Publish(ctx context.Context, a studycircle.Assignment, u limit.Use, may func(studycircle.OwnCircle) error) error {
	defer w.took.since("publish", time.Now())
	return w.Writer.Publish(ctx, a, u, may)
}

// Submit implements Writer.
func (w timedWriter) Submit(ctx context.Context, v studycircle.Viewer, assignmentID string, u limit.Use, decide func(studycircle.OwnCircle, studycircle.Assignment) (studycircle.Submission, error)) error {
	defer w.took.since("submit", time.Now())
	return w.Writer.Submit(ctx, v, assignmentID, u, decide)
}

// Grade implements Writer.
func (w timedWriter) Grade(ctx context.Context, v studycircle.Viewer, submissionID string, u limit.Use, decide func(studycircle.OwnCircle, studycircle.Gradable) (studycircle.Grade, error)) error {
	defer w.took.since("grade", time.Now())
	return w.Writer.Grade(ctx, v, submissionID, u, decide)
}
