package nodetest

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// registration returns a valid registration of Ada.
func registration(email string) doc {
	return doc{"name": "Ada", "email": email, "photoURL": "https://example.org/ada.png", "password": password}
}

// newcomer returns a valid registration of another user.
func newcomer() doc {
	return doc{"name": "Grace", "email": "grace@example.org", "photoURL": "https://example.org/g.png", "password": password}
}

// assignment returns a valid assignment.
func assignment() doc {
	return doc{
		"title": "Essay on tides", "description": "Explain why the sea comes and goes.", "marks": 50,
		"thumbnail": "https://example.org/tides.png", "level": "medium", "dueDate": inDays(7),
	}
}

// testsBegan is fixed, so that the same sample has the same due date however long a test
// takes.
var testsBegan = time.Now()

// inDays returns a due date in so many days, in UTC.
func inDays(days int) string {
	return testsBegan.UTC().AddDate(0, 0, days).Truncate(time.Second).Format(time.RFC3339)
}

// submission returns a valid submission.
func submission(assignmentID string) doc {
	return doc{"assignmentId": assignmentID, "docsLink": "https://docs.google.com/document/d/1", "note": "Please be kind."}
}

// publish creates an assignment as c.
func (c *client) publish(tb testing.TB, fields ...any) string {
	tb.Helper()
	return c.post(tb, "/api/assignments", with(assignment(), fields...)).id(tb)
}

// submit submits as c.
func (c *client) submit(tb testing.TB, assignmentID string) string {
	tb.Helper()
	return c.post(tb, "/api/submissions", submission(assignmentID)).id(tb)
}

// grade grades a submission as c.
func (c *client) grade(tb testing.TB, submissionID string, marks int) {
	tb.Helper()
	c.patch(tb, "/api/submissions/"+submissionID, doc{"marks": marks, "feedback": "Well done."}).is(tb, http.StatusOK)
}

// own returns one of c's submissions as c sees it.
func (c *client) own(t *testing.T, id string) doc {
	t.Helper()
	for _, s := range c.get(t, "/api/submissions?submittedBy="+c.email).is(t, http.StatusOK).array(t) {
		if s["_id"] == id {
			return s
		}
	}
	require.Failf(t, "not listed", "submission %s of %s", id, c.email)
	return nil
}

// pending returns all pending submissions as c sees them.
func (c *client) pending(t *testing.T) []doc {
	t.Helper()
	return c.get(t, "/api/submissions?status=pending").is(t, http.StatusOK).array(t)
}

// fields returns the names in d.
func fields(d doc) []string {
	var names []string
	for name := range d {
		names = append(names, name)
	}
	return names
}

// repeated is strings.Repeat; it reads better in tables.
func repeated(s string, n int) string { return strings.Repeat(s, n) }
