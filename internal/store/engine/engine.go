// Package engine declares what a database must do for package store, and the types that
// both use. Its SQL runs on every engine. It knows no noun and no driver.
package engine

import (
	"context"
	"database/sql"
	"time"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store/db"
	"studycircle/internal/store/pages"
)

// Engine is an open database. It is safe for concurrent use. Its errors are the
// driver's own: see Classify.
type Engine struct {
	Database
	Writer
	Reader
	Searcher
	EventLog
	Transfer
}

// Writer runs transactions and returns once they are durable.
type Writer interface {
	// Write runs f in one transaction. An error of f undoes everything f did and is
	// returned. f may run more than once.
	Write(ctx context.Context, f func(context.Context, *Tx) error) error
	// Publish, Submit and Grade are the most frequent writes, which an engine may run
	// many at once. Package store documents what they return.
	Publish(ctx context.Context, a studycircle.Assignment, u limit.Use) error
	Submit(ctx context.Context, v studycircle.Viewer, assignmentID string, u limit.Use, decide func(studycircle.Assignment) (studycircle.Submission, error)) error
	Grade(ctx context.Context, v studycircle.Viewer, submissionID string, u limit.Use, decide func(studycircle.Gradable) (studycircle.Grade, error)) error
}

// Database is the database outside of transactions.
type Database interface {
	Faults
	// Queries runs queries that are not hot, on Reads.
	Queries() *db.Queries
	Reads() db.DBTX
	// Version numbers what is committed: see Numbering.
	Version(ctx context.Context) (uint64, error)
	// Counts finds where numbered pages begin.
	Counts() *pages.Locator
	// FoldCounts folds changes of counts that writers have left, if they leave any.
	FoldCounts(ctx context.Context) error
	// AtOnce returns how many requests are worth working on at once: with more, each only
	// takes longer.
	AtOnce() int
	// Ping reports an error unless the database answers and takes writes.
	Ping(ctx context.Context) error
	// Run does background work until ctx ends.
	Run(ctx context.Context)
	// Close closes what is open, also if the engine was not opened completely.
	Close() error
}

// TxEngine is what a transaction needs of its engine.
type TxEngine interface {
	Faults
	// LockRows locks the rows of a table that a condition picks, in the order of their
	// keys, against changes by others until tx ends. It does nothing on an engine with one
	// writer.
	LockRows(ctx context.Context, tx *Tx, table, condition string, args ...any) error
	// ShareRows locks rows, until tx ends, against changes of the columns that figures
	// depend on: level, due date and deletion of an assignment. Any number of transactions
	// share a row. It does nothing on an engine with one writer.
	ShareRows(ctx context.Context, tx *Tx, table, condition string, args ...any) error
	// SkipLocked returns the end of a SELECT that locks, until its transaction ends, the
	// rows of a table named t that no other transaction has locked; "" on an engine with
	// one writer.
	SkipLocked() string
	// Lock waits for other transactions that lock the same number.
	Lock(ctx context.Context, tx *Tx, number int64) error
	// DropCounts deletes scopes that are never read again.
	DropCounts(ctx context.Context, tx *Tx, scopes ...pages.Scope) error
	// ApplySearch writes the changes of search indexes that tx has noted so far.
	ApplySearch(ctx context.Context, tx *Tx) error
	// Placeholder returns the n-th parameter of a statement, from 1.
	Placeholder(n int) string
	// Fill inserts rows until next returns nil, in the fastest way.
	Fill(ctx context.Context, tx *Tx, table string, columns []string, next func() ([]any, error)) error
	// BeginFill prepares tx for filling tables. The function that it returns ends that.
	BeginFill(ctx context.Context, tx *Tx, tables []string) (end func(context.Context) error, err error)
	// NumberOn makes the database number the next row of a table after the last one.
	NumberOn(ctx context.Context, tx *Tx, table, column string) error
}

// Reader reads lists and single rows.
type Reader interface {
	// Page gives to into up to limit rows of a list that v may see, from start on, in
	// the list's order.
	Page(ctx context.Context, v studycircle.Viewer, l *List, args []any, start pages.Start, limit int64, into Sink) error
	// Positions returns the positions of a block's rows, ascending; none if Page
	// passes rows as quickly.
	Positions(ctx context.Context, v studycircle.Viewer, l *List, args []any, block int64) ([]int64, error)
	// Find gives to into the rows with one of the keys that v may see, in any order.
	Find(ctx context.Context, v studycircle.Viewer, l *Lookup, keys []any, into Sink) error
}

// Searcher is full-text search.
type Searcher interface {
	// Search returns the places of a page of matches, those in the title first and
	// the highest place first, and how many matches there are, up to MaxMatches.
	Search(ctx context.Context, m Match, p studycircle.Page) (places []int64, total int64, err error)
}

// MaxMatches bounds what one search counts and pages through: beyond that many
// matches the total reads MaxMatches. Without a bound, a word in half of all
// documents would cost a walk over half of the index.
const MaxMatches = 10_000

// EventLog keeps what has happened in an order that no reader misses any of.
type EventLog interface {
	// ReadEvents returns the first rows after one position and up to another, ""
	// for the present, EventRows at most, and what the present is.
	ReadEvents(ctx context.Context, since, until string) (EventPage, error)
	// Listen calls notify after a commit with events on any node, until ctx ends.
	Listen(ctx context.Context, notify func())
	// EventCutoff returns the time before which rows go, by the database's clock: keep
	// ago or only `rows` rows back, and whether there are such rows.
	EventCutoff(ctx context.Context, keep time.Duration, rows int64) (cutoff int64, found bool, err error)
	// TrimEvents removes up to a thousand rows from before cutoff, in microseconds,
	// and remembers the last; it returns how many.
	TrimEvents(ctx context.Context, tx *Tx, cutoff int64) (int64, error)
}

// EventRows is how many rows of events are read at once.
const EventRows = 500

// EventPage is what an engine reads of the events in one statement.
type EventPage struct {
	Epoch   string // of the history
	Present string // the place of now
	Gone    bool   // the place asked from is not of this history, or too long ago
	Rows    []EventRow
}

// EventRow is what one transaction has announced.
type EventRow struct {
	Key     string // its own number
	After   string // the place after it
	Changes string
}

// Transfer is what copying whole databases needs outside of transactions.
type Transfer interface {
	// Snapshot returns a connection that sees one moment of the database until end is called.
	Snapshot(ctx context.Context) (conn *sql.Conn, end func() error, err error)
	// AnalyzeSteps returns how often Analyze of tables calls its step.
	AnalyzeSteps(tables []string) int
	// Analyze updates the database's statistics after a large import.
	Analyze(ctx context.Context, tables []string, step func()) error
}
