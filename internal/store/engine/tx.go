package engine

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/pages"
)

// Tx is one transaction that writes. It is used by one goroutine.
type Tx struct {
	Effects
	Queries *db.Queries
	DB      db.DBTX // what Queries runs on
	// Later are statements whose results no caller waits for.
	Later  Later
	Engine TxEngine
	// Flush sends what Later has not sent yet; nil if it keeps nothing back.
	Flush func(context.Context) error
	// Native is the engine's own view of the transaction, which its job queue and
	// nothing else uses.
	Native any

	prepared map[string]*sql.Stmt
}

// Later runs statements that return nothing and fail only where the whole transaction
// does. An engine may send them with the next one that is waited for, at the latest
// with the commit, in their order; their errors are then the transaction's.
type Later struct {
	*db.Queries
	DB db.DBTX // what Queries runs on
}

// Classify is Classify of the engine's errors.
func (tx *Tx) Classify(err error) error { return Classify(tx.Engine, err) }

// Prepare returns a statement that is parsed once for this transaction, to be run
// before anything else is done.
func (tx *Tx) Prepare(ctx context.Context, text string) (*sql.Stmt, error) {
	if tx.Flush != nil { // what is prepared is run past DB
		if err := tx.Flush(ctx); err != nil {
			return nil, err
		}
	}
	if statement := tx.prepared[text]; statement != nil {
		return statement, nil
	}
	statement, err := tx.DB.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	if tx.prepared == nil {
		tx.prepared = map[string]*sql.Stmt{}
	}
	tx.prepared[text] = statement // closed by End
	return statement, nil
}

// End closes what Prepare has made.
func (tx *Tx) End() (err error) {
	for _, statement := range tx.prepared {
		err = errors.Join(err, statement.Close())
	}
	tx.prepared = nil
	return err
}

// Find gives to into the row with a key that v may see, as of the transaction.
func (tx *Tx) Find(ctx context.Context, v studycircle.Viewer, l *Lookup, key any, into Sink) error {
	return Select(ctx, tx.DB, into, l.SQL(v.Role()), l.Args(v, key)...)
}

// Effects is what a transaction leaves to do before it commits. Done together
// they cost far less than one by one: all rows of a block are one change of its
// count, and a full-text index is written once for all documents.
type Effects struct {
	Counts pages.Counts
	// Figures are summed up and not paged; an engine keeps tier 0 of them alone.
	Figures pages.Sums
	Search  []Change
	Events  []studycircle.Event
	// Notices are put down by the transaction, and into inboxes later: so nobody
	// waits for anybody else's inbox.
	Notices []studycircle.Notice
	// Links are looked at later, by whichever node comes first.
	Links []LinkToLookAt

	reset bool // Events says so already; more need not be said
	// recounted says that counts were changed in other ways, too.
	recounted bool
}

// MaxAnnounced is how many changes of one transaction are told one by one; who
// makes more has everybody look anew.
const MaxAnnounced = 200

// Count notes that n rows more lie at a position of a scope.
func (e *Effects) Count(s pages.Scope, position, n int64) {
	if e.Counts == nil {
		e.Counts = pages.Counts{}
	}
	e.Counts.Add(s, position, n)
}

// Figure states that n more rows are counted at a block of a figure, and that they add
// up to total.
func (e *Effects) Figure(s pages.Scope, block, n, total int64) {
	if e.Figures == nil {
		e.Figures = pages.Sums{}
	}
	e.Figures.Add(pages.Key{Scope: s, Block: block}, pages.Sum{N: n, Total: total})
}

// Announce notes what changes, for those who listen.
func (e *Effects) Announce(events ...studycircle.Event) {
	if e.reset {
		return
	}
	e.Events = append(e.Events, events...)
	if len(e.Events) > MaxAnnounced {
		e.AnnounceReset()
	}
}

// Notify has people told of something, but for whoever caused it.
func (e *Effects) Notify(notices ...studycircle.Notice) {
	for _, n := range notices {
		if !n.Wanted() {
			continue
		}
		e.Notices = append(e.Notices, n)
		e.Announce(studycircle.Event{Kind: studycircle.NotificationsChanged, Audience: studycircle.Audience(n.UserID)})
	}
}

// LinkToLookAt is of a submission whose link is new.
type LinkToLookAt struct {
	SubmissionID string
	At           time.Time // since when it is, by which those that wait are ordered
}

// LookAtLink has a submission's link looked at, new at a time.
func (e *Effects) LookAtLink(submissionID string, at time.Time) {
	e.Links = append(e.Links, LinkToLookAt{submissionID, at})
}

// AnnounceReset tells those who listen, in place of everything that changes, that
// anything may have changed.
func (e *Effects) AnnounceReset() {
	e.Events = []studycircle.Event{{Kind: studycircle.EventsReset, Audience: studycircle.Everybody}}
	e.reset = true
}

// Recounted says that counts were changed in other ways than by Count.
func (e *Effects) Recounted() { e.recounted = true }

// CountedOnly reports whether counts, and the positions of rows, changed by Count
// and in no other way. What changed none may have changed them by SQL of its own.
func (e *Effects) CountedOnly() bool { return len(e.Counts) > 0 && !e.recounted }

// Take takes over what another transaction leaves to do, after one's own.
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

// MaxChanges bounds what a long transaction keeps in memory.
const MaxChanges = 4096

// Index notes a change of a search index.
func (tx *Tx) Index(ctx context.Context, c Change) error {
	tx.Search = append(tx.Search, c)
	if len(tx.Search) < MaxChanges {
		return nil
	}
	return tx.Engine.ApplySearch(ctx, tx)
}
