package identity

import (
	"context"
	"maps"
	"slices"
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

// WriteSeen stores when sessions were used last. What it cannot store is left for the next call. A node that ends calls
// it once more.
func (i *Identity) WriteSeen(ctx context.Context) error {
	seen := i.seen.take(i.clock())
	ids := slices.Sorted(maps.Keys(seen)) // nodes lock the rows in one order
	for batch := range slices.Chunk(ids, seenBatch) {
		err := i.write(ctx, func(ctx context.Context, tx *store.Tx) error {
			for _, id := range batch {
				if err := tx.SeeSession(ctx, id, seen[id]); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			i.seen.putBack(seen)
			return err
		}
		for _, id := range batch {
			delete(seen, id)
		}
	}
	return nil
}

func (i *Identity) removeExpired(ctx context.Context) error {
	return i.write(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteExpired(ctx, i.clock()) })
}
