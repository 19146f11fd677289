package record

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/encode"
	"studycircle/internal/testfill"
)

const (
	assignmentLine = `{"title":"Reading","description":"A *text*.","format":"markdown","html":"<p>old</p>","thumbnail":"https://example.org/a.png","marks":10,"level":"hard",` +
		`"dueDate":"2001-02-03T23:59:59+05:30","creatorEmail":"ada@example.org","creatorName":"Ada","createdAt":"2001-01-01T10:00:00Z","updatedAt":"2001-01-02T10:00:00Z",` +
		`"reviewsNeeded":3,"rubric":{"criteria":[{"title":"T","levels":[{"label":"a","marks":0},{"label":"b","marks":10}]}]}}`
	submissionLine = `{"assignmentTitle":"Reading","submittedBy":"bob@example.org","docsLink":"https://docs.example.org/1","note":"Hello","status":"completed",` +
		`"submittedAt":"2001-02-01T10:00:00Z","late":false,"marks":10,"givenMark":0,"feedback":"Well *done*.","format":"markdown","html":"<p>x</p>","markedAt":"2001-02-02T10:00:00Z"}`
)

// Importing the same files again must not duplicate lines without ids: their ids are those of earlier releases.
func TestLinesWithoutIDsKeepTheIDsOfEarlierReleases(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for _, c := range []struct{ line, id string }{
		{assignmentLine, "cpfp9q86b8tn1sgxw8vaq6gd30"},
		{`{"title":"Reading","description":"Text.","thumbnail":"https://example.org/a.png","marks":10,"level":"easy","dueDate":"2001-02-03"}`, "a0tbz0fj4pat3mb0spwxx0qgg0"},
	} {
		var r Assignment
		require.NoError(t, Parse([]byte(c.line), &r))
		a, err := r.Noun(now)
		require.NoError(t, err)
		require.Equal(t, c.id, a.ID)
	}
	for _, c := range []struct{ line, id string }{
		{submissionLine, "peewj9saay4my53ejrs8rbmy5w"},
		{`{"assignmentTitle":"Reading","marks":5,"submittedBy":"bob@example.org","docsLink":"https://docs.example.org/1"}`, "jj4wmrq888ttx9m07gs63r952m"},
	} {
		var r Submission
		require.NoError(t, json.Unmarshal([]byte(c.line), &r))
		s, err := r.Noun(nil, now)
		require.NoError(t, err)
		require.Equal(t, c.id, s.ID)
	}
}

// A field that a later release adds to a record changes no id.
func TestAFurtherFieldChangesNoID(t *testing.T) {
	t.Parallel()
	var r struct {
		First string `json:"first"`
		Assignment
		Last string `json:"last"`
	}
	require.NoError(t, json.Unmarshal([]byte(assignmentLine), &r.Assignment))
	before, err := contentID(r.Assignment, assignmentIDMembers)
	require.NoError(t, err)
	r.First, r.Last = "new", "new"
	after, err := contentID(r, assignmentIDMembers)
	require.NoError(t, err)
	require.Equal(t, before, after)
}

// The lists name existing members of records.
func TestIDMembersAreMembersOfRecords(t *testing.T) {
	t.Parallel()
	var a Assignment
	var s Submission
	testfill.Fill(&a)
	testfill.Fill(&s)
	for _, c := range []struct {
		record  any
		members []string
	}{{a, assignmentIDMembers}, {s, submissionIDMembers}} {
		text, err := encode.Append(nil, c.record)
		require.NoError(t, err)
		var members map[string]any
		require.NoError(t, json.Unmarshal(text, &members))
		for _, name := range c.members {
			require.Contains(t, members, name)
		}
	}
}

func TestTimesAreNotInTheFuture(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC)
	for given, want := range map[time.Time]time.Time{
		{}:                        now,
		now.Add(-time.Hour):       now.Add(-time.Hour),
		now.Add(time.Microsecond): now,
		now.AddDate(100, 0, 0):    now,
		now.Add(-time.Hour).In(time.FixedZone("", 3600)): now.Add(-time.Hour),
	} {
		require.Equal(t, want, OrNow(given, now), given)
	}
}
