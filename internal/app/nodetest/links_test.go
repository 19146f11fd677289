package nodetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/linkhealth"
)

// looker is a LinkChecker with the test's results. It records its calls.
type looker struct {
	mu     sync.Mutex
	found  map[string]linkhealth.Seen // reachable if absent
	fails  map[string]error           // once
	panics string                     // the link whose check panics
	asked  []asked
}

// asked is one check: of which link, and for which names.
type asked struct {
	link  string
	names string
}

// Check implements service.LinkChecker.
func (l *looker) Check(_ context.Context, link string, names ...string) (linkhealth.Seen, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked = append(l.asked, asked{link, fmt.Sprint(names)})
	if link == l.panics {
		panic("a hostile page")
	}
	if err := l.fails[link]; err != nil {
		delete(l.fails, link)
		return linkhealth.Seen{}, err
	}
	if seen, said := l.found[link]; said {
		return seen, nil
	}
	return linkhealth.Seen{Result: linkhealth.Reachable}, nil
}

func (l *looker) finds(link string, seen linkhealth.Seen) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.found[link] = seen
}

// looks returns all checks so far.
func (l *looker) looks() []asked {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]asked(nil), l.asked...)
}

// lookedAt runs f on a node of each engine with a looker.
func lookedAt(t *testing.T, f func(t *testing.T, n *node, l *looker)) {
	t.Helper()
	bothEngines(t, func(t *testing.T, w *world) {
		t.Helper()
		l := &looker{found: map[string]linkhealth.Seen{}, fails: map[string]error{}}
		w.links = l
		f(t, w.start(t), l)
	})
}

// handIn submits a document.
func (c *client) handIn(tb testing.TB, assignmentID, docsLink string) string {
	tb.Helper()
	return c.post(tb, "/api/submissions", with(submission(assignmentID), "docsLink", docsLink)).id(tb)
}

// link waits until c sees a result of a submission's link.
func (c *client) link(t *testing.T, id string, want studycircle.LinkResult) (checkedAt time.Time) {
	t.Helper()
	require.Eventually(t, func() bool {
		a, err := c.try(t.Context(), http.MethodGet, "/api/submissions/"+id+"/link", nil)
		if err != nil || a.status != http.StatusOK {
			return false
		}
		d := a.json(t)
		at, there := d["checkedAt"].(string)
		if !there || d["result"] != string(want) {
			return false
		}
		checkedAt, err = time.Parse(time.RFC3339, at)
		return err == nil && len(d) == 2
	}, 30*time.Second, 20*time.Millisecond)
	return checkedAt
}

// passed waits until every due link is checked.
func (n *node) passed(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		now := sql.NullInt64{Int64: n.clock.now().UnixMicro(), Valid: true}
		waiting, err := n.app.Store.Engine().Queries().LinksWait(t.Context(), now)
		return err == nil && waiting == 0
	}, 30*time.Second, 20*time.Millisecond)
}

func TestLinksAreCheckedAfterSubmission(t *testing.T) {
	lookedAt(t, func(t *testing.T, n *node, l *looker) {
		ada, bob, cem, dot := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot")
		closed, named := "https://docs.example.org/closed", "https://docs.example.org/named"
		l.finds(closed, linkhealth.Seen{Result: linkhealth.SignIn})
		l.finds(named, linkhealth.Seen{Result: linkhealth.Reachable, Named: true})
		several, single := ada.publish(t, "reviewsNeeded", 2), ada.publish(t)
		heard, deaf := bob.hears(t), dot.hears(t)
		id := bob.handIn(t, several, closed)
		heard.expect(t, event{kind: string(studycircle.OwnSubmission), subject: id})
		at := bob.link(t, id, studycircle.LinkSignIn)
		require.WithinDuration(t, n.clock.now(), at, time.Minute)
		heard.expect(t, event{kind: string(studycircle.OwnSubmission), subject: id})
		require.Equal(t, doc{"result": "sign-in", "checkedAt": bob.own(t, id)["link"].(doc)["checkedAt"], "namesYou": false}, bob.own(t, id)["link"])

		path := "/api/submissions/" + id + "/link"
		n.visitor().get(t, path).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		for _, c := range []*client{cem, dot} {
			c.get(t, path).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			c.get(t, "/api/submissions/nothing/link").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
		day := at.UTC().Truncate(24 * time.Hour)
		require.Equal(t, day, ada.link(t, id, studycircle.LinkSignIn).UTC(), "the creator sees the day")
		require.Equal(t, id, cem.task(t, several)["submissionId"])
		require.Equal(t, day, cem.link(t, id, studycircle.LinkSignIn).UTC(), "so is who reviews it")
		cem.del(t, "/api/reviews/lease/"+id).is(t, http.StatusOK)
		cem.get(t, path).refused(t, http.StatusNotFound, studycircle.CodeNotFound)

		// Pages are searched for the submitter's name only where reviewers must not learn
		// it.
		other := bob.handIn(t, single, named)
		bob.link(t, other, studycircle.LinkReachable)
		require.Contains(t, l.looks(), asked{named, "[]"})
		mine := dot.handIn(t, several, named)
		dot.link(t, mine, studycircle.LinkReachable)
		require.Contains(t, l.looks(), asked{named, "[Dot dot@example.org]"})
		require.Contains(t, l.looks(), asked{closed, "[Bob bob@example.org]"})
		require.Equal(t, true, dot.own(t, mine)["link"].(doc)["namesYou"])
		require.Len(t, l.looks(), 3, "neither a lease nor its end looks")
		for _, c := range []*client{ada, cem} {
			require.NotContains(t, string(c.get(t, "/api/submissions?status=pending").body), "namesYou")
		}
		deaf.expect(t, event{kind: string(studycircle.SubmissionPending), subject: other})
	})
}

// A reviewer of an exemplar sees the same about its link as about any other.
func TestLinksOfExemplarsAreChecked(t *testing.T) {
	lookedAt(t, func(t *testing.T, n *node, l *looker) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		closed := "https://docs.example.org/closed"
		l.finds(closed, linkhealth.Seen{Result: linkhealth.SignIn})
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		id := ada.post(t, "/api/assignment/"+of+"/exemplars", with(exemplar(18), "docsLink", closed)).id(t)
		require.Equal(t, id, bob.task(t, of)["submissionId"])
		at := bob.link(t, id, studycircle.LinkSignIn).UTC()
		require.Equal(t, at.Truncate(24*time.Hour), at, "the day")
		require.Equal(t, at, ada.link(t, id, studycircle.LinkSignIn).UTC())
		require.Contains(t, l.looks(), asked{closed, "[]"}, "no name is searched for")
	})
}

func TestChangedLinksAreCheckedAgain(t *testing.T) {
	lookedAt(t, func(t *testing.T, n *node, l *looker) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		gone, there := "https://docs.example.org/gone", "https://docs.example.org/there"
		l.finds(gone, linkhealth.Seen{Result: linkhealth.Gone})
		id := bob.handIn(t, ada.publish(t), gone)
		bob.link(t, id, studycircle.LinkGone)
		own := "/api/submissions/" + id + "/own"
		bob.put(t, own, doc{"docsLink": gone, "note": "Another note."}).is(t, http.StatusOK)
		require.Len(t, l.looks(), 1, "the note is no link")
		bob.put(t, own, doc{"docsLink": there}).is(t, http.StatusOK)
		bob.link(t, id, studycircle.LinkReachable)
		require.NotContains(t, bob.own(t, id), "link", "there is nothing to do")
		require.Len(t, l.looks(), 2)
		bob.del(t, own).is(t, http.StatusOK)
		bob.get(t, "/api/submissions/"+id+"/link").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
	})
}

func TestLinksAreCheckedAgainBeforeTheDueDate(t *testing.T) {
	lookedAt(t, func(t *testing.T, n *node, l *looker) {
		ada, bob, cem := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem")
		at := "https://docs.example.org/1"
		of := ada.publish(t, "dueDate", inDays(9))
		id := bob.handIn(t, of, at)
		bob.link(t, id, studycircle.LinkReachable)
		graded := cem.handIn(t, of, at)
		cem.link(t, graded, studycircle.LinkReachable)
		ada.grade(t, graded, 20)

		n.clock.advance(7 * 24 * time.Hour)
		for _, c := range []*client{ada, bob, cem} {
			c.newSession(t)
		}
		n.passed(t)
		require.Len(t, l.looks(), 2, "two days before, not yet")
		l.finds(at, linkhealth.Seen{Result: linkhealth.Gone})
		n.clock.advance(25 * time.Hour)
		for _, c := range []*client{ada, bob, cem} {
			c.newSession(t)
		}
		bob.link(t, id, studycircle.LinkGone)
		n.passed(t)
		require.Len(t, l.looks(), 3, "links of marked submissions are not checked")
		cem.link(t, graded, studycircle.LinkReachable)

		// A later due date moves the next check.
		body := with(assignment(), "dueDate", inDays(30))
		ada.put(t, "/api/assignment/"+of, body).is(t, http.StatusOK)
		n.passed(t)
		require.Len(t, l.looks(), 3)
		l.finds(at, linkhealth.Seen{Result: linkhealth.SignIn})
		n.clock.advance(21 * 24 * time.Hour)
		bob.newSession(t)
		bob.link(t, id, studycircle.LinkSignIn)
		require.Len(t, l.looks(), 4)
	})
}

// A check that did not happen is repeated: at its host's next turn, or by any node once
// the lease is over.
func TestFailedLinkChecksAreRetried(t *testing.T) {
	lookedAt(t, func(t *testing.T, n *node, l *looker) {
		ada, bob, cem := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem")
		of := ada.publish(t)
		busy, cut := "https://docs.example.org/busy", "https://docs.example.org/cut"
		l.mu.Lock()
		l.fails[busy], l.fails[cut] = &linkhealth.LaterError{After: time.Hour}, errors.New("the node stops")
		l.mu.Unlock()
		first, second := bob.handIn(t, of, busy), cem.handIn(t, of, cut)
		require.Eventually(t, func() bool { return len(l.looks()) == 2 }, 30*time.Second, 10*time.Millisecond)
		require.Equal(t, doc{"result": "unknown"}, bob.get(t, "/api/submissions/"+first+"/link").json(t))
		require.Equal(t, doc{"result": "unknown"}, cem.get(t, "/api/submissions/"+second+"/link").json(t))
		n.clock.advance(2 * time.Minute)
		cem.link(t, second, studycircle.LinkReachable)
		require.Len(t, l.looks(), 3)
		n.clock.advance(time.Hour)
		bob.newSession(t)
		bob.link(t, first, studycircle.LinkReachable)
	})
}

// Each link is checked by one node, once, however many are submitted concurrently and
// however often they change; the stored result is that of the present link.
// A page that makes the checker panic is unknown. Other links are checked.
func TestPanicsOfLinkChecks(t *testing.T) {
	lookedAt(t, func(t *testing.T, n *node, l *looker) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		l.mu.Lock()
		l.panics = "https://docs.example.org/hostile"
		l.mu.Unlock()
		hostile := bob.handIn(t, ada.publish(t), l.panics)
		fine := bob.handIn(t, ada.publish(t), "https://docs.example.org/fine")
		bob.link(t, hostile, studycircle.LinkUnknown)
		bob.link(t, fine, studycircle.LinkReachable)
	})
}

func TestConcurrentLinksAreCheckedOnce(t *testing.T) {
	bothEngines(t, func(t *testing.T, w *world) {
		l := &looker{found: map[string]linkhealth.Seen{}, fails: map[string]error{}}
		w.links = l
		a := w.start(t)
		b := a
		if w.database.URL != "" {
			b = w.start(t)
		}
		of, several := a.user(t, "Ada").publish(t), a.user(t, "Eve").publish(t, "reviewsNeeded", 3)
		const many = 32
		people := make([]*client, many)
		for i := range people {
			people[i] = a.user(t, fmt.Sprint("Student", i))
		}
		ids := make([]string, many)
		together(t, many, func(i int) (err error) {
			at, to := a, of
			if i%2 == 1 {
				at, to = b, several
			}
			body := with(submission(to), "docsLink", fmt.Sprint("https://docs.example.org/", i))
			ids[i], err = people[i].at(at).do(t.Context(), http.MethodPost, "/api/submissions", body, http.StatusCreated)
			return err
		})
		for i, c := range people {
			c.link(t, ids[i], studycircle.LinkReachable)
		}
		seen := map[string]int{}
		for _, look := range l.looks() {
			seen[look.link]++
		}
		require.Len(t, seen, many)
		for link, n := range seen {
			require.Equal(t, 1, n, link)
		}
		together(t, many, func(i int) error {
			for n := range 3 {
				_, err := people[i].at(b).do(t.Context(), http.MethodPut, "/api/submissions/"+ids[i]+"/own", doc{"docsLink": fmt.Sprint("https://docs.example.org/", i, "/", n)}, http.StatusOK)
				if err != nil {
					return err
				}
			}
			return nil
		})
		for i, c := range people {
			c.link(t, ids[i], studycircle.LinkReachable)
			require.Contains(t, fmt.Sprint(l.looks()), fmt.Sprint("https://docs.example.org/", i, "/2 "))
		}
	})
}
