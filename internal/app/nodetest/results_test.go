package nodetest

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
)

// result returns a submission as its assignment's creator reads it.
func (c *client) result(t *testing.T, assignmentID, id string) doc {
	t.Helper()
	return c.get(t, "/api/assignment/"+assignmentID+"/submissions/"+id).is(t, http.StatusOK).json(t)
}

// kinds returns the kinds of a timeline's steps, each with its time.
func kinds(timeline any) (out []string) {
	for _, step := range timeline.([]any) {
		out = append(out, fmt.Sprint(step.(doc)["time"], " ", step.(doc)["kind"]))
	}
	return out
}

// Only the creator of an assignment reads one result: document, note, released reviews, appeal and timeline.
func TestOneResult(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, other := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Other")
		reviewers := n.people(t, "One", "Two", "Three", "Four")
		of, elsewhere := ada.publish(t, "reviewsNeeded", 2, "marks", 20), ada.publish(t)
		id := bob.submit(t, of)
		at, path := "/api/submissions/"+id, "/api/assignment/"+of+"/submissions/"+id
		n.visitor().get(t, path).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		for _, c := range []*client{bob, other} {
			c.get(t, path).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
			c.get(t, "/api/assignment/"+of+"/results").refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
			c.post(t, "/api/assignment/"+of+"/settle", nil).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
		}
		for _, missing := range []string{"/api/assignment/" + elsewhere + "/submissions/" + id, "/api/assignment/" + of + "/submissions/nothing"} {
			ada.get(t, missing).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		other.get(t, at+"/own").refused(t, http.StatusForbidden, studycircle.CodeNotYourSubmissions)

		reviewers[0].task(t, of)
		reviewers[0].patch(t, at, doc{"marks": 15, "feedback": "Clear."}).is(t, http.StatusOK)
		found := ada.result(t, of, id)
		require.Equal(t, []any{"https://docs.google.com/document/d/1", "Please be kind.", 1.0, []any{}, false},
			[]any{found["docsLink"], found["note"], found["reviews"], found["received"], found["explained"]})
		listed := ada.get(t, "/api/assignment/"+of+"/submissions").json(t)["data"].([]any)[0].(doc)
		require.InDelta(t, 1, listed["reviews"], 0, "the creator's count does not wait for the next day")
		require.NotContains(t, listed, "docsLink")
		require.InDelta(t, 0, bob.own(t, id)["reviews"], 0, "the submitter's does")
		reviewers[1].task(t, of)
		reviewers[1].patch(t, at, doc{"marks": 14}).is(t, http.StatusOK)
		bob.post(t, at+"/appeal", doc{"reason": "Page two was overlooked."}).is(t, http.StatusCreated)
		found = ada.result(t, of, id)
		require.Len(t, found["received"], 2)
		require.Equal(t, "Page two was overlooked.", found["appealReason"])
		require.Equal(t, true, found["explained"])
		want := []string{"past handed-in", "past settled", "past appeal", "now new-reviewers", "next decision"}
		require.Equal(t, want, kinds(found["timeline"]))
		waits := ada.notice(t, "appeal")
		require.Equal(t, "/assignment/"+of+"#result-"+id, waits["url"])
		for _, same := range []*answer{bob.get(t, at+"/own"), bob.get(t, at+"/mark"), ada.get(t, at+"/mark")} {
			read := same.is(t, http.StatusOK).json(t)
			require.Equal(t, found["timeline"], read["timeline"], "both read the same")
			require.Equal(t, found["appealReason"], read["appealReason"])
		}
		n.passes(t, 6, ada, bob)
		found = ada.result(t, of, id)
		require.Equal(t, []string{"past handed-in", "past settled", "past appeal", "past asked", "now decision", "next model"}, kinds(found["timeline"]))
		require.Equal(t, true, found["may"].(doc)["waits"])
		ada.post(t, at+"/reopen", doc{"reason": "Two more.", "action": "new-reviewers"}).is(t, http.StatusOK)
		ada.post(t, at+"/reopen", doc{"reason": "Agreed.", "action": "set-mark", "mark": 17}).is(t, http.StatusOK)
		steps := bob.get(t, at+"/own").json(t)["timeline"].([]any)
		require.Equal(t, []string{"past handed-in", "past settled", "past appeal", "past asked", "past reopened", "past settled"}, kinds(steps))
		require.Equal(t, "Two more.", steps[4].(doc)["words"], "the reason for another look is kept")
		require.Equal(t, []any{"creator", "set-mark", 17.0, "Agreed."}, []any{steps[5].(doc)["by"], steps[5].(doc)["reason"], steps[5].(doc)["mark"], steps[5].(doc)["words"]})
	})
}

// The server filters, orders and summarizes over all pages.
func TestResultsAreArranged(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, grader := n.user(t, "Ada"), n.user(t, "Grader")
		of := ada.publish(t, "marks", 20)
		people := n.people(t, "zoe", "Bob", "émile", "Cem", "Dot", "Eve")
		marks := []int{18, 17, 19, 2, 16, 0}
		ids := map[string]string{}
		for i, c := range people {
			ids[c.name] = c.submit(t, of)
			if marks[i] > 0 {
				grader.grade(t, ids[c.name], marks[i])
			}
		}
		names := func(query string) (out []string) {
			for page := 1; ; page++ {
				list := ada.get(t, fmt.Sprintf("/api/assignment/%s/submissions?limit=4&page=%d&%s", of, page, query)).is(t, http.StatusOK).json(t)
				for _, r := range list["data"].([]any) {
					out = append(out, r.(doc)["submitterName"].(string))
				}
				if len(list["data"].([]any)) == 0 {
					return out
				}
			}
		}
		require.Equal(t, []string{"Eve", "Dot", "Cem", "émile", "Bob", "zoe"}, names(""))
		require.Equal(t, []string{"émile", "zoe", "Bob", "Dot", "Cem", "Eve"}, names("sort=mark"))
		require.Equal(t, []string{"Bob", "Cem", "Dot", "Eve", "zoe", "émile"}, names("sort=name"))
		require.Equal(t, []string{"Bob", "Cem", "Dot", "zoe", "émile"}, names("sort=name&status=completed"))
		people[3].post(t, "/api/submissions/"+ids["Cem"]+"/appeal", doc{"reason": "Look again."}).is(t, http.StatusCreated)
		require.Equal(t, []string{"Cem"}, names("show=appeal"))
		require.Empty(t, names("show=waiting"))
		n.passes(t, 6, ada)
		require.Equal(t, []string{"Cem"}, names("show=waiting"))
		require.Empty(t, names("show=late"))
		sum := ada.get(t, "/api/assignment/"+of+"/results").is(t, http.StatusOK).json(t)
		require.Equal(t, []any{6.0, 6.0, 1.0, 1.0, 0.0, 1.0, 5.0, 72.0},
			[]any{sum["total"], sum["counted"], sum["pending"], sum["waiting"], sum["ready"], sum["appeals"], sum["marked"], sum["averagePercent"]})
		outliers := sum["outliers"].([]any)
		require.Len(t, outliers, 1)
		require.Equal(t, []any{"Cem", "low"}, []any{outliers[0].(doc)["submitterName"], outliers[0].(doc)["kind"]})
		require.InDelta(t, 1, sum["distribution"].([]any)[1].(doc)["count"], 0)
	})
}

// Results in a circle name each submitter's section, and are those of one section where its label is asked for. In the
// hall there are none.
func TestResultsOfASection(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, dot := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot")
		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "member", bob, cem, dot)
		for c, label := range map[*client]string{bob: "B", cem: "C", dot: "B"} {
			ada.patch(t, "/api/circle/"+circle+"/members/"+c.id(t), doc{"label": label}).is(t, http.StatusOK)
		}
		of, inHall := ada.publish(t, "circleId", circle), ada.publish(t)
		for _, c := range []*client{bob, cem, dot} {
			c.submit(t, of)
		}
		bob.submit(t, inHall)
		sections := func(of, query string) []string {
			t.Helper()
			list := ada.get(t, "/api/assignment/"+of+"/submissions?"+query).is(t, http.StatusOK).json(t)
			found := []string{}
			for _, row := range list["data"].([]any) {
				row := row.(doc)
				label, has := row["label"]
				require.Equal(t, has, label != nil && label != "")
				found = append(found, fmt.Sprint(row["submitterName"], " ", label))
				require.Equal(t, label, ada.result(t, of, row["_id"].(string))["label"])
			}
			return found
		}
		require.Equal(t, []string{"Dot B", "Cem C", "Bob B"}, sections(of, ""))
		require.Equal(t, []string{"Dot B", "Bob B"}, sections(of, "label=B"))
		require.Equal(t, []string{"Bob B", "Dot B"}, sections(of, "label=B&sort=name&status=pending"))
		require.Equal(t, []string{"Bob B"}, sections(of, "label=B&limit=1&page=2"))
		require.Empty(t, sections(of, "label=D"))
		require.Equal(t, []string{"Bob <nil>"}, sections(inHall, ""))
		require.Empty(t, sections(inHall, "label=B"))
		ada.del(t, "/api/circle/"+circle+"/members/"+dot.id(t)).is(t, http.StatusOK)
		require.Equal(t, []string{"Dot <nil>", "Cem C", "Bob B"}, sections(of, ""))
		require.Equal(t, []string{"Bob B"}, sections(of, "label=B"))
		path := "/api/assignment/" + of + "/submissions?label=B"
		bob.get(t, path).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
		ada.get(t, path+"%00").refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
	})
}

// Concurrent requests to settle all submissions settle each one that has a review once.
func TestSettleAll(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		of := ada.publish(t, "marks", 20, "reviewsNeeded", 3)
		people := n.people(t, "Bob", "Cem", "Dot", "Eve")
		ids := make([]string, len(people))
		for i, c := range people {
			ids[i] = c.submit(t, of)
		}
		reviewed := map[any]bool{}
		for _, c := range n.people(t, "One", "Two", "Three") {
			task := c.task(t, of)
			reviewed[task["submissionId"]] = true
			c.patch(t, "/api/submissions/"+task["submissionId"].(string), doc{"marks": 12}).is(t, http.StatusOK)
		}
		ready := ada.get(t, "/api/assignment/"+of+"/results").json(t)["ready"]
		require.InDelta(t, len(reviewed), ready, 0)
		var settled float64
		var mu sync.Mutex
		var all sync.WaitGroup
		for range 32 {
			all.Go(func() {
				got, err := ada.try(t.Context(), http.MethodPost, "/api/assignment/"+of+"/settle", nil)
				if assert.NoError(t, err) && assert.Equal(t, http.StatusOK, got.status, string(got.body)) {
					mu.Lock()
					defer mu.Unlock()
					settled += got.json(t)["modifiedCount"].(float64)
				}
			})
		}
		all.Wait()
		require.InDelta(t, len(reviewed), settled, 0)
		for _, id := range ids {
			found := ada.result(t, of, id)
			require.Equal(t, map[bool]any{true: "completed", false: "pending"}[reviewed[id]], found["status"])
		}
	})
}

// The server's calls accept what it says that a viewer may do, after any history. It never offers to change a
// submission with several reviewers: that would reveal whether a reviewer has begun.
func TestTheServerAcceptsItsOffers(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		seed := rand.Uint64()
		t.Logf("seed %d", seed)
		chance := rand.New(rand.NewPCG(seed, 1))
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		others := n.people(t, "One", "Two", "Three", "Four", "Five", "Six")
		everyone := append([]*client{ada, bob}, others...)
		offered, refused := 0, 0
		for round := range 9 {
			needed := []int{1, 2, 3}[round%3]
			of := ada.publish(t, "marks", 20, "reviewsNeeded", needed, "dueDate", n.clock.now().Add(7*24*time.Hour).UTC().Format(time.RFC3339))
			id := bob.submit(t, of)
			at := "/api/submissions/" + id
			withdrawn := false
			for range 6 + chance.IntN(6) {
				switch c := others[chance.IntN(len(others))]; chance.IntN(9) {
				case 0, 1, 2:
					if needed == 1 {
						c.patch(t, at, doc{"marks": chance.IntN(21)})
					}
					if got := c.post(t, "/api/reviews/next", doc{"assignmentId": of}); got.status == http.StatusOK {
						c.patch(t, "/api/submissions/"+got.json(t)["submissionId"].(string), doc{"marks": chance.IntN(21)})
					}
				case 3:
					c.post(t, "/api/reviews/next", doc{"assignmentId": of})
				case 4:
					n.passes(t, 1+chance.IntN(8), everyone...)
				case 5:
					ada.post(t, at+"/reopen", doc{"reason": "Again.", "action": "new-reviewers"})
				case 6:
					ada.post(t, at+"/reopen", doc{"reason": "So.", "action": "set-mark", "mark": chance.IntN(21)})
				case 7:
					bob.post(t, at+"/appeal", doc{"reason": "Please."})
				case 8:
					ada.post(t, at+"/settle", nil)
				}
			}
			for _, probe := range []struct {
				name   string
				by     *client
				method string
				path   string
				body   doc
			}{
				{"change", bob, http.MethodPut, at + "/own", doc{"docsLink": link(60), "note": "Changed."}},
				{"appeal", bob, http.MethodPost, at + "/appeal", doc{"reason": "Please."}},
				{"settle", ada, http.MethodPost, at + "/settle", doc{}},
				{"reopen", ada, http.MethodPost, at + "/reopen", doc{"reason": "Again.", "action": "new-reviewers"}},
				{"setMark", ada, http.MethodPost, at + "/reopen", doc{"reason": "So.", "action": "set-mark", "mark": 3}},
				{"known", ada, http.MethodPut, at + "/known", doc{"reason": "So.", "mark": 3}},
				{"grade", ada, http.MethodPatch, at, doc{"marks": 3}},
				{"withdraw", bob, http.MethodDelete, at + "/own", nil},
			} {
				if withdrawn {
					break
				}
				may := bob.own(t, id)["may"].(doc)
				if probe.by == ada {
					may = ada.result(t, of, id)["may"].(doc)
					list := ada.get(t, "/api/assignment/"+of+"/submissions").json(t)["data"].([]any)
					require.Equal(t, may, list[0].(doc)["may"], "the list offers the same")
				}
				if explained := probe.by.get(t, at+"/mark"); explained.status == http.StatusOK {
					shown := explained.json(t)["may"].(doc)
					for _, name := range []string{"appeal", "settle", "reopen", "setMark", "known"} {
						if offer, known := may[name]; known {
							require.Equal(t, offer, shown[name], "the mark's page offers the same: %s", name)
						}
					}
				}
				offer := may[probe.name].(bool)
				var got *answer
				if probe.body == nil {
					got = probe.by.del(t, probe.path)
				} else {
					got = probe.by.call(t, probe.method, probe.path, probe.body)
				}
				accepted := got.status < 300
				hidden := probe.name == "change" && needed > 1 && !offer
				require.True(t, offer == accepted || hidden, "round %d, %d reviews: %s offered %v, answered %d %s", round, needed, probe.name, offer, got.status, got.body)
				if offer {
					offered++
				} else {
					refused++
				}
				withdrawn = probe.name == "withdraw" && accepted
			}
		}
		require.Positive(t, offered)
		require.Positive(t, refused)
	})
}
