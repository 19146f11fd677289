package nodetest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// circle creates a circle with the default settings, and others of pairs of names and values, and returns its id.
func (c *client) circle(tb testing.TB, name string, pairs ...any) string {
	tb.Helper()
	settings := doc{"name": name}
	for i := 0; i < len(pairs); i += 2 {
		settings = with(settings, pairs[i].(string), pairs[i+1])
	}
	return c.post(tb, "/api/circles", settings).is(tb, http.StatusCreated).id(tb)
}

// circles returns the names of c's circles.
func (c *client) circles(tb testing.TB) (names []string) {
	tb.Helper()
	for _, one := range c.get(tb, "/api/circles?limit=100").is(tb, http.StatusOK).json(tb)["data"].([]any) {
		names = append(names, one.(doc)["name"].(string))
	}
	return names
}

func TestCircle(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		id := ada.circle(t, " Readers ", "description", "We *read*.", "publishing", "organizers")
		at := "/api/circle/" + id
		a := ada.get(t, at).is(t, http.StatusOK)
		got := a.json(t)
		require.NotEmpty(t, got["createdAt"])
		delete(got, "createdAt")
		require.Equal(t, doc{
			"_id": id, "name": "Readers", "description": "We *read*.", "html": "<p>We <em>read</em>.</p>\n", "role": "owner", "members": 1.0, "listed": false,
			"join": "invite", "publishing": "organizers", "grading": "members", "countsAccuracy": false, "archivedAt": nil, "readsMarks": true,
			"may": doc{"publish": true, "grade": true, "organize": true, "change": true, "own": true},
		}, got)
		tag := header{"If-Match", a.header.Get("ETag")}

		ada.put(t, at, doc{"name": "Writers", "join": "ask"}, tag).modified(t, 1)
		ada.put(t, at, doc{"name": "Writers"}).modified(t, 0)
		ada.put(t, at, doc{"name": "Singers"}, tag).refused(t, http.StatusPreconditionFailed, studycircle.CodeChanged)
		got = ada.get(t, at).is(t, http.StatusOK).json(t)
		require.Equal(t, []any{"Writers", "ask", "We *read*.", "organizers"}, []any{got["name"], got["join"], got["description"], got["publishing"]})

		ada.circle(t, "café B")
		ada.circle(t, "Cafe a")
		require.Equal(t, []string{"Cafe a", "café B", "Writers"}, ada.circles(t))
		page := ada.get(t, "/api/circles?page=2&limit=2").is(t, http.StatusOK).json(t)
		require.Equal(t, doc{"page": 2.0, "limit": 2.0, "total": 3.0, "totalPages": 2.0}, page["pagination"])
		require.Len(t, page["data"], 1)

		ada.del(t, at).is(t, http.StatusOK)
		ada.get(t, at).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		ada.del(t, at).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		require.Equal(t, []string{"Cafe a", "café B"}, ada.circles(t))
		deleted := func(c *client) []any {
			return c.get(t, "/api/circles?deleted=true").is(t, http.StatusOK).json(t)["data"].([]any)
		}
		require.Empty(t, deleted(n.user(t, "Eve")))
		shown := deleted(ada)
		require.Len(t, shown, 1)
		one := shown[0].(doc)
		require.Equal(t, []any{id, "Writers", 1.0}, []any{one["_id"], one["name"], one["members"]})
		deletedAt, err := time.Parse(time.RFC3339, one["deletedAt"].(string))
		require.NoError(t, err)
		until, err := time.Parse(time.RFC3339, one["restorableUntil"].(string))
		require.NoError(t, err)
		require.Equal(t, studycircle.CircleRestorable, until.Sub(deletedAt))
		beyond := ada.get(t, "/api/circles?deleted=true&page=2").is(t, http.StatusOK).json(t)
		require.Equal(t, []any{[]any{}, 1.0}, []any{beyond["data"], beyond["pagination"].(doc)["total"]})
		ada.post(t, at+"/restore", nil).modified(t, 1)
		require.Empty(t, deleted(ada))
		ada.post(t, at+"/restore", nil).modified(t, 0)
		require.Equal(t, "Writers", ada.get(t, at).is(t, http.StatusOK).json(t)["name"])
	})
}

func TestCircleIsRefused(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		for field, body := range map[string]doc{
			"name": {"name": " "}, "description": {"name": "a", "description": repeated("é", 2001)}, "join": {"name": "a", "join": "never"},
			"publishing": {"name": "a", "publishing": "everyone"}, "grading": {"name": "a", "grading": ""}, "listed": {"name": "a", "listed": "yes"},
		} {
			ada.post(t, "/api/circles", body).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body."+field)
			ada.put(t, "/api/circle/nothing", body).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body."+field)
		}
		ada.circle(t, repeated("é", 100), "description", repeated("é", 2000))
		n.visitor().post(t, "/api/circles", doc{"name": "a"}).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		n.visitor().get(t, "/api/circles").refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
	})
}

// circleBodies are bodies of operations on a circle, by operation.
var circleBodies = map[string]doc{
	"update-circle": {"name": "Canary"}, "change-member": {"label": "Red"}, "put-member": {"label": "Red"}, "hand-over-circle": {"userId": "made-up"}, "create-invitation": {},
	"answer-asking": {"accept": true},
}

// To a user who is not a member, a circle and a made-up id answer identically in every operation.
func TestCirclesDoNotExistForOthers(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, eve := n.user(t, "Ada"), n.user(t, "Eve")
		id, deleted := ada.circle(t, "Canary"), ada.circle(t, "Canary")
		ada.del(t, "/api/circle/"+deleted).is(t, http.StatusOK)
		walked := 0
		for operation, called := range operationsOf(t) {
			if !strings.HasPrefix(called.path, "/api/circle/{id}") {
				continue
			}
			walked++
			at := func(id string) string {
				return strings.NewReplacer("{id}", id, "{userId}", "made-up", "{invitationId}", "made-up").Replace(called.path)
			}
			var body any
			var headers []header
			if b := circleBodies[operation]; b != nil {
				body = b
			}
			if operation == "send-roster" {
				body, headers = raw("email"), []header{csvFile}
			}
			madeUp := eve.call(t, called.method, at("made-up"), body, headers...).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			for _, id := range []string{id, deleted} {
				a := eve.call(t, called.method, at(id), body, headers...).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
				require.Equal(t, string(madeUp.body), string(a.body), operation)
				madeUp.header.Del("Date")
				a.header.Del("Date")
				require.Equal(t, madeUp.header, a.header, operation)
				n.visitor().call(t, called.method, at(id), body, headers...).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
			}
		}
		require.GreaterOrEqual(t, walked, 19)
		require.Empty(t, eve.circles(t))
		require.Equal(t, []string{"Canary"}, ada.circles(t))
	})
}

// A user owns a bounded number of circles, also when creating many at once.
func TestTooManyCircles(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		for i := range studycircle.MaxOwnedCircles - 1 {
			ada.circle(t, fmt.Sprint("Circle ", i))
		}
		answers := make([]*answer, crowd)
		together(t, crowd, func(i int) (err error) {
			answers[i], err = ada.persist(t.Context(), http.MethodPost, "/api/circles", doc{"name": "Last"})
			return err
		})
		oneWins(t, answers, http.StatusCreated, studycircle.CodeTooManyCircles)
	})
}

// Of owners who save settings at once with one ETag, one succeeds.
func TestCircleIsUpdatedAtOnce(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		at := "/api/circle/" + ada.circle(t, "Readers")
		tag := header{"If-Match", ada.get(t, at).is(t, http.StatusOK).header.Get("ETag")}
		won := make([]int, crowd)
		together(t, crowd, func(i int) error {
			a, err := ada.persist(t.Context(), http.MethodPut, at, doc{"name": fmt.Sprint("Readers ", i)}, tag)
			if err == nil && a.status == http.StatusOK {
				won[i] = 1
			} else if err == nil && a.status != http.StatusPreconditionFailed {
				err = fmt.Errorf("%d: %s", a.status, a.body)
			}
			return err
		})
		total := 0
		for _, n := range won {
			total += n
		}
		require.Equal(t, 1, total)
	})
}
