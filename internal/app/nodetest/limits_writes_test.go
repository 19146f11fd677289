package nodetest

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store"
)

// used counts times-1 uses of a window for a user now.
func (n *node) used(t *testing.T, c *client, name string, times int) {
	t.Helper()
	account, err := n.app.Store.AccountByEmail(t.Context(), c.email)
	require.NoError(t, err)
	now := n.clock.now()
	stamps := limit.Log(slices.Repeat([]int64{now.Unix()}, times-1)).String()
	require.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.DB.ExecContext(ctx, "INSERT INTO rate_limits (name, stamps, expires_at) VALUES ($1, $2, $3)"+
			" ON CONFLICT (name) DO UPDATE SET stamps = excluded.stamps", name+":"+account.ID, stamps, now.Add(time.Hour).UnixMicro())
		return err
	}))
}

// Each kind of write that a user repeats has a limit per hour. The last write within the limit succeeds, and the next
// one is refused with Retry-After. A write without a change is not counted. With limits off there are none.
func TestRepeatedWritesAreLimited(t *testing.T) {
	for _, limits := range []bool{true, false} {
		t.Run(fmt.Sprint("limits ", limits), func(t *testing.T) {
			worldOnBothEngines(t, func(t *testing.T, w *world) {
				w.limits = limits
				n := w.start(t)
				ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
				of := ada.publish(t)
				first, second := bob.write(t, of, "First"), bob.write(t, of, "Second")
				work := bob.submit(t, of)
				zone := func(name string) func() *answer {
					return func() *answer {
						settings := bob.get(t, "/api/settings").is(t, http.StatusOK).json(t)
						settings["timeZone"] = name
						return bob.put(t, "/api/settings", settings)
					}
				}
				like := func(id string) func() *answer {
					return func() *answer { return bob.put(t, "/api/comment/"+id+"/reactions/like", nil) }
				}
				edit := func(text string) func() *answer {
					return func() *answer { return bob.patch(t, "/api/comment/"+first, doc{"text": text}) }
				}
				reviewed := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
				for range 2 {
					ada.post(t, "/api/assignment/"+reviewed+"/exemplars", exemplar(12)).is(t, http.StatusCreated)
				}
				review := func() *answer { // of an exemplar
					return bob.patch(t, "/api/submissions/"+bob.task(t, reviewed)["submissionId"].(string), doc{"marks": 9})
				}
				create := func() *answer { return bob.post(t, "/api/assignments", assignment()) }
				change := func(n int) func() *answer {
					return func() *answer { return bob.put(t, "/api/submissions/"+work+"/own", doc{"docsLink": link(n)}) }
				}
				for _, c := range []struct {
					window             string
					max, status        int
					last, same, beyond func() *answer // same repeats last without a change
				}{
					{"react", 600, http.StatusOK, like(first), like(first), like(second)},
					{"edit", 120, http.StatusOK, edit("Changed"), edit("Changed"), edit("Changed again")},
					{"settings", 120, http.StatusOK, zone("Europe/Rome"), zone("Europe/Rome"), zone("Europe/Oslo")},
					{"submit", 120, http.StatusOK, change(60), change(60), change(61)},
					{"create", 120, http.StatusCreated, create, nil, create},
					{"grade", 120, http.StatusOK, review, nil, review},
				} {
					if limits {
						n.used(t, bob, c.window, c.max)
					}
					c.last().is(t, c.status)
					if c.same != nil {
						c.same().is(t, c.status)
					}
					if !limits {
						c.beyond().is(t, c.status)
						continue
					}
					wait := overLimit(t, c.beyond())
					require.InDelta(t, 3600, wait, 60, c.window)
				}
				if limits {
					n.clock.advance(time.Hour + time.Second)
					bob.newSession(t)
					like(second)().is(t, http.StatusOK)
					create().is(t, http.StatusCreated)
				}
			})
		})
	}
}

// A preview writes nothing, and its node limits it.
func TestPreviewsAreLimited(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.limits = true
		n := w.start(t)
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		for i := range 120 {
			ada.post(t, "/api/preview", doc{"text": "*Hm*", "of": []string{"comment", "description"}[i%2]}).is(t, http.StatusOK)
		}
		for _, of := range []string{"comment", "description"} {
			ada.post(t, "/api/preview", doc{"text": "*Hm*", "of": of}).refused(t, http.StatusTooManyRequests, studycircle.CodeRateLimited)
		}
		bob.post(t, "/api/preview", doc{"text": "*Hm*"}).is(t, http.StatusOK)
		n.clock.advance(11 * time.Minute)
		ada.post(t, "/api/preview", doc{"text": "*Hm*"}).is(t, http.StatusOK)
	})
}
