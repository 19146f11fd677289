package jobs

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/riverqueue/river/rivertype"

	"studycircle/internal/store/engine"
)

// Load is what the queue holds.
type Load struct {
	// Jobs are their numbers by state. It has all states.
	Jobs map[string]int64
	// Oldest is, by kind, how long ago the oldest job that has not ended was due; 0 if none is. It has all kinds.
	Oldest map[string]time.Duration
}

const (
	countJobs = "SELECT CAST(state AS TEXT), COUNT(*) FROM river_job WHERE queue <> '" + noRecipientQueue +
		"' GROUP BY state"
	// The column and not its MIN, whose type SQLite does not know.
	oldestJob = "SELECT scheduled_at FROM river_job WHERE kind = $1 AND queue <> '" + noRecipientQueue +
		"' AND state IN ('available', 'retryable', 'running', 'scheduled') ORDER BY scheduled_at LIMIT 1"
)

// LoadOf returns the load at a time, without emails to unknown addresses.
func LoadOf(ctx context.Context, e engine.Engine, now time.Time) (Load, error) {
	load := Load{Jobs: map[string]int64{}, Oldest: map[string]time.Duration{}}
	for _, state := range rivertype.JobStates() {
		load.Jobs[string(state)] = 0
	}
	if err := load.count(ctx, e); err != nil {
		return Load{}, err
	}
	for _, kind := range []string{mailJob{}.Kind(), periodicJob{}.Kind()} {
		var due time.Time
		switch err := e.Reads().QueryRowContext(ctx, oldestJob, kind).Scan(&due); {
		case errors.Is(err, sql.ErrNoRows):
			load.Oldest[kind] = 0
		case err != nil:
			return Load{}, err
		default:
			load.Oldest[kind] = max(0, now.Sub(due))
		}
	}
	return load, nil
}

func (l Load) count(ctx context.Context, e engine.Engine) (err error) {
	rows, err := e.Reads().QueryContext(ctx, countJobs)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var state string
		var n int64
		if err := rows.Scan(&state, &n); err != nil {
			return err
		}
		l.Jobs[state] = n
	}
	return rows.Err()
}
