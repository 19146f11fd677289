package postgres

import (
	"github.com/jackc/pgx/v5"

	"studycircle/internal/limit"
	"studycircle/internal/store/engine"
)

// batchLimits are the limits of a batch's requests, by the keys of their rows.
type batchLimits struct {
	seen map[string]limit.Log // as committed
	// mine are those whose rows the batch has locked, with its own uses. asked adds the uses of requests that may
	// still fail.
	mine   map[string]limit.Log
	asked  map[string]limit.Log
	counts map[string]limit.Use // the last counted use of each
}

func nameOf(u limit.Use) string { return engine.LimitName(u.Window, u.Subject) }

// read queues the reads that refuse decides by.
func (l *batchLimits) read(batch *pgx.Batch, uses []limit.Use) {
	l.seen = map[string]limit.Log{}
	if names, _ := namesOf(uses, nil); len(names) > 0 {
		batch.Queue("SELECT name, stamps FROM rate_limits WHERE name = ANY($1)", names).Query(logsInto(l.seen))
	}
}

// namesOf returns each name that is not known, once, and the time after which its present use no longer matters.
func namesOf(uses []limit.Use, known map[string]limit.Log) (names []string, expiries []int64) {
	passed := map[string]bool{}
	for _, u := range uses {
		name := nameOf(u)
		if _, is := known[name]; u.None() || is || passed[name] {
			continue
		}
		passed[name] = true
		names, expiries = append(names, name), append(expiries, expiry(u))
	}
	return names, expiries
}

func expiry(u limit.Use) int64 { return u.At.Add(u.Per).UnixMicro() }

func logsInto(logs map[string]limit.Log) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		var name, stamps string
		_, err := pgx.ForEachRow(rows, []any{&name, &stamps}, func() error {
			logs[name] = limit.Parse(stamps)
			return nil
		})
		return err
	}
}

// refuse returns CodeRateLimited if there was no room before the batch.
func (l *batchLimits) refuse(u limit.Use) error {
	return noRoom(l.seen, u)
}

func noRoom(logs map[string]limit.Log, u limit.Use) error {
	if u.None() {
		return nil
	}
	if wait := u.Wait(logs[nameOf(u)], u.At); wait > 0 {
		return u.Refuse(wait)
	}
	return nil
}

// take queues the locks of all rows, after inserting missing rows, since only a row can be locked. They are a batch's
// first locks, in one order, because a row that another transaction has just inserted is waited for.
func (l *batchLimits) take(batch *pgx.Batch, uses []limit.Use, all bool) (queued bool) {
	l.mine, l.asked, l.counts = map[string]limit.Log{}, map[string]limit.Log{}, map[string]limit.Use{}
	names, _ := namesOf(uses, nil)
	if len(names) == 0 {
		return false
	}
	if fresh, expiries := namesOf(uses, l.seen); len(fresh) > 0 {
		batch.Queue(`INSERT INTO rate_limits (name, stamps, expires_at)
			SELECT name, '', expires_at FROM unnest(CAST($1 AS TEXT[]), CAST($2 AS BIGINT[])) AS f (name, expires_at) ORDER BY name
			ON CONFLICT (name) DO NOTHING`, fresh, expiries)
	}
	batch.Queue("SELECT name, stamps FROM rate_limits WHERE name = ANY($1) FOR NO KEY UPDATE"+skipLocked(all), names).Query(logsInto(l.mine))
	return true
}

// room returns CodeRateLimited if there is none, and errUnbatched if the batch cannot tell: another transaction has
// the row, or the answer depends on other requests.
func (l *batchLimits) room(u limit.Use) error {
	if u.None() {
		return nil
	}
	if _, mine := l.mine[nameOf(u)]; !mine {
		return errUnbatched
	}
	if err := noRoom(l.mine, u); err != nil {
		return err
	}
	if _, more := l.asked[nameOf(u)]; more && noRoom(l.asked, u) != nil {
		return errUnbatched
	}
	return nil
}

// ask records a possible use, and count an actual one.
func (l *batchLimits) ask(u limit.Use) {
	if u.None() {
		return
	}
	name := nameOf(u)
	before, more := l.asked[name]
	if !more {
		before = l.mine[name]
	}
	l.asked[name] = u.With(before, u.At)
}

func (l *batchLimits) count(u limit.Use) {
	if name := nameOf(u); !u.None() {
		l.mine[name], l.counts[name] = u.With(l.mine[name], u.At), u
	}
}

// put queues the updates of counted rows.
func (l *batchLimits) put(batch *pgx.Batch) {
	if len(l.counts) == 0 {
		return
	}
	var names, stamps []string
	var expiries []int64
	for name, u := range l.counts {
		names, stamps, expiries = append(names, name), append(stamps, l.mine[name].String()), append(expiries, expiry(u))
	}
	batch.Queue(`UPDATE rate_limits r SET stamps = n.stamps, expires_at = n.expires_at
		FROM unnest(CAST($1 AS TEXT[]), CAST($2 AS TEXT[]), CAST($3 AS BIGINT[])) AS n (name, stamps, expires_at)
		WHERE r.name = n.name`, names, stamps, expiries)
}
