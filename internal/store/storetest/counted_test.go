package storetest

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/store/engine"
	"studycircle/internal/teststore"
)

// A search's count is reused until as many assignments have lost words as the count may
// be off, by any node; and no total is ever wrong.
func TestWordCountsAreRightAfterAnyHistory(t *testing.T) {
	t.Parallel()
	for name, circleID := range map[string]string{"hall": studycircle.Hall, "circle": "c"} {
		t.Run(name, func(t *testing.T) { wordCountsAreRight(t, circleID) })
	}
}

func wordCountsAreRight(t *testing.T, circleID string) {
	t.Helper()
	dir := teststore.Dir(t)
	open := func() *store.Store {
		t.Helper()
		s, err := store.Open(t.Context(), store.Config{Dir: dir})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, s.Close()) })
		return s
	}
	s, beside := open(), open()
	random := rand.New(rand.NewPCG(7, 11))
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	var last int64                             // place
	var with, without []studycircle.Assignment // the word, each in a random order
	publish := func(on *store.Store, n int) {
		t.Helper()
		var made []studycircle.Assignment
		for range n {
			now = now.Add(time.Second)
			a := studycircle.Assignment{
				ID: studycircle.NewID(now), CircleID: circleID, Title: "Some", Description: "common", Thumbnail: "https://example.org/a.png", Marks: 10,
				Level: studycircle.Easy, Due: studycircle.DueDateAt(now.UnixMicro(), 0), CreatedAt: now, UpdatedAt: now,
			}
			made = append(made, a)
		}
		require.NoError(t, on.Write(engine.WithLongWrite(t.Context(), engine.LongSamples), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			_, err := bulk.ImportAssignments(ctx, tx.Tx, made)
			return err
		}))
		for i := range made {
			last++
			made[i].Seq = last
		}
		with = append(with, made...)
	}
	// move moves n assignments from one list to the other.
	move := func(on *store.Store, n int, from, to *[]studycircle.Assignment, description string) {
		t.Helper()
		require.NoError(t, on.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			for _, before := range (*from)[:n] {
				after := before
				after.Description, after.UpdatedAt = description, before.UpdatedAt.Add(time.Second)
				if err := tx.UpdateAssignment(ctx, before, after); err != nil {
					return err
				}
			}
			return nil
		}))
		for _, a := range (*from)[:n] {
			a.Description, a.UpdatedAt = description, a.UpdatedAt.Add(time.Second)
			*to = append(*to, a)
		}
		*from = (*from)[n:]
	}
	remove := func(on *store.Store, n int) {
		t.Helper()
		require.NoError(t, on.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			for _, a := range with[:n] {
				if err := tx.DeleteAssignment(ctx, a.ID, now); err != nil {
					return err
				}
			}
			return nil
		}))
		with = with[n:]
	}
	check := func() {
		t.Helper()
		for _, on := range []*store.Store{s, beside} {
			for _, level := range []studycircle.Level{"", studycircle.Easy, studycircle.Hard} {
				_, total, err := on.SearchAssignments(t.Context(), studycircle.System(), circleID, "comm", level, studycircle.Page{Number: 1, Limit: 1})
				require.NoError(t, err)
				want := min(int64(len(with)), store.MaxMatches)
				if level == studycircle.Hard {
					want = 0
				}
				require.Equal(t, want, total, "level %q", level)
			}
			// A word that is spelled like a level is none.
			_, total, err := on.SearchAssignments(t.Context(), studycircle.System(), circleID, "easy", "", studycircle.Page{Number: 1, Limit: 1})
			require.NoError(t, err)
			require.Zero(t, total)
		}
	}
	publish(s, store.MaxMatches+1500)
	check()
	remove(beside, 700)
	move(s, 800, &with, &without, "other")
	check()
	remove(beside, 1)
	check()
	publish(beside, 1)
	check()
	for range 30 {
		on := []*store.Store{s, beside}[random.IntN(2)]
		n := random.IntN(400)
		switch random.IntN(5) {
		case 0, 1:
			publish(on, n)
		case 2:
			remove(on, min(n, len(with)))
		case 3:
			move(on, min(n, len(with)), &with, &without, "other")
		default:
			move(on, min(n, len(without)), &without, &with, "common once more")
		}
		check()
	}
}
