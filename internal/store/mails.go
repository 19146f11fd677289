package store

import (
	"context"

	"studycircle/internal/jobs"
)

// QueueMail wants a mail sent once tx is committed. Where there is no such user,
// nothing is sent, and it costs the same.
func (tx *Tx) QueueMail(ctx context.Context, userID, kind string) error {
	return tx.Classify(jobs.QueueMail(ctx, tx.store.queue, tx.Tx, userID, kind))
}

// DeleteMailsOf takes a user's mails of one kind out of the queue.
func (tx *Tx) DeleteMailsOf(ctx context.Context, userID, kind string) error {
	return tx.Classify(jobs.DeleteMailsOf(ctx, tx.Tx, userID, kind))
}

// MailsWaiting is how many mails are queued or being sent.
func (s *Store) MailsWaiting(ctx context.Context) (int64, error) {
	n, err := jobs.MailsWaiting(ctx, s.engine)
	return n, s.classify(err)
}

// RunMails sends queued mails until ctx ends: see jobs.RunMails.
func (s *Store) RunMails(ctx context.Context, m jobs.Mailer) error {
	return jobs.RunMails(ctx, s.engine, s.queue, m)
}
