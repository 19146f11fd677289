package nodetest

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/webtest"
)

// places are the ids of one object of each kind, by the names that addressed uses.
type places map[string]string

// nowhere returns as many ids of objects that do not exist.
func (p places) nowhere(now time.Time) places {
	out := places{}
	for name := range p {
		out[name] = studycircle.NewID(now)
	}
	return out
}

// fill replaces the names in a text by their ids.
func (p places) fill(text string) string {
	for name, id := range p {
		text = strings.ReplaceAll(text, "<"+name+">", id)
	}
	return text
}

// blank replaces the ids in a text by their names.
func (p places) blank(text string) string {
	for name, id := range p {
		text = strings.ReplaceAll(text, id, "<"+name+">")
	}
	return text
}

// addressing has valid bodies for the operations that address an object in a circle, in their path or in the body.
var addressing = map[string]func(p places) any{
	"create-assignment": func(p places) any { return with(assignment(), "circleId", p["circle"]) },
	"copy-assignment":   func(p places) any { return doc{"dueDate": "9000-01-01", "circle": p["circle"]} },
	"update-assignment": func(places) any { return assignment() },
	"create-comment":    func(places) any { return doc{"text": "So"} },
	"close-discussion":  func(places) any { return doc{"closed": true} },
	"add-exemplar":      func(places) any { return doc{"docsLink": "https://docs.example/sample", "mark": 5, "reason": "So"} },
	"change-exemplar":   func(places) any { return doc{"mark": 5, "reason": "So"} },
	"set-reminder":      func(places) any { return doc{"remind": true} },
	"report-assignment": func(places) any { return doc{"reason": "Rude"} },
	"report-comment":    func(places) any { return doc{"reason": "Rude"} },
	"report-submission": func(places) any { return doc{"reason": "Rude"} },
	"report-review":     func(places) any { return doc{"reason": "Rude"} },
	"update-circle":     func(places) any { return doc{"name": "So"} },
	"answer-asking":     func(places) any { return doc{"accept": true} },
	"hand-over-circle":  func(p places) any { return doc{"userId": p["userId"]} },
	"create-invitation": func(places) any { return doc{"role": "member"} },
	"change-member":     func(places) any { return doc{"label": "So"} },
	"put-member":        func(places) any { return doc{"label": "So"} },
	"extend":            func(places) any { return doc{"dueDate": nil} },
	"send-back":         func(places) any { return doc{"reason": "So"} },
	"send-roster":       func(places) any { return raw("email,name\nx@example.org,X\n") },
	"decide-report":     func(places) any { return doc{"action": "hide"} },
	"edit-comment":      func(places) any { return doc{"text": "So"} },
	"restore-hidden":    func(p places) any { return doc{"kind": "comment", "id": p["hidden"]} },
	"next-review":       func(p places) any { return doc{"assignmentId": p["several"]} },
	"reply-to-review":   func(places) any { return doc{"text": "So"} },
	"correct-review":    func(places) any { return doc{"marks": 5} },
	"ask-submitter":     func(places) any { return doc{"text": "So"} },
	"answer-reviewer":   func(places) any { return doc{"text": "So"} },
	"assess-own":        func(places) any { return doc{"levels": []int{0}} },
	"save-rubric":       func(p places) any { return with(savedRubric("So"), "circleId", p["circle"]) },
	"submit":            func(p places) any { return submission(p["assignment"]) },
	"grade":             func(places) any { return doc{"marks": 5} },
	"appeal":            func(places) any { return doc{"reason": "So"} },
	"change-submission": func(places) any { return doc{"docsLink": "https://docs.example/new"} },
	"mark-known":        func(places) any { return doc{"reason": "So", "mark": 5} },
	"reopen":            func(places) any { return doc{"reason": "So", "action": "set-mark", "mark": 5} },
}

// groups are the objects that an id in a path names, by the path's first part; "" for those that are in no circle.
var groups = map[string]string{
	"assignment": "assignment", "circle": "circle", "comment": "comment", "submissions": "submission", "reviews": "review", "reports": "report", "rubrics": "rubric",
	"auth": "", "circles": "",
}

// addressed is a request that names an object in a circle.
type addressed struct {
	operation, method string
	path              func(p places) string
	body              func(p places) any
}

// addressedIn returns every operation of the API document that can name an object in a circle.
func addressedIn(t *testing.T) (out []addressed) {
	t.Helper()
	used := map[string]bool{}
	for path, operations := range documented(t) {
		group, _, _ := strings.Cut(strings.TrimPrefix(path, "/api/"), "/")
		if strings.Contains(path, "{id}") {
			require.Contains(t, groups, group, "say in groups what the id in %s names", path)
		}
		for method, o := range operations {
			body := addressing[o.OperationID]
			used[o.OperationID] = body != nil
			inPath := strings.Contains(path, "{id}") && groups[group] != "" || strings.Contains(path, "{submissionId}")
			queries := []string{""}
			for _, one := range o.Parameters {
				if one.In == "query" && (one.Name == "circle" || one.Name == "assignments") {
					queries = append(queries, one.Name)
				}
			}
			if !inPath && body == nil {
				queries = queries[1:]
			} else if o.RequestBody != nil && o.RequestBody.Required {
				require.NotNil(t, body, "give %s a body", o.OperationID)
			}
			for _, query := range queries {
				out = append(out, addressed{o.OperationID + " " + query, strings.ToUpper(method), func(p places) string {
					at := strings.NewReplacer("{id}", p[groups[group]], "{submissionId}", p["submission"], "{userId}", p["userId"], "{invitationId}", p["invitation"], "{kind}", "like").Replace(path)
					switch query {
					case "circle":
						return at + "?status=pending&circle=" + p["circle"]
					case "assignments":
						return at + "?assignments=" + p["assignment"]
					}
					return at
				}, body})
			}
		}
	}
	for name := range addressing {
		require.True(t, used[name], "the API document has no %s", name)
	}
	slices.SortFunc(out, func(a, b addressed) int { return strings.Compare(a.method+a.operation, b.method+b.operation) })
	return out
}

// To all but its members a circle and each object in it is as an id that no object has: the same status, headers and
// body from every operation and page. While the circle is busy, no other answer, page, event or email of theirs changes.
func TestACircleIsAsNone(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.moderators, w.web = []string{"mo@example.org"}, webtest.Built(firstHTML(t)...)
		w.clock.stand(time.Now())
		n, other := w.startTwo(t)
		ada, oz, bob, cleo := n.user(t, "Ada"), n.user(t, "Oz"), n.user(t, "Bob"), n.user(t, "Cleo")
		outside := map[string]*client{"a visitor": n.visitor()}
		for _, name := range []string{"Eve", "Fay", "Gus", "Hal", "Ivy", "Mo"} {
			outside[name] = n.user(t, name)
		}
		for name, c := range outside {
			if name != "a visitor" {
				c.confirmed(t)
			}
		}
		for _, c := range []*client{ada, oz, bob, cleo} {
			c.confirmed(t)
		}
		circle := ada.circle(t, "Canarycircle", "description", "Canarydescription")
		ada.admits(t, circle, "organizer", oz)
		ada.admits(t, circle, "member", bob, cleo, outside["Fay"], outside["Gus"], outside["Hal"])
		outside["Ivy"].circle(t, "Another")
		outside["Ivy"].admits(t, outside["Ivy"].circle(t, "A third"), "member", outside["Eve"])
		b := &busyCircle{n: n, circle: circle, owner: ada, organizer: oz, bob: bob, cleo: cleo}
		ids := b.busy(t, "first")
		ids["invitation"], _ = ada.invite(t, circle, "role", "member")
		for _, name := range []string{"Fay", "Gus", "Hal"} { // take part before they leave
			c := outside[name]
			c.put(t, "/api/assignment/"+ids["assignment"]+"/reminder", doc{"remind": true}).is(t, http.StatusOK)
			c.put(t, "/api/comment/"+ids["comment"]+"/reactions/like", nil).is(t, http.StatusOK)
			c.reply(t, ids["assignment"], ids["comment"], "Mine")
		}
		outside["Fay"].post(t, "/api/circle/"+circle+"/leave", nil).is(t, http.StatusOK)
		ada.removes(t, circle, outside["Gus"])
		suspended, err := n.app.Store.AccountByEmail(t.Context(), outside["Hal"].email)
		require.NoError(t, err)
		n.moderate(t, studycircle.Suspend, studycircle.OfUser, suspended.ID)
		outside["Hal"].endsWithinFiveSeconds(t)
		outside["Hal"].at(other).endsWithinFiveSeconds(t)

		unknown := ids.nowhere(w.clock.now())
		requests := addressedIn(t)
		differ := map[string]bool{} // for the owner, who finds what is there
		for _, r := range requests {
			if r.method == http.MethodGet && ada.sent(t, r, ids) != ada.sent(t, r, unknown) {
				differ[r.operation] = true
			}
			for name, c := range outside {
				for _, node := range []*node{n, other} {
					require.Equal(t, c.at(node).sent(t, r, unknown), c.at(node).sent(t, r, ids), "%s by %s", r.operation, name)
				}
			}
		}
		require.GreaterOrEqual(t, len(differ), 20, "%v", slices.Sorted(maps.Keys(differ)))
		t.Logf("%d operations as %d users, the owner reads %d", len(requests), len(outside), len(differ))

		w.clock.stand(w.clock.now().Add(time.Hour)) // emails are due
		for _, c := range []*client{ada, oz, bob, cleo} {
			c.newSession(t)
		}
		cookies := map[string]string{}
		for name, c := range outside {
			if name != "Hal" && name != "a visitor" {
				cookies[name] = c.newSession(t)
			}
		}
		b.happens(t)
		for name, c := range outside {
			for _, path := range []string{"/assignment/<assignment>", "/assignment/<several>", "/circle/<circle>"} {
				var pages []string
				for _, p := range []places{ids, unknown} {
					a := c.at(other).get(t, p.fill(path), sessionOf(cookies[name])...)
					pages = append(pages, p.blank(a.comparable()))
				}
				require.Equal(t, pages[1], pages[0], "%s by %s", path, name)
			}
		}
		before, letters := b.seenBy(t, outside, cookies), map[string]int{}
		streams := map[string]*stream{}
		for name, c := range outside {
			letters[name] = len(w.mails.letters(t, c.email))
			if name != "Hal" {
				streams[name] = c.at(other).hears(t)
			}
		}
		inside := bob.at(other).hears(t)
		again := b.busy(t, "second")
		b.happens(t)
		after := b.seenBy(t, outside, cookies)
		for what, was := range before {
			require.Equal(t, was, after[what], what)
		}
		t.Logf("%d answers are as before", len(before))
		w.clock.stand(w.clock.now().Add(10 * time.Minute))
		b.happens(t)
		inside.expect(t, event{kind: "assignment.created", subject: again["assignment"]})
		theirs := w.mails.letters(t, cleo.email)
		require.Contains(t, theirs[len(theirs)-1].subject+theirs[len(theirs)-1].text, "Canary")
		public := ada.publish(t, "title", "The hall")
		for name, s := range streams {
			s.expect(t, event{kind: "assignment.created", subject: public})
			require.Len(t, w.mails.letters(t, outside[name].email), letters[name], name)
		}
	})
}

// sessionOf returns the header of a session's cookie; none for a visitor.
func sessionOf(cookie string) []header {
	if cookie == "" {
		return nil
	}
	return []header{{"Cookie", "session=" + cookie}}
}

// sent returns the answer to a request as text in which objects have names instead of ids.
func (c *client) sent(t *testing.T, r addressed, p places) string {
	t.Helper()
	var body any
	var headers []header
	if r.body != nil {
		body = r.body(p)
	}
	if r.operation == "send-roster " {
		headers = append(headers, header{"Content-Type", "text/csv"})
	}
	a := c.call(t, r.method, r.path(p), body, headers...)
	return p.blank(a.comparable())
}

// varying are the headers and fields that differ between two equal answers.
var varying = regexp.MustCompile(`"(accessToken|live|url|expiresAt|lastSeenAt|requestId)":"[^"]*"`)

// comparable returns the status, the headers and the body of an answer without what changes with each.
func (a *answer) comparable() string {
	h := a.header.Clone()
	for _, name := range []string{"Date", "X-Request-Id", "Set-Cookie", "Content-Length"} { // Content-Length counts the fields that vary
		h.Del(name)
	}
	return fmt.Sprintln(a.status, h, varying.ReplaceAllString(string(a.body), `"$1":""`))
}

// busyCircle is a circle in which everything happens that can.
type busyCircle struct {
	n                           *node
	circle                      string
	owner, organizer, bob, cleo *client
}

// busy lets everything happen in the circle, and returns the ids of what it leaves there. The mark is in all texts.
func (b *busyCircle) busy(t *testing.T, mark string) places {
	t.Helper()
	p := places{"circle": b.circle, "userId": b.bob.id(t)}
	due := b.n.clock.now().Add(10 * 24 * time.Hour)
	p["assignment"], p["several"] = b.bob.publishIn(t, b.circle, "Canaryassignment"+mark, due), b.bob.publishIn(t, b.circle, "Canaryreviewed"+mark, due, 2)
	gone := b.bob.publishIn(t, b.circle, "Canarygone"+mark, due)
	p["submission"] = b.cleo.submit(t, p["several"])
	for i := range 2 {
		reviewer := b.n.user(t, fmt.Sprint("Reviewer", i, mark))
		b.owner.admits(t, b.circle, "member", reviewer)
		reviewer.task(t, p["several"])
		reviewer.post(t, questionAt(p["submission"]), doc{"text": "Canaryquestion" + mark}).is(t, http.StatusCreated)
		b.cleo.post(t, answerAt(p["submission"]), doc{"text": "Canaryanswer" + mark}).is(t, http.StatusCreated)
		reviewer.patch(t, "/api/submissions/"+p["submission"], doc{"marks": 6, "feedback": "Canaryfeedback" + mark}).is(t, http.StatusOK)
		if i == 0 {
			reviewer.put(t, "/api/reviews/"+reviewer.given(t)["_id"].(string), doc{"marks": 6, "feedback": "Canarycorrection" + mark}).is(t, http.StatusOK)
		}
	}
	p["rubric"] = b.owner.post(t, "/api/rubrics", with(savedRubric("Canaryrubric "+mark), "circleId", b.circle)).id(t)
	b.organizer.submit(t, p["several"])
	p["review"] = b.cleo.get(t, "/api/submissions/"+p["submission"]+"/reviews").is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)["_id"].(string)
	b.cleo.post(t, "/api/submissions/"+p["submission"]+"/appeal", doc{"reason": "Canaryappeal" + mark}).is(t, http.StatusCreated)
	b.organizer.post(t, "/api/submissions/"+p["submission"]+"/reopen", doc{"reason": "So", "action": "set-mark", "mark": 7}).is(t, http.StatusOK)
	graded := b.cleo.submit(t, p["assignment"])
	b.organizer.submit(t, p["assignment"])
	b.bob.grade(t, graded, 5)
	p["comment"] = b.bob.write(t, p["assignment"], "Canarythread"+mark)
	b.cleo.reply(t, p["assignment"], p["comment"], "Canaryreply"+mark)
	b.cleo.put(t, "/api/comment/"+p["comment"]+"/reactions/like", nil).is(t, http.StatusOK)
	p["report"] = b.cleo.post(t, "/api/comment/"+p["comment"]+"/report", doc{"reason": "Canaryreason" + mark}).is(t, http.StatusCreated).id(t)
	p["hidden"] = b.bob.write(t, p["assignment"], "Canaryhidden"+mark)
	hide := b.cleo.post(t, "/api/comment/"+p["hidden"]+"/report", doc{"reason": "Canaryreason" + mark}).is(t, http.StatusCreated).id(t)
	b.organizer.post(t, "/api/reports/"+hide, doc{"action": "hide"}).modified(t, 1)
	b.bob.patch(t, "/api/comment/"+p["comment"], doc{"text": "Canarythread, edited " + mark}).is(t, http.StatusOK)
	b.bob.put(t, "/api/assignment/"+p["assignment"], with(assignment(), "title", "Canaryassignment"+mark+", edited")).is(t, http.StatusOK)
	b.bob.del(t, "/api/assignment/"+gone).is(t, http.StatusOK)
	b.owner.put(t, "/api/circle/"+b.circle, doc{"name": "Canarycircle " + mark}).is(t, http.StatusOK)
	b.owner.post(t, "/api/circle/"+b.circle+"/archive", nil).modified(t, 1)
	b.owner.post(t, "/api/circle/"+b.circle+"/unarchive", nil).modified(t, 1)
	return p
}

// happens waits until all background work is done.
func (b *busyCircle) happens(t *testing.T) {
	t.Helper()
	(&walkers{n: b.n}).happens(t, "mail NOT IN ('', 'due', 'digest')")
}

// seenBy returns what each user reads without naming an object: every list of the API and every page.
func (b *busyCircle) seenBy(t *testing.T, users map[string]*client, cookies map[string]string) map[string]string {
	t.Helper()
	surfaces := parameters{"search": {"canary"}, "submittedBy": {"x@example.org"}, "file": {"none"}, "token": {"none"}, "reviews": {"none"}, "assignments": {"none"}, "circle": {"none"},
		"assignment": {"none"}, "comment": {"none"}, "submissions": {"none"}, "submissionId": {"none"}, "label": {"none"}}.read(t)
	for _, page := range firstHTML(t) {
		if !strings.ContainsAny(page.Path, ":*") {
			surfaces = append(surfaces, surface{"page " + page.Name, page.Path})
		}
	}
	out := map[string]string{}
	for name, c := range users {
		for _, s := range surfaces {
			path := s.path
			if s.name == "session" || s.name == "list-sessions" {
				continue
			}
			if s.name == "list-submissions" {
				path = strings.ReplaceAll(path, "x%40example.org", c.email)
			}
			var session []header
			if strings.HasPrefix(s.name, "page ") {
				session = sessionOf(cookies[name])
			}
			a := c.get(t, path, session...)
			out[name+" "+path] = a.comparable()
			require.NotContains(t, strings.ToLower(string(a.body)), "canary", "%s by %s", path, name)
		}
	}
	return out
}
