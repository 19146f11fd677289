package nodetest

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/webtest"
)

// sessionEnds are the ways in which a session of c ends; other is another session of the same user's.
var sessionEnds = map[string]func(t *testing.T, c, other *client, cookie string){
	"signed out": func(t *testing.T, c, _ *client, cookie string) {
		t.Helper()
		c.post(t, "/api/auth/logout", nil, header{"Cookie", "session=" + cookie}).is(t, http.StatusNoContent)
	},
	"ended elsewhere": func(t *testing.T, _, other *client, _ string) {
		t.Helper()
		for _, s := range other.sessions(t) {
			if s["current"] != true {
				other.del(t, "/api/auth/sessions/"+s["_id"].(string)).is(t, http.StatusOK)
			}
		}
	},
	"all others ended": func(t *testing.T, _, other *client, _ string) {
		t.Helper()
		other.del(t, "/api/auth/sessions").is(t, http.StatusOK)
	},
	"password changed": func(t *testing.T, _, other *client, _ string) {
		t.Helper()
		other.patch(t, "/api/auth/password", doc{"currentPassword": password, "newPassword": "Another1Horse"}).is(t, http.StatusNoContent)
	},
	"password reset": func(t *testing.T, c, _ *client, _ string) {
		t.Helper()
		c.n.visitor().reset(t, c.n.visitor().forgot(t, 1, c.email)).is(t, http.StatusNoContent)
	},
	"suspended": func(t *testing.T, c, _ *client, _ string) {
		t.Helper()
		c.n.moderate(t, studycircle.Suspend, studycircle.OfUser, c.id(t))
	},
	"account deleted": func(t *testing.T, _, other *client, _ string) {
		t.Helper()
		other.del(t, "/api/auth/account").is(t, http.StatusNoContent)
	},
}

// A session that has ended reads nothing of a circle or an account on any node, within five seconds and later, by its
// token or its cookie: not even an answer that the browser keeps is still good. The user's other session is as before.
func TestEndedSessionsReadNothing(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.web = webtest.Built(firstHTML(t)...)
		n, other := w.startTwo(t)
		bob := n.user(t, "Bob")
		circle := bob.circle(t, "Canarycircle")
		of := bob.publishIn(t, circle, "Canarytitle", n.clock.now().Add(48*time.Hour))
		thread := bob.write(t, of, "Canarythread")
		type session struct {
			c, elsewhere *client
			cookie       string
			kept         map[string]*answer
		}
		sessions := map[string]*session{}
		for name := range sessionEnds {
			s := &session{c: n.user(t, "Canary"+strings.ReplaceAll(name, " ", "")).confirmed(t), kept: map[string]*answer{}}
			bob.admits(t, circle, "member", s.c)
			s.c.submit(t, of)
			twin := *s.c
			s.elsewhere = &twin
			s.cookie = s.c.newSession(t)
			sessions[name] = s
		}
		paths := parameters{
			"search": {"canary"}, "submittedBy": {""}, "file": {"none"}, "token": {"none"}, "reviews": {"none"}, "assignments": {of}, "circle": {circle},
			"assignment": {of}, "comment": {thread}, "submissions": {"none"}, "submissionId": {"none"}, "label": {"none"},
		}.read(t)
		pages := []string{"/assignments", "/assignment/" + of, "/circle/" + circle, "/pending-assignments", "/attemded-assignments", "/dashboard"}
		says := func(a *answer) bool { return strings.Contains(strings.ToLower(string(a.body)), "canary") }
		checks := 0
		// sees returns where a session reads something; keep says that it remembers the answers.
		sees := func(s *session, on *node, keep bool) (where []string) {
			for _, p := range paths {
				var again []header
				if kept := s.kept[p.path]; kept != nil && !keep {
					again = []header{{"If-None-Match", kept.header.Get("ETag")}}
				}
				a := s.c.at(on).get(t, p.path, again...)
				checks++
				if keep && a.header.Get("ETag") != "" {
					s.kept[p.path] = a
				}
				if a.status == http.StatusNotModified && says(s.kept[p.path]) || a.status < http.StatusBadRequest && says(a) {
					where = append(where, p.name)
				}
			}
			for _, page := range pages {
				checks++
				if says(on.visitor().get(t, page, header{"Cookie", "session=" + s.cookie})) {
					where = append(where, page)
				}
			}
			return where
		}
		for name, s := range sessions {
			live := sees(s, n, true)
			require.Greater(t, len(live), 20, name)
			require.Subset(t, live, pages, name)
			sees(s, other, true)
			require.NotEmpty(t, s.kept)
		}
		for name, end := range sessionEnds {
			end(t, sessions[name].c, sessions[name].elsewhere, sessions[name].cookie)
		}
		for name, s := range sessions {
			s.c.endsWithinFiveSeconds(t)
			s.c.at(other).endsWithinFiveSeconds(t)
			for _, on := range []*node{n, other} {
				require.Empty(t, sees(s, on, false), name)
			}
		}
		w.clock.advance(5 * time.Minute) // tokens live fifteen
		for name, s := range sessions {
			require.Empty(t, sees(s, other, false), name)
			switch name {
			case "signed out", "ended elsewhere", "all others ended", "password changed":
				require.True(t, s.elsewhere.signedIn(t), name)
			}
		}
		t.Logf("%d ends, %d checks", len(sessionEnds), checks)
	})
}
