package nodetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

func TestEventsReachTheirAudience(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cleo := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo")
		visitors, adas, bobs := n.visitor().hears(t), ada.hears(t), bob.hears(t)
		a := ada.publish(t)
		first := bob.submit(t, a)
		bob.put(t, "/api/submissions/"+first+"/own", doc{"docsLink": "https://example.org/2"}).is(t, http.StatusOK)
		bob.del(t, "/api/submissions/"+first+"/own").is(t, http.StatusOK)
		second := bob.submit(t, a)
		cleo.grade(t, second, 10)
		ada.put(t, "/api/assignment/"+a, with(assignment(), "title", "Another")).is(t, http.StatusOK)
		ada.put(t, "/api/assignment/"+a, with(assignment(), "title", "Another")).is(t, http.StatusOK) // changes nothing
		ada.del(t, "/api/assignment/"+a).is(t, http.StatusOK)

		created, updated, deleted := event{kind: "assignment.created", subject: a}, event{kind: "assignment.updated", subject: a}, event{kind: "assignment.deleted", subject: a}
		visitors.expect(t, created, updated, deleted)
		of := func(kind, id string) event { return event{kind: "submission." + kind, subject: id} }
		told := event{kind: "notifications"} // the user's notifications changed
		results := event{kind: "assignment.results", subject: a}
		adas.expect(t, created, of("pending", first), results, told, of("changed", first), of("withdrawn", first), results,
			of("pending", second), results, told, of("graded", second), results, updated, deleted, told)
		mine := func(id string) event { return event{kind: "own-submission", subject: id} }
		bobs.expect(t, created, of("pending", first), mine(first), of("changed", first), mine(first), of("withdrawn", first), mine(first),
			of("pending", second), mine(second), of("graded", second), mine(second), told, updated, deleted)
	})
}

func TestEventsOfOtherNodes(t *testing.T) {
	twoNodes(t, func(t *testing.T, a, b *node) {
		ada := a.user(t, "Ada")
		there, here := ada.at(b).hears(t), ada.hears(t)
		first := ada.publish(t)
		there.expect(t, event{kind: "assignment.created", subject: first})
		here.expect(t, event{kind: "assignment.created", subject: first})
		last := here.id
		here.close()
		// Events missed at one node are sent by any other.
		second, third := ada.publish(t), ada.at(b).publish(t)
		again := ada.at(b).hearsFrom(t, last)
		again.expect(t, event{kind: "assignment.created", subject: second}, event{kind: "assignment.created", subject: third})
		there.expect(t, event{kind: "assignment.created", subject: second}, event{kind: "assignment.created", subject: third})
	})
}

// Clients write at all nodes while listeners are cut at random and resume at another
// node: they get every event once.
func TestListenersMissNothing(t *testing.T) {
	twoNodes(t, func(t *testing.T, a, b *node) {
		ada := a.user(t, "Ada")
		const writers, each = 8, 10
		begin := ada.hears(t)
		lastID := begin.id
		begin.close()
		var work sync.WaitGroup
		heard := make([]map[string]int, 4)
		for i := range heard {
			heard[i] = map[string]int{}
			work.Go(func() {
				if err := hearAll(t.Context(), ada, []*node{a, b}, lastID, rand.New(rand.NewPCG(uint64(i), 3)), heard[i], writers*each); err != nil {
					t.Errorf("listener %d: %v", i, err)
				}
			})
		}
		written := make(chan string, writers*each)
		for w := range writers {
			work.Go(func() {
				for range each {
					id, err := ada.at([]*node{a, b}[w%2]).do(t.Context(), http.MethodPost, "/api/assignments", assignment(), http.StatusCreated)
					if err != nil {
						t.Errorf("writer %d: %v", w, err)
					}
					written <- id
				}
			})
		}
		work.Wait()
		close(written)
		for id := range written {
			for i := range heard {
				assert.Equal(t, 1, heard[i][id], "listener %d", i)
			}
		}
	})
}

// hearAll listens, is cut after some events, and resumes at another node, until it has
// all expected events, and then only a last one of its own.
func hearAll(ctx context.Context, u *client, nodes []*node, lastID string, random *rand.Rand, heard map[string]int, all int) error {
	for len(heard) < all {
		s, err := u.at(nodes[random.IntN(len(nodes))]).listen(ctx, lastID)
		if err != nil {
			return err
		}
		for range 1 + random.IntN(12) {
			e, err := s.next()
			if err != nil {
				s.close()
				return err
			}
			if e.kind != "" {
				heard[e.subject]++
			}
			if len(heard) == all {
				break
			}
		}
		lastID = s.id
		s.close()
	}
	// One more event, and none before it.
	s, err := u.at(nodes[0]).listen(ctx, lastID)
	if err != nil {
		return err
	}
	defer s.close()
	for {
		e, err := s.next()
		if err != nil || e.kind == "" {
			return err
		}
		heard[e.subject]++
	}
}

func TestUnknownCursorsBeginWithReset(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		for _, id := range []string{"x", "/", "0", "a/b", "a/1:2:3", strings.Repeat("9/", 5000), "é/1", "'; DROP TABLE events", n.visitor().hears(t).id + "999999"} {
			for _, who := range []*client{n.visitor(), ada} {
				s := who.hearsFrom(t, id)
				s.expect(t, event{kind: "reset"})
				// Later events arrive as usual.
				a := ada.publish(t)
				s.expect(t, event{kind: "assignment.created", subject: a})
				s.close()
			}
		}
	})
}

func TestStreamsRefuseInvalidTokens(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		for _, authorization := range []string{"Bearer", "Bearer x", "Basic x", "Bearer a.1.b"} {
			n.visitor().get(t, "/api/events", header{"Authorization", authorization}).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		}
		a := n.visitor().call(t, http.MethodPost, "/api/events", nil)
		a.refused(t, http.StatusMethodNotAllowed, studycircle.CodeMethodNotAllowed)
		require.Equal(t, "text/event-stream; charset=utf-8", n.visitor().call(t, http.MethodHead, "/api/events", nil).is(t, http.StatusOK).header.Get("Content-Type"))
	})
}

// A stream ends soon after its session, however and wherever that ends; a visitor's goes
// on.
func TestStreamsEndWithTheirSession(t *testing.T) {
	twoNodes(t, func(t *testing.T, a, b *node) {
		out, suspended, deleted, lapsed := a.user(t, "Out"), a.user(t, "Suspended"), a.user(t, "Deleted"), a.user(t, "Lapsed")
		cookie := header{"Cookie", "session=" + out.newSession(t)}
		visitors := b.visitor().hears(t)
		streams := map[string]*stream{}
		for _, u := range []*client{out, suspended, deleted, lapsed} {
			streams[u.name] = u.at(b).hears(t)
		}
		a.visitor().post(t, "/api/auth/logout", nil, cookie).is(t, http.StatusNoContent)
		deleted.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		// As the command does, in its own process.
		require.NoError(t, a.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.SetSuspended(ctx, suspended.email, a.clock.now())
			return err
		}))
		for _, u := range []*client{out, suspended, deleted} {
			streams[u.name].ended(t)
		}
		b.clock.jump(16 * time.Minute)
		streams[lapsed.name].ended(t)
		made := a.user(t, "Last").publish(t)
		visitors.expect(t, event{kind: "assignment.created", subject: made})
	})
}

// A stopping node closes its streams and accepts no new ones.
func TestStoppingEndsStreams(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		open := n.visitor().hears(t)
		n.app.EndStreams()
		open.ended(t)
		n.visitor().get(t, "/api/events").refused(t, http.StatusServiceUnavailable, studycircle.CodeUnavailable)
		n.visitor().get(t, "/api/assignments").is(t, http.StatusOK)
	})
}

// Streams take no admission slot, however many are open.
func TestOpenStreamsDoNotCountAsLoad(t *testing.T) {
	t.Parallel()
	n := onSQLite(t).start(t)
	ada := n.user(t, "Ada")
	streams := make([]*stream, 600)
	together(t, len(streams), func(i int) (err error) {
		away := n.visitor()
		away.address = fmt.Sprintf("198.18.0.%d", i%8) // each network has its own share
		if streams[i], err = away.listen(t.Context(), ""); err == nil {
			_, err = streams[i].next()
		}
		return err
	})
	t.Cleanup(func() {
		for _, s := range streams {
			s.close()
		}
	})
	a := ada.publish(t)
	for _, s := range streams {
		s.expect(t, event{kind: "assignment.created", subject: a})
	}
}

// A page contains the event cursor to listen from, and its data is not older.
func TestPagesContainACursor(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		a := ada.publish(t)
		var rest string
		for told := false; !told; { // a page has no cursor while the store is slow
			text, err := n.page1(t)
			require.NoError(t, err)
			require.Contains(t, text, a)
			_, rest, told = strings.Cut(text, `"live":"`)
		}
		place, _, _ := strings.Cut(rest, `"`)
		b := ada.publish(t)
		s := n.visitor().hearsFrom(t, place)
		got, err := s.told()
		for err == nil && got.subject == a {
			got, err = s.told() // it may be repeated
		}
		require.NoError(t, err)
		require.Equal(t, event{kind: "assignment.created", subject: b}, event{kind: got.kind, subject: got.subject})
	})
}

// page1 returns the HTML of the list.
func (n *node) page1(t *testing.T) (string, error) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, n.url+"/assignments", nil)
	if err != nil {
		return "", err
	}
	a, err := n.visitor().roundTrip(r, "the list's page")
	return string(a.body), err
}
