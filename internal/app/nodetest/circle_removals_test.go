package nodetest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// removalReaches is the time after which a removal has reached every node.
const removalReaches = 5 * time.Second

// sighting is an answer that shows a circle, or an event about it.
type sighting struct {
	of   int // the member
	what string
	at   time.Time // when the request was sent, or the event arrived
}

// Ten members are removed at once while 32 clients read as them and the circle is busy: after five seconds nothing of
// the circle reaches them, on any node, by any list, page of the API, event or email.
func TestRemovedMembersReadNothing(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		n, other := w.startTwo(t)
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		circle := ada.circle(t, "Canarycircle")
		ada.admits(t, circle, "member", bob)
		members := make([]*client, 10)
		for i := range members {
			members[i] = n.user(t, fmt.Sprint("Member", i)).confirmed(t)
		}
		ada.admits(t, circle, "member", members...)
		due := time.Now().Add(5 * 24 * time.Hour)
		one, several := bob.publishIn(t, circle, "Canaryassignment", due), bob.publishIn(t, circle, "Canaryreviewed", due, 2)
		for range 3 {
			c := n.user(t, "Submitter"+studycircle.NewID(time.Now()))
			ada.admits(t, circle, "member", c)
			c.submit(t, several)
		}
		submission := ada.submit(t, one)
		thread := bob.write(t, one, "Canarythread")
		for _, c := range members {
			c.put(t, "/api/assignment/"+one+"/reminder", doc{"remind": true}).is(t, http.StatusOK)
			c.put(t, "/api/comment/"+thread+"/reactions/like", nil).is(t, http.StatusOK)
		}
		reads := []string{
			"/api/assignment/" + one, "/api/assignments?circle=" + circle, "/api/assignments?search=canaryassignment&circle=" + circle, "/api/assignment/" + one + "/comments",
			"/api/comment/" + thread, "/api/circle/" + circle, "/api/circle/" + circle + "/members", "/api/circles", "/api/submissions?status=pending&circle=" + circle,
			"/api/submissions/" + submission + "/work", "/api/reviews/lease", "/api/assignments", "/api/dashboard", "/api/today", "/api/notifications", "/api/progress?assignments=" + one,
		}

		var mu sync.Mutex
		var seen []sighting
		sees := func(of int, what string, at time.Time) {
			mu.Lock()
			defer mu.Unlock()
			seen = append(seen, sighting{of, what, at})
		}
		shows := func(body string) bool {
			return strings.Contains(strings.ToLower(body), "canary") || strings.Contains(body, one) || strings.Contains(body, several)
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		var work sync.WaitGroup
		begun := make(chan struct{}, crowd)
		var requests atomic.Int64
		for i := range crowd {
			c := members[i%len(members)].at([]*node{n, other}[i/len(members)%2])
			work.Go(func() {
				for round := 0; ctx.Err() == nil; round++ {
					if round == 1 {
						begun <- struct{}{}
					}
					for _, path := range reads {
						sent := time.Now()
						a, err := c.try(ctx, http.MethodGet, path, nil)
						if err != nil {
							if !errors.Is(err, context.Canceled) {
								t.Errorf("%s by %s: %v", path, c.name, err)
							}
							return
						}
						requests.Add(1)
						if a.status < http.StatusBadRequest && shows(string(a.body)) {
							sees(i%len(members), path, sent)
						}
					}
				}
			})
		}
		for i, c := range members {
			for _, node := range []*node{n, other} {
				s := c.at(node).hears(t)
				work.Go(func() {
					for {
						e, err := s.told()
						if err != nil {
							return
						}
						if shows(e.subject) {
							sees(i, "event "+e.kind, time.Now())
						}
					}
				})
				context.AfterFunc(ctx, s.close)
			}
		}
		work.Go(func() { // keeps events and notices coming
			for i := 0; ctx.Err() == nil; i++ {
				_, err := bob.do(ctx, http.MethodPost, "/api/assignment/"+one+"/comments", doc{"text": fmt.Sprint("Canaryreply ", i), "parentId": thread}, http.StatusCreated, http.StatusTooManyRequests)
				if err != nil && !errors.Is(err, context.Canceled) {
					t.Errorf("bob: %v", err)
				}
			}
		})
		for range crowd {
			<-begun
		}
		ids := make([]string, len(members))
		for i, c := range members {
			ids[i] = c.id(t)
		}
		removed := make([]time.Time, len(members))
		together(t, len(members), func(i int) error {
			_, err := ada.at([]*node{n, other}[i%2]).do(t.Context(), http.MethodDelete, "/api/circle/"+circle+"/members/"+ids[i], nil, http.StatusOK)
			removed[i] = time.Now()
			return err
		})
		letters := make([]int, len(members))
		for i, c := range members {
			letters[i] = len(w.mails.letters(t, c.email))
		}
		time.AfterFunc(removalReaches+time.Second, stop)
		work.Wait()

		mu.Lock()
		defer mu.Unlock()
		var latest time.Duration
		before := 0
		for _, s := range seen {
			after := s.at.Sub(removed[s.of])
			if latest = max(latest, after); after < 0 {
				before++
			}
			require.LessOrEqual(t, after, removalReaches, "%s to %s", s.what, members[s.of].name)
		}
		require.Greater(t, before, crowd, "members read the circle before they are removed")
		t.Logf("%d requests; %d answers and events before; the last %v after the removal", requests.Load(), before, latest)
		for i, c := range members {
			for _, l := range w.mails.letters(t, c.email)[letters[i]:] {
				require.NotContains(t, strings.ToLower(l.subject+l.text+l.html), "canary", c.name)
			}
			for _, path := range reads {
				if a := c.at(other).get(t, path); a.status < http.StatusBadRequest {
					require.False(t, shows(string(a.body)), "%s by %s", path, c.name)
				}
			}
		}
	})
}
