package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"studycircle/internal/store/engine"
)

// events reads the events that a reader has not seen. Transactions end in another order than they begin, so no number
// assigned while writing tells the order of commits. A cursor is therefore a snapshot: the transactions that had
// ended. News are the rows of all transactions that a later snapshot sees and the earlier one did not.
//
// After a standby is promoted, it may reuse the numbers of transactions that ended on the old primary and did not
// reach it. The timeline's number is part of the epoch, so that readers then fetch everything again.
type events struct {
	config pgx.ConnConfig
	// own has connections that requests do not use. They commit only NOTIFY, which need not reach the disk.
	own   *sql.DB
	woken chan struct{}
	stop  context.CancelFunc
	done  chan struct{}
}

// channel is the channel by which nodes notify each other.
const channel = "studycircle_events"

// notifyEvery bounds how often a node notifies: concurrent commits with NOTIFY wait for one lock of PostgreSQL's.
const notifyEvery = 40 * time.Millisecond

func newEvents(ctx context.Context, config pgx.ConnConfig) *events {
	own := *config.Copy()
	if own.RuntimeParams == nil {
		own.RuntimeParams = map[string]string{}
	}
	own.RuntimeParams["synchronous_commit"] = "off"
	p := &events{config: config, own: stdlib.OpenDB(own), woken: make(chan struct{}, 1), done: make(chan struct{})}
	p.own.SetMaxOpenConns(2)
	p.own.SetConnMaxIdleTime(5 * time.Minute)
	background, stop := context.WithCancel(context.WithoutCancel(ctx))
	p.stop = stop
	go p.notify(background)
	return p
}

// foreignPlaces selects places of transactions that are still to come in this cluster: those of another one, of which
// the database is a dump. The floor stays when all events are removed.
const foreignPlaces = `(SELECT place FROM events WHERE place >= pg_snapshot_xmax(pg_current_snapshot())
	UNION ALL SELECT floor FROM event_log WHERE floor >= pg_snapshot_xmax(pg_current_snapshot()))`

// forgetForeignEvents begins another history in a database that is a dump of another cluster: its places are those of
// events that are still to come here. A read-only database is left as it is unless it is such a dump.
func forgetForeignEvents(ctx context.Context, pool *sql.DB) error {
	var foreign bool
	err := pool.QueryRowContext(ctx, "SELECT EXISTS "+foreignPlaces).Scan(&foreign)
	if err == nil && foreign {
		_, err = pool.ExecContext(ctx, "WITH forgotten AS (DELETE FROM events WHERE EXISTS "+foreignPlaces+
			") DELETE FROM event_log WHERE EXISTS "+foreignPlaces)
	}
	if err != nil {
		return fmt.Errorf("look for events of another cluster: %w", err)
	}
	return nil
}

const selectEvents = `
SELECT l.epoch || '.' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8),
	l.floor::text, pg_current_snapshot()::text, e.place::text, e.changes
FROM event_log l LEFT JOIN (
    SELECT place, changes FROM events
    WHERE place >= pg_snapshot_xmin($1::text::pg_snapshot) AND NOT pg_visible_in_snapshot(place, $1::text::pg_snapshot)
        AND ($2::text IS NULL OR pg_visible_in_snapshot(place, $2::text::pg_snapshot))
    ORDER BY place LIMIT $3
) e ON TRUE
ORDER BY e.place`

// ReadEvents implements engine.EventLog.
func (d *DB) ReadEvents(ctx context.Context, since, until string) (page engine.EventPage, err error) {
	from, known := parseSnapshot(since)
	to, bounded := parseSnapshot(until)
	rows, err := d.events.own.QueryContext(ctx, selectEvents,
		sql.NullString{String: from.String(), Valid: known}, sql.NullString{String: to.String(), Valid: bounded},
		engine.EventRows)
	if err != nil {
		return page, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var floorText, nowText string
	var places []uint64
	for rows.Next() {
		var place, changes sql.NullString
		if err := rows.Scan(&page.Epoch, &floorText, &nowText, &place, &changes); err != nil {
			return page, err
		}
		if place.Valid {
			n, err := strconv.ParseUint(place.String, 10, 64)
			if err != nil {
				return page, fmt.Errorf("read the place of an event: %w", err)
			}
			places = append(places, n)
			page.Rows = append(page.Rows, engine.EventRow{Key: place.String, Changes: changes.String})
		}
	}
	if err := rows.Err(); err != nil {
		return page, err
	}
	now, ok := parseSnapshot(nowText)
	floor, err := strconv.ParseUint(floorText, 10, 64)
	if !ok || err != nil {
		return page, errors.New("PostgreSQL's snapshot cannot be read")
	}
	page.Present = now.String()
	page.Gone = !known || from.max > now.max || from.misses(floor, now, places)
	if !bounded {
		to = now
	}
	for i, place := range places {
		page.Rows[i].After = from.upTo(place, to).String()
	}
	return page, nil
}

func (p *events) wake() {
	select {
	case p.woken <- struct{}{}:
	default: // the waiting notification covers it
	}
}

// notify notifies all nodes, this one included, of a commit: at once, and then not again for a while.
func (p *events) notify(ctx context.Context) {
	defer close(p.done)
	for {
		select {
		case <-ctx.Done():
			return
		case <-p.woken:
		}
		short, cancel := context.WithTimeout(ctx, 5*time.Second)
		if _, err := p.own.ExecContext(short, "NOTIFY "+channel); err != nil && ctx.Err() == nil {
			slog.DebugContext(ctx, "notifying other nodes failed; they poll", "error", err)
		}
		cancel()
		if !pause(ctx, notifyEvery) {
			return
		}
	}
}

// Listen implements engine.EventLog.
func (d *DB) Listen(ctx context.Context, notify func()) { d.events.listen(ctx, notify) }

// listen keeps one connection for notifications.
func (p *events) listen(ctx context.Context, notify func()) {
	for wait := 100 * time.Millisecond; ; {
		began := time.Now()
		err := p.listenOnce(ctx, notify)
		if ctx.Err() != nil {
			return
		}
		slog.WarnContext(ctx, "listening for events failed; polling meanwhile", "error", err)
		if time.Since(began) > time.Minute {
			wait = 100 * time.Millisecond
		}
		if !pause(ctx, wait/2+rand.N(wait)) { //nolint:gosec // spreads load, keeps no secret
			return
		}
		wait = min(2*wait, 5*time.Second)
	}
}

func (p *events) listenOnce(ctx context.Context, notify func()) error {
	conn, err := pgx.ConnectConfig(ctx, p.config.Copy())
	if err != nil {
		return err
	}
	defer func() {
		short, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
		defer cancel()
		_ = conn.Close(short) // it holds no data
	}()
	if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
		return err
	}
	notify() // for events before it listened
	for {
		if _, err := conn.WaitForNotification(ctx); err != nil {
			return err
		}
		notify()
	}
}

// pause waits; it returns false if ctx ended meanwhile.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// EventCutoff implements engine.EventLog.
func (d *DB) EventCutoff(ctx context.Context, keep time.Duration, rows int64) (cutoff int64, found bool, err error) {
	err = d.events.own.QueryRowContext(ctx, `
SELECT c.cutoff, EXISTS (SELECT 1 FROM events e WHERE e.created_at < c.cutoff) FROM (
    SELECT GREATEST((EXTRACT(EPOCH FROM clock_timestamp()) * 1000000)::BIGINT - $1::BIGINT,
        COALESCE((SELECT created_at FROM events ORDER BY place DESC LIMIT 1 OFFSET $2::BIGINT), 0)) AS cutoff
) c`, keep.Microseconds(), rows).Scan(&cutoff, &found)
	return cutoff, found, err
}

// TrimEvents implements engine.EventLog.
func (*DB) TrimEvents(ctx context.Context, tx *engine.Tx, cutoff int64) (n int64, err error) {
	err = tx.DB.QueryRowContext(ctx, `
WITH removed AS (
    DELETE FROM events WHERE place IN (
        SELECT place FROM events WHERE created_at < $1 ORDER BY place LIMIT 1000 FOR UPDATE SKIP LOCKED
    ) RETURNING place
), remembered AS (
    UPDATE event_log SET floor = GREATEST(floor, (SELECT place FROM removed ORDER BY place DESC LIMIT 1))
    WHERE EXISTS (SELECT 1 FROM removed)
)
SELECT COUNT(*) FROM removed`, cutoff).Scan(&n)
	return n, err
}

func (p *events) close() error {
	p.stop()
	<-p.done
	return p.own.Close()
}
