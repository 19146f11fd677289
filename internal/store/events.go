package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/store/engine"
)

// Events: a transaction that changes data adds a row about it; a listener reads on from its cursor.
//
// A transaction (on SQLite a group of them) adds one row with all its changes. The position of a row is chosen so
// that a reader who goes on from a cursor misses no event and gets none twice, without making writers wait for each
// other: see the engines.

// Events are kept for an hour, and up to this number of rows.
const (
	keepEvents    = time.Hour
	keepEventRows = 200_000
)

// eventToken is a cursor: all rows before position have been passed, and of some rows after it the first events.
type eventToken struct {
	epoch, position string
	begun           []begunRow
}

// begunRow is a row of which the first `passed` events have been passed.
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

// maxToken bounds the length of a token, in bytes; a snapshot names every transaction that was running.
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

// take passes the next row and returns its events that were not passed before, each with the cursor after it.
func (t *eventToken) take(r engine.EventRow) []studycircle.PlacedEvent {
	passed := 0
	others := make([]begunRow, 0, len(t.begun))
	for _, begun := range t.begun {
		if begun.key == r.Key {
			passed = begun.passed
		} else {
			others = append(others, begun)
		}
	}
	after := eventToken{epoch: t.epoch, position: r.After, begun: others}
	events := engine.ParseEvents(r.Changes)
	var out []studycircle.PlacedEvent
	for i := passed; i < len(events); i++ {
		token := after
		if i+1 < len(events) {
			token = eventToken{epoch: t.epoch, position: t.position, begun: append(slices.Clone(others), begunRow{r.Key, i + 1})}
		}
		out = append(out, studycircle.PlacedEvent{Event: events[i], Token: token.String()})
	}
	*t = after
	return out
}

// News returns the events between a token and another, "" for the present, some hundred at most. until must not be
// older than since. A since of "" gives no events.
func (s *Store) News(ctx context.Context, since, until string) (_ studycircle.News, err error) {
	defer s.operation(&err, "Store.News")
	from, known := parseEventToken(since)
	to, bounded := parseEventToken(until)
	page, err := s.engine.ReadEvents(ctx, from.position, to.position)
	if err != nil {
		return studycircle.News{}, err
	}
	present := eventToken{epoch: page.Epoch, position: page.Present}
	if since == "" {
		return studycircle.News{Now: present.String()}, nil
	}
	if !known || page.Gone || from.epoch != page.Epoch || (bounded && to.epoch != page.Epoch) {
		return studycircle.News{Now: present.String(), Gone: true}, nil
	}
	var news studycircle.News
	for _, r := range page.Rows {
		news.Events = append(news.Events, from.take(r)...)
	}
	switch {
	case len(page.Rows) == engine.EventRows:
		news.More, news.Now = true, from.String()
	case bounded:
		news.Now = to.String()
	default:
		news.Now = present.String()
	}
	return news, nil
}

// OnNews calls notify soon after a commit on any node, until ctx ends. On a bad network the call may be late or
// missing, so listeners also poll. One caller at a time.
func (s *Store) OnNews(ctx context.Context, notify func()) { s.engine.Listen(ctx, notify) }

// TrimEvents removes events older than keep, and all but about the last `rows` rows, a thousand in each transaction.
// It writes nothing if there is nothing to remove.
func (s *Store) TrimEvents(ctx context.Context, keep time.Duration, rows int64) (err error) {
	defer s.operation(&err, "Store.TrimEvents")
	for {
		cutoff, found, err := s.engine.EventCutoff(ctx, keep, rows)
		if err != nil || !found {
			return err
		}
		var n int64
		err = s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *Tx) error {
			n, err = s.engine.TrimEvents(ctx, tx.Tx, cutoff)
			return err
		})
		if err != nil || n == 0 {
			return err
		}
	}
}

// openEventLog gives a new database its epoch.
func (s *Store) openEventLog(ctx context.Context) error {
	epoch, err := s.engine.Queries().GetEventEpoch(ctx)
	if err == nil && epoch != "" {
		return nil
	}
	return s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *Tx) error {
		return tx.Queries.PutEventLogIfAbsent(ctx, studycircle.NewSecret()[:12])
	})
}
