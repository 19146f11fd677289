package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/testpg"
	"studycircle/internal/teststore"
)

// listedCircles returns the names of a page of the listed circles, and their number.
func (b *bundle) listedCircles(t *testing.T, text string, p studycircle.Page) (names []string, total int64) {
	t.Helper()
	found, total, err := b.ListedCircles(t.Context(), anyone, text, p)
	require.NoError(t, err)
	for _, c := range found {
		names = append(names, c.Name)
	}
	return names, total
}

// Whatever happens to circles, pages, totals and searches are those of the listed ones in use, in the order of listing,
// as soon as a change is committed, and after a copy.
func TestListedCirclesAreCountedAndFound(t *testing.T) {
	t.Parallel()
	onBothEnginesBesidePostgres(t, func(t *testing.T, b *bundle) {
		ada := b.user(t, "Ada")
		viewer := studycircle.ViewerOf(ada.ID)
		r := rand.New(rand.NewPCG(1, 2))
		words := []string{"Readers", "Walkers", "Été", "of", "the", "city"}
		var all, want []studycircle.Circle // want is in the order of listing
		change := func(c *studycircle.Circle, f func(ctx context.Context, tx *store.Tx) error) {
			require.NoError(t, b.Write(t.Context(), viewer, func(ctx context.Context, tx *store.Tx) error {
				if _, err := tx.LockCircle(ctx, c.ID); err != nil {
					return err
				}
				return f(ctx, tx)
			}))
			at := slices.IndexFunc(want, func(w studycircle.Circle) bool { return w.ID == c.ID })
			switch is := c.Listed && c.ArchivedAt.IsZero() && c.DeletedAt.IsZero(); {
			case is && at >= 0:
				want[at] = *c
			case is:
				want = append(want, *c)
			case at >= 0:
				want = slices.Delete(want, at, at+1)
			}
		}
		flipped := func(at time.Time) time.Time {
			if at.IsZero() {
				return now
			}
			return time.Time{}
		}
		compare := func(b *bundle) {
			for _, text := range []string{"", "readers", "ete ci", "the"} {
				var names []string
				for _, c := range slices.Backward(want) {
					name := strings.ToLower(strings.ReplaceAll(c.Name, "É", "e"))
					name = strings.ReplaceAll(name, "é", "e")
					found := true
					for w := range strings.FieldsSeq(text) {
						found = found && strings.Contains(name, w)
					}
					if found {
						names = append(names, c.Name)
					}
				}
				for _, p := range []studycircle.Page{{Number: 1, Limit: 10}, {Number: 3, Limit: 7}, {Number: 99, Limit: 10}} {
					got, total := b.listedCircles(t, text, p)
					require.EqualValues(t, len(names), total, text)
					from := min(p.Skip(), int64(len(names)))
					require.Equal(t, slices.Clip(append([]string(nil), names[from:min(from+p.Limit, int64(len(names)))]...)), got, text)
				}
			}
		}
		for i := range 120 {
			if i%40 == 20 {
				b.skipSeqs(t, "circle_listings", 200)
			}
			if i%3 > 0 || len(all) == 0 {
				c := studycircle.Circle{ID: studycircle.NewID(now), CircleInput: studycircle.NewCircle, CreatedAt: now, UpdatedAt: now}
				c.Name, c.Listed = fmt.Sprint(words[r.IntN(3)], " ", words[3+r.IntN(3)], " ", i), r.IntN(4) > 0
				require.NoError(t, b.Write(t.Context(), viewer, func(ctx context.Context, tx *store.Tx) error { return tx.InsertCircle(ctx, c) }))
				if all = append(all, c); c.Listed {
					want = append(want, c)
				}
			}
			c := &all[r.IntN(len(all))]
			switch r.IntN(4) {
			case 0:
				c.Listed = !c.Listed
				change(c, func(ctx context.Context, tx *store.Tx) error { return tx.UpdateCircle(ctx, *c) })
			case 1:
				c.Name = fmt.Sprint(words[r.IntN(len(words))], " ", i)
				change(c, func(ctx context.Context, tx *store.Tx) error { return tx.UpdateCircle(ctx, *c) })
			case 2:
				c.ArchivedAt = flipped(c.ArchivedAt)
				change(c, func(ctx context.Context, tx *store.Tx) error { return tx.SetCircleArchived(ctx, c.ID, c.ArchivedAt) })
			case 3:
				c.DeletedAt = flipped(c.DeletedAt)
				change(c, func(ctx context.Context, tx *store.Tx) error { return tx.SetCircleDeleted(ctx, c.ID, c.DeletedAt) })
			}
			if i%4 == 3 {
				compare(b)
			}
		}
		compare(b)
		require.Greater(t, len(want), 10)
		for _, config := range []store.Config{{URL: testpg.DB(t)}, {Dir: teststore.DirBeside(t)}} {
			to := setup(t, config)
			_, err := bulk.Copy(t.Context(), b.Store, to.Store, func() {})
			require.NoError(t, err)
			compare(to)
		}
		b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAccount(ctx, ada.ID, now) })
		want = nil // without a member each circle is archived
		compare(b)
	})
}

// Clients list circles at the same time: each finds their own at once, and all are counted.
func TestClientsFindTheCirclesThatTheyList(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		people, _ := b.people(t)
		atOnce(func(i int) {
			c := studycircle.Circle{ID: studycircle.NewID(now), CircleInput: studycircle.NewCircle, CreatedAt: now}
			c.Name, c.Listed = fmt.Sprintf("Walkers numbered%d", i), true
			v := studycircle.ViewerOf(people[i].ID)
			err := b.Write(t.Context(), v, func(ctx context.Context, tx *store.Tx) error { return tx.InsertCircle(ctx, c) })
			found, total, err2 := b.ListedCircles(t.Context(), v, fmt.Sprintf("numbered%d walkers", i), studycircle.Page{Number: 1, Limit: 10})
			if assert.NoError(t, errors.Join(err, err2)) && assert.Len(t, found, 1) {
				assert.Equal(t, []any{int64(1), c.ID, studycircle.CircleOwner}, []any{total, found[0].ID, found[0].Role})
			}
		})
		names, total := b.listedCircles(t, "", studycircle.Page{Number: 1, Limit: 100})
		require.Len(t, names, clients)
		require.EqualValues(t, clients, total)
	})
}
