package nodetest

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/webtest"
)

// loss is an event that takes away from viewers what they saw.
type loss struct {
	lay  func(t *testing.T, k *walkers, mark string) canaries
	take func(t *testing.T, k *walkers, c canaries)
	// loses names, for each kind of canary, the users who lose it; all others keep it.
	loses map[string]string
	// keeps are the surfaces on which those who lose it find it nevertheless; nil for none.
	keeps *regexp.Regexp
	// quiet are the surfaces on which it need not be found any more by those who keep it; nil for none.
	quiet *regexp.Regexp
}

// finds reports whether those who lose something find it nevertheless on a surface: "Eve list-submissions assignment".
func (l loss) finds(where string) bool { return l.keeps != nil && l.keeps.MatchString(where) }

var (
	// A former member keeps what is their own: CIRCLES.md, 1.
	ownOfFormerMembers = regexp.MustCompile(`^(Eve|Dan) (list-submissions|search|page mine|get-own-submission|explain-mark|mark-receipt) assignment$|^(Eve|Dan) export-account (assignment|discussion)$`)
	// An owner restores a deleted circle: CIRCLES.md, 2. Figures and marks are of all one's submissions: PROMISES.md, 1.
	ownOfOwners = regexp.MustCompile(ownOfFormerMembers.String() + `|^Bob (list-circles|get-circle) circle$|^Bob export-account |^Eve (get-dashboard|page dashboard|get-today) assignment$`)
)

// laid is the circle of a loss, with an assignment that all members see, take and discuss.
func laid(t *testing.T, k *walkers, mark string, settings ...any) canaries {
	t.Helper()
	c := canaries{circle: k.bob.circle(t, "Canarycircle"+mark, append([]any{"description", "Canaryabout" + mark}, settings...)...)}
	k.bob.admits(t, c.circle, "member", k.eve, k.dan)
	c.assignment = k.bob.publishIn(t, c.circle, "Canarytitle"+mark, k.n.clock.now().Add(10*24*time.Hour))
	for _, member := range []*client{k.eve, k.dan} {
		member.put(t, "/api/assignment/"+c.assignment+"/reminder", doc{"remind": true}).is(t, http.StatusOK)
	}
	c.graded = k.eve.submit(t, c.assignment)
	k.dan.submit(t, c.assignment)
	c.thread = k.bob.write(t, c.assignment, "Canarythread"+mark)
	c.reply = k.dan.reply(t, c.assignment, c.thread, "Canaryreply"+mark)
	k.eve.reply(t, c.assignment, c.thread, "Canaryown"+mark) // of which Dan gets an email
	k.dan.reply(t, c.assignment, k.eve.write(t, c.assignment, "Canaryown"+mark), "Indeed")
	c.noted = c.thread
	c.told = map[string]func(string) bool{
		"assignment": saying("canarytitle" + mark), "discussion": saying("canarythread"+mark, "canaryreply"+mark, "canaryown"+mark),
		"circle": saying("canarycircle"+mark, "canaryabout"+mark),
	}
	return c
}

// inTheHall is an assignment of the hall with a thread, in which Eve takes part.
func inTheHall(t *testing.T, k *walkers, by *client, title string) canaries {
	t.Helper()
	c := canaries{assignment: by.publish(t, "title", title, "dueDate", k.n.clock.now().Add(10*24*time.Hour).Format(time.RFC3339))}
	c.graded = k.eve.submit(t, c.assignment)
	by.grade(t, c.graded, 5)
	c.thread = k.eve.write(t, c.assignment, "Who knows?")
	c.reply = by.reply(t, c.assignment, c.thread, "I do.")
	c.noted = c.thread
	return c
}

// invitedBy is a circle of Bob's to which Eve and Dan are invited.
func invitedBy(t *testing.T, k *walkers, mark string) canaries {
	t.Helper()
	c := canaries{circle: k.bob.circle(t, "Canarycircle"+mark, "description", "Canaryabout"+mark)}
	c.assignment, c.thread, c.reply, c.noted, c.graded = k.host, "none", "none", "none", "none"
	k.bob.roster(t, c.circle, "", "email,name", k.eve.email+",Eve", k.dan.email+",Dan").is(t, http.StatusOK)
	c.told = map[string]func(string) bool{"circle": saying("canarycircle" + mark)}
	return c
}

// answering answers Eve's invitation to the circle of c.
func answering(how string) func(t *testing.T, k *walkers, c canaries) {
	return func(t *testing.T, k *walkers, c canaries) {
		t.Helper()
		name := k.bob.get(t, "/api/circle/"+c.circle).is(t, http.StatusOK).text(t, "name")
		ids, shown := k.eve.waiting(t)
		at := slices.IndexFunc(shown, func(one doc) bool { return one["circleName"] == name })
		k.eve.answers(t, ids[at], how).is(t, http.StatusOK)
	}
}

// losses are the events of TestWhatIsTakenAwayIsNowhere. What moderators hide and what is deleted in the hall is that of
// TestEverySurfaceFollowsVisibility.
var losses = map[string]loss{
	"left": {
		lay: func(t *testing.T, k *walkers, mark string) canaries { t.Helper(); return laid(t, k, mark) },
		take: func(t *testing.T, k *walkers, c canaries) {
			t.Helper()
			k.eve.post(t, "/api/circle/"+c.circle+"/leave", nil).is(t, http.StatusOK)
		},
		loses: map[string]string{"assignment": "Eve", "discussion": "Eve", "circle": "Eve"}, keeps: ownOfFormerMembers,
	},
	"removed": {
		lay:   func(t *testing.T, k *walkers, mark string) canaries { t.Helper(); return laid(t, k, mark) },
		take:  func(t *testing.T, k *walkers, c canaries) { t.Helper(); k.bob.removes(t, c.circle, k.eve) },
		loses: map[string]string{"assignment": "Eve", "discussion": "Eve", "circle": "Eve"}, keeps: ownOfFormerMembers,
	},
	"ended": {
		lay: func(t *testing.T, k *walkers, mark string) canaries {
			t.Helper()
			c := laid(t, k, mark)
			k.dan.grade(t, c.graded, 5)
			return c
		},
		take: func(t *testing.T, k *walkers, c canaries) {
			t.Helper()
			k.bob.del(t, "/api/circle/"+c.circle).is(t, http.StatusOK)
		},
		loses: map[string]string{"assignment": "Bob Eve Dan", "discussion": "Bob Eve Dan", "circle": "Bob Eve Dan"}, keeps: ownOfOwners,
	},
	"archived": {
		lay: func(t *testing.T, k *walkers, mark string) canaries { t.Helper(); return laid(t, k, mark) },
		take: func(t *testing.T, k *walkers, c canaries) {
			t.Helper()
			k.bob.post(t, "/api/circle/"+c.circle+"/archive", nil).modified(t, 1)
		},
		quiet: regexp.MustCompile(`^\w* (calendar|get-today|get-dashboard|page dashboard)$`), // CIRCLES.md, 2: nothing is due
	},
	"unlisted": {
		lay: func(t *testing.T, k *walkers, mark string) canaries {
			t.Helper()
			return laid(t, k, mark, "listed", true, "join", "open")
		},
		take: func(t *testing.T, k *walkers, c canaries) {
			t.Helper()
			now := k.bob.get(t, "/api/circle/"+c.circle).is(t, http.StatusOK)
			k.bob.put(t, "/api/circle/"+c.circle, doc{"name": now.text(t, "name"), "description": now.text(t, "description"), "listed": false}).modified(t, 1)
		},
		loses: map[string]string{"circle": "Ada Mo"},
	},
	"demoted": {
		lay: func(t *testing.T, k *walkers, mark string) canaries {
			t.Helper()
			c := laid(t, k, mark)
			at := "/api/circle/" + c.circle + "/members/"
			k.bob.patch(t, at+k.dan.id(t), doc{"name": "Canaryroster" + mark}).modified(t, 1)
			k.bob.patch(t, at+k.eve.id(t), doc{"role": "organizer"}).is(t, http.StatusOK)
			k.bob.post(t, "/api/comment/"+c.reply+"/report", doc{"reason": "Canaryreason" + mark}).is(t, http.StatusCreated)
			c.told["roster"] = saying("canaryroster" + mark)
			c.told["report"] = saying("canaryreason" + mark)
			return c
		},
		take: func(t *testing.T, k *walkers, c canaries) {
			t.Helper()
			k.bob.patch(t, "/api/circle/"+c.circle+"/members/"+k.eve.id(t), doc{"role": "member"}).is(t, http.StatusOK)
		},
		loses: map[string]string{"roster": "Eve", "report": "Eve"},
		quiet: regexp.MustCompile(`^Eve (list|download|export|sum|get)-`),
	},
	"renamed": {
		lay: func(t *testing.T, k *walkers, mark string) canaries { t.Helper(); return laid(t, k, mark) },
		take: func(t *testing.T, k *walkers, c canaries) {
			t.Helper()
			k.bob.put(t, "/api/circle/"+c.circle, doc{"name": "Readers", "description": "We read."}).modified(t, 1)
		},
		loses: map[string]string{"circle": "Bob Eve Dan"},
	},
	"hushed": {
		lay: func(t *testing.T, k *walkers, mark string) canaries { t.Helper(); return laid(t, k, mark) },
		take: func(t *testing.T, k *walkers, c canaries) {
			t.Helper()
			report := k.dan.post(t, "/api/assignment/"+c.assignment+"/report", doc{"reason": "Rude", "to": "moderators"}).id(t)
			k.mo.post(t, "/api/reports/"+report, doc{"action": "hide"}).modified(t, 1)
		},
		loses: map[string]string{"assignment": "Eve Dan", "discussion": "Eve Dan"}, keeps: regexp.MustCompile(`^(Eve|Dan) export-account discussion$`),
		quiet: regexp.MustCompile(`^(Bob|Eve|Dan|) `), // Bob reads it by its address; the circle has nothing else
	},
	"declined": {
		lay: invitedBy, take: answering("decline"), loses: map[string]string{"circle": "Eve"},
	},
	"blocked": {
		lay: invitedBy, take: answering("block"), loses: map[string]string{"circle": "Eve"},
	},
	"revoked": {
		lay: invitedBy,
		take: func(t *testing.T, k *walkers, c canaries) {
			t.Helper()
			for _, one := range k.bob.invitations(t, c.circle) {
				if one["email"] == k.eve.email {
					k.bob.del(t, "/api/circle/"+c.circle+"/invitations/"+one["_id"].(string)).is(t, http.StatusOK)
				}
			}
		},
		loses: map[string]string{"circle": "Eve"},
	},
	"cancelled": {
		lay: invitedBy,
		take: func(t *testing.T, k *walkers, c canaries) {
			t.Helper()
			k.bob.del(t, "/api/circle/"+c.circle).is(t, http.StatusOK)
		},
		loses: map[string]string{"circle": "Eve Dan"},
		quiet: regexp.MustCompile(`^Bob `), // who may restore it
	},
	"account": {
		lay: func(t *testing.T, k *walkers, mark string) canaries {
			t.Helper()
			k.cai = k.n.user(t, "Cai")
			k.cai.patch(t, "/api/auth/profile", doc{"displayName": "Canaryname" + mark, "photoURL": "https://example.org/canaryname" + mark + ".png"}).is(t, http.StatusOK)
			c := inTheHall(t, k, k.cai, "Tides")
			circle := k.bob.circle(t, "Authors")
			k.bob.admits(t, circle, "member", k.cai, k.eve)
			k.cai.submit(t, k.bob.publishIn(t, circle, "Winds", k.n.clock.now().Add(48*time.Hour)))
			c.circle = circle
			c.told = map[string]func(string) bool{"person": saying("canaryname"+mark, "cai@example.org")}
			return c
		},
		take: func(t *testing.T, k *walkers, _ canaries) {
			t.Helper()
			k.cai.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		},
		loses: map[string]string{"person": " Ada Bob Eve Dan Mo"},
	},
	"called": {
		lay: func(t *testing.T, k *walkers, mark string) canaries {
			t.Helper()
			k.gus = k.n.user(t, "Gus")
			k.gus.patch(t, "/api/auth/profile", doc{"displayName": "Canaryname" + mark, "photoURL": "https://example.org/gus.png"}).is(t, http.StatusOK)
			c := inTheHall(t, k, k.gus, "Waves")
			c.circle = k.bob.circle(t, "Swimmers")
			k.bob.admits(t, c.circle, "member", k.gus, k.eve)
			c.told = map[string]func(string) bool{"name": saying("canaryname" + mark)}
			return c
		},
		take: func(t *testing.T, k *walkers, _ canaries) {
			t.Helper()
			k.gus.patch(t, "/api/auth/profile", doc{"displayName": "Gus", "photoURL": "https://example.org/gus.png"}).is(t, http.StatusOK)
		},
		loses: map[string]string{"name": " Ada Bob Eve Dan Mo"},
	},
	"withdrawn": {
		lay: func(t *testing.T, k *walkers, mark string) canaries {
			t.Helper()
			c := inTheHall(t, k, k.bob, "Currents")
			c.graded = k.eve.post(t, "/api/submissions", with(submission(c.assignment), "note", "Canarynote"+mark)).id(t)
			c.told = map[string]func(string) bool{"work": saying("canarynote" + mark)}
			return c
		},
		take: func(t *testing.T, k *walkers, c canaries) {
			t.Helper()
			k.eve.del(t, "/api/submissions/"+c.graded+"/own").is(t, http.StatusOK)
		},
		loses: map[string]string{"work": "Ada Bob Eve Dan Mo"},
	},
}

// Events that take something away from viewers take it off every operation and page, at once and after all that is due
// has happened, and out of every email that waits. Those who keep it find it where they did.
func TestWhatIsTakenAwayIsNowhere(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.moderators, w.web, w.enrol = []string{"mo@example.org"}, webtest.Built(firstHTML(t)...), nil
		w.clock.stand(time.Now().Add(time.Hour)) // the database's clock goes on, and is behind
		k := newWalkers(t, w)
		all := map[string]canaries{}
		names := slices.Sorted(maps.Keys(losses))
		for _, name := range names {
			all[name] = losses[name].lay(t, k, name)
		}
		live := k.sees(t, all)
		pairs := 0
		letters := k.letters(t)
		for _, name := range names {
			losses[name].take(t, k, all[name])
		}
		for _, later := range []time.Duration{0, 25 * time.Hour} {
			if later > 0 {
				k.passes(t, later)
			}
			seen := k.sees(t, all)
			for _, name := range names {
				l := losses[name]
				for kind := range all[name].told {
					what := name + " " + kind
					lost := strings.Split(l.loses[kind], " ")
					loses := func(where string) bool {
						who, of, _ := strings.Cut(where, " ")
						if of == "calendar" {
							who = "Eve" // whose address it is
						}
						return l.loses[kind] != "" && slices.Contains(lost, who)
					}
					before := 0
					for where := range live[what] {
						pairs++
						if loses(where) {
							before++
						} else if !seen[what][where] && later == 0 && (l.quiet == nil || !l.quiet.MatchString(where)) {
							t.Errorf("%s, %s later: not %s", what, later, where)
						}
					}
					if l.loses[kind] != "" && before == 0 {
						t.Errorf("%s is not seen before it is lost", what)
					}
					for where := range seen[what] {
						if loses(where) && !l.finds(where+" "+kind) {
							t.Errorf("%s, %s later: %s", what, later, where)
						}
					}
				}
			}
		}
		told := map[*client]string{}
		for _, c := range []*client{k.ada, k.eve, k.dan} {
			for _, l := range k.n.mails.letters(t, c.email)[letters[c]:] {
				told[c] += strings.ToLower(l.subject + l.text + l.html)
			}
		}
		for _, name := range names {
			for kind, tells := range all[name].told {
				for c, text := range told {
					if slices.Contains(strings.Split(losses[name].loses[kind], " "), c.name) && tells(text) && !losses[name].finds(c.name+" email "+kind) {
						t.Errorf("%s %s: an email to %s", name, kind, c.name)
					}
				}
			}
		}
		for c, mark := range map[*client]string{k.dan: "left", k.eve: "demoted"} {
			require.Contains(t, told[c], "canarytitle"+mark, "%s gets the emails of what is kept", c.name)
		}
		require.Positive(t, k.unchanged)
		t.Logf("%d events, %d surfaces, 2 times; %d sightings, %d answers unchanged", len(names), k.surfaces, pairs, k.unchanged)
	})
}
