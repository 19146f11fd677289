package nodetest

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
)

// publicReads returns the addresses that visitors read, of an assignment in the list.
func publicReads(id string) []string {
	return []string{"/api/assignments", "/api/assignments?level=medium", "/api/assignments?search=tides", "/api/assignments?limit=1", "/api/assignment/" + id}
}

func TestPublicReadsAreRevalidated(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		id := ada.publish(t)
		tags := map[string]string{}
		for _, path := range publicReads(id) {
			for range 3 { // rendered, stored, and from the cache
				a := n.visitor().get(t, path).is(t, http.StatusOK)
				tag := a.header.Get("ETag")
				require.NotEmpty(t, tag)
				if tags[path] == "" {
					tags[path] = tag
				}
				require.Equal(t, tags[path], tag)
				require.Equal(t, strings.HasPrefix(path, "/api/assignments"), strings.HasPrefix(tag, "W/"), "one assignment's is strong: it serves If-Match")
				require.Equal(t, "public, no-cache", a.header.Get("Cache-Control"))
				require.Equal(t, "Accept-Encoding", a.header.Get("Vary"))
				require.Equal(t, "application/json", a.header.Get("Content-Type"))
				for _, value := range []string{tag, "W/" + strings.TrimPrefix(tag, "W/"), strings.TrimPrefix(tag, "W/"), "*", `"x", ` + tag} {
					same := n.visitor().get(t, path, header{"If-None-Match", value}).is(t, http.StatusNotModified)
					require.Empty(t, same.body)
					require.Equal(t, tag, same.header.Get("ETag"))
				}
				n.visitor().get(t, path, header{"If-None-Match", `"x", W/"y"`}).is(t, http.StatusOK)
			}
		}
		ada.put(t, "/api/assignment/"+id, with(assignment(), "title", "Essay on tides and moons")).is(t, http.StatusOK)
		for path, tag := range tags {
			a := n.visitor().get(t, path, header{"If-None-Match", tag}).is(t, http.StatusOK)
			require.Contains(t, string(a.body), "tides and moons", path)
		}
		ada.del(t, "/api/assignment/"+id).is(t, http.StatusOK)
		n.visitor().get(t, "/api/assignment/"+id, header{"If-None-Match", "*"}).is(t, http.StatusNotFound)
	})
}

// Private answers are cached for their user; answers for all graders are shared.
func TestSubmissionListsAreRevalidatedByTheirOwner(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		other := n.start(t)
		ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve")
		id := ada.publish(t)
		submission := bob.submit(t, id)
		const pending, own = "/api/submissions?status=pending", "/api/submissions"
		tags := map[string]string{}
		for range 3 {
			for _, path := range []string{pending, own, own + "?submittedBy=" + bob.email, own + "?limit=1"} {
				a := bob.get(t, path).is(t, http.StatusOK)
				require.Len(t, a.array(t), 1, path)
				require.Equal(t, "1", a.header.Get("X-Total-Count"))
				require.Equal(t, "private, no-cache", a.header.Get("Cache-Control"))
				require.Equal(t, "Accept-Encoding, Authorization", a.header.Get("Vary"))
				require.Equal(t, "application/json", a.header.Get("Content-Type"))
				tags[path] = a.header.Get("ETag")
				same := bob.get(t, path, header{"If-None-Match", tags[path]}).is(t, http.StatusNotModified)
				require.Empty(t, same.body)
			}
			require.Empty(t, eve.get(t, own).is(t, http.StatusOK).array(t), "another's list is not hers")
			eve.get(t, own+"?submittedBy="+bob.email).refused(t, http.StatusForbidden, studycircle.CodeNotYourSubmissions)
			n.visitor().get(t, pending, header{"If-None-Match", tags[pending]}).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		}
		eve.grade(t, submission, 40)
		elsewhere := &client{n: other, token: bob.token}
		require.Empty(t, elsewhere.get(t, pending, header{"If-None-Match", tags[pending]}).is(t, http.StatusOK).array(t))
		require.Equal(t, "completed", elsewhere.get(t, own, header{"If-None-Match", tags[own]}).is(t, http.StatusOK).array(t)[0]["status"])
	})
}

// Cached answers depend on all that they show: the viewer, the chosen state, status and
// level, and the clock. Each is requested three times without a write between: rendered,
// stored, and from the cache.
func TestCachedAnswersDependOnAllTheyShow(t *testing.T) {
	bothEngines(t, func(t *testing.T, w *world) {
		midnight := time.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 2)
		w.clock.stand(midnight.Add(-10 * time.Minute))
		n := w.startWhereAsked(t)
		ada, bob, cem := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem")
		day := func(days int) string { return midnight.AddDate(0, 0, days).Format(time.RFC3339) }
		mine, taken := ada.publish(t, "dueDate", day(20), "level", "easy"), bob.publish(t, "dueDate", day(30), "level", "hard", "reviewsNeeded", 2)
		bob.publish(t, "dueDate", day(25), "level", "hard")
		for days := range 3 {
			cem.publish(t, "dueDate", day(days))
		}
		thread := bob.write(t, mine, "Bob asks")
		ada.reply(t, mine, thread, "Ada answers")
		work := ada.submit(t, taken)
		cem.task(t, taken)
		cem.patch(t, "/api/submissions/"+work, doc{"marks": 9}).is(t, http.StatusOK)
		ada.grade(t, bob.submit(t, mine), 7)

		// Interleaved, so that one request's answer is stored when the next one comes.
		ask := func(of map[string]func() any, want map[string]any) {
			t.Helper()
			for range 3 {
				for what, get := range of {
					assert.Equal(t, want[what], get(), what)
				}
			}
		}
		own := func(c *client, path string) func() any {
			return func() any { return c.get(t, path).is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)["mine"] }
		}
		threads, replies := "/api/assignment/"+mine+"/comments", "/api/comment/"+thread+"/replies"
		ask(map[string]func() any{
			"Ada threads": own(ada, threads), "Bob threads": own(bob, threads), "visitor threads": own(n.visitor(), threads),
			"Ada replies": own(ada, replies), "Bob replies": own(bob, replies), "visitor replies": own(n.visitor(), replies),
		}, map[string]any{
			"Ada threads": false, "Bob threads": true, "visitor threads": false, "Ada replies": true, "Bob replies": false, "visitor replies": false,
		})
		total := func(c *client, query string) func() any {
			return func() any {
				return c.get(t, "/api/assignments?"+query).is(t, http.StatusOK).json(t)["pagination"].(doc)["total"]
			}
		}
		ask(map[string]func() any{
			"all": total(ada, ""), "easy": total(ada, "level=easy"), "mine": total(ada, "state=mine"), "open": total(ada, "state=open"), "pending": total(ada, "state=pending"),
			"Bob's open": total(bob, "state=open"), "hard and open": total(ada, "state=open&level=hard"), "medium and open": total(ada, "state=open&level=medium"),
		}, map[string]any{
			"all": 6.0, "easy": 1.0, "mine": 1.0, "open": 4.0, "pending": 1.0, "Bob's open": 3.0, "hard and open": 1.0, "medium and open": 3.0,
		})
		listed := func(c *client, query string) func() any {
			return func() any {
				return c.get(t, "/api/submissions?"+query).is(t, http.StatusOK).header.Get("X-Total-Count")
			}
		}
		ask(map[string]func() any{
			"to grade": listed(ada, "status=pending"), "own": listed(ada, "submittedBy="+ada.email), "own pending": listed(ada, "submittedBy="+ada.email+"&status=pending"),
			"own graded": listed(ada, "submittedBy="+ada.email+"&status=completed"), "Bob's graded": listed(bob, "submittedBy="+bob.email+"&status=completed"),
		}, map[string]any{"to grade": "1", "own": "1", "own pending": "1", "own graded": "0", "Bob's graded": "1"})

		soon := func() any { return total(n.visitor(), "state=due-soon")() }
		came := func() any { return ada.own(t, work)["reviews"] }
		clocked := map[string]func() any{"due soon": soon, "reviews": came}
		ask(clocked, map[string]any{"due soon": 3.0, "reviews": 0.0})
		w.clock.stand(midnight.Add(time.Second))
		ask(clocked, map[string]any{"due soon": 2.0, "reviews": 1.0})
	})
}

// Answers are the same with and without compression, cached or not.
func TestPublicReadsAreCompressed(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		for range 12 {
			ada.publish(t)
		}
		for range 3 {
			plain := n.visitor().get(t, "/api/assignments", header{"Accept-Encoding", "identity"}).is(t, http.StatusOK)
			require.Empty(t, plain.header.Get("Content-Encoding"))
			for accepted, encoding := range map[string]string{
				"gzip": "gzip", "br, GZIP;q=0.5": "gzip", "gzip; q=1.0, br": "gzip", "gzip;q=0": "", "gzip;q=0.000": "", "br": "", "x-gzip-not": "",
			} {
				a := n.visitor().get(t, "/api/assignments", header{"Accept-Encoding", accepted}).is(t, http.StatusOK)
				require.Equal(t, encoding, a.header.Get("Content-Encoding"), accepted)
				require.Equal(t, plain.header.Get("ETag"), a.header.Get("ETag"))
				body := string(a.body)
				if encoding != "" {
					unzip, err := gzip.NewReader(strings.NewReader(body))
					require.NoError(t, err)
					read, err := io.ReadAll(unzip)
					require.NoError(t, err)
					body = string(read)
				}
				require.Equal(t, string(plain.body), body, accepted)
			}
		}
	})
}

// Compressed and plain answers differ in bytes, so a strong tag must not name both (RFC
// 9110, section 8.8.3.3); either is accepted in conditions.
func TestStrongTagsTellCompressedFromPlain(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		long := with(assignment(), "description", strings.Repeat("Tides and moons. ", 200))
		path := "/api/assignment/" + ada.post(t, "/api/assignments", long).id(t)
		forms := map[string]string{}
		for _, encoding := range []string{"gzip", "identity"} {
			for range 3 {
				a := n.visitor().get(t, path, header{"Accept-Encoding", encoding}).is(t, http.StatusOK)
				forms[encoding] = a.header.Get("ETag")
				require.Regexp(t, `^"[^"]+"$`, forms[encoding])
			}
		}
		require.NotEqual(t, forms["identity"], forms["gzip"])
		for _, encoding := range []string{"gzip", "identity"} {
			for _, tag := range forms {
				same := n.visitor().get(t, path, header{"Accept-Encoding", encoding}, header{"If-None-Match", tag}).is(t, http.StatusNotModified)
				require.Equal(t, forms[encoding], same.header.Get("ETag"), "the tag of what would have been sent")
			}
		}
		for _, tag := range forms {
			ada.put(t, path, long, header{"If-Match", tag}).is(t, http.StatusOK)
			ada.put(t, path, long, header{"If-Match", "W/" + tag}).refused(t, http.StatusPreconditionFailed, studycircle.CodeChanged)
		}
		ada.put(t, path, with(long, "marks", 7), header{"If-Match", forms["gzip"]}).is(t, http.StatusOK)
		for _, tag := range forms {
			ada.put(t, path, long, header{"If-Match", tag}).refused(t, http.StatusPreconditionFailed, studycircle.CodeChanged)
		}
		short := ada.post(t, "/api/assignments", assignment()).id(t)
		plain := n.visitor().get(t, "/api/assignment/"+short, header{"Accept-Encoding", "gzip"}).is(t, http.StatusOK)
		require.NotContains(t, plain.header.Get("ETag"), "gzip", "not worth compressing")
	})
}

// 32 clients on two nodes write and read at once, on the other node, answers that its
// cache holds.
func TestWritersReadTheirOwnWritesOnAnotherNode(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		nodes := []*node{n, n.start(t)}
		ada := n.user(t, "Ada")
		id := ada.publish(t)
		var failures sync.Map
		var all sync.WaitGroup
		for client := range 32 {
			all.Go(func() {
				for round := range 3 {
					if err := writeHereReadThere(t, nodes[client%2], nodes[(client+1)%2], ada.token, fmt.Sprint("Round ", round, " of ", client), id); err != nil {
						failures.Store(fmt.Sprint(client, "/", round), err)
					}
				}
			})
		}
		all.Wait()
		failures.Range(func(at, err any) bool {
			t.Errorf("client %v: %v", at, err)
			return true
		})
	})
}

func writeHereReadThere(t *testing.T, here, there *node, token, title, id string) error {
	writer, reader := &client{n: here, token: token}, &client{n: there}
	created, err := writer.persist(t.Context(), http.MethodPost, "/api/assignments", with(assignment(), "title", title))
	if err != nil || created.status != http.StatusCreated {
		return fmt.Errorf("create: %w, %+v", err, created)
	}
	list, err := reader.persist(t.Context(), http.MethodGet, "/api/assignments?limit=100", nil)
	if err != nil || !strings.Contains(string(list.body), `"`+title+`"`) {
		return fmt.Errorf("not in the list (%w): %s", err, title)
	}
	// All change one row. A client that waits for it too long gets a 503.
	changed, err := writer.persist(t.Context(), http.MethodPut, "/api/assignment/"+id, with(assignment(), "title", title))
	if err != nil || changed.status != http.StatusOK {
		return fmt.Errorf("change: %w, %+v", err, changed)
	}
	// Others change it too: the answer has this change or a later one.
	one, err := reader.persist(t.Context(), http.MethodGet, "/api/assignment/"+id, nil)
	if err != nil || one.status != http.StatusOK {
		return fmt.Errorf("read: %w, %+v", err, one)
	}
	if strings.Contains(string(one.body), `"Essay on tides"`) {
		return errors.New("the first title is still there")
	}
	return nil
}

// Cached answers about a user's own submissions follow the clock without a write: appeals and numbers of reviews are
// those of the day.
func TestOwnSubmissionsChangeWithTheDay(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		graded := bob.submit(t, ada.publish(t))
		ada.grade(t, graded, 40)
		// An answer for one user is cached from the second request on.
		askThrice := func(id string) (own doc) {
			for i := range 3 {
				got := bob.own(t, id)
				require.True(t, i == 0 || reflect.DeepEqual(own, got), "%v, then %v", own, got)
				own = got
			}
			return own
		}
		// untilMidnight sets the clock to five minutes before the end of a day (UTC).
		untilMidnight := func(days int) {
			end := studycircle.StartOfDay(studycircle.Day(n.clock.now()) + int64(days))
			n.clock.advance(end.Add(-5 * time.Minute).Sub(n.clock.now()))
			ada.newSession(t)
			bob.newSession(t)
		}
		untilMidnight(15)
		require.Equal(t, true, askThrice(graded)["may"].(doc)["appeal"], "the last day")
		n.clock.advance(6 * time.Minute)
		require.Equal(t, false, askThrice(graded)["may"].(doc)["appeal"])

		of := ada.publish(t, "reviewsNeeded", 3, "marks", 20, "dueDate", "9000-01-01T00:00:00Z")
		reviewed := bob.submit(t, of)
		untilMidnight(1)
		cem := n.user(t, "Cem")
		cem.task(t, of)
		cem.patch(t, "/api/submissions/"+reviewed, doc{"marks": 7}).is(t, http.StatusOK)
		require.InDelta(t, 0, askThrice(reviewed)["reviews"], 0)
		n.clock.advance(6 * time.Minute)
		require.InDelta(t, 1, askThrice(reviewed)["reviews"], 0)
	})
}
