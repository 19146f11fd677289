package store

import (
	"context"
	"time"

	"studycircle/internal/jobs"
)

// Observer is what a store calls for metrics. Its functions are called concurrently; those that are nil are not called.
type Observer struct {
	// Took is called after a read or a write, with its kind and how long its caller waited: see engine.Timed.
	Took func(kind string, wait time.Duration)
	// Committed is called after a commit that several writes may share, with their number.
	Committed func(writes int)
	// Circles and Positions are called after a lookup in a cache of users' circles or positions.
	Circles, Positions func(hit bool)
}

// looked calls f, if that is not nil.
func looked(f func(hit bool), hit bool) {
	if f != nil {
		f(hit)
	}
}

// Monitored is what an operator watches of all that is stored.
type Monitored struct {
	// Sessions are those that have not expired.
	Sessions int64
	// ReviewsWaiting are the reviews that submissions lack and that no user has reserved.
	ReviewsWaiting int64
	// OldestUnmarked is how long the oldest submission has waited for its mark; 0 if none waits. Those in circles that
	// are archived or deleted do not wait.
	OldestUnmarked time.Duration
	// Jobs and OldestJobs are the load of the job queue: see jobs.Load.
	Jobs       map[string]int64
	OldestJobs map[string]time.Duration
}

// Monitored reads what an operator watches.
func (s *Store) Monitored(ctx context.Context, now time.Time) (m Monitored, err error) {
	defer s.operation(&err, "Store.Monitored")
	found, err := s.engine.Queries().Monitored(ctx, now.UnixMicro())
	if err != nil {
		return Monitored{}, err
	}
	load, err := jobs.LoadOf(ctx, s.engine, now)
	if err != nil {
		return Monitored{}, err
	}
	m = Monitored{Sessions: found.Sessions, ReviewsWaiting: found.ReviewsWaiting, Jobs: load.Jobs, OldestJobs: load.Oldest}
	if found.OldestUnmarked > 0 {
		m.OldestUnmarked = max(0, now.Sub(time.UnixMicro(found.OldestUnmarked)))
	}
	return m, nil
}
