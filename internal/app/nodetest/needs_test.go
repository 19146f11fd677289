package nodetest

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// needs returns what else waits for c by Today.
func (c *client) needs(t *testing.T) (out []doc) {
	t.Helper()
	today := c.get(t, "/api/today").is(t, http.StatusOK).json(t)
	all, there := today["needs"].([]any)
	require.Equal(t, len(all) > 0, there, "absent for nothing")
	for _, one := range all {
		out = append(out, one.(doc))
	}
	return out
}

// A class from its first assignment to its last: Today lists what waits for each, with the day and the page, and no
// longer than it waits. Each reads at once what they have written.
func TestTodayTellsWhatWaits(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		now := time.Date(2027, 3, 1, 10, 0, 0, 0, time.UTC)
		n.clock.stand(now)
		mo.newSession(t)
		ada, class, circle, of := classOf(t, n, []string{"Bob", "Cem", "Dot", "Eve"}, "reviewsNeeded", 3)
		bob, cem := class[0], class[1]
		fay := n.user(t, "Fay")
		due := now.Add(48 * time.Hour).Format(time.RFC3339)
		settles := now.Add(48*time.Hour + studycircle.SettleAfter).Format(time.RFC3339)
		page := "/assignment/" + of
		need := func(kind, url string, pairs ...any) doc {
			return with(doc{"kind": kind, "url": url, "circleId": circle, "circleName": "Readers"}, pairs...)
		}
		about := func(kind, url string, pairs ...any) doc {
			return with(need(kind, url, "assignmentId", of, "assignmentTitle", "Essay on tides"), pairs...)
		}
		require.Equal(t, []doc{about("hand-in", page, "by", due)}, bob.needs(t))
		for _, c := range []*client{ada, fay, mo} {
			require.Empty(t, c.needs(t), c.name)
		}
		works := map[*client]string{}
		for _, c := range class {
			works[c] = c.submit(t, of)
			require.Empty(t, c.needs(t))
		}

		// A question waits for its submitter until it is answered.
		task := cem.task(t, of)["submissionId"].(string)
		cem.post(t, questionAt(task), doc{"text": "Which edition?"}).is(t, http.StatusCreated)
		var asked *client
		for c, id := range works {
			if id == task {
				asked = c
			}
		}
		require.Equal(t, []doc{about("answer", "/attemded-assignments", "submissionId", task, "count", 1.0, "by", settles)}, asked.needs(t))
		asked.post(t, answerAt(task), doc{"text": "The second."}).is(t, http.StatusCreated)
		require.Empty(t, asked.needs(t))

		// The reviews lie far apart, so one more is asked for: the creator may settle now.
		for i, c := range class {
			for c.reviewsWith(t, of, []int{0, 20, 10, 0}[i]) {
			}
		}
		open := ada.get(t, "/api/assignment/"+of+"/results").json(t)["ready"].(float64)
		require.Positive(t, open)
		require.Equal(t, []doc{about("finalize", page+"#results", "count", open, "by", settles)}, ada.needs(t))
		require.InDelta(t, open, ada.post(t, "/api/assignment/"+of+"/settle", nil).is(t, http.StatusOK).json(t)["modifiedCount"], 0)
		require.Empty(t, ada.needs(t))

		// An appeal waits from its first moment; once Ada is asked to decide it is a decision. Two more members are free to
		// review it.
		ada.admits(t, circle, "member", n.people(t, "Gus", "Hal")...)
		bob.post(t, "/api/submissions/"+works[bob]+"/appeal", doc{"reason": "Look again."}).is(t, http.StatusCreated)
		until := now.Add(studycircle.AppealPatience).Format(time.RFC3339)
		require.Equal(t, []doc{about("appeal", page+"#result-"+works[bob], "submissionId", works[bob], "by", until)}, ada.needs(t))
		require.Empty(t, ada.get(t, "/api/today").json(t)["decisions"])
		ada.post(t, "/api/submissions/"+works[bob]+"/reopen", doc{"reason": "I decide.", "action": "set-mark", "mark": 11}).is(t, http.StatusOK)
		require.Empty(t, ada.needs(t))

		// Reports wait for the organizers, and in the hall for the moderators.
		rude := bob.write(t, of, "You are all stupid")
		cem.post(t, "/api/comment/"+rude+"/report", doc{"reason": "Rude"}).is(t, http.StatusCreated)
		since := now.Format(time.RFC3339)
		require.Equal(t, []doc{need("reports", "/circle/"+circle+"?tab=reports", "count", 1.0, "since", since)}, ada.needs(t))
		require.Empty(t, mo.needs(t))
		ada.post(t, "/api/reports/"+ada.reported(t, circle)[0]["_id"].(string), doc{"action": "dismiss"}).modified(t, 1)
		require.Empty(t, ada.needs(t))
		public := ada.publish(t, "dueDate", due)
		fay.post(t, "/api/assignment/"+public+"/report", doc{"reason": "Copied"}).is(t, http.StatusCreated)
		require.Equal(t, []doc{{"kind": "reports", "url": "/moderation", "count": 1.0, "since": since}}, mo.needs(t))
		require.Empty(t, ada.needs(t), "the author decides on nothing")
		mo.post(t, "/api/reports/"+mo.reported(t, "")[0]["_id"].(string), doc{"action": "dismiss"}).modified(t, 1)
		require.Empty(t, mo.needs(t))
		fay.post(t, "/api/comment/"+mo.write(t, public, "Read it again")+"/report", doc{"reason": "Rude"}).is(t, http.StatusCreated)
		require.Empty(t, mo.needs(t), "a moderator does not decide on their own words")

		// Requests wait for the organizers.
		ada.put(t, "/api/circle/"+circle, doc{"name": "Readers", "join": "ask"}).is(t, http.StatusOK)
		fay.post(t, "/api/circle/"+circle+"/ask", nil).is(t, http.StatusOK)
		require.Equal(t, []doc{need("requests", "/circle/"+circle+"?tab=members", "count", 1.0, "since", since)}, ada.needs(t))
		require.Empty(t, bob.needs(t))
		ada.post(t, "/api/circle/"+circle+"/asking/"+fay.id(t), doc{"accept": true}).modified(t, 1)
		require.Empty(t, ada.needs(t))
		require.Equal(t, []doc{about("hand-in", page, "by", due)}, fay.needs(t))
	})
}

// Of the reports in a circle, Today counts for each organizer those on which its page lets them decide: not those on
// their own words, whatever was reported.
func TestTodayCountsReportsOnTheWordsOfOthers(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, class, circle, of := classOf(t, n, []string{"Bob", "Cem", "Dot"}, "reviewsNeeded", 2)
		bob, cem, dot := class[0], class[1], class[2]
		report := func(c *client, path string) {
			c.post(t, path+"/report", doc{"reason": "Look."}).is(t, http.StatusCreated)
		}
		works := map[string]*client{}
		for _, c := range class {
			works[c.submit(t, of)] = c
		}
		task := cem.task(t, of)["submissionId"].(string)
		report(cem, "/api/submissions/"+task)
		author := works[task]
		cem.patch(t, "/api/submissions/"+task, doc{"marks": 9, "feedback": "Read it again."}).is(t, http.StatusOK)
		n.passTime(t, 48*time.Hour+studycircle.SettleAfter, ada, bob, cem, dot)
		received := author.get(t, "/api/submissions/"+task+"/reviews").is(t, http.StatusOK).json(t)["data"].([]any)
		report(author, "/api/reviews/"+received[0].(doc)["_id"].(string))
		report(dot, "/api/comment/"+bob.write(t, of, "You are all stupid"))
		due := n.clock.now().Add(48 * time.Hour).UTC().Format(time.RFC3339)
		next := bob.publish(t, "circleId", circle, "marks", 20, "dueDate", due, "reviewsNeeded", 2)
		report(dot, "/api/assignment/"+next)
		known := bob.post(t, "/api/assignment/"+next+"/exemplars", exemplar(18)).is(t, http.StatusCreated).id(t)
		require.Equal(t, known, dot.task(t, next)["submissionId"])
		report(dot, "/api/submissions/"+known)
		dot.del(t, "/api/reviews/lease/"+known).is(t, http.StatusOK)
		counted := map[string]float64{}
		for _, c := range []*client{ada, bob, cem, dot} {
			if c != ada {
				ada.patch(t, "/api/circle/"+circle+"/members/"+c.id(t), doc{"role": "organizer"}).modified(t, 1)
			}
			listed := 0.0
			for _, r := range c.reported(t, circle) {
				if r["mayDecide"] == true {
					listed++
				}
			}
			for _, need := range c.needs(t) {
				if need["kind"] == "reports" {
					counted[c.name] = need["count"].(float64)
				}
			}
			require.InDelta(t, listed, counted[c.name], 0, c.name)
		}
		want := map[string]float64{"Ada": 5, "Bob": 5 - 3, "Cem": 5 - 1, "Dot": 5} // the review is Cem's, the work the author's
		want[author.name]--
		require.Equal(t, want, counted)
	})
}

// reviewsWith reviews the next work of an assignment with a mark, and reports whether there was any.
func (c *client) reviewsWith(t *testing.T, of string, mark int) bool {
	t.Helper()
	a := c.post(t, "/api/reviews/next", doc{"assignmentId": of})
	if a.status != http.StatusOK {
		return false
	}
	c.patch(t, "/api/submissions/"+a.text(t, "submissionId"), doc{"marks": mark, "feedback": "Read."}).is(t, http.StatusOK)
	return true
}

// Work is asked for from two weeks before its due date to two weeks after it, as the date applies to the member; of
// organizers none is, and in an archived circle neither.
func TestTodayAsksForWorkThatIsDue(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		now := time.Date(2027, 3, 1, 10, 0, 0, 0, time.UTC)
		n.clock.stand(now)
		ada, class, circle, of := classOf(t, n, []string{"Bob", "Cem"})
		bob, cem := class[0], class[1]
		later := ada.publish(t, "circleId", circle, "dueDate", now.Add(14*24*time.Hour+time.Second).Format(time.RFC3339))
		ids := func(c *client) (out []any) {
			c.newSession(t)
			for _, need := range c.needs(t) {
				out = append(out, need["assignmentId"])
			}
			return out
		}
		require.Equal(t, []any{of}, ids(bob))
		n.clock.stand(now.Add(time.Second))
		require.Equal(t, []any{of, later}, ids(bob))
		ada.newSession(t)
		ada.extends(t, later, bob, now.Add(20*24*time.Hour).Format(time.RFC3339)).is(t, http.StatusOK)
		require.Equal(t, []any{of}, ids(bob), "Bob has extra time")
		require.Equal(t, []any{of, later}, ids(cem))
		n.clock.stand(now.Add(16 * 24 * time.Hour))
		require.Equal(t, []any{later}, ids(bob))
		require.Equal(t, []any{later}, ids(cem), "the first was due more than two weeks ago")
		ada.newSession(t)
		ada.patch(t, "/api/circle/"+circle+"/members/"+cem.id(t), doc{"role": "organizer"}).modified(t, 1)
		require.Empty(t, ids(cem))
		ada.post(t, "/api/circle/"+circle+"/archive", nil).modified(t, 1)
		require.Empty(t, ids(bob))
	})
}

// askedDay plays random steps of a class and its hall, of which Today tells.
type askedDay struct {
	*history
	mo, outsider *client
	circle       string
	archived     bool
}

func newAskedDay(t *testing.T, n *node, mo *client, seed uint64) *askedDay {
	t.Helper()
	h := &history{
		t: t, n: n, random: rand.New(rand.NewPCG(seed, 9)), created: map[string]*client{}, hidden: map[string]bool{},
		gone: map[string]bool{},
	}
	h.people = n.people(t, "Ada", "Bob", "Cem", "Dot", "Eve")
	d := &askedDay{history: h, mo: mo, outsider: n.user(t, "Fay")}
	ada, bob := h.people[0], h.people[1]
	d.circle = ada.circle(t, "Readers", "join", "ask")
	ada.admits(t, d.circle, "organizer", bob)
	ada.admits(t, d.circle, "member", h.people[2:]...)
	for range 3 {
		d.publishes()
	}
	h.people = append(h.people, mo, d.outsider)
	return d
}

// publishes adds an assignment of a random creator, in the circle or the hall.
func (d *askedDay) publishes() {
	creator := d.people[d.random.IntN(3)]
	due := d.n.clock.now().Add(time.Duration(12+d.random.IntN(20*24)) * time.Hour).UTC()
	fields := []any{"marks", 20, "dueDate", due.Format(time.RFC3339), "reviewsNeeded", 1 + d.random.IntN(3)}
	if d.random.IntN(2) == 0 {
		fields = append(fields, "reviewDueDate", due.Add(time.Hour).Format(time.RFC3339))
	}
	if d.random.IntN(4) > 0 {
		fields = append(fields, "circleId", d.circle)
	}
	if a := creator.post(d.t, "/api/assignments", with(assignment(), fields...)); a.status == http.StatusCreated {
		d.created[a.id(d.t)], d.order = creator, append(d.order, a.id(d.t))
	}
}

func (d *askedDay) happens() {
	c, of, at := d.person(), d.assignment(), "/api/circle/"+d.circle
	chance := d.random.IntN(16)
	if d.archived && chance >= 8 { // no step reviews in an archived circle
		chance = 4
	}
	switch chance {
	case 0:
		if a := c.post(d.t, "/api/reviews/next", doc{"assignmentId": of}); a.status == http.StatusOK {
			id := a.text(d.t, "submissionId")
			c.post(d.t, questionAt(id), doc{"text": "Why?"})
		}
	case 1:
		if len(d.works) > 0 {
			w := d.works[d.random.IntN(len(d.works))]
			d.created[w.of].post(d.t, "/api/submissions/"+w.id+"/settle", nil)
			w.by.post(d.t, "/api/submissions/"+w.id+"/appeal", doc{"reason": "Please look again."})
		}
	case 2:
		c.post(d.t, "/api/assignment/"+of+"/report", doc{"reason": "Look.", "to": []string{"organizers", "moderators"}[d.random.IntN(2)]})
	case 3:
		d.outsider.post(d.t, at+"/ask", nil)
	case 4:
		d.archived = !d.archived
		d.people[0].post(d.t, at+"/"+map[bool]string{true: "archive", false: "unarchive"}[d.archived], nil).modified(d.t, 1)
	case 5:
		dot, role := d.people[3], []string{"organizer", "member"}[d.random.IntN(2)]
		if dot.get(d.t, "/api/reviews/lease").status == http.StatusNoContent { // an organizer cannot review what they hold
			d.people[0].patch(d.t, at+"/members/"+dot.id(d.t), doc{"role": role})
		}
	case 6:
		d.publishes()
	case 7:
		if d.random.IntN(3) == 0 { // who has published nothing
			d.people[4].post(d.t, at+"/leave", nil)
			d.outsider.post(d.t, at+"/leave", nil)
		}
	case 8:
		d.pass(time.Duration(1+d.random.IntN(40)) * time.Hour)
	case 9:
		d.review(c, of)
	default:
		d.step()
	}
}

// key names what a need is about.
func key(need doc) string {
	return fmt.Sprint(need["kind"], " ", need["circleId"], " ", need["assignmentId"], " ", need["submissionId"], " ", need["count"])
}

// asked returns the keys of what waits for c, as the pages tell on which c does it.
func (d *askedDay) asked(c *client) map[string]bool {
	t, out, now := d.t, map[string]bool{}, d.n.clock.now()
	add := func(kind string, circle any, pairs ...any) {
		out[key(with(doc{"kind": kind, "circleId": circle}, pairs...))] = true
	}
	near := func(text any) bool {
		due, err := time.Parse(time.RFC3339, text.(string))
		require.NoError(t, err)
		return due.After(now.Add(-studycircle.DueSoon)) && !due.After(now.Add(studycircle.DueSoon))
	}
	in := c.get(t, "/api/circle/"+d.circle)
	reports := func(circle any, path string) {
		n := 0.0
		for _, r := range c.reported(t, path) {
			if r["mayDecide"] == true {
				n++
			}
		}
		if n > 0 {
			add("reports", circle, "count", n)
		}
	}
	member := in.status == http.StatusOK
	if member {
		about := in.json(t)
		if about["role"] == "member" && about["archivedAt"] == nil {
			list := c.get(t, "/api/assignments?state=open&limit=100&circle="+d.circle).is(t, http.StatusOK).json(t)
			for _, a := range list["data"].([]any) {
				if near(a.(doc)["dueDate"]) {
					add("hand-in", d.circle, "assignmentId", a.(doc)["_id"])
				}
			}
		}
		if about["role"] != "member" {
			reports(d.circle, d.circle)
			if n := c.get(t, "/api/circle/"+d.circle+"/asking").is(t, http.StatusOK).json(t)["pagination"].(doc)["total"]; n != 0.0 && about["may"].(doc)["organize"] == true {
				add("requests", d.circle, "count", n)
			}
		}
	}
	if c == d.mo {
		reports(nil, "")
	}
	for _, of := range d.order {
		if d.created[of] == c {
			d.askedAbout(c, of, add)
		}
	}
	for _, s := range c.get(t, "/api/submissions?submittedBy="+c.email).is(t, http.StatusOK).array(t) {
		if s["may"].(doc)["answer"] == true {
			waits := 0.0
			for _, q := range c.get(t, "/api/submissions/"+s["_id"].(string)+"/own").is(t, http.StatusOK).json(t)["questions"].([]any) {
				if q.(doc)["answer"] == nil {
					waits++
				}
			}
			add("answer", s["circleId"], "assignmentId", s["assignmentId"], "submissionId", s["_id"], "count", waits)
		}
	}
	return out
}

// askedAbout adds what waits for the creator of an assignment.
func (d *askedDay) askedAbout(c *client, of string, add func(kind string, circle any, pairs ...any)) {
	t := d.t
	found := c.get(t, "/api/assignment/"+of)
	if found.status != http.StatusOK {
		return
	}
	a, ready := found.json(t), 0.0
	over := false
	if text, there := a["reviewDueDate"].(string); there {
		due, err := time.Parse(time.RFC3339, text)
		require.NoError(t, err)
		over = !due.After(d.n.clock.now())
	}
	list := c.get(t, "/api/assignment/"+of+"/submissions?limit=100")
	if list.status != http.StatusOK { // its creator still reads it while it is hidden
		return
	}
	for _, row := range list.json(t)["data"].([]any) {
		r := row.(doc)
		may := r["may"].(doc)
		switch {
		case r["appeal"] == "open":
			if may["setMark"] == true && may["waits"] == false {
				add("appeal", a["circleId"], "assignmentId", of, "submissionId", r["_id"])
			}
		case may["settle"] == true && r["reopened"] == nil && (over || r["oneMore"] == true):
			ready++
		}
	}
	if ready > 0 {
		add("finalize", a["circleId"], "assignmentId", of, "count", ready)
	}
}

// does does what a need asks for, as its page would, and requires that the server accepts it.
func (d *askedDay) does(c *client, need doc) {
	t := d.t
	of, _ := need["assignmentId"].(string)
	id, _ := need["submissionId"].(string)
	circle, _ := need["circleId"].(string)
	switch need["kind"] {
	case "hand-in":
		d.works = append(d.works, handedInBy{c, c.post(t, "/api/submissions", submission(of)).is(t, http.StatusCreated).id(t), of})
	case "appeal":
		c.post(t, "/api/submissions/"+id+"/reopen", doc{"reason": "I decide.", "action": "set-mark", "mark": 11}).is(t, http.StatusOK)
	case "finalize":
		done := c.post(t, "/api/assignment/"+of+"/settle", nil).is(t, http.StatusOK).json(t)["modifiedCount"].(float64)
		require.GreaterOrEqual(t, done, need["count"].(float64))
	case "answer":
		c.post(t, answerAt(id), doc{"text": "So."}).is(t, http.StatusCreated)
	case "reports":
		for _, r := range c.reported(t, circle) {
			if r["mayDecide"] == true {
				c.post(t, "/api/reports/"+r["_id"].(string), doc{"action": "dismiss"}).is(t, http.StatusOK)
				break
			}
		}
	case "requests":
		who := c.get(t, "/api/circle/"+circle+"/asking").is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)["userId"].(string)
		c.post(t, "/api/circle/"+circle+"/asking/"+who, doc{"accept": d.random.IntN(2) == 0}).is(t, http.StatusOK)
	default:
		require.Failf(t, "unknown", "need %v", need)
	}
}

// After any history, Today tells each user everything that waits for them and nothing else, and the server accepts all
// that it asks for.
func TestTodayTellsEverythingThatWaits(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			moderated(t, func(t *testing.T, n *node, mo *client) {
				d := newAskedDay(t, n, mo, seed)
				done := map[any]int{}
				for range 24 {
					for range 10 {
						d.happens()
					}
					for _, c := range d.people {
						told := map[string]bool{}
						all := c.needs(t)
						for _, need := range all {
							told[key(need)] = true
						}
						require.Equal(t, slices.Sorted(maps.Keys(d.asked(c))), slices.Sorted(maps.Keys(told)), "seed %d: %s", seed, c.name)
						if len(all) > 0 {
							need := all[d.random.IntN(len(all))]
							d.does(c, need)
							done[need["kind"]]++
							for _, left := range c.needs(t) {
								require.NotEqual(t, key(need), key(left), "what is done no longer waits")
							}
						}
					}
				}
				require.GreaterOrEqual(t, len(done), 4, "many kinds: %v", done)
				t.Log(done)
			})
		})
	}
}
