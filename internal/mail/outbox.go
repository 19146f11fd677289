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
	// An email that is not sent within keep is given up; firstWait doubles up to maxWait.
	keep      = 24 * time.Hour
	firstWait = 5 * time.Second
	maxWait   = 15 * time.Minute
)

// Job is an email to send. An empty Message is dropped.
type Job struct {
	Kind     string
	Age      time.Duration
	Attempts int // includes this one
	Message  Message
}

// ErrGivenUp means that an email was not delivered and never will be.
var ErrGivenUp = errors.New("not sent")

// Deliver sends a queued email. After any error but ErrGivenUp it is worth a retry, after Backoff.
func Deliver(ctx context.Context, s Sender, job Job) error {
	if job.Message == (Message{}) {
		return nil
	}
	err := s.Send(ctx, job.Message)
	if err == nil {
		return nil
	}
	if _, permanent := errors.AsType[Permanent](err); permanent || job.Age > keep {
		slog.WarnContext(ctx, "email given up", "kind", job.Kind, "attempts", job.Attempts, "error", err)
		return fmt.Errorf("%w: %w", ErrGivenUp, err)
	}
	level, details := slog.LevelWarn, []any{"kind", job.Kind, "attempts", job.Attempts, "error", err}
	if a, is := errors.AsType[away](err); is {
		details = append(details, "do", Advice)
		if a.again { // a line for each outage, not for each email
			level = slog.LevelDebug
		}
	}
	slog.Log(ctx, level, "email not sent yet; will retry", details...)
	return err
}

// Backoff returns the time to wait after a number of attempts, with random jitter.
func Backoff(attempts int) time.Duration {
	wait := maxWait
	if attempts < 10 {
		wait = min(maxWait, firstWait<<(attempts-1))
	}
	return wait + rand.N(wait/4)
}
