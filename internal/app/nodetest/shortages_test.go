package nodetest

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// The creator of an assignment with too few submitters to give each other all reviews is warned within a day of its due
// date, once, at the next hand-in. The hand-in after which they are enough withdraws the warning.
func TestTooFewSubmitters(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		others := n.people(t, "Bob", "Cem", "Dot", "Eve")
		due := n.clock.now().Add(30 * time.Hour).UTC().Format(time.RFC3339)
		of := ada.publish(t, "reviewsNeeded", 3, "marks", 20, "dueDate", due)
		short := func() []any { return ada.get(t, "/api/today").is(t, http.StatusOK).json(t)["short"].([]any) }
		require.Empty(t, short())
		require.Nil(t, ada.notice(t, "short"))
		others[0].submit(t, of)
		require.Empty(t, short(), "more are to be expected")
		require.Nil(t, ada.notice(t, "short"))
		n.clock.advance(7 * time.Hour)
		for _, c := range append(others, ada) {
			c.newSession(t)
		}
		for _, c := range others[1:3] {
			require.Len(t, short(), 1)
			c.submit(t, of)
			told := ada.notice(t, "short")
			require.NotNil(t, told)
			require.InDelta(t, 1, told["count"], 0)
			require.Equal(t, "/assignment/"+of, told["url"])
		}
		require.Nil(t, others[0].notice(t, "short"))
		others[3].submit(t, of)
		require.Empty(t, short(), "four can give each other three reviews")
		require.Nil(t, ada.notice(t, "short"))

		orphaned := ada.publish(t, "reviewsNeeded", 2, "marks", 20, "dueDate", n.clock.now().Add(time.Hour).UTC().Format(time.RFC3339))
		single := ada.publish(t)
		others[0].submit(t, single)
		require.Empty(t, short(), "one grade needs one grader")

		ada.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		for _, c := range others {
			c.submit(t, orphaned) // there is no creator to warn
		}
	})
}

// The warnings of Today follow studycircle.TooFew, after any history.
func TestShortagesFollowTooFew(t *testing.T) {
	for seed := range uint64(2) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			onBothEngines(t, func(t *testing.T, n *node) {
				h := newHistory(t, n, 20+seed)
				var some, none int
				for range 30 {
					for range 6 {
						h.step()
					}
					for of, creator := range h.created {
						if h.hidden[of] || h.gone[of] {
							continue
						}
						want, got := h.tooFew(of), creator.shortage(t, of)
						require.Equal(t, want, got, "seed %d: %s", seed, of)
						if want != nil {
							some++
						} else {
							none++
						}
					}
				}
				require.Positive(t, some)
				require.Positive(t, none)
			})
		})
	}
}

// tooFew returns the warning that studycircle.TooFew requires for an assignment with open submissions, by its
// creator's results; nil for none.
func (h *history) tooFew(of string) doc {
	h.t.Helper()
	open := false
	for _, row := range h.created[of].pending(h.t) {
		open = open || (row["assignmentId"] == of && row["reviewable"] != nil)
	}
	a := h.n.visitor().get(h.t, "/api/assignment/"+of).is(h.t, http.StatusOK).json(h.t)
	needed, several := a["reviewsNeeded"].(float64)
	if !open || !several {
		return nil
	}
	submitters := map[string]bool{}
	for _, row := range h.created[of].get(h.t, "/api/assignment/"+of+"/submissions?limit=100").is(h.t, http.StatusOK).json(h.t)["data"].([]any) {
		submitters[row.(doc)["submittedBy"].(string)] = true
	}
	due, err := time.Parse(time.RFC3339, a["dueDate"].(string))
	require.NoError(h.t, err)
	near := !h.n.clock.now().Before(due.Add(-studycircle.ShortWithin))
	if !near || !studycircle.TooFew(int64(needed), int64(len(submitters))) {
		return nil
	}
	return doc{"assignmentId": of, "assignmentTitle": a["title"], "reviewsNeeded": needed, "submitters": float64(len(submitters))}
}

// shortage returns the warning about an assignment in c's Today; nil for none.
func (c *client) shortage(t *testing.T, of string) doc {
	t.Helper()
	for _, row := range c.get(t, "/api/today").is(t, http.StatusOK).json(t)["short"].([]any) {
		if row.(doc)["assignmentId"] == of {
			return row.(doc)
		}
	}
	return nil
}

// After any number of concurrent first hand-ins, which are enough, no warning that submitters are too few is left.
func TestConcurrentFirstHandIns(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, users := n.user(t, "Ada"), gathered(t, n)
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20, "dueDate", n.clock.now().Add(time.Hour).UTC().Format(time.RFC3339))
		statuses := atOnce(t, func(i int) (*answer, error) {
			return users[i].try(t.Context(), http.MethodPost, "/api/submissions", submission(of))
		})
		require.Equal(t, map[int]int{http.StatusCreated: crowd}, statuses)
		require.Nil(t, ada.notice(t, "short"))
		require.Nil(t, ada.shortage(t, of))
	})
}

// The one hand-in after which there are enough differs from all later ones, however many reviews are asked for: only it
// locks the creator's inbox.
func TestSubmittersAreCountedPastEnough(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		of := n.user(t, "Ada").publish(t, "reviewsNeeded", studycircle.MaxReviews, "marks", 20)
		for i := range studycircle.MaxReviews + 2 {
			n.user(t, fmt.Sprint("Bob", i)).submit(t, of)
			require.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
				handedIn, err := tx.Submitters(ctx, of)
				require.EqualValues(t, i+1, handedIn)
				return err
			}))
		}
	})
}
