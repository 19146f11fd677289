package engine

import (
	"context"
	"database/sql"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/pages"
)

// Tx is one write transaction, used by one goroutine.
type Tx struct {
	Effects
	Queries *db.Queries
	DB      db.DBTX // the connection of Queries, which parses a text once
	// Later runs statements whose results no caller needs.
	Later  Later
	Engine TxEngine
	// Native is the engine's own form of the transaction, which only its job queue uses.
	Native any
}

// Later runs statements that return nothing and fail only if the whole transaction does. An engine may send them, in
// their order, with the next statement that returns something, at the latest with the commit; their errors are then
// the transaction's.
type Later struct {
	*db.Queries
	DB db.DBTX // the connection of Queries
}

// Find passes to into the row with a key that v may see, as of the transaction.
func (tx *Tx) Find(ctx context.Context, v studycircle.Viewer, l *Lookup, key any, into Sink) error {
	if err := tx.Engine.Ask(ctx, tx, into, l.SQL(v.Role()), l.Args(v, key)...); err != nil {
		return err
	}
	return tx.Engine.Answered(ctx, tx)
}

// FindAll gives to into the rows with one of the keys that v may see, in any order, as of
// the transaction.
func (tx *Tx) FindAll(ctx context.Context, v studycircle.Viewer, l *Lookup, keys []any, into Sink) error {
	return l.findAll(
		v, keys, into, func(text string, args []any) (*sql.Rows, error) { return tx.DB.QueryContext(ctx, text, args...) },
	)
}

// Effects are the changes that a transaction collects and makes before it commits. Together they cost far less than
// one by one: all rows of a block are one change of its count, and a full-text index is written once for all
// documents.
type Effects struct {
	Counts pages.Counts
	// Figures are summed up and not paged; an engine stores only tier 0 of them.
	Figures pages.Sums
	Search  []Change
	Events  []studycircle.Event
	// Notices are stored by the transaction and delivered to inboxes later, so that no transaction waits for another
	// user's inbox.
	Notices []studycircle.Notice
	// Links are checked later, by any node.
	Links []LinkToLookAt

	reset bool // Events contains a reset, which covers all others
}

// MaxAnnounced is the most changes that a transaction announces one by one; a transaction with more announces a
// reset.
const MaxAnnounced = 200

// Count adds n to the rows at a position of a scope.
func (e *Effects) Count(s pages.Scope, position, n int64) {
	if e.Counts == nil {
		e.Counts = pages.Counts{}
	}
	e.Counts.Add(s, position, n)
}

// Figure adds n rows with a sum of total to a block of a figure.
func (e *Effects) Figure(s pages.Scope, block, n, total int64) {
	if e.Figures == nil {
		e.Figures = pages.Sums{}
	}
	e.Figures.Add(pages.Key{Scope: s, Block: block}, pages.Sum{N: n, Total: total})
}

// Announce adds events for listeners.
func (e *Effects) Announce(events ...studycircle.Event) {
	if e.reset {
		return
	}
	e.Events = append(e.Events, events...)
	if len(e.Events) > MaxAnnounced {
		e.AnnounceReset()
	}
}

// Notify adds notices, except those to their own actor.
func (e *Effects) Notify(notices ...studycircle.Notice) {
	for _, n := range notices {
		if !n.Wanted() {
			continue
		}
		e.Notices = append(e.Notices, n)
		e.Announce(studycircle.Event{Kind: studycircle.NotificationsChanged, Audience: studycircle.Audience(n.UserID)})
	}
}

// LinkToLookAt is a submission with a new link.
type LinkToLookAt struct {
	SubmissionID string
	At           time.Time // since when; links are checked in this order
}

// LookAtLink schedules a check of a submission's link, new at a time.
func (e *Effects) LookAtLink(submissionID string, at time.Time) {
	e.Links = append(e.Links, LinkToLookAt{submissionID, at})
}

// AnnounceReset announces that anything may have changed, in place of all other events.
func (e *Effects) AnnounceReset() {
	e.Events = []studycircle.Event{{Kind: studycircle.EventsReset, Audience: studycircle.Everybody}}
	e.reset = true
}

// AnnounceResetIn announces to those who may see a place that anything in it may have changed.
func (e *Effects) AnnounceResetIn(circleID string) {
	if circleID == "" {
		e.AnnounceReset()
		return
	}
	e.Announce(studycircle.Event{Kind: studycircle.EventsReset, Audience: studycircle.Everybody.In(circleID)})
}

// Take appends the effects of another transaction.
func (e *Effects) Take(later Effects) {
	if e.Counts == nil {
		e.Counts = pages.Counts{}
	}
	for k, n := range later.Counts {
		e.Counts[k] += n
	}
	for k, change := range later.Figures {
		e.Figure(k.Scope, k.Block, change.N, change.Total)
	}
	e.Search = append(e.Search, later.Search...)
	e.Events = append(e.Events, later.Events...)
	e.Notices = append(e.Notices, later.Notices...)
	e.Links = append(e.Links, later.Links...)
}

// MaxChanges bounds the changes that a long transaction keeps in memory.
const MaxChanges = 4096

// Index records a change of a search index.
func (tx *Tx) Index(ctx context.Context, c Change) error {
	tx.Search = append(tx.Search, c)
	if len(tx.Search) < MaxChanges {
		return nil
	}
	return tx.Engine.ApplySearch(ctx, tx)
}
