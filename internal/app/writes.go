package app

import (
	"context"
	"errors"
	"time"

	"studycircle"
	"studycircle/internal/admission"
)

// maxWrites is the number of writes that a node runs or that wait, for the disk, for each other or for a lock.
const maxWrites = 1024

// writes releases a request's slot while it waits for its write, so that reads continue.
type writes struct {
	admission.Limit
	refused func() // called for each refusal; nil if they are not counted
}

func newWrites(refused func()) writes { return writes{admission.NewLimit(maxWrites), refused} }

// do runs write. CodeUnavailable if too many wait.
func (w writes) do(ctx context.Context, write func() error) error {
	err := w.Do(func() error { return admission.WithoutSlot(ctx, write) })
	if errors.Is(err, admission.ErrFull) {
		if w.refused != nil {
			w.refused()
		}
		return &studycircle.Error{
			Code: studycircle.CodeUnavailable, Message: "Too many people are saving at once. Please try again in a moment.",
			RetryAfter: time.Second,
		}
	}
	return err
}
