package identity

import (
	"context"
	"time"

	"studycircle/internal/periodic"
	"studycircle/internal/store"
)

// Periodic is what sessions and codes need while nodes run.
func (i *Identity) Periodic() []periodic.Job {
	return []periodic.Job{
		{OnEachNode: true,
			Name: "recording when sessions were used", Every: seenGrain, Timeout: 30 * time.Second,
			Meaning: "sessions seem unused for longer than they are", Run: i.WriteSeen,
		},
		{
			Name: "removing expired sessions and codes", Every: 10 * time.Minute, Timeout: time.Minute,
			Meaning: "they are kept; none of them is valid", Run: i.removeExpired,
		},
	}
}

// seenBatch is how many sessions one transaction updates, so that no other write waits
// long behind it.
const seenBatch = 200

// WriteSeen stores when sessions were used last. A node that ends calls it once more.
func (i *Identity) WriteSeen(ctx context.Context) error {
	seen := i.seen.take(i.clock())
	for len(seen) > 0 {
		batch := make(map[string]time.Time, seenBatch)
		for id, at := range seen {
			if len(batch) == seenBatch {
				break
			}
			batch[id] = at
			delete(seen, id)
		}
		err := i.write(ctx, func(ctx context.Context, tx *store.Tx) error {
			for id, at := range batch {
				if err := tx.SeeSession(ctx, id, at); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (i *Identity) removeExpired(ctx context.Context) error {
	return i.write(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteExpired(ctx, i.clock()) })
}
