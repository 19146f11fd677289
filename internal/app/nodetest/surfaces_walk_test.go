package nodetest

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/webtest"
)

// surface is something that can be read: an operation or a page with one set of parameters.
type surface struct{ name, path string }

// operation is one of the API document.
type operation struct {
	OperationID string `json:"operationId"`
	Parameters  []struct {
		Name, In string
		Schema   struct{ Enum []string }
	}
	RequestBody *struct{ Required bool } `json:"requestBody"`
}

// documented returns the operations of the API document by path and method, in lower case.
func documented(t *testing.T) map[string]map[string]operation {
	t.Helper()
	text, err := os.ReadFile("../../api/openapi.json")
	require.NoError(t, err)
	var document struct {
		Paths map[string]map[string]operation `json:"paths"`
	}
	require.NoError(t, json.Unmarshal(text, &document))
	return document.Paths
}

// parameters of operations and pages, by name; ids are filled in. An operation with
// another one fails the test.
type parameters map[string][]string

// read returns every way to read an operation of the API document that answers at once: each
// id in its path, and each value of each of its parameters.
func (p parameters) read(t *testing.T) (out []surface) {
	t.Helper()
	for path, operations := range documented(t) {
		o, reads := operations[strings.ToLower(http.MethodGet)]
		if !reads || o.OperationID == "events" || strings.HasSuffix(o.OperationID, "-oidc") {
			continue // a stream is read by itself, and a sign-in reads nothing
		}
		group, _, _ := strings.Cut(strings.TrimPrefix(path, "/api/"), "/")
		paths, queries := []string{path}, []string{""}
		for _, one := range o.Parameters {
			values, known := p[one.Name]
			switch {
			case one.In == "path":
				if one.Name == "id" {
					values, known = p[group], p[group] != nil
				}
				var filled []string
				for _, at := range paths {
					for _, value := range values {
						filled = append(filled, strings.ReplaceAll(at, "{"+one.Name+"}", value))
					}
				}
				paths = filled
			case one.In != "query":
				continue
			case len(one.Schema.Enum) > 0:
				for _, value := range one.Schema.Enum {
					queries = append(queries, one.Name+"="+value)
				}
				continue
			case one.Name == "limit":
				for i := range queries {
					queries[i] = strings.TrimPrefix(queries[i]+"&limit=100", "&")
				}
				continue
			case one.Name == "page":
				continue
			default:
				for _, value := range values {
					queries = append(queries, one.Name+"="+url.QueryEscape(value))
				}
			}
			require.True(t, known, "give the parameter %s of %s a value", one.Name, o.OperationID)
		}
		for _, at := range paths {
			for _, query := range queries {
				out = append(out, surface{o.OperationID, strings.TrimSuffix(at+"?"+query, "?")})
			}
		}
	}
	require.Greater(t, len(out), 50)
	return out
}

// firstHTML are pages that use every loader of the first HTML.
func firstHTML(t *testing.T) []webtest.Page {
	t.Helper()
	all := []webtest.Page{
		{Name: "assignments", Path: "/assignments", Title: "Assignments", Audience: "all", Data: []string{"list"}},
		{Name: "assignment", Path: "/assignment/:id", Title: "{assignment.title}", Audience: "all", Data: []string{"assignment", "comments"}},
		{Name: "pending", Path: "/pending-assignments", Title: "Pending", Audience: "users", Data: []string{"pending"}},
		{Name: "mine", Path: "/attemded-assignments", Title: "Mine", Audience: "users", Data: []string{"mine"}},
		{Name: "dashboard", Path: "/dashboard", Title: "Dashboard", Audience: "users", Data: []string{"dashboard"}},
		{Name: "circle", Path: "/circle/:id", Title: "{circle.name}", Audience: "users", Data: []string{"circle"}},
		webtest.NotFound,
	}
	text, err := os.ReadFile("../../server/loaders.go")
	require.NoError(t, err)
	loaders := regexp.MustCompile(`(?m)^\t"(\w+)": +load\w+,$`).FindAllStringSubmatch(string(text), -1)
	require.NotEmpty(t, loaders)
	for _, l := range loaders {
		require.True(t, slices.ContainsFunc(all, func(p webtest.Page) bool { return slices.Contains(p.Data, l[1]) }), "no page of this test loads %s", l[1])
	}
	return all
}

// canaries are an assignment, a thread, a reply and a reaction to a comment, all but the
// last of Bob's. told has by kind how an answer tells of them.
type canaries struct {
	assignment, graded, thread, reply, noted, circle string

	told map[string]func(body string) bool
}

// walkers are the users of a walk.
type walkers struct {
	n, other           *node
	ada, bob, eve, dan *client
	mo                 *client
	host, circle       string
	cai, gus           *client           // of the losses
	cookies            map[string]string // by name
	calendar           string

	mu        sync.Mutex
	kept      map[string]*answer // with an ETag, by reader and path
	surfaces  int                // read by each
	unchanged int                // answers that were still good
}

// noSession stands for the session of a user who is suspended.
const noSession = "none"

func newWalkers(t *testing.T, w *world) *walkers {
	t.Helper()
	n, other := w.startTwo(t)
	k := &walkers{n: n, other: other, cookies: map[string]string{}, kept: map[string]*answer{}}
	k.ada, k.bob, k.eve, k.dan, k.mo = n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve"), n.user(t, "Dan"), n.user(t, "Mo")
	for _, c := range []*client{k.ada, k.eve, k.dan} {
		c.confirmed(t)
	}
	k.mo.verify(t)
	k.dan.put(t, "/api/settings", with(k.dan.get(t, "/api/settings").json(t), "digest", "daily")).is(t, http.StatusOK)
	k.signIn(t)
	k.host, k.circle = k.ada.publish(t), k.bob.circle(t, "Evening class")
	calendar := k.eve.post(t, "/api/calendar", nil).is(t, http.StatusCreated).text(t, "url")
	k.calendar = calendar[strings.LastIndex(calendar, "/")+1:]
	return k
}

// lay writes canaries whose words contain mark.
func (w *walkers) lay(t *testing.T, mark string) canaries {
	t.Helper()
	mine := w.eve.write(t, w.host, "A thread")
	w.dan.reply(t, w.host, mine, "Indeed")
	w.n.clock.stand(w.n.clock.now().Add(time.Second)) // deliveries side by side do not order replies of one instant
	var c canaries
	c.assignment = w.bob.publish(t, "title", "Canaryassignment"+mark, "dueDate", w.n.clock.now().Add(10*24*time.Hour).Format(time.DateOnly))
	w.eve.put(t, "/api/assignment/"+c.assignment+"/reminder", doc{"remind": true}).is(t, http.StatusOK)
	c.graded = w.eve.submit(t, c.assignment)
	w.dan.submit(t, c.assignment)
	w.ada.grade(t, c.graded, 5)
	c.thread = w.bob.write(t, w.host, "Canarythread"+mark)
	c.reply = w.bob.reply(t, w.host, mine, "Canaryreply"+mark)
	c.noted = w.bob.write(t, w.host, "Noted")
	w.ada.put(t, "/api/comment/"+c.noted+"/reactions/like", nil).is(t, http.StatusOK)
	c.told = map[string]func(string) bool{
		"assignment": saying("canaryassignment" + mark), "thread": saying("canarythread"+mark, c.thread), "reply": saying("canaryreply"+mark, c.reply),
		"reaction": regexp.MustCompile(`"_id":"` + c.noted + `"[^{]*"reactions":\{"like":\{"count":1`).MatchString,
	}
	return c
}

// saying returns a function that reports whether a body has one of the words.
func saying(words ...string) func(body string) bool {
	return func(body string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(body, word) })
	}
}

// reads reads a path as c, who asks whether the answer that they keep is still good.
func (w *walkers) reads(t *testing.T, c *client, path string, headers ...header) (*answer, error) {
	t.Helper()
	key := c.name + " " + path
	w.mu.Lock()
	kept := w.kept[key]
	w.mu.Unlock()
	if kept != nil {
		headers = append(headers, header{"If-None-Match", kept.header.Get("ETag")})
	}
	got, err := c.try(t.Context(), http.MethodGet, path, nil, headers...)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if got.status == http.StatusNotModified {
		w.unchanged++
		return kept, nil
	}
	if delete(w.kept, key); got.header.Get("ETag") != "" {
		w.kept[key] = got
	}
	return got, nil
}

// passes lets time pass and waits until everything that is due before and after has happened. A job that runs while
// the clock jumps would count as abandoned, and run again.
func (w *walkers) passes(t *testing.T, by time.Duration) {
	t.Helper()
	w.happens(t, "mail NOT IN ('', 'due', 'digest')")
	w.n.clock.stand(w.n.clock.now().Add(by))
	w.signIn(t)
	w.happens(t, "mail <> ''")
}

// happens waits until all notices are delivered, no email is queued, and no notification is on its way.
func (w *walkers) happens(t *testing.T, onItsWay string) {
	t.Helper()
	waiting := `SELECT (SELECT COUNT(*) FROM notifications WHERE ` + onItsWay + `) +
		(SELECT COUNT(*) FROM notices WHERE NOT parked) + (SELECT COUNT(*) FROM fanouts WHERE NOT parked) + (SELECT COUNT(*) FROM circle_fanouts)`
	require.Eventually(t, func() bool {
		w.n.looks(t)
		var left int
		err := w.n.app.Store.Engine().Reads().QueryRowContext(t.Context(), waiting).Scan(&left)
		return err == nil && left == 0
	}, time.Minute, 20*time.Millisecond)
	w.n.sendsAllMails(t)
}

func (w *walkers) signIn(t *testing.T) {
	t.Helper()
	for _, c := range []*client{w.ada, w.bob, w.eve, w.dan, w.mo} {
		if w.cookies[c.name] != noSession {
			w.cookies[c.name] = c.newSession(t)
		}
	}
}

// mailed returns the text of all notification emails beyond the first ones, by their
// number, that Eve and Dan have got.
func (w *walkers) mailed(t *testing.T, beyond map[*client]int) (text string) {
	t.Helper()
	for _, c := range []*client{w.ada, w.eve, w.dan} {
		for _, l := range w.n.mails.letters(t, c.email)[beyond[c]:] {
			text += strings.ToLower(l.subject + l.text + l.html)
		}
	}
	return text
}

func (w *walkers) letters(t *testing.T) map[*client]int {
	t.Helper()
	out := map[*client]int{}
	for _, c := range []*client{w.ada, w.eve, w.dan} {
		out[c] = len(w.n.mails.letters(t, c.email))
	}
	return out
}
