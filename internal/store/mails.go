package store

import (
	"context"
	"slices"
	"time"

	"studycircle/internal/jobs"
	"studycircle/internal/periodic"
)

// QueueMail wants a mail sent once tx is committed. Where there is no such user,
// nothing is sent, and it costs the same.
func (tx *Tx) QueueMail(ctx context.Context, userID, kind string) (err error) {
	defer operation(&err, "Tx.QueueMail", userID)
	return tx.Classify(jobs.QueueMail(ctx, tx.store.queue, tx.Tx, userID, kind))
}

// DeleteMailsOf takes a user's mails of one kind out of the queue.
func (tx *Tx) DeleteMailsOf(ctx context.Context, userID, kind string) (err error) {
	defer operation(&err, "Tx.DeleteMailsOf", userID)
	return tx.Classify(jobs.DeleteMailsOf(ctx, tx.Tx, userID, kind))
}

// MailsWaiting is how many mails are queued or being sent.
func (s *Store) MailsWaiting(ctx context.Context) (_ int64, err error) {
	defer operation(&err, "Store.MailsWaiting")
	n, err := jobs.MailsWaiting(ctx, s.engine)
	return n, s.classify(err)
}

// RunJobs does w, and what the store itself needs again and again, until ctx ends: see
// jobs.Run.
func (s *Store) RunJobs(ctx context.Context, w jobs.Work) (err error) {
	defer operation(&err, "Store.RunJobs")
	w.Periodic = append(slices.Clip(w.Periodic), s.upkeep()...)
	return jobs.Run(ctx, s.engine, s.queue, w)
}

// upkeep is work on rows that any node may do.
func (s *Store) upkeep() []periodic.Job {
	return []periodic.Job{
		{
			Name: "event trimming", Every: time.Minute, Timeout: time.Minute, Meaning: "old events are kept",
			Run: func(ctx context.Context) error { return s.TrimEvents(ctx, keepEvents, keepEventRows) },
		},
		{
			Name: "indexing changed names", Every: staleTick, Timeout: time.Minute, Meaning: "searches find creators by their former names",
			Run: s.CutStale,
		},
	}
}
