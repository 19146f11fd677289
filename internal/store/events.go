package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"studycircle"
)

// Events: who changes something writes down, in the same transaction, that it
// has changed; whoever listens reads on from the place up to which they know.
//
// A transaction (on SQLite a group of them) adds one row with all its changes.
// The place of a row is chosen so that a reader who goes on from a place misses
// none and gets none twice, without any writer waiting for another: see
// events_sqlite.go and events_postgres.go.

// maxAnnounced is how many changes of one transaction are told one by one; who
// makes more has everybody look anew.
const maxAnnounced = 100

// newsRows is how many rows of events are read at once.
const newsRows = 500

// How long events are kept: an hour, and not more rows than that.
const (
	keepEvents     = time.Hour
	keepEventRows  = 200_000
	trimEventsTick = time.Minute
)

// announce notes what tx changes, for those who listen.
func (tx *Tx) announce(events ...studycircle.Event) {
	if tx.reset {
		return
	}
	tx.events = append(tx.events, events...)
	if len(tx.events) > maxAnnounced {
		tx.AnnounceReset()
	}
}

// AnnounceReset tells those who listen, in place of everything that tx changes,
// that anything may have changed.
func (tx *Tx) AnnounceReset() {
	tx.events = []studycircle.Event{{Kind: studycircle.EventsReset, Audience: studycircle.Everybody}}
	tx.reset = true
}

// announceAssignment tells everybody of a change of an assignment.
func (tx *Tx) announceAssignment(kind studycircle.EventKind, id string) {
	tx.announce(studycircle.Event{Kind: kind, ID: id, Audience: studycircle.Everybody})
}

// announceSubmission tells all users of a change of the pending list, and the
// submitter, where there is one, of a change of their own list.
func (tx *Tx) announceSubmission(kind studycircle.EventKind, id, submitterID string) {
	tx.announce(studycircle.Event{Kind: kind, ID: id, Audience: studycircle.AllUsers})
	if submitterID != "" {
		tx.announce(studycircle.Event{Kind: studycircle.OwnSubmission, ID: id, Audience: studycircle.Audience(submitterID)})
	}
}

// changesOf writes events one a line: kind, id and audience, of which none has a
// blank. An event without an id has noID.
func changesOf(events []studycircle.Event) string {
	var b strings.Builder
	for _, e := range events {
		id := e.ID
		if id == "" {
			id = noID
		}
		b.WriteString(string(e.Kind) + " " + id + " " + string(e.Audience) + "\n")
	}
	return b.String()
}

// noID is no id.
const noID = "."

func eventsOf(changes string) []studycircle.Event {
	var events []studycircle.Event
	for line := range strings.Lines(changes) {
		f := strings.Fields(line)
		if len(f) != 3 {
			continue
		}
		if f[1] == noID {
			f[1] = ""
		}
		events = append(events, studycircle.Event{
			Kind: studycircle.EventKind(f[0]), ID: f[1], Audience: studycircle.Audience(f[2]),
		})
	}
	return events
}

// eventPage is what an engine reads in one statement.
type eventPage struct {
	epoch   string // of the history
	present string // the place of now
	gone    bool   // the place asked from is not of this history, or too long ago
	rows    []eventRow
}

type eventRow struct {
	key     string // its own number
	after   string // the place after it
	changes string
}

// eventToken is a place between two events: what is before position is passed,
// and of some rows after it the first events.
type eventToken struct {
	epoch, position string
	begun           []begunRow
}

// begunRow is a row of which the first `passed` events are known.
type begunRow struct {
	key    string
	passed int
}

func (t eventToken) String() string {
	parts := []string{t.epoch, t.position}
	for _, r := range t.begun {
		parts = append(parts, r.key, strconv.Itoa(r.passed))
	}
	return strings.Join(parts, "/")
}

// maxToken bounds what is taken for a token, in bytes; a snapshot names every
// transaction that was under way.
const maxToken = 8 << 10

func parseEventToken(text string) (t eventToken, ok bool) {
	f := strings.Split(text, "/")
	if len(text) > maxToken || len(f)%2 != 0 || slices.Contains(f, "") {
		return t, false
	}
	t = eventToken{epoch: f[0], position: f[1]}
	for r := range slices.Chunk(f[2:], 2) {
		n, err := strconv.ParseUint(r[1], 10, 31)
		if err != nil {
			return t, false
		}
		t.begun = append(t.begun, begunRow{r[0], int(n)})
	}
	return t, true
}

// take passes the next row and returns its events that were not passed before,
// each with the place after it.
func (t *eventToken) take(r eventRow) []studycircle.PlacedEvent {
	passed := 0
	others := make([]begunRow, 0, len(t.begun))
	for _, begun := range t.begun {
		if begun.key == r.key {
			passed = begun.passed
		} else {
			others = append(others, begun)
		}
	}
	after := eventToken{epoch: t.epoch, position: r.after, begun: others}
	events := eventsOf(r.changes)
	var out []studycircle.PlacedEvent
	for i := passed; i < len(events); i++ {
		token := after
		if i+1 < len(events) {
			token = eventToken{epoch: t.epoch, position: t.position, begun: append(slices.Clone(others), begunRow{r.key, i + 1})}
		}
		out = append(out, studycircle.PlacedEvent{Event: events[i], Token: token.String()})
	}
	*t = after
	return out
}

// News returns what has happened since a token and up to another, "" for the
// present, some hundred events at most. until must not be of an earlier time
// than since. Since "" nothing has happened.
func (s *Store) News(ctx context.Context, since, until string) (studycircle.News, error) {
	from, known := parseEventToken(since)
	to, bounded := parseEventToken(until)
	page, err := s.log.read(ctx, from.position, to.position)
	if err != nil {
		return studycircle.News{}, classify(err)
	}
	present := eventToken{epoch: page.epoch, position: page.present}
	if since == "" {
		return studycircle.News{Now: present.String()}, nil
	}
	if !known || page.gone || from.epoch != page.epoch || (bounded && to.epoch != page.epoch) {
		return studycircle.News{Now: present.String(), Gone: true}, nil
	}
	var news studycircle.News
	for _, r := range page.rows {
		news.Events = append(news.Events, from.take(r)...)
	}
	switch {
	case len(page.rows) == newsRows:
		news.More, news.Now = true, from.String()
	case bounded:
		news.Now = to.String()
	default:
		news.Now = present.String()
	}
	return news, nil
}

// OnNews calls heard soon after something was committed on any node, until ctx
// ends. It may be late or silent when the network is bad: who listens asks now
// and then anyway. One caller at a time.
func (s *Store) OnNews(ctx context.Context, heard func()) { s.log.listen(ctx, heard) }

// eventLog is what the engines do differently.
type eventLog interface {
	// read returns the first rows after one position and up to another, "" for
	// the present, and what the present is.
	read(ctx context.Context, since, until string) (eventPage, error)
	// wake tells all nodes that there is something to read.
	wake()
	// listen calls heard after somebody's wake, until ctx ends.
	listen(ctx context.Context, heard func())
	// trim removes up to a thousand rows from before cutoff, in microseconds, and
	// remembers the last; it returns how many.
	trim(ctx context.Context, tx *Tx, cutoff int64) (int64, error)
	// cutoff returns the time before which rows go, by the database's clock: keep
	// ago or only `rows` rows back, and whether there are such rows.
	cutoff(ctx context.Context, keep time.Duration, rows int64) (cutoff int64, found bool, err error)
	close() error
}

// trimEvents removes old events until ctx ends. Any number of nodes may do so.
func (s *Store) trimEvents(ctx context.Context) {
	every(ctx, trimEventsTick, "old events are kept", func(ctx context.Context) error {
		return s.TrimEvents(ctx, keepEvents, keepEventRows)
	})
}

// TrimEvents removes events that are older than keep, and all but about the last
// `rows` rows, a thousand a transaction. It writes nothing where there is
// nothing to remove.
func (s *Store) TrimEvents(ctx context.Context, keep time.Duration, rows int64) error {
	for {
		cutoff, found, err := s.log.cutoff(ctx, keep, rows)
		if err != nil || !found {
			return classify(err)
		}
		var n int64
		err = s.Write(ctx, func(ctx context.Context, tx *Tx) error {
			n, err = s.log.trim(ctx, tx, cutoff)
			return err
		})
		if err != nil || n == 0 {
			return err
		}
	}
}

// openEventLog gives a new database its epoch.
func (s *Store) openEventLog(ctx context.Context) error {
	epoch, err := s.query.GetEventEpoch(ctx)
	if err == nil && epoch != "" {
		return nil
	}
	return s.Write(ctx, func(ctx context.Context, tx *Tx) error {
		return tx.query.PutEventLogIfAbsent(ctx, studycircle.NewSecret()[:12])
	})
}
