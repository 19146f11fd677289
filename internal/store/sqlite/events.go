package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"math"
	"strconv"
	"time"

	"studycircle/internal/store/engine"
)

// Events are read by number: commits are sequential, so a higher number was committed later.

const selectEvents = `
SELECT l.epoch, l.floor, COALESCE((SELECT q.seq FROM sqlite_sequence q WHERE q.name = 'events'), 0), e.place, e.changes
FROM event_log l LEFT JOIN (
    SELECT place, changes FROM events WHERE place > ? AND place <= ? ORDER BY place LIMIT ?
) e ON TRUE
ORDER BY e.place`

// ReadEvents implements engine.EventLog.
func (d *DB) ReadEvents(ctx context.Context, since, until string) (page engine.EventPage, err error) {
	from, wrong := strconv.ParseInt(since, 10, 64)
	limit := engine.EventRows
	if wrong != nil {
		limit = 0
	}
	to, err := strconv.ParseInt(until, 10, 64)
	if err != nil {
		to = math.MaxInt64
	}
	rows, err := d.reads.QueryContext(ctx, selectEvents, from, to, limit)
	if err != nil {
		return page, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var floor, last int64
	for rows.Next() {
		var place sql.NullInt64
		var changes sql.NullString
		if err := rows.Scan(&page.Epoch, &floor, &last, &place, &changes); err != nil {
			return page, err
		}
		if place.Valid {
			at := strconv.FormatInt(place.Int64, 10)
			page.Rows = append(page.Rows, engine.EventRow{Key: at, After: at, Changes: changes.String})
		}
	}
	page.Present = strconv.FormatInt(last, 10)
	page.Gone = wrong != nil || from < floor || from > last
	return page, rows.Err()
}

func (d *DB) wake() {
	select {
	case d.woken <- struct{}{}:
	default: // the pending wake-up covers it
	}
}

// Listen implements engine.EventLog.
func (d *DB) Listen(ctx context.Context, notify func()) {
	for {
		select {
		case <-d.woken:
			notify()
		case <-ctx.Done():
			return
		}
	}
}

// EventCutoff implements engine.EventLog.
func (d *DB) EventCutoff(ctx context.Context, keep time.Duration, rows int64) (cutoff int64, found bool, err error) {
	err = d.reads.QueryRowContext(ctx, `
SELECT c.cutoff, EXISTS (SELECT 1 FROM events e WHERE e.created_at < c.cutoff) FROM (
    SELECT MAX(unixepoch() * 1000000 - ?,
        COALESCE((SELECT created_at FROM events ORDER BY place DESC LIMIT 1 OFFSET ?), 0)) AS cutoff
) c`, keep.Microseconds(), rows).Scan(&cutoff, &found)
	return cutoff, found, err
}

// TrimEvents implements engine.EventLog.
func (*DB) TrimEvents(ctx context.Context, tx *engine.Tx, cutoff int64) (int64, error) {
	// Without RETURNING: the writer's one connection must not keep a cursor open.
	_, err := tx.DB.ExecContext(ctx, `
UPDATE event_log SET floor = MAX(floor, COALESCE((SELECT MAX(place) FROM (
    SELECT place FROM events WHERE created_at < ? ORDER BY place LIMIT 1000)), 0))`, cutoff)
	if err != nil {
		return 0, err
	}
	result, err := tx.DB.ExecContext(ctx, `
DELETE FROM events WHERE place IN (SELECT place FROM events WHERE created_at < ? ORDER BY place LIMIT 1000)`, cutoff)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}
