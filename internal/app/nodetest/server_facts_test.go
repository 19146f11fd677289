package nodetest

import (
	"maps"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// claims are forged values of fields that the server sets.
func claims() []doc {
	return []doc{
		{
			"creatorEmail": "eve@example.org", "creatorName": "Eve", "submittedBy": "eve@example.org", "assignmentTitle": "Lies", "status": "completed",
			"submittedAt": "1999-01-01T00:00:00Z", "markedAt": "1999-01-01T00:00:00Z", "givenMark": 49,
		},
		{
			"creatorEmail": nil, "creatorName": 5, "submittedBy": doc{"a": doc{}}, "assignmentTitle": []any{1, "x"}, "status": "anything",
			"submittedAt": "never", "markedAt": true, "givenMark": "a lot",
		},
	}
}

func lying(body, lies doc) doc {
	out := with(body)
	maps.Copy(out, lies)
	return out
}

func TestTheServerOwnsTheFacts(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		n.user(t, "Eve")
		for _, lies := range claims() {
			id := ada.post(t, "/api/assignments", lying(assignment(), lies)).id(t)
			ada.put(t, "/api/assignment/"+id, lying(with(assignment(), "title", "Updated"), lies)).is(t, http.StatusOK)
			got := n.visitor().get(t, "/api/assignment/"+id).json(t)
			require.Equal(t, ada.email, got["creatorEmail"])
			require.Equal(t, "Ada", got["creatorName"])
			for _, name := range []string{"status", "submittedBy", "givenMark", "assignmentTitle"} {
				require.NotContains(t, got, name)
			}

			submitted := bob.post(t, "/api/submissions", lying(submission(id), lies)).id(t)
			bob.put(t, "/api/submissions/"+submitted+"/own", lying(doc{"docsLink": link(40)}, lies)).is(t, http.StatusOK)
			own := bob.own(t, submitted)
			require.Equal(t, "pending", own["status"])
			require.Equal(t, bob.email, own["submittedBy"])
			require.Equal(t, "Updated", own["assignmentTitle"])
			requireNow(t, own["submittedAt"])
			require.NotContains(t, own, "givenMark")
			require.NotContains(t, own, "markedAt")

			ada.patch(t, "/api/submissions/"+submitted, lying(doc{"marks": 7}, lies)).is(t, http.StatusOK)
			graded := bob.own(t, submitted)
			require.Equal(t, "completed", graded["status"])
			require.InDelta(t, 7, graded["givenMark"], 0)
			require.InDelta(t, 50, graded["marks"], 0)
			require.Equal(t, bob.email, graded["submittedBy"])
			requireNow(t, graded["markedAt"])
			require.NotContains(t, graded, "feedback")
		}
	})
}

// requireNow requires a time of the server's own clock.
func requireNow(t *testing.T, stamp any) {
	t.Helper()
	at, err := time.Parse(time.RFC3339, stamp.(string))
	require.NoError(t, err)
	require.WithinDuration(t, time.Now(), at, time.Hour)
}
