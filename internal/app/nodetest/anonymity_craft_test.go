package nodetest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// craftWalk asks for everything about one submission as each viewer.
type craftWalk struct {
	of, at  string
	creator *client
	viewers []*client
	// secret are the canaries of the submitter and the reviewers.
	submitter *client
	secret    map[*client][]string
	// readers are who reads a text, and where, as "Ada reviews".
	readers map[string][]string
}

// craftPaths are what is asked for, by short names.
func (w *craftWalk) craftPaths() map[string]string {
	a, id := "/api/assignment/"+w.of, w.at[len("/api/submissions/"):]
	return map[string]string{
		"assignment": a, "pending": "/api/submissions?status=pending", "mine": "/api/submissions", "given": "/api/reviews", "lease": "/api/reviews/lease",
		"own": w.at + "/own", "reviews": w.at + "/reviews", "question": w.at + "/question", "corrections": w.at + "/corrections", "mark": w.at + "/mark",
		"receipt": w.at + "/receipt", "work": w.at + "/work", "results": a + "/submissions", "result": a + "/submissions/" + id, "summary": a + "/results",
		"looks": a + "/looks", "owes": a + "/owes", "results.csv": a + "/results.csv", "results.csv, codes": a + "/results.csv?codes=true",
		"reviews.csv": a + "/reviews.csv", "reviews.csv, codes": a + "/reviews.csv?codes=true", "notifications": "/api/notifications",
		"dashboard": "/api/dashboard", "today": "/api/today", "progress": "/api/progress?assignments=" + w.of, "reports": "/api/reports",
		"decisions": "/api/moderation", "export": "/api/auth/export",
	}
}

// walk requires that those alone read the texts who are in w.readers, and that no viewer finds out who reviewed, or
// whose work it is. A file with codes hides that from the creator as well.
func (w *craftWalk) walk(t *testing.T, state string) {
	t.Helper()
	got := map[string][]string{}
	for _, viewer := range w.viewers {
		for name, path := range w.craftPaths() {
			a := viewer.get(t, path)
			text := string(a.body) + fmt.Sprint(a.header)
			for written := range w.readers {
				if strings.Contains(text, written) {
					got[written] = append(got[written], viewer.name+" "+name)
				}
			}
			for hidden, canaries := range w.secret {
				coded := name == "results.csv, codes" || name == "reviews.csv, codes"
				if viewer == hidden || (viewer == w.creator && hidden == w.submitter && !coded) {
					continue
				}
				for _, canary := range canaries {
					require.NotContains(t, text, canary, "%s: %s asks for %s", state, viewer.name, path)
				}
			}
		}
	}
	for written, readers := range w.readers {
		slices.Sort(readers)
		slices.Sort(got[written])
		require.Equal(t, readers, got[written], "%s: who reads %q", state, written)
	}
}

// seen returns what the other viewers than the submitter are shown.
func (w *craftWalk) seen(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, viewer := range w.viewers {
		if viewer == w.submitter {
			continue
		}
		for name, path := range w.craftPaths() {
			a := viewer.get(t, path)
			all[viewer.name+" "+name] = string(a.body) + a.header.Get("ETag")
		}
	}
	return all
}

// Questions, answers, corrections and self-assessments come to those alone whom they are for, before and after settling,
// while a moderator hides them, and once their authors are suspended or gone. They reveal to no viewer who reviewed.
func TestQuestionsAnswersAndSelfAssessmentsStayAnonymous(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		ada, bob, one, two, eve := n.user(t, "Ada"), n.user(t, "CanarySubmitter"), n.user(t, "CanaryOne"), n.user(t, "CanaryTwo"), n.user(t, "Eve")
		var criteria []any
		for _, title := range []string{"Argument", "Language", "Sources", "Form"} {
			criteria = append(criteria, doc{"title": title, "levels": []any{doc{"label": "None", "marks": 0}, doc{"label": "Some", "marks": 2}, doc{"label": "Strong", "marks": 5}}})
		}
		w := &craftWalk{creator: ada, submitter: bob, viewers: []*client{ada, bob, one, two, eve, mo}, secret: map[*client][]string{}, readers: map[string][]string{}}
		for _, c := range []*client{bob, one, two} {
			c.patch(t, "/api/auth/profile", doc{"displayName": c.name, "photoURL": "https://example.org/" + c.name + ".png"}).is(t, http.StatusOK)
			w.secret[c] = marksOf(t, c)
		}
		w.of = ada.publish(t, "reviewsNeeded", 2, "marks", 20, "rubric", doc{"criteria": criteria})
		id := bob.submit(t, w.of)
		w.at = "/api/submissions/" + id
		review := func(c *client, feedback string) {
			t.Helper()
			c.patch(t, w.at, doc{"levels": []int{1, 1, 1, 1}, "feedback": feedback}).is(t, http.StatusOK)
		}
		const self, first, answer, second, later, earlier = `"levels":[2,0,1,2]`, "First question", "First answer", "Second question", "Second answer", "Earlier words"

		one.task(t, w.of)
		before := w.seen(t)
		heard := one.hears(t)
		bob.put(t, w.at+"/self-assessment", doc{"levels": []int{2, 0, 1, 2}}).is(t, http.StatusOK)
		require.Equal(t, before, w.seen(t), "others do not notice a self-assessment")
		heard.expect(t, event{kind: string(studycircle.AssignmentCreated), subject: eve.publish(t)})
		w.readers[self] = []string{"CanarySubmitter own", "CanarySubmitter export"}
		w.walk(t, "judged")

		one.post(t, questionAt(id), doc{"text": first}).is(t, http.StatusCreated)
		w.readers[first] = []string{"CanaryOne question", "CanaryOne export", "CanarySubmitter own"}
		w.walk(t, "asked")
		bob.post(t, answerAt(id), doc{"text": answer}).is(t, http.StatusCreated)
		w.readers[answer] = []string{"CanaryOne question", "CanarySubmitter own", "CanarySubmitter export"}
		w.walk(t, "answered")
		two.task(t, w.of)
		two.post(t, questionAt(id), doc{"text": second}).is(t, http.StatusCreated)
		bob.post(t, answerAt(id), doc{"text": later}).is(t, http.StatusCreated)
		w.readers[second] = []string{"CanaryTwo question", "CanaryTwo export", "CanarySubmitter own"}
		w.readers[later] = []string{"CanaryTwo question", "CanarySubmitter own", "CanarySubmitter export"}
		w.walk(t, "two answered")
		review(one, earlier)
		one.put(t, "/api/reviews/"+one.given(t)["_id"].(string), doc{"levels": []int{1, 1, 1, 1}, "feedback": "Later words"}).is(t, http.StatusOK)
		w.readers[earlier] = []string{"CanaryOne export"}
		w.walk(t, "corrected")

		review(two, "Fine")
		w.readers[self] = []string{"Ada reviews", "CanarySubmitter own", "CanarySubmitter export", "CanarySubmitter reviews"}
		w.readers[first] = []string{"Ada reviews", "CanaryOne question", "CanaryOne export", "CanarySubmitter reviews"}
		w.readers[answer] = []string{"Ada reviews", "CanaryOne question", "CanarySubmitter reviews", "CanarySubmitter export"}
		w.readers[second] = []string{"Ada reviews", "CanaryTwo question", "CanaryTwo export", "CanarySubmitter reviews"}
		w.readers[later] = []string{"Ada reviews", "CanaryTwo question", "CanarySubmitter reviews", "CanarySubmitter export"}
		w.readers[earlier] = []string{"Ada corrections", "CanaryOne export"}
		w.walk(t, "settled")

		settled := maps.Clone(w.readers)
		c := blindClass{ada: ada, bob: bob, cem: one, dot: two, of: w.of, id: id, at: w.at}
		rude := bob.post(t, "/api/reviews/"+c.received(t, "Later words")["_id"].(string)+"/report", doc{"reason": "Rude"}).is(t, http.StatusCreated).id(t)
		work := two.post(t, w.at+"/report", doc{"reason": "Rude"}).is(t, http.StatusCreated).id(t)
		for _, reported := range []string{first, answer, later} {
			w.readers[reported] = append(slices.Clone(settled[reported]), "Mo reports")
		}
		w.walk(t, "reported")
		for _, report := range []string{rude, work} {
			mo.post(t, "/api/reports/"+report, doc{"action": "hide"}).modified(t, 1)
		}
		w.readers[first] = []string{"CanaryOne question", "CanaryOne export"}
		w.readers[earlier] = []string{"CanaryOne export"}
		w.readers[answer] = []string{"CanarySubmitter reviews", "CanarySubmitter export"}
		w.readers[later] = w.readers[answer]
		w.walk(t, "hidden")
		for kind, report := range map[string]string{"review": rude, "submission": work} {
			mo.post(t, "/api/moderation/restore", doc{"kind": kind, "id": report}).modified(t, 1)
		}
		w.readers = maps.Clone(settled)
		w.walk(t, "shown again")

		last := bob.post(t, "/api/reviews/"+c.received(t, "Fine")["_id"].(string)+"/report", doc{"reason": "Rude"}).is(t, http.StatusCreated).id(t)
		mo.post(t, "/api/reports/"+last, doc{"action": "suspend"}).modified(t, 1)
		two.endsWithinFiveSeconds(t)
		w.viewers = []*client{ada, bob, one, eve, mo}
		w.readers[second] = nil
		w.readers[later] = []string{"Ada reviews", "CanarySubmitter reviews", "CanarySubmitter export"}
		w.walk(t, "a reviewer is suspended")
		one.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		w.viewers = []*client{ada, bob, eve, mo}
		w.readers[first] = []string{"Ada reviews", "CanarySubmitter reviews"}
		w.readers[answer] = []string{"Ada reviews", "CanarySubmitter reviews", "CanarySubmitter export"}
		w.readers[earlier] = []string{"Ada corrections"}
		w.walk(t, "a reviewer is gone")
	})
}

// No file about a circle names a reviewer; with codes, none names a member in any way, and none has a time of the day.
func TestFilesOfACircleNameNoReviewer(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		people := n.people(t, "CanaryOne", "CanaryTwo", "CanaryThree", "CanaryFour")
		circle := ada.circle(t, "Class")
		ada.admits(t, circle, "member", people...)
		members := map[*client][]string{}
		for i, c := range people {
			members[c] = append(marksOf(t, c), fmt.Sprint("CanaryRoster", i), fmt.Sprint("CanaryLabel", i))
			ada.patch(t, fmt.Sprintf("/api/circle/%s/members/%s", circle, members[c][3]), doc{"name": members[c][4], "label": members[c][5]}).is(t, http.StatusOK)
		}
		// A member who creates an assignment reads its files as organizers do.
		for _, creator := range []*client{ada, people[3]} {
			of := creator.publish(t, "circleId", circle, "marks", 20, "reviewsNeeded", 2)
			for _, c := range people[:3] {
				c.submit(t, of)
			}
			for _, c := range people[:3] {
				for range 2 {
					task := c.task(t, of)
					c.patch(t, "/api/submissions/"+task["submissionId"].(string), doc{"marks": 12, "feedback": "By a reviewer"}).is(t, http.StatusOK)
				}
			}
			a := "/api/assignment/" + of
			files := map[string]bool{ // with codes or without names
				a + "/reviews.csv": false, a + "/reviews.csv?codes=true": true, a + "/results.csv?codes=true": true, a + "/results.csv?codes=true&bom=true": true,
			}
			if creator == ada {
				for _, path := range []string{"/marks.csv?codes=true", "/reviews.csv", "/reviews.csv?codes=true"} {
					files["/api/circle/"+circle+path] = true
				}
			}
			for path := range files {
				require.NotEmpty(t, creator.file(t, path), path)
				text := string(creator.get(t, path).body)
				for c, canaries := range members {
					for _, canary := range canaries {
						require.NotContains(t, text, canary, "%s reads of %s in %s", creator.name, c.name, path)
					}
				}
				require.NotRegexp(t, timed, text, path)
				require.NotContains(t, text, "By a reviewer", path)
			}
			named := creator.file(t, a+"/results.csv")
			require.ElementsMatch(t, []string{"CanaryOne", "CanaryTwo", "CanaryThree"}, column(named, "member"), "without codes it names submitters")
			for _, cells := range named {
				require.Regexp(t, `^A: By a reviewer\s+B: By a reviewer$`, cells["feedback"], "and no reviewer")
				require.NotRegexp(t, timed, fmt.Sprint(cells), "several people review")
			}
			coded := creator.file(t, a+"/results.csv?codes=true")
			require.True(t, slices.IsSorted(column(coded, "submission")), "the order of hand-in would tell who they are")
		}
	})
}
