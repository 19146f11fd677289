// Package engine declares the operations that package store needs of a database, and the types that both use. Its SQL
// runs on every engine. It knows no noun and no driver.
package engine

import (
	"context"
	"database/sql"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/pages"
)

// Engine is an open database. It is safe for concurrent use. It returns the driver's errors: see Classify.
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
	// Write runs f in one transaction. If f fails, Write undoes its changes and returns the error. f may run more
	// than once.
	Write(ctx context.Context, f func(context.Context, *Tx) error) error
}

// Database is the database outside of transactions.
type Database interface {
	Faults
	// Queries runs infrequent queries, on Reads.
	Queries() *db.Queries
	Reads() db.DBTX
	// Version numbers the committed state: see Numbering.
	Version(ctx context.Context) (uint64, error)
	// Counts finds the starts of numbered pages.
	Counts() *pages.Locator
	// FoldCounts folds pending changes of counts, if the engine keeps any.
	FoldCounts(ctx context.Context) error
	// AtOnce returns the useful number of concurrent requests: more only take longer.
	AtOnce() int
	// Ping reports an error unless the database answers and takes writes.
	Ping(ctx context.Context) error
	// Run does background work until ctx ends.
	Run(ctx context.Context)
	// Close releases all resources, also of an engine that was not opened completely.
	Close() error
}

// TxEngine is the engine's part of a transaction.
type TxEngine interface {
	Faults
	// LockRows locks the rows of a table that a condition selects, in the order of their keys, against changes by
	// others until tx ends. It does nothing on an engine with one writer.
	LockRows(ctx context.Context, tx *Tx, rows Selection, args ...any) error
	// ShareRows locks rows, until tx ends, against their deletion and SealRows. Any number of transactions share a
	// row. It does nothing on an engine with one writer.
	ShareRows(ctx context.Context, tx *Tx, rows Selection, args ...any) error
	// SealRows is LockRows also against ShareRows.
	SealRows(ctx context.Context, tx *Tx, rows Selection, args ...any) error
	// Ask runs a query, whose rows into has once Answered returns. An engine may send it, like Later, with the next
	// statement.
	Ask(ctx context.Context, tx *Tx, into Sink, text string, args ...any) error
	// Answered returns once all queries of Ask are answered.
	Answered(ctx context.Context, tx *Tx) error
	// Lock waits for other transactions that lock the same number.
	Lock(ctx context.Context, tx *Tx, number int64) error
	// DropCounts deletes scopes that are never read again.
	DropCounts(ctx context.Context, tx *Tx, scopes ...pages.Scope) error
	// ApplySearch writes the changes of search indexes that tx has recorded so far.
	ApplySearch(ctx context.Context, tx *Tx) error
	// Placeholder returns the n-th parameter of a statement, from 1.
	Placeholder(n int) string
	// Fill inserts rows until next returns nil, in the fastest way.
	Fill(ctx context.Context, tx *Tx, table string, columns []string, next func() ([]any, error)) error
	// BeginImport prepares tx for adding many rows beside other transactions. It waits for other imports.
	BeginImport(ctx context.Context, tx *Tx) error
	// BeginFill prepares tx for filling tables. The returned function ends that.
	BeginFill(ctx context.Context, tx *Tx, tables []string) (end func(context.Context) error, err error)
	// NumberOn makes the database number the next row of a table after the last one.
	NumberOn(ctx context.Context, tx *Tx, table, column string) error
}

// Reader reads lists and single rows.
type Reader interface {
	// Page passes to into up to limit rows of a list that v may see, from start on, in the list's order.
	Page(ctx context.Context, v studycircle.Viewer, l *List, args []any, start pages.Start, limit int64, into Sink) error
	// Find passes to into the rows with one of the keys that v may see, in any order.
	Find(ctx context.Context, v studycircle.Viewer, l *Lookup, keys []any, into Sink) error
	// AskAll answers questions. It may answer some that come after one that fails.
	AskAll(ctx context.Context, all []Question) error
}

// Searcher is full-text search.
type Searcher interface {
	// Search returns the positions of a page of matches, those in the title first and the highest position first, and
	// the number of matches, up to MaxMatches.
	Search(ctx context.Context, m Match, p studycircle.Page) (places []int64, total int64, err error)
}

// MaxMatches bounds the matches that one search counts and pages through: beyond it the total reads MaxMatches.
// Without a bound, a word in half of all documents would cost a walk over half of the index.
const MaxMatches = 10_000

// EventLog stores events in an order of which no reader misses any.
type EventLog interface {
	// ReadEvents returns the first rows after one position and up to another, "" for the present, at most EventRows,
	// and the present position.
	ReadEvents(ctx context.Context, since, until string) (EventPage, error)
	// Listen calls notify after a commit with events on any node, until ctx ends.
	Listen(ctx context.Context, notify func())
	// EventCutoff returns the time before which rows are trimmed, by the database's clock: keep ago, or only `rows`
	// rows back. It also returns whether there are such rows.
	EventCutoff(ctx context.Context, keep time.Duration, rows int64) (cutoff int64, found bool, err error)
	// TrimEvents removes up to a thousand rows from before cutoff, in microseconds, records the last, and returns
	// their number.
	TrimEvents(ctx context.Context, tx *Tx, cutoff int64) (int64, error)
}

// EventRows is the number of event rows read at once.
const EventRows = 500

// EventPage is the result of one read of the events.
type EventPage struct {
	Epoch   string // of the history
	Present string // the present position
	Gone    bool   // the position is unknown or expired
	Rows    []EventRow
}

// EventRow is the events of one transaction.
type EventRow struct {
	Key     string // its own number
	After   string // the position after it
	Changes string
}

// Transfer is the part of an engine that copies whole databases.
type Transfer interface {
	// Snapshot returns a connection that sees one moment of the database until end is called.
	Snapshot(ctx context.Context) (conn *sql.Conn, end func() error, err error)
	// AnalyzeSteps returns how often Analyze of tables calls its step.
	AnalyzeSteps(tables []string) int
	// Analyze updates the database's statistics after a large import.
	Analyze(ctx context.Context, tables []string, step func()) error
}
