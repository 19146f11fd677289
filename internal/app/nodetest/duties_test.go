package nodetest

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// history plays random steps of a group that hands in and reviews.
type history struct {
	t       *testing.T
	n       *node
	random  *rand.Rand
	people  []*client
	created map[string]*client // assignments, by their creators
	order   []string
	works   []handedInBy
	hidden  map[string]bool
	gone    map[string]bool // deleted
}

type handedInBy struct {
	by     *client
	id, of string
}

func newHistory(t *testing.T, n *node, seed uint64) *history {
	t.Helper()
	h := &history{t: t, n: n, random: rand.New(rand.NewPCG(seed, 7)), created: map[string]*client{}, hidden: map[string]bool{}, gone: map[string]bool{}}
	h.people = n.people(t, "Ada", "Bob", "Cem", "Dot", "Eve", "Fay")
	due := n.clock.now().Add(48 * time.Hour).UTC().Format(time.RFC3339)
	for i, needed := range []int{2, 3, 1, 5} {
		h.publish(h.people[i%2], due, needed)
	}
	return h
}

func (h *history) publish(creator *client, due string, needed int) {
	of := creator.publish(h.t, "reviewsNeeded", needed, "marks", 20, "dueDate", due)
	h.created[of], h.order = creator, append(h.order, of)
}

func (h *history) person() *client    { return h.people[h.random.IntN(len(h.people))] }
func (h *history) assignment() string { return h.order[h.random.IntN(len(h.order))] }

// step does one thing at random. A refused request changes nothing.
func (h *history) step() {
	c, of := h.person(), h.assignment()
	switch chance := h.random.IntN(100); {
	case chance < 30:
		if a := c.post(h.t, "/api/submissions", submission(of)); a.status == http.StatusCreated {
			h.works = append(h.works, handedInBy{c, a.id(h.t), of})
		}
	case chance < 60:
		h.review(c, of)
	case chance < 66:
		c.post(h.t, "/api/reviews/next", doc{"assignmentId": of})
	case chance < 72:
		if a := c.post(h.t, "/api/reviews/next", doc{}); a.status == http.StatusOK {
			c.del(h.t, "/api/reviews/lease/"+a.text(h.t, "submissionId"))
		}
	case chance < 76:
		exemplar := doc{"docsLink": link(60), "note": "A sample.", "mark": 9, "reason": "It covers half."}
		h.created[of].post(h.t, "/api/assignment/"+of+"/exemplars", exemplar)
	case chance < 80:
		h.pass(time.Duration(1+h.random.IntN(60)) * time.Hour)
	case chance < 82 && !h.gone[of]:
		action := studycircle.Hide
		if h.hidden[of] {
			action = studycircle.Restore
		}
		h.hidden[of] = !h.hidden[of]
		h.n.moderate(h.t, action, studycircle.OfAssignment, of)
	case chance < 83 && !h.hidden[of] && !h.gone[of]:
		h.gone[of] = true
		h.created[of].del(h.t, "/api/assignment/"+of).is(h.t, http.StatusOK)
		h.publish(h.created[of], h.n.clock.now().Add(time.Hour).UTC().Format(time.RFC3339), 2+h.random.IntN(2))
	default:
		h.decide()
	}
}

// decide does something about one submission.
func (h *history) decide() {
	if len(h.works) == 0 {
		return
	}
	w := h.works[h.random.IntN(len(h.works))]
	at := "/api/submissions/" + w.id
	creator := h.created[w.of]
	switch h.random.IntN(6) {
	case 0:
		w.by.del(h.t, at+"/own")
	case 1:
		h.person().patch(h.t, at, doc{"marks": 7})
	case 2:
		w.by.post(h.t, at+"/appeal", doc{"reason": "Please look again."})
	case 3:
		creator.post(h.t, at+"/settle", nil)
	case 4:
		creator.post(h.t, at+"/reopen", doc{"reason": "Look again.", "action": "new-reviewers"})
	default:
		creator.post(h.t, at+"/reopen", doc{"reason": "I decide.", "action": "set-mark", "mark": 11})
	}
}

// pass advances the clock and runs the work that is due.
func (h *history) pass(by time.Duration) {
	h.n.clock.advance(by)
	require.NoError(h.t, h.n.app.Service.PassTime(h.t.Context()))
	for _, c := range h.people {
		c.newSession(h.t)
	}
}

// review takes the next submission, reviews it, and returns its assignment; "" for none.
func (h *history) review(c *client, of string) string {
	a := c.post(h.t, "/api/reviews/next", doc{"assignmentId": of})
	if a.status != http.StatusOK {
		return ""
	}
	c.patch(h.t, "/api/submissions/"+a.text(h.t, "submissionId"), doc{"marks": h.random.IntN(21), "feedback": "Read."}).is(h.t, http.StatusOK)
	return a.text(h.t, "assignmentId")
}

// duty returns the duty in GET /api/progress for an assignment; nil if it is gone or one grade is its mark.
func (c *client) duty(t *testing.T, of string) doc {
	t.Helper()
	data := c.get(t, "/api/progress?assignments="+of).is(t, http.StatusOK).json(t)["data"].([]any)
	if len(data) == 0 || data[0].(doc)["reviewsAvailable"] == nil {
		return nil
	}
	return data[0].(doc)
}

// told returns the number of reviews of an assignment that the pages offer to c, and requires that progress, the
// pending list, Today and the dashboard agree.
func (h *history) told(c *client, of string) float64 {
	offered := c.reviewable(h.t, of)
	listed := false
	for _, row := range c.pending(h.t) {
		listed = listed || (row["assignmentId"] == of && row["reviewable"] != nil)
	}
	duty := c.duty(h.t, of)
	if duty != nil {
		available := duty["reviewsAvailable"].(float64)
		if listed {
			require.InDelta(h.t, available, offered, 0, "the pending list says what progress says")
		}
		offered = available
	}
	for _, turn := range c.get(h.t, "/api/today").is(h.t, http.StatusOK).json(h.t)["turns"].([]any) {
		if turn := turn.(doc); turn["assignmentId"] == of && duty != nil {
			require.InDelta(h.t, offered, turn["available"], 0, "today says what progress says")
			require.Equal(h.t, duty["reviewsLeft"], turn["owed"])
			require.Equal(h.t, duty["reviewsGiven"], turn["given"])
			require.Equal(h.t, duty["reviewBy"], turn["by"])
		}
	}
	if duty != nil {
		require.LessOrEqual(h.t, duty["reviewsLeft"], offered, "no more is owed than can be given")
		require.LessOrEqual(h.t, duty["reviewsOwed"], duty["reviewsGiven"].(float64)+offered)
	}
	return offered
}

// drain reviews everything of an assignment that POST /api/reviews/next gives c, and returns the number of reviews.
func (h *history) drain(c *client, of string) (n float64) {
	for {
		switch h.review(c, of) {
		case "":
			return n
		case of:
			n++
		default: // a lease of another assignment comes first
		}
	}
}

// The pages offer each user of each assignment exactly what POST /api/reviews/next gives, after any history.
func TestOfferedReviewsAreThoseThatNextGives(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			onBothEngines(t, func(t *testing.T, n *node) {
				h := newHistory(t, n, seed)
				var some float64
				for range 12 {
					for range 12 {
						h.step()
					}
					c, of := h.person(), h.assignment()
					told := h.told(c, of)
					require.InDelta(t, told, h.drain(c, of), 0, "seed %d: %s", seed, c.name)
					some += told
				}
				for _, of := range h.order {
					for _, c := range h.people {
						told := h.told(c, of)
						if c == h.created[of] {
							require.Zero(t, told, "its creator reviews nothing")
						}
						require.InDelta(t, told, h.drain(c, of), 0, "seed %d: %s", seed, c.name)
						require.Zero(t, h.told(c, of))
						some += told
					}
				}
				require.Positive(t, some)
			})
		})
	}
}

// The dashboard's figures and rows agree with the lists, after any history.
func TestDashboardAgreesWithLists(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		h := newHistory(t, n, 11)
		for range 6 {
			for range 20 {
				h.step()
			}
			for _, c := range h.people {
				h.requireAgreement(c)
			}
		}
	})
}

func (h *history) requireAgreement(c *client) {
	d := c.get(h.t, "/api/dashboard").is(h.t, http.StatusOK).json(h.t)
	given, taken, created := d["given"].(doc), d["taken"].(doc), d["created"].(doc)
	total := func(path string) any {
		return c.get(h.t, path).is(h.t, http.StatusOK).json(h.t)["pagination"].(doc)["total"]
	}
	require.Equal(h.t, total("/api/reviews"), or(given["reviews"], 0.0))
	require.Equal(h.t, total("/api/assignments?state=mine"), created["total"])
	own := map[string]float64{}
	for _, s := range c.get(h.t, "/api/submissions?submittedBy="+c.email).is(h.t, http.StatusOK).array(h.t) {
		own[s["status"].(string)]++
	}
	require.InDelta(h.t, own["pending"], taken["pending"], 0)
	require.InDelta(h.t, own["completed"], taken["graded"], 0)

	// A user who may review an assignment finds it on the dashboard, up to five of them.
	offered := map[string]any{}
	for _, row := range c.pending(h.t) {
		if n, stands := row["reviewable"].(float64); stands && n > 0 {
			offered[row["assignmentId"].(string)] = n
		}
	}
	for _, row := range d["waiting"].([]any) {
		if id, several := row.(doc)["assignmentId"].(string); several && offered[id] != nil {
			require.Equal(h.t, offered[id], row.(doc)["reviewsAvailable"])
			delete(offered, id)
		}
	}
	if len(d["waiting"].([]any)) < 5 {
		require.Empty(h.t, offered, "on the pending list, and not on the dashboard of %s", c.name)
	}
	today := c.get(h.t, "/api/today").is(h.t, http.StatusOK).json(h.t)
	require.Equal(h.t, today["decisions"], or(d["decisions"], []any{}))
	require.Equal(h.t, today["short"], or(d["short"], []any{}))
	require.Equal(h.t, today["due"], d["due"])
}

// or returns an absent member's value.
func or(v, absent any) any {
	if v == nil {
		return absent
	}
	return v
}

// Only the creator's list contains the submissions that wait for the creator's decision.
func TestDecisionsOfToday(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem")
		single, several := ada.publish(t, "marks", 20), ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		graded, waiting := bob.submit(t, single), bob.submit(t, several)
		cem.grade(t, graded, 4)
		bob.post(t, "/api/submissions/"+graded+"/appeal", doc{"reason": "Please look again."}).is(t, http.StatusCreated)
		decisions := func(c *client) any {
			c.newSession(t)
			return c.get(t, "/api/today").is(t, http.StatusOK).json(t)["decisions"]
		}
		require.Empty(t, decisions(ada), "two new reviewers are asked first")
		back := bob.get(t, "/api/today").json(t)["back"].([]any)
		require.Len(t, back, 1)
		require.Equal(t, graded, back[0].(doc)["submissionId"])
		n.clock.advance(30 * 24 * time.Hour)
		require.NoError(t, n.app.Service.PassTime(t.Context()))
		row := func(id, of, reason string) any {
			return doc{"submissionId": id, "assignmentId": of, "assignmentTitle": "Essay on tides", "reason": reason}
		}
		require.Equal(t, asJSON(t, []any{row(graded, single, "appeal"), row(waiting, several, "unattended")}), asJSON(t, decisions(ada)))
		require.Empty(t, decisions(cem))
		bob.newSession(t)
		require.Empty(t, bob.get(t, "/api/today").json(t)["back"], "older than a week")
	})
}

// An expired lease no longer counts, even before the background work has ended it.
func TestALapsedLeaseIsNotOffered(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem")
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		bob.submit(t, of)
		cem.submit(t, of)
		require.InDelta(t, 1, cem.duty(t, of)["reviewsAvailable"], 0)
		cem.task(t, of)
		require.InDelta(t, 1, cem.duty(t, of)["reviewsAvailable"], 0, "a held lease counts")
		held := cem.get(t, "/api/today").json(t)["turns"].([]any)[0].(doc)
		require.NotEmpty(t, held["heldUntil"])
		n.clock.advance(studycircle.LeaseTime + time.Hour)
		cem.newSession(t)
		require.InDelta(t, 0, cem.duty(t, of)["reviewsAvailable"], 0)
		require.InDelta(t, 0, cem.reviewable(t, of), 0)
		cem.idle(t, of)
	})
}

// A user who hands in owes as many reviews as each submission gets, until the server settles
// them; exemplars do not count, and neither does a withdrawn submission.
func TestOwedReviews(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, dot := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot")
		due := n.clock.now().Add(24 * time.Hour).UTC().Truncate(time.Second)
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20, "dueDate", due.Format(time.RFC3339))
		plain := ada.publish(t)
		ada.post(t, "/api/assignment/"+of+"/exemplars", doc{"docsLink": link(60), "note": "", "mark": 9, "reason": "Half of it."}).is(t, http.StatusCreated)
		require.Nil(t, bob.duty(t, plain), "one grade is the mark")
		require.InDelta(t, 0, bob.duty(t, of)["reviewsOwed"], 0)
		require.Nil(t, bob.duty(t, of)["reviewBy"])
		id := bob.submit(t, of)
		cem.submit(t, of)
		dot.submit(t, of)
		by := due.Add(studycircle.SettleAfter).Format(time.RFC3339)
		require.Equal(t, by, bob.duty(t, of)["reviewBy"])
		require.InDelta(t, 2, bob.duty(t, of)["reviewsOwed"], 0)
		for given, owed := range []float64{2, 1, 0} { // the exemplar comes first
			id := bob.task(t, of)["submissionId"].(string)
			bob.patch(t, "/api/submissions/"+id, doc{"marks": 9}).is(t, http.StatusOK)
			require.InDelta(t, owed, bob.duty(t, of)["reviewsLeft"], 0)
			require.InDelta(t, 2, bob.duty(t, of)["reviewsOwed"], 0)
			require.InDelta(t, given, bob.duty(t, of)["reviewsGiven"], 0)
		}
		require.Empty(t, bob.get(t, "/api/today").json(t)["turns"])
		require.Len(t, cem.get(t, "/api/today").json(t)["turns"], 1)
		bob.del(t, "/api/submissions/"+id+"/own").is(t, http.StatusOK)
		require.Nil(t, bob.duty(t, of)["reviewBy"])
		n.clock.advance(9 * 24 * time.Hour)
		cem.newSession(t)
		require.InDelta(t, 0, cem.duty(t, of)["reviewsLeft"], 0, "the server has settled what there is")
		require.InDelta(t, 1, cem.duty(t, of)["reviewsOwed"], 0, "Bob has withdrawn")
		require.Empty(t, cem.get(t, "/api/today").json(t)["turns"])
	})
}
