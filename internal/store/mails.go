package store

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
)

// mailJob is a mail to be sent. It says who wants which mail; what the mail
// says, with its address and its secret, is made when it goes out.
type mailJob struct {
	User string `json:"user"`
	Mail string `json:"mail"`
}

// Kind implements river.JobArgs.
func (mailJob) Kind() string { return "mail" }

// InsertOpts implements river.JobArgsWithInsertOpts. How often a mail is tried
// is decided by its age.
func (mailJob) InsertOpts() river.InsertOpts { return river.InsertOpts{MaxAttempts: 1000} }

// QueuedMail is a mail that is to be sent now.
type QueuedMail struct {
	UserID, Kind string
	CreatedAt    time.Time
	// Attempts counts this one too.
	Attempts int
}

// ErrGiveUp says that a mail need not be tried again.
var ErrGiveUp = errors.New("given up")

// Mailer sends queued mails.
type Mailer struct {
	// Send is called for each mail, by some at once. An error that is no
	// ErrGiveUp has the mail tried again.
	Send func(context.Context, QueuedMail) error
	// Wait is how long to wait after so many attempts.
	Wait func(attempts int) time.Duration
	// Clock is the queue's where it is not nil: for tests.
	Clock func() time.Time
}

// QueueMail wants a mail sent once tx is committed. Where there is no such user,
// the mail is dropped when its turn comes, and queued at the same cost.
func (tx *Tx) QueueMail(ctx context.Context, userID, kind string) error {
	return tx.store.jobs.insert(ctx, tx, mailJob{User: userID, Mail: kind})
}

// DeleteMailsOf takes a user's mails of one kind out of the queue.
func (tx *Tx) DeleteMailsOf(ctx context.Context, userID, kind string) error {
	_, err := tx.raw.ExecContext(ctx, `DELETE FROM river_job WHERE kind = 'mail' AND args->>'user' = $1 AND args->>'mail' = $2
		AND state IN ('available', 'retryable', 'scheduled')`, userID, kind)
	return classify(err)
}

const waitingMails = ` FROM river_job WHERE kind = 'mail' AND state IN ('available', 'pending', 'retryable', 'running', 'scheduled')`

// MailsWaiting is how many mails are queued or being sent.
func (s *Store) MailsWaiting(ctx context.Context) (n int64, err error) {
	err = s.reads.QueryRowContext(ctx, "SELECT COUNT(*)"+waitingMails).Scan(&n)
	return n, classify(err)
}

// RunMails sends queued mails until ctx ends. Each is sent by one node, and by
// another one where that node died: at least once, twice only where a node died
// between sending and saying so.
func (s *Store) RunMails(ctx context.Context, m Mailer) error {
	workers := river.NewWorkers()
	if err := river.AddWorkerSafely(workers, &mailWorker{mailer: m}); err != nil {
		return err
	}
	adopted := make(chan struct{})
	go func() {
		defer close(adopted)
		s.adoptMails(ctx, m.Clock)
	}()
	err := s.jobs.run(ctx, jobConfig(workers, m.Clock))
	<-adopted
	return err
}

type mailWorker struct {
	river.WorkerDefaults[mailJob]
	mailer Mailer
}

// Work implements river.Worker.
func (w *mailWorker) Work(ctx context.Context, job *river.Job[mailJob]) error {
	err := w.mailer.Send(ctx, QueuedMail{UserID: job.Args.User, Kind: job.Args.Mail, CreatedAt: job.CreatedAt, Attempts: job.Attempt})
	if errors.Is(err, ErrGiveUp) {
		return river.JobCancel(err)
	}
	return err
}

// NextRetry implements river.Worker.
func (w *mailWorker) NextRetry(job *river.Job[mailJob]) time.Time {
	now := time.Now
	if w.mailer.Clock != nil {
		now = w.mailer.Clock
	}
	return now().Add(w.mailer.Wait(job.Attempt))
}

// adoptEvery is how often mails are looked for that the release before queued in
// its own table. It sends them itself for as long as it runs; what its last node
// leaves behind is found so.
const adoptEvery = time.Minute

func (s *Store) adoptMails(ctx context.Context, clock func() time.Time) {
	if clock == nil {
		clock = time.Now
	}
	tick := time.NewTicker(adoptEvery)
	defer tick.Stop()
	for {
		err := s.Write(ctx, func(ctx context.Context, tx *Tx) error {
			old, err := tx.query.TakeOldMails(ctx, micros(clock()))
			for _, m := range old {
				err = errors.Join(err, tx.QueueMail(ctx, m.UserID, m.Kind))
			}
			return classify(err)
		})
		if err != nil && ctx.Err() == nil {
			slog.WarnContext(ctx, "old mails not taken over; next try follows", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// queuedMails copies the queue: jobs differ in form between the engines, so they
// are queued anew.
func (c *copier) queuedMails(ctx context.Context) (n int, err error) {
	rows, err := c.source.QueryContext(ctx, "SELECT args->>'user', args->>'mail'"+waitingMails)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var user, kind string
		if err := rows.Scan(&user, &kind); err != nil {
			return 0, err
		}
		if err := c.tx.QueueMail(ctx, user, kind); err != nil {
			return 0, err
		}
		n++
		c.step()
	}
	return n, rows.Err()
}
