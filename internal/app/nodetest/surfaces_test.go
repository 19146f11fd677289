package nodetest

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/webtest"
)

// The ages of what is hidden or deleted: just written, a second old, and delivered and
// mailed.
var ages = []string{"fresh", "second", "delivered"}

// sightings are the readers and surfaces that tell of something: "Eve list-assignments".
type sightings map[string]bool

// sees reads every surface as every reader and returns where each kind of canary of each
// age is told of.
func (w *walkers) sees(t *testing.T, all map[string]canaries) map[string]sightings {
	t.Helper()
	p := parameters{
		"search": {"canary"}, "submittedBy": {w.eve.email}, "file": {w.calendar}, "token": {"none"}, "reviews": {"none"}, "assignment": {w.host},
		"circle": {w.circle}, "label": {"Red"},
	}
	var ids []string
	for _, c := range all {
		ids = append(ids, c.assignment)
		p["comment"] = append(p["comment"], c.thread, c.reply, c.noted)
		p["submissions"] = append(p["submissions"], c.graded)
		if c.circle != "" {
			p["circle"] = append(p["circle"], c.circle)
		}
	}
	p["assignment"] = append(p["assignment"], ids...)
	p["submissionId"], p["assignments"] = p["submissions"], []string{strings.Join(ids, ",")}
	surfaces := p.read(t)
	for _, page := range firstHTML(t) {
		if page.Path == webtest.NotFound.Path {
			continue
		}
		group := "assignment"
		if page.Name == "circle" {
			group = page.Name
		}
		for _, id := range p[group] {
			surfaces = append(surfaces, surface{"page " + page.Name, strings.ReplaceAll(page.Path, ":id", id)})
			if !strings.Contains(page.Path, ":id") {
				break
			}
		}
	}
	surfaces = append(surfaces, surface{"page search", "/assignments?search=canary"})

	w.surfaces = len(surfaces)
	seen := map[string]sightings{}
	var mu sync.Mutex
	read := func(c *client, on *node, s surface) {
		var session []header
		if strings.HasPrefix(s.name, "page ") && c.email != "" {
			session = append(session, header{"Cookie", "session=" + w.cookies[c.name]})
		}
		got, err := w.reads(t, c.at(on), s.path, session...)
		if err != nil {
			t.Errorf("%s by %s: %v", s.path, c.name, err)
			return
		}
		if got.status >= http.StatusBadRequest {
			return
		}
		body := strings.ToLower(string(got.body))
		mu.Lock()
		defer mu.Unlock()
		for age, one := range all {
			for kind, tells := range one.told {
				what := age + " " + kind
				if seen[what] == nil {
					seen[what] = sightings{}
				}
				if tells(body) {
					seen[what][c.name+" "+s.name] = true
				}
			}
		}
	}
	var group sync.WaitGroup
	for i, c := range []*client{w.n.visitor(), w.ada, w.bob, w.eve, w.dan, w.mo} {
		if w.cookies[c.name] == noSession {
			continue
		}
		group.Go(func() {
			for at, s := range surfaces {
				on := w.n
				if (i+at)%2 == 1 {
					on = w.other
				}
				read(c, on, s)
			}
		})
	}
	group.Wait()
	return seen
}

// readsHidden are the surfaces on which the author of hidden content, and those who decide
// on it, find it nevertheless.
var readsHidden = regexp.MustCompile(`^Bob (get-assignment|get-comment|list-comments|list-replies|list-notifications|export-account|page assignment)$|^Mo list-decisions$`)

// keepsTitles are the surfaces on which a submission keeps the title of a deleted assignment.
var keepsTitles = regexp.MustCompile(`^\w+ (list-submissions|get-own-submission|explain-mark|export-account|page mine|page pending|get-dashboard|page dashboard|list-notifications|get-today|search)$`)

// Every surface, immediately, a second later and after delivery, leaves out hidden and
// deleted assignments, comments, replies and reactions of every age, and shows all again
// that is restored. A suspended author's are as visible as before.
func TestEverySurfaceFollowsVisibility(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.moderators, w.web = []string{"mo@example.org"}, webtest.Built(firstHTML(t)...)
		w.clock.stand(time.Now()) // a slow machine mails nothing early
		k := newWalkers(t, w)
		checks := 0
		// after does something, then reads all surfaces at three times, and what was mailed by then.
		after := func(act func(), all map[string]canaries, name string, check func(t *testing.T, what string, seen sightings), mailed func(t *testing.T, letters string)) {
			t.Helper()
			before := k.letters(t)
			act()
			for _, later := range []time.Duration{0, time.Second, 25 * time.Hour} {
				if later == time.Second {
					w.clock.stand(w.clock.now().Add(later))
				}
				if later == 25*time.Hour {
					k.passes(t, later)
				}
				for what, seen := range k.sees(t, all) {
					check(t, fmt.Sprint(what, ", ", name, ", ", later, " later"), seen)
					checks++
				}
				if later == 25*time.Hour {
					mailed(t, k.mailed(t, before))
				}
			}
		}
		nowhere := func(but *regexp.Regexp) func(*testing.T, string, sightings) {
			return func(t *testing.T, what string, seen sightings) {
				t.Helper()
				for where := range seen {
					if !but.MatchString(where) || but == keepsTitles && !strings.Contains(what, "assignment") {
						t.Errorf("%s: %s", what, where)
					}
				}
			}
		}
		layAll := func(mark string) map[string]canaries {
			all := map[string]canaries{"delivered": k.lay(t, mark+"delivered")}
			k.passes(t, 25*time.Hour)
			all["second"] = k.lay(t, mark+"second")
			w.clock.stand(w.clock.now().Add(time.Second))
			all["fresh"] = k.lay(t, mark+"fresh")
			return all
		}
		silent := func(all map[string]canaries) func(*testing.T, string) {
			return func(t *testing.T, letters string) {
				t.Helper()
				for _, c := range all {
					for _, word := range []string{"canary", c.thread, c.reply} {
						require.NotContains(t, letters, word)
					}
				}
			}
		}

		all := layAll("one")
		live := k.sees(t, all)
		for _, what := range []string{"assignment", "thread", "reply", "reaction"} {
			for _, age := range ages {
				require.Greater(t, len(live[age+" "+what]), 8, "%s %s: %v", age, what, live[age+" "+what])
			}
		}
		moderate := func(action studycircle.ModerationAction) {
			for _, c := range all {
				k.n.moderate(t, action, studycircle.OfAssignment, c.assignment)
				for _, id := range []string{c.thread, c.reply, c.noted} {
					k.n.moderate(t, action, studycircle.OfComment, id)
				}
			}
		}
		heard := k.eve.at(k.other).hears(t)
		defer heard.close()
		after(func() {
			moderate(studycircle.Hide)
			for kind := ""; kind != string(studycircle.EventsReset); {
				e, err := heard.next()
				require.NoError(t, err)
				kind = e.kind
				for _, c := range all {
					require.NotContains(t, []string{c.thread, c.reply, c.noted}, e.subject, kind)
				}
			}
		}, all, "hidden", nowhere(readsHidden), silent(all))

		again := func(t *testing.T, what string, seen sightings) {
			t.Helper()
			name, _, _ := strings.Cut(what, ",")
			for where := range live[name] {
				who, _, _ := strings.Cut(where, " ")
				forgotten := where == "Bob list-notifications" && strings.HasSuffix(name, "assignment") // with what was hidden
				if !seen[where] && k.cookies[who] != noSession && !forgotten {
					t.Errorf("%s: not %s", what, where)
				}
			}
		}
		after(func() { moderate(studycircle.Restore) }, all, "restored", again, func(t *testing.T, letters string) {
			t.Helper()
			for _, age := range []string{"second", "fresh"} {
				require.Equal(t, 4, strings.Count(letters, all[age].reply), "once to Eve and once to Dan, each in text and HTML")
			}
			require.NotContains(t, letters, all["delivered"].reply)
		})

		account, err := k.n.app.Store.AccountByEmail(t.Context(), k.bob.email)
		require.NoError(t, err)
		gone := layAll("two")
		unsaid := func(*testing.T, string) {}
		after(func() {
			for _, c := range gone {
				k.bob.del(t, "/api/assignment/"+c.assignment).is(t, http.StatusOK)
				for _, id := range []string{c.thread, c.reply} {
					k.bob.del(t, "/api/comment/"+id).is(t, http.StatusOK)
				}
				k.ada.del(t, "/api/comment/"+c.noted+"/reactions/like").is(t, http.StatusOK)
			}
		}, gone, "deleted", nowhere(keepsTitles), func(t *testing.T, letters string) {
			t.Helper()
			for _, c := range gone {
				require.NotContains(t, letters, c.thread)
				require.NotContains(t, letters, c.reply)
			}
		})
		after(func() {
			k.n.moderate(t, studycircle.Suspend, studycircle.OfUser, account.ID)
			k.cookies["Bob"] = noSession
		}, all, "suspended", again, unsaid)
		t.Logf("%d checks", checks)
	})
}
