package nodetest

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// registration is a good one, of Ada.
func registration(email string) doc {
	return doc{"name": "Ada", "email": email, "photoURL": "https://example.org/ada.png", "password": password}
}

// newcomer is another's good registration.
func newcomer() doc {
	return doc{"name": "Grace", "email": "grace@example.org", "photoURL": "https://example.org/g.png", "password": password}
}

// assignment is a good one.
func assignment() doc {
	return doc{
		"title": "Essay on tides", "description": "Explain why the sea comes and goes.", "marks": 50,
		"thumbnail": "https://example.org/tides.png", "level": "medium", "dueDate": inDays(7),
	}
}

// testsBegan is read once: the same sample has the same due date however long a test takes.
var testsBegan = time.Now()

// inDays is a due date that is so many days ahead, in UTC.
func inDays(days int) string {
	return testsBegan.UTC().AddDate(0, 0, days).Truncate(time.Second).Format(time.RFC3339)
}

// submission is a good one.
func submission(assignmentID string) doc {
	return doc{"assignmentId": assignmentID, "docsLink": "https://docs.google.com/document/d/1", "note": "Please be kind."}
}

// publish creates an assignment as u.
func (c *client) publish(tb testing.TB, fields ...any) string {
	tb.Helper()
	return c.post(tb, "/api/assignments", with(assignment(), fields...)).id(tb)
}

// submit hands in as u.
func (c *client) submit(tb testing.TB, assignmentID string) string {
	tb.Helper()
	return c.post(tb, "/api/submissions", submission(assignmentID)).id(tb)
}

// grade marks a submission as u.
func (c *client) grade(tb testing.TB, submissionID string, marks int) {
	tb.Helper()
	c.patch(tb, "/api/submissions/"+submissionID, doc{"marks": marks, "feedback": "Well done."}).is(tb, http.StatusOK)
}

// own is what u sees of one of their own submissions.
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

// pending is everybody's pending submissions as u sees them.
func (c *client) pending(t *testing.T) []doc {
	t.Helper()
	return c.get(t, "/api/submissions?status=pending").is(t, http.StatusOK).array(t)
}

// fields are the names in d, to compare them exactly.
func fields(d doc) []string {
	var names []string
	for name := range d {
		names = append(names, name)
	}
	return names
}

// repeated is what strings.Repeat makes; it reads better in tables.
func repeated(s string, n int) string { return strings.Repeat(s, n) }
