package mail

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"studycircle"
)

const (
	workers = 4
	// lease is how long a mail belongs to the worker that sends it. After a crash
	// it is tried again then, here or on another node.
	lease = 2 * time.Minute
	// poll finds what other nodes left behind and what became due again.
	poll = 2 * time.Second
	// A mail that is not out after keep is given up; firstWait doubles up to maxWait.
	keep      = 24 * time.Hour
	firstWait = 5 * time.Second
	maxWait   = 15 * time.Minute
)

// Job is a mail to be sent now. An empty Message is to be dropped.
type Job struct {
	ID, Kind string
	Age      time.Duration
	Attempts int64 // this one too
	Message  Message
}

// Queue is where mails wait, in the database as a rule.
type Queue interface {
	// NextMailDue is when the first mail may be sent; studycircle.ErrNotFound.
	NextMailDue(ctx context.Context) (time.Time, error)
	// ClaimMail takes a mail that is due, for lease; studycircle.ErrNotFound.
	ClaimMail(ctx context.Context, lease time.Duration) (Job, error)
	MailDone(ctx context.Context, id string) error
	PostponeMail(ctx context.Context, id string, wait time.Duration) error
}

// Outbox sends what is in a queue. Every mail goes out at least once; twice only
// where a node dies between sending and saying so.
type Outbox struct {
	queue  Queue
	sender Sender
	now    func() time.Time
	wake   chan struct{}
}

// NewOutbox makes an Outbox; now is the queue's clock.
func NewOutbox(q Queue, s Sender, now func() time.Time) *Outbox {
	return &Outbox{queue: q, sender: s, now: now, wake: make(chan struct{}, 1)}
}

// Wake says that a mail was queued. It never waits.
func (o *Outbox) Wake() {
	select {
	case o.wake <- struct{}{}:
	default:
	}
}

// Run sends until ctx ends, and finishes what it is sending then.
func (o *Outbox) Run(ctx context.Context) {
	var running sync.WaitGroup
	for range workers {
		running.Go(func() { o.work(ctx) })
	}
	running.Wait()
}

func (o *Outbox) work(ctx context.Context) {
	for ctx.Err() == nil {
		o.drain(ctx)
		select {
		case <-ctx.Done():
			return
		case <-time.After(poll):
		case <-o.wake:
			// Not at once: the work of sending would slow down whatever is asked
			// right after, and tell that there was something to send.
			select {
			case <-ctx.Done():
				return
			case <-time.After(50*time.Millisecond + rand.N(200*time.Millisecond)):
			}
		}
	}
}

// drain sends what is due, until there is no more or the queue is away.
func (o *Outbox) drain(ctx context.Context) {
	for ctx.Err() == nil {
		// A look costs no write, which an idle node would make all day.
		due, err := o.queue.NextMailDue(ctx)
		if err == nil && due.After(o.now()) {
			return
		}
		var job Job
		if err == nil {
			job, err = o.queue.ClaimMail(ctx, lease)
		}
		if err == nil {
			err = o.send(context.WithoutCancel(ctx), job)
		}
		if err != nil {
			if !errors.Is(err, studycircle.ErrNotFound) && ctx.Err() == nil {
				slog.WarnContext(ctx, "mail queue", "error", err)
			}
			return
		}
	}
}

// send returns an error only where the queue fails.
func (o *Outbox) send(ctx context.Context, job Job) error {
	if job.Message == (Message{}) {
		return o.queue.MailDone(ctx, job.ID)
	}
	err := o.sender.Send(ctx, job.Message)
	if err == nil {
		return o.queue.MailDone(ctx, job.ID)
	}
	if _, permanent := errors.AsType[Permanent](err); permanent || job.Age > keep {
		slog.WarnContext(ctx, "mail given up", "kind", job.Kind, "attempts", job.Attempts, "error", err)
		return o.queue.MailDone(ctx, job.ID)
	}
	wait := backoff(job.Attempts)
	slog.WarnContext(ctx, "mail not sent yet", "kind", job.Kind, "attempts", job.Attempts, "retryIn", wait.Round(time.Second).String(), "error", err)
	return o.queue.PostponeMail(ctx, job.ID, wait)
}

func backoff(attempts int64) time.Duration {
	wait := maxWait
	if attempts < 10 {
		wait = min(maxWait, firstWait<<(attempts-1))
	}
	return wait + rand.N(wait/4)
}
