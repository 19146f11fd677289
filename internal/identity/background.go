package identity

import (
	"context"
	"log/slog"
	"time"
)

// cleanEvery is how often what has expired is removed.
const cleanEvery = 10 * time.Minute

// Run keeps the books until ctx ends: last uses are written, what has expired is
// removed. Every node does it; nothing is lost or done twice by that.
func (i *Identity) Run(ctx context.Context) {
	write := time.NewTicker(seenGrain)
	clean := time.NewTicker(cleanEvery)
	defer write.Stop()
	defer clean.Stop()
	i.report(ctx, i.removeExpired(ctx))
	for {
		select {
		case <-write.C:
			i.report(ctx, i.writeSeen(ctx))
		case <-clean.C:
			i.report(ctx, i.removeExpired(ctx))
		case <-ctx.Done():
			last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
			i.report(last, i.writeSeen(last))
			cancel()
			return
		}
	}
}

func (*Identity) report(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		slog.WarnContext(ctx, "sessions' books not kept; next try follows", "error", err)
	}
}

// writeSeen writes last uses, some hundred in a transaction, so that nobody
// else's write waits long behind it.
func (i *Identity) writeSeen(ctx context.Context) error {
	seen := i.seen.take(i.clock())
	for len(seen) > 0 {
		batch := make(map[string]time.Time, 200)
		for id, at := range seen {
			if len(batch) == 200 {
				break
			}
			batch[id] = at
			delete(seen, id)
		}
		err := i.store.Write(ctx, func(ctx context.Context, tx Tx) error {
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
	return i.store.Write(ctx, func(ctx context.Context, tx Tx) error { return tx.DeleteExpired(ctx, i.clock()) })
}
