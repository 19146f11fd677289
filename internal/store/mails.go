package store

import (
	"context"
	"slices"
	"time"

	"studycircle/internal/jobs"
	"studycircle/internal/periodic"
)

// QueueMail queues an email for sending once tx is committed. For an unknown user it sends none, at the same cost.
func (tx *Tx) QueueMail(ctx context.Context, userID, kind string) (err error) {
	defer tx.operation(&err, "Tx.QueueMail", userID)
	return jobs.QueueMail(ctx, tx.store.queue, tx.Tx, userID, kind)
}

// DeleteMailsOf removes a user's emails of one kind from the queue.
func (tx *Tx) DeleteMailsOf(ctx context.Context, userID, kind string) (err error) {
	defer tx.operation(&err, "Tx.DeleteMailsOf", userID)
	return jobs.DeleteMailsOf(ctx, tx.Tx, userID, kind)
}

// MailsWaiting returns the number of emails queued or being sent.
func (s *Store) MailsWaiting(ctx context.Context) (_ int64, err error) {
	defer s.operation(&err, "Store.MailsWaiting")
	return jobs.MailsWaiting(ctx, s.engine)
}

// RunJobs runs w and the store's own periodic jobs until ctx ends: see jobs.Run.
func (s *Store) RunJobs(ctx context.Context, w jobs.Work) (err error) {
	defer s.operation(&err, "Store.RunJobs")
	w.Periodic = append(slices.Clip(w.Periodic), s.upkeep()...)
	return jobs.Run(ctx, s.engine, s.queue, w)
}

// upkeep lists the store's periodic jobs, which any node may run.
func (s *Store) upkeep() []periodic.Job {
	return []periodic.Job{
		{
			Name: "event trimming", Every: time.Minute, Timeout: time.Minute, Meaning: "old events are kept",
			Run: func(ctx context.Context) error { return s.TrimEvents(ctx, keepEvents, keepEventRows) },
		},
		{
			Name: "indexing changed names", Every: staleTick, Timeout: time.Minute,
			Meaning: "searches find creators by their former names", Run: s.CutStale,
		},
		{
			Name: "sorting members", Every: sortTick, Timeout: time.Minute,
			Meaning: "members who joined before an upgrade come first in lists by name", Run: s.SortMembers,
		},
	}
}
