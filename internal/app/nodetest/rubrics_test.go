package nodetest

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// savedRubric returns a valid rubric to save under a name.
func savedRubric(name string) doc { return with(twoCriteria(), "name", name) }

// rubrics returns the names of the rubrics that c is offered, their own or a circle's.
func (c *client) rubrics(tb testing.TB, query string) (names []string) {
	tb.Helper()
	for _, r := range c.get(tb, "/api/rubrics"+query).is(tb, http.StatusOK).json(tb)["data"].([]any) {
		names = append(names, r.(doc)["name"].(string))
	}
	return names
}

func TestRubricsAreSaved(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, dot := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot")
		for field, wrong := range map[string][]any{
			"name": {"", 5, repeated("x", 101)}, "criteria": {nil, []any{}, "x", []any{doc{"title": "A", "levels": []any{}, "x": 1}}},
			"circleId": {5},
		} {
			for _, value := range wrong {
				ada.post(t, "/api/rubrics", with(savedRubric("Essay"), field, value)).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body."+field)
			}
		}
		unmarked := []any{doc{"title": "A", "levels": []any{doc{"label": "a", "marks": 1}, doc{"label": "b"}}}}
		ada.post(t, "/api/rubrics", doc{"name": "Essay", "criteria": unmarked}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.criteria[0].levels[1].marks")
		id := ada.post(t, "/api/rubrics", savedRubric("Essay")).id(t)
		saved := ada.get(t, "/api/rubrics").json(t)["data"].([]any)[0].(doc)
		require.Equal(t, asJSON(t, twoCriteria()["criteria"]), saved["criteria"])
		require.Equal(t, doc{"delete": true}, saved["may"])
		require.Empty(t, bob.rubrics(t, ""))
		bob.del(t, "/api/rubrics/"+id).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		ada.del(t, "/api/rubrics/"+id).is(t, http.StatusOK)
		ada.del(t, "/api/rubrics/"+id).refused(t, http.StatusNotFound, studycircle.CodeNotFound)

		circle := ada.circle(t, "Evening class")
		ada.admits(t, circle, "member", bob)
		ada.admits(t, circle, "member", cem)
		in := "?circle=" + circle
		bobs := bob.post(t, "/api/rubrics", with(savedRubric("Bob's"), "circleId", circle)).id(t)
		adas := ada.post(t, "/api/rubrics", with(savedRubric("Ada's"), "circleId", circle)).id(t)
		require.Equal(t, []string{"Bob's", "Ada's"}, cem.rubrics(t, in))
		require.Empty(t, ada.rubrics(t, ""), "a circle's are in its list")
		dot.get(t, "/api/rubrics"+in).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		dot.post(t, "/api/rubrics", with(savedRubric("Dot's"), "circleId", circle)).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		dot.del(t, "/api/rubrics/"+bobs).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		cem.del(t, "/api/rubrics/"+bobs).refused(t, http.StatusForbidden, studycircle.CodeNotOrganizer)
		bob.del(t, "/api/rubrics/"+adas).refused(t, http.StatusForbidden, studycircle.CodeNotOrganizer)
		ada.del(t, "/api/rubrics/"+bobs).is(t, http.StatusOK)

		// What a user saved for a circle stays there; their own goes with the account.
		bob.post(t, "/api/rubrics", with(savedRubric("Bob's"), "circleId", circle)).is(t, http.StatusCreated)
		bob.post(t, "/api/rubrics", savedRubric("Own")).is(t, http.StatusCreated)
		bob.put(t, "/api/phrases", doc{"phrases": []string{"Well argued."}}).is(t, http.StatusOK)
		account := bob.id(t)
		bob.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		require.Equal(t, []string{"Ada's", "Bob's"}, cem.rubrics(t, in))
		require.NotContains(t, fmt.Sprint(n.tablesAbout(t, account)), "phrases:")
	})
}

func TestPhrasesAreKept(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		require.Equal(t, doc{"phrases": []any{}}, ada.get(t, "/api/phrases").is(t, http.StatusOK).json(t))
		many := make([]string, 51)
		for i := range many {
			many[i] = "Well argued."
		}
		for _, wrong := range []any{nil, "x", many, []any{5}} {
			ada.put(t, "/api/phrases", doc{"phrases": wrong}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.phrases")
		}
		for _, wrong := range []string{"", " ", "a\nb", repeated("x", 301)} {
			ada.put(t, "/api/phrases", doc{"phrases": []string{"a", wrong}}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.phrases[1]")
		}
		ada.put(t, "/api/phrases", doc{"phrases": many[:50]}).is(t, http.StatusOK)
		ada.put(t, "/api/phrases", doc{"phrases": []string{" Say why. ", "Well argued."}}).is(t, http.StatusOK)
		require.Equal(t, doc{"phrases": []any{"Say why.", "Well argued."}}, ada.get(t, "/api/phrases").json(t))
		require.Equal(t, doc{"phrases": []any{}}, bob.get(t, "/api/phrases").json(t))
		ada.put(t, "/api/phrases", doc{"phrases": []string{}}).is(t, http.StatusOK)
		require.Equal(t, doc{"phrases": []any{}}, ada.get(t, "/api/phrases").json(t))
	})
}

// 32 clients save for one circle in which there is room for 18 more, and for themselves; half of them delete the same
// rubric. 32 clients replace one user's phrases: the last list is whole.
func TestConcurrentRubricsAndPhrases(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		circle := ada.circle(t, "Evening class")
		for i := range 32 {
			ada.post(t, "/api/rubrics", with(savedRubric(fmt.Sprint("Early ", i)), "circleId", circle)).is(t, http.StatusCreated)
		}
		members := gathered(t, n)
		for _, m := range members {
			ada.admits(t, circle, "member", m)
		}
		require.Equal(t, map[int]int{http.StatusCreated: 18, http.StatusConflict: crowd - 18}, atOnce(t, func(i int) (*answer, error) {
			return members[i].try(t.Context(), http.MethodPost, "/api/rubrics", with(savedRubric(fmt.Sprint("Late ", i)), "circleId", circle))
		}))
		require.Len(t, ada.rubrics(t, "?circle="+circle), 50)
		first := ada.get(t, "/api/rubrics?circle="+circle).json(t)["data"].([]any)[0].(doc)["_id"].(string)
		require.Equal(t, map[int]int{http.StatusOK: 1, http.StatusNotFound: crowd - 1}, atOnce(t, func(int) (*answer, error) {
			return ada.try(t.Context(), http.MethodDelete, "/api/rubrics/"+first, nil)
		}))
		require.Equal(t, map[int]int{http.StatusCreated: crowd}, atOnce(t, func(i int) (*answer, error) {
			return ada.try(t.Context(), http.MethodPost, "/api/rubrics", savedRubric(fmt.Sprint("Own ", i)))
		}))
		require.Len(t, ada.rubrics(t, ""), crowd)
		require.Equal(t, map[int]int{http.StatusOK: crowd}, atOnce(t, func(i int) (*answer, error) {
			return ada.try(t.Context(), http.MethodPut, "/api/phrases", doc{"phrases": []string{fmt.Sprint("First ", i), fmt.Sprint("Second ", i)}})
		}))
		kept := ada.get(t, "/api/phrases").json(t)["phrases"].([]any)
		require.Len(t, kept, 2)
		require.Equal(t, kept[0].(string)[len("First "):], kept[1].(string)[len("Second "):])
	})
}
