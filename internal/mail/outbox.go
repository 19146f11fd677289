package mail

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"
)

const (
	// A mail that is not out after keep is given up; firstWait doubles up to maxWait.
	keep      = 24 * time.Hour
	firstWait = 5 * time.Second
	maxWait   = 15 * time.Minute
)

// Job is a mail whose turn it is. An empty Message is to be dropped.
type Job struct {
	Kind     string
	Age      time.Duration
	Attempts int // this one too
	Message  Message
}

// ErrGivenUp says that a mail was not delivered and never will be.
var ErrGivenUp = errors.New("mail given up")

// Deliver sends a mail from the queue. Any error but ErrGivenUp is worth another
// try, after Backoff.
func Deliver(ctx context.Context, s Sender, job Job) error {
	if job.Message == (Message{}) {
		return nil
	}
	err := s.Send(ctx, job.Message)
	if err == nil {
		return nil
	}
	if _, permanent := errors.AsType[Permanent](err); permanent || job.Age > keep {
		slog.WarnContext(ctx, "mail given up", "kind", job.Kind, "attempts", job.Attempts, "error", err)
		return fmt.Errorf("%w: %w", ErrGivenUp, err)
	}
	slog.WarnContext(ctx, "mail not sent yet", "kind", job.Kind, "attempts", job.Attempts, "error", err)
	return err
}

// Backoff is how long to wait after so many attempts, with some chance in it.
func Backoff(attempts int) time.Duration {
	wait := maxWait
	if attempts < 10 {
		wait = min(maxWait, firstWait<<(attempts-1))
	}
	return wait + rand.N(wait/4)
}
