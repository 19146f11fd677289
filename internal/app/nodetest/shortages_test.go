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

// A hand-in after there are enough finds nothing to withdraw, however many reviews are asked for: submitters are counted
// as far as that.
func TestSubmittersAreCountedToEnough(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		of := n.user(t, "Ada").publish(t, "reviewsNeeded", studycircle.MaxReviews, "marks", 20)
		for i := range studycircle.MaxReviews + 2 {
			n.user(t, fmt.Sprint("Bob", i)).submit(t, of)
			require.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
				a, err := tx.Assignment(ctx, of)
				require.NoError(t, err)
				facts, err := tx.LockShortage(ctx, a)
				require.Equal(t, store.ShortageFacts{Open: true, Submitters: int64(min(i+1, studycircle.MaxReviews+1))}, facts)
				return err
			}))
		}
	})
}

// moveDue gives an assignment of c's, as publish made it with fields, another due date.
func (c *client) moveDue(t *testing.T, of string, due time.Time, fields ...any) {
	t.Helper()
	fields = append(fields, "dueDate", due.UTC().Format(time.RFC3339))
	c.put(t, "/api/assignment/"+of, with(assignment(), fields...)).is(t, http.StatusOK)
}

// The creator is warned of too few submitters a day before the due date although no one hands in then, once. A due date
// that moves further away withdraws the warning until a day before the new one; one that moves within the day does not.
func TestTooFewSubmittersByTime(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		begin := n.clock.now()
		fields := []any{"reviewsNeeded", 3, "marks", 20}
		of := ada.publish(t, append(fields, "dueDate", begin.Add(30*time.Hour).UTC().Format(time.RFC3339))...)
		bob.submit(t, of)
		warned := func() bool {
			told := ada.notice(t, "short")
			require.True(t, told == nil || told["count"] == 1.0, "once: %v", told)
			return told != nil
		}
		n.passTime(t, time.Minute, ada)
		require.False(t, warned(), "30 hours before")
		n.passTime(t, 6*time.Hour, ada)
		require.True(t, warned())
		require.NotNil(t, ada.shortage(t, of))
		n.passTime(t, time.Hour, ada)
		require.True(t, warned())

		ada.moveDue(t, of, begin.Add(29*time.Hour), fields...)
		require.True(t, warned(), "22 hours before")
		ada.moveDue(t, of, begin.Add(100*time.Hour), fields...)
		require.False(t, warned())
		require.Nil(t, ada.shortage(t, of))
		n.passTime(t, 24*time.Hour, ada)
		require.False(t, warned())
		n.passTime(t, 45*time.Hour, ada)
		require.True(t, warned())
		ada.moveDue(t, of, begin.Add(200*time.Hour), fields...)
		require.False(t, warned())
		ada.moveDue(t, of, begin.Add(80*time.Hour), fields...)
		require.True(t, warned(), "a due date that comes near")
	})
}

// Submissions that are withdrawn, or end with their account, may leave too few submitters.
func TestTooFewSubmittersAreLeft(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		others := n.people(t, "Bob", "Cem", "Dot", "Eve")
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20, "dueDate", n.clock.now().Add(20*time.Hour).UTC().Format(time.RFC3339))
		var works []string
		for _, c := range others {
			works = append(works, c.submit(t, of))
		}
		n.passTime(t, time.Minute)
		require.Nil(t, ada.notice(t, "short"), "four are enough")
		others[0].del(t, "/api/submissions/"+works[0]+"/own").is(t, http.StatusOK)
		n.passTime(t, time.Minute)
		require.Nil(t, ada.notice(t, "short"), "three are enough")
		others[1].del(t, "/api/submissions/"+works[1]+"/own").is(t, http.StatusOK)
		n.passTime(t, time.Minute)
		require.NotNil(t, ada.notice(t, "short"))
		others[0].submit(t, of)
		require.Nil(t, ada.notice(t, "short"))
		others[2].del(t, "/api/auth/account").is(t, http.StatusNoContent)
		n.passTime(t, time.Minute)
		require.NotNil(t, ada.notice(t, "short"))
		others[3].del(t, "/api/submissions/"+works[3]+"/own").is(t, http.StatusOK)
		others[0].del(t, "/api/auth/account").is(t, http.StatusNoContent)
		n.passTime(t, time.Minute)
		require.Nil(t, ada.notice(t, "short"), "no submission is left")
	})
}

// In an archived circle no one is warned; once it is in use again, its creators are.
func TestTooFewSubmittersInAnArchivedCircle(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "member", bob)
		due := n.clock.now().Add(30 * time.Hour).UTC().Format(time.RFC3339)
		bob.submit(t, ada.publish(t, "circleId", circle, "reviewsNeeded", 3, "marks", 20, "dueDate", due))
		ada.post(t, "/api/circle/"+circle+"/archive", nil).modified(t, 1)
		n.passTime(t, 7*time.Hour, ada)
		require.Nil(t, ada.notice(t, "short"))
		ada.post(t, "/api/circle/"+circle+"/unarchive", nil).modified(t, 1)
		n.passTime(t, time.Minute)
		require.NotNil(t, ada.notice(t, "short"))
	})
}

// While many hand in and withdraw, the due date moves and time passes, the warning ends as the submitters and the due
// date say.
func TestConcurrentShortages(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, users := n.user(t, "Ada"), gathered(t, n)
		fields := []any{"reviewsNeeded", 2, "marks", 20}
		near, far := n.clock.now().Add(time.Hour).UTC(), n.clock.now().Add(50*time.Hour).UTC()
		of := ada.publish(t, append(fields, "dueDate", near.Format(time.RFC3339))...)
		for round, left := range []int{1, 3, 2} { // submitters
			together(t, crowd+2, func(i int) error {
				switch i {
				case crowd:
					due := []time.Time{far, near}[round%2].Format(time.RFC3339)
					_, err := ada.do(t.Context(), http.MethodPut, "/api/assignment/"+of, with(assignment(), append(fields, "dueDate", due)...), http.StatusOK)
					return err
				case crowd + 1:
					return n.app.Service.PassTime(t.Context())
				}
				id, err := users[i].do(t.Context(), http.MethodPost, "/api/submissions", submission(of), http.StatusCreated)
				if err != nil || i < left {
					return err
				}
				_, err = users[i].do(t.Context(), http.MethodDelete, "/api/submissions/"+id+"/own", nil, http.StatusOK)
				return err
			})
			ada.moveDue(t, of, near, fields...)
			n.passTime(t, 0)
			require.Equal(t, left < 3, ada.notice(t, "short") != nil, "%d submitters", left)
			require.Equal(t, left < 3, ada.shortage(t, of) != nil)
			ada.moveDue(t, of, far, fields...)
			require.Nil(t, ada.notice(t, "short"))
			for _, c := range users[:left] {
				for _, s := range c.get(t, "/api/submissions?submittedBy="+c.email).array(t) {
					c.del(t, "/api/submissions/"+s["_id"].(string)+"/own").is(t, http.StatusOK)
				}
			}
		}
	})
}
