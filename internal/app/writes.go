package app

import (
	"context"
	"errors"
	"time"

	"studycircle"
	"studycircle/internal/admission"
)

// maxWrites is how many writes a node has under way or waiting, for the disk, for
// each other or for a lock.
const maxWrites = 1024

// writes lets requests wait for their writes outside of their places, so that
// reads go on meanwhile.
type writes struct{ admission.Limit }

func newWrites() writes { return writes{admission.NewLimit(maxWrites)} }

// do runs write. CodeUnavailable if too many wait.
func (w writes) do(ctx context.Context, write func() error) error {
	err := w.Do(func() error { return admission.WithoutSlot(ctx, write) })
	if errors.Is(err, admission.ErrFull) {
		return &studycircle.Error{
			Code: studycircle.CodeUnavailable, Message: "Too many people are saving at once. Please try again in a moment.", RetryAfter: time.Second,
		}
	}
	return err
}
