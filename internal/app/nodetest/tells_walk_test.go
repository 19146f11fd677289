package nodetest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// unknowable is a set of ids that some users may not know of.
type unknowable struct {
	name string
	ids  places
	by   []*client
}

// No operation tells by its answer whether an id exists that the user may not know of: in a circle, hidden, deleted or
// another user's. The status, the headers and the body are those for an id that no object has.
func TestNoAnswerTellsWhetherAnIDExists(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		ada, bob, cem, eve, fay := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Eve"), n.user(t, "Fay")
		circle := ada.circle(t, "Physics")
		ada.admits(t, circle, "member", bob, cem)
		mine := places{"circle": eve.circle(t, "Eve's")}
		eve.admits(t, mine["circle"], "member", fay)
		mine["assignment"] = eve.publish(t, "circleId", mine["circle"])
		mine["several"] = eve.publish(t, "circleId", mine["circle"], "reviewsNeeded", 2)

		all := []*client{n.visitor(), eve, fay, mo}
		scenes := []unknowable{
			{name: "of a circle", ids: n.objects(t, circle, ada, bob), by: all},
			{name: "hidden", ids: n.objects(t, studycircle.Hall, ada, bob), by: all[:3]}, // moderators restore it
			{name: "deleted", ids: n.objects(t, studycircle.Hall, ada, bob), by: all},
			{name: "hidden in a circle", ids: n.objects(t, circle, ada, bob), by: []*client{cem}},
			{name: "deleted in a circle", ids: n.objects(t, circle, ada, bob), by: []*client{cem}},
		}
		for _, s := range scenes {
			if s.name == "of a circle" {
				continue
			}
			for _, id := range []string{s.ids["assignment"], s.ids["several"]} {
				if strings.HasPrefix(s.name, "hidden") {
					n.moderate(t, studycircle.Hide, studycircle.OfAssignment, id)
				} else {
					if id == s.ids["several"] { // otherwise the work is reviewed after all
						bob.del(t, "/api/submissions/"+s.ids["submission"]+"/own").is(t, http.StatusOK)
					}
					ada.del(t, "/api/assignment/"+id).is(t, http.StatusOK)
				}
			}
			// Work stays with those who handed it in and review it, and reports with those who decide on them.
			for _, name := range []string{"circle", "submission", "report", "hidden"} {
				s.ids[name] = "none"
			}
		}

		requests, asks, told := addressedIn(t), 0, map[string]bool{}
		for _, s := range scenes {
			unknown := s.ids.nowhere(time.Now())
			for _, c := range s.by {
				for _, r := range requests {
					// The second id of a path, beside one's own first, and all of them.
					for _, own := range []places{{}, mine} {
						of, none := maps.Clone(s.ids), maps.Clone(unknown)
						maps.Copy(of, own)
						maps.Copy(none, own)
						if sameRequest(r, of, none) || len(own) > 0 && c != eve {
							continue
						}
						want, got := c.sent(t, r, none), c.sent(t, r, of)
						asks++
						if want != got {
							told[strings.Join([]string{r.method, r.operation, c.name, s.name}, " ")] = true
							t.Logf("%s %s by %q, %s:\n%s%s", r.method, r.operation, c.name, s.name, want, got)
						}
					}
				}
			}
		}
		bodyOf := map[string]any{"rename-passkey": doc{"name": "Key"}}
		for path, operations := range documented(t) {
			if !strings.HasPrefix(path, "/api/auth/") || !strings.Contains(path, "{id}") {
				continue
			}
			for method, o := range operations {
				for _, c := range all {
					ask := func(id string) string {
						return c.call(t, strings.ToUpper(method), strings.ReplaceAll(path, "{id}", id), bodyOf[o.OperationID]).comparable()
					}
					want := ask(studycircle.NewID(time.Now()))
					asks++
					require.Equal(t, want, ask(ada.sessions(t)[0]["_id"].(string)), "%s by %q", o.OperationID, c.name)
				}
			}
		}
		require.Empty(t, slices.Sorted(maps.Keys(told)))
		t.Logf("%d pairs of answers: %d operations", asks, len(requests))
	})
}

// sameRequest reports whether two sets of ids make one request.
func sameRequest(r addressed, a, b places) bool {
	if r.path(a) != r.path(b) {
		return false
	}
	return r.body == nil || fmt.Sprint(r.body(a)) == fmt.Sprint(r.body(b))
}

// objects returns the ids of objects of each kind in a place, made by ada and bob.
func (n *node) objects(t *testing.T, circle string, ada, bob *client) places {
	t.Helper()
	more := []any{}
	p := places{"circle": circle, "userId": bob.id(t)}
	if circle != studycircle.Hall {
		more = append(more, "circleId", circle)
		p["invitation"], _ = ada.invite(t, circle, "role", "member")
	}
	p["assignment"] = ada.publish(t, more...)
	p["several"] = ada.publish(t, append(more, "reviewsNeeded", 2)...)
	p["submission"] = bob.submit(t, p["several"])
	p["comment"] = bob.write(t, p["assignment"], "A word")
	p["hidden"] = bob.write(t, p["assignment"], "A hidden word")
	p["report"] = ada.post(t, "/api/comment/"+p["comment"]+"/report", doc{"reason": "Rude"}).id(t)
	p["rubric"] = ada.post(t, "/api/rubrics", savedRubric("Own "+p["assignment"])).id(t)
	return p
}
