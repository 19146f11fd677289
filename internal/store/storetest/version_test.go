package storetest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/teststore"
)

func (b *bundle) version(t *testing.T) uint64 {
	t.Helper()
	v, err := b.Version(t.Context())
	require.NoError(t, err)
	return v
}

// another opens a second store on b's database, as another node does.
func (b *bundle) another(t *testing.T) *bundle {
	t.Helper()
	return setup(t, b.config)
}

// twoNodes returns b and another node, for concurrent writers; on SQLite, where only one
// node's writers queue, b twice.
func (b *bundle) twoNodes(t *testing.T) []*bundle {
	t.Helper()
	if b.sqlite {
		return []*bundle{b, b}
	}
	return []*bundle{b, b.another(t)}
}

func TestVersionChangesWithEveryCommit(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		other := b.another(t)
		ada := b.user(t, "Ada")
		// Folding counts on PostgreSQL is a commit too.
		b.fold(t)
		before, elsewhere := b.version(t), other.version(t)
		_, _, err := b.Assignments(t.Context(), anyone, studycircle.Hall, "", studycircle.Page{Number: 1, Limit: 10})
		require.NoError(t, err)
		require.Error(t, b.Write(t.Context(), studycircle.System(), func(context.Context, *store.Tx) error { return errors.New("no") }))
		b.do(t, func(context.Context, *store.Tx) error { return nil })
		b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteExpired(ctx, now.AddDate(-1, 0, 0)) })
		if b.sqlite { // PostgreSQL numbers the transactions of all databases of a cluster, so of the tests beside this one too
			require.Equal(t, before, b.version(t), "reads, refused writes and writes of nothing")
			require.Equal(t, elsewhere, other.version(t), "the same on another node")
		}

		writers := map[string]func(){
			"this node":    func() { b.user(t, "Grace") },
			"another node": func() { other.user(t, "Alan") },
			"another program's": func() {
				_, err := b.plain.ExecContext(t.Context(), "UPDATE users SET display_name = 'Ada L.'")
				require.NoError(t, err)
			},
			"folding": func() {
				b.assignment(t, ada, studycircle.Easy, "A", "B")
				b.fold(t)
			},
		}
		for who, write := range writers {
			here, there := b.version(t), other.version(t)
			write()
			require.NotEqual(t, here, b.version(t), who)
			require.NotEqual(t, there, other.version(t), who)
		}
	})
}

// Readers cache by version on two nodes while writers look for their own write on the
// other node at once.
func TestCachedByVersionWritersReadTheirOwnWrites(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		nodes := []*cachingNode{{b: b}, {b: b.another(t)}}
		ada := b.user(t, "Ada")
		var failures sync.Map
		atOnce(func(client int) {
			for round := range 3 { // all of them fit a page of 100
				a := sample(ada, studycircle.Levels[round%3], fmt.Sprint(client, "/", round), "Text.")
				err := teststore.Publish(t.Context(), nodes[client%2].b.Store, a)
				if err == nil {
					err = nodes[(client+round)%2].mustShow(t.Context(), a.ID)
				}
				if err != nil {
					failures.Store(fmt.Sprint(client, "/", round), err)
				}
			}
		})
		failures.Range(func(at, err any) bool {
			t.Errorf("client %v: %v", at, err)
			return true
		})
	})
}

// cachingNode caches the newest hundred assignments while the version stays the same.
type cachingNode struct {
	b       *bundle
	mu      sync.Mutex
	version uint64
	newest  map[string]bool
}

func (n *cachingNode) mustShow(ctx context.Context, id string) error {
	v, err := n.b.Version(ctx)
	if err != nil {
		return err
	}
	n.mu.Lock()
	newest, cached := n.newest, n.version == v
	n.mu.Unlock()
	if !cached || newest == nil {
		found, _, err := n.b.Assignments(ctx, anyone, studycircle.Hall, "", studycircle.Page{Number: 1, Limit: 100})
		if err != nil {
			return err
		}
		newest = map[string]bool{}
		for _, a := range found {
			newest[a.ID] = true
		}
		n.mu.Lock()
		n.version, n.newest = v, newest
		n.mu.Unlock()
	}
	if !newest[id] {
		return fmt.Errorf("%s was acknowledged and is not shown (from the cache: %t)", id, cached)
	}
	return nil
}

// A read after a version was returned sees that version or a later one, and so everything
// committed before it was requested.
func TestReadsSeeAVersionThatWasReturned(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada := b.user(t, "Ada")
		for n := int64(1); n <= 30; n++ {
			b.assignment(t, ada, studycircle.Easy, fmt.Sprint("Number ", n), "Text.")
			ctx := store.WithVersion(t.Context(), b.version(t))
			given, err := b.Version(ctx)
			require.NoError(t, err)
			require.Positive(t, given)
			rows, total, err := b.Assignments(ctx, anyone, studycircle.Hall, "", studycircle.Page{Number: 1, Limit: 1})
			require.NoError(t, err)
			require.Equal(t, n, total)
			one, err := b.Assignment(ctx, anyone, rows[0].ID)
			require.NoError(t, err)
			require.Equal(t, fmt.Sprint("Number ", n), one.Title)
		}
	})
}
