package nodetest

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExportHoldsOwnDataOnly(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.host = "localhost"
		p := w.provider(t, "school")
		p.is("subject-of-ada", "Ada", ada, false)
		n := w.start(t)
		b, other := n.browser(t), n.browser(t)
		b.agent = firefox
		secret := b.register(t, ada).cookie("session").Value
		other.register(t, "bo@example.org")
		create := func(by *client, title string) string {
			return by.post(t, "/api/assignments", doc{
				"title": title, "description": "Why?", "marks": 10, "thumbnail": "https://example.org/t.png",
				"dueDate": time.Now().AddDate(0, 0, 7).Format(time.DateOnly),
			}).is(t, http.StatusCreated).text(t, "insertedId")
		}
		submit := func(by *client, assignment, link string) string {
			return by.post(t, "/api/submissions", doc{"assignmentId": assignment, "docsLink": link}).is(t, http.StatusCreated).text(t, "insertedId")
		}
		var mine []string
		for i := range 250 { // more than the store reads at once
			mine = append(mine, create(b, fmt.Sprintf("Mine %d", i)))
		}
		theirs := create(other, "Theirs")
		submit(b, theirs, "https://example.org/my-work")
		b.patch(t, "/api/submissions/"+submit(other, mine[0], "https://example.org/their-work"), doc{"marks": 7, "feedback": "Good"}).is(t, http.StatusOK)
		b.del(t, "/api/assignment/"+mine[1]).is(t, http.StatusOK)

		b.put(t, "/api/assignment/"+theirs+"/reminder", doc{"remind": true}).modified(t, 1)

		b.linkBy(t, p).linked(t)
		key := b.addPasskey(t, "Phone")

		a := b.get(t, "/api/auth/export").is(t, http.StatusOK)
		assert.Contains(t, a.header.Get("Content-Disposition"), "attachment")
		assert.Equal(t, "application/json", a.header.Get("Content-Type"))
		var got struct {
			Profile                                                         doc
			Providers, Passkeys, Sessions, Assignments, Submissions, Grades []doc
			Reminders, Settings, Notifications                              []doc
		}
		require.NoError(t, unmarshal(a.body, &got))
		assert.Equal(t, ada, got.Profile["email"])
		require.Len(t, got.Providers, 1)
		assert.Equal(t, ada, got.Providers[0]["email"])
		require.Len(t, got.Passkeys, 1)
		assert.Equal(t, "Phone", got.Passkeys[0]["name"])
		require.Len(t, got.Sessions, 1)
		assert.Equal(t, "Firefox on Linux", got.Sessions[0]["device"])
		assert.Len(t, got.Assignments, 250)
		require.Len(t, got.Submissions, 1)
		assert.Equal(t, ada, got.Submissions[0]["submittedBy"])
		require.Len(t, got.Grades, 1)
		assert.InDelta(t, 7, got.Grades[0]["givenMark"], 0)
		assert.Equal(t, "Good", got.Grades[0]["feedback"])
		require.Len(t, got.Reminders, 1)
		assert.Equal(t, theirs, got.Reminders[0]["assignmentId"])
		require.Len(t, got.Settings, 1)
		assert.Equal(t, "09:00", got.Settings[0]["reminders"].(doc)["at"])
		require.Len(t, got.Notifications, 1)
		assert.Equal(t, "taken", got.Notifications[0]["kind"])
		for _, private := range []string{secret, b.token, "argon2id", "bo@example.org", "their-work", base64url.EncodeToString(key.rawID), "Theirs\",\"desc"} {
			assert.NotContains(t, string(a.body), private)
		}

		fresh := n.browser(t)
		fresh.register(t, "cy@example.org")
		require.NoError(t, unmarshal(fresh.get(t, "/api/auth/export").is(t, http.StatusOK).body, &got))
		assert.NotNil(t, got.Grades)
		assert.Empty(t, got.Grades)
		n.browser(t).get(t, "/api/auth/export").refused(t, http.StatusUnauthorized, "unauthenticated")
	})
}

// notExported lists the tables that refer to users and have no part in an export, with
// the reasons.
var notExported = map[string]string{
	"action_codes":    "secrets that were sent by email and end within hours",
	"awaited_joins":   "the invitation by which a user registered, until the address is verified; the membership is exported",
	"calendars":       "the secret of an address; nothing that the user wrote",
	"circle_joins":    "by which invitation a user joined; the membership is exported",
	"circle_refusals": "circles that the user may not see",
	"circle_removals": "circles that the user may not see any more",
	"settlements":     "which marks of others the user decided; the marks are in their submitters' exports",
	"sent_requests":   "hashes of requests and encrypted answers, for a day; what they did is exported",
	"email_changes":   "addresses that wait to be confirmed, or can be restored for a week; the present one is exported",
	"events":          "live events of the last hour, with users as their audience",
	"extensions":      "due dates that teachers gave; the user's calendar and lists have them",
	"fanouts":         "notifications that are being written; the export delivers its user's first",
	"fanouts_apart":   "notifications that are being written; the export delivers its user's first",
	"inboxes":         "the part settings shows it",
	"mails":           "emails that are being sent",
	"notices":         "notifications that are being written; the export delivers its user's first",
	"page_counts":     "counts of rows that are exported",
	"page_deltas":     "counts of rows that are exported",
	"rate_limits":     "times of the user's last limited requests",
	"review_queue":    "the position of a submission that is exported",
	"review_requests": "when to ask the user to review; notifications are exported",
	"review_turns":    "which submissions the user reviewed or returned; the reviews are exported",
	"river_job":       "background jobs under way",
	"taken":           "figures of submissions that are exported",
}

// exportedAs lists the parts of an export by the table that they come from.
var exportedAs = map[string][]string{
	"circles": {"circles"}, "circle_members": {"circles"}, "circle_invitations": {"invitations"}, "circle_requests": {"circleRequests"},
	"assignments": {"assignments"}, "comments": {"comments"}, "exemplars": {"exemplars"}, "notifications": {"notifications"}, "passkeys": {"passkeys"},
	"provider_links": {"providers"}, "reactions": {"reactions"}, "reminders": {"reminders"}, "reports": {"reports"}, "review_states": {"appeals"},
	"review_versions": {"earlierReviews"}, "self_assessments": {"selfAssessments"}, "review_questions": {"questions", "answers"},
	"saved_rubrics": {"rubrics"}, "phrases": {"phrases"},
	"reviews": {"reviews", "replies"}, "sessions": {"sessions"}, "submissions": {"submissions", "grades"}, "users": {"profile", "settings"},
}

// Every table that refers to users is in the export or in notExported. A user who has
// used every feature finds a row of each part, and nothing that identifies others.
func TestExportCoversEveryTableAboutUsers(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.host = "localhost"
		p := w.provider(t, "school")
		n := w.start(t)
		ada, bob, eve, fay := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve"), n.user(t, "Fay")
		who, email := n.browser(t), "xanthippe@example.org"
		who.register(t, email)
		p.is("subject-of-xanthippe", "Xanthippe", email, false)
		everyNoun(t, who, ada, bob, eve)
		reviewed := eve.publish(t, "reviewsNeeded", 2, "marks", 20, "rubric", twoCriteria())
		own := who.submit(t, reviewed)
		at := "/api/submissions/" + own
		who.put(t, at+"/self-assessment", doc{"levels": []int{2, 1}}).is(t, http.StatusOK)
		for _, c := range []*client{ada, fay} {
			c.task(t, reviewed)
			c.post(t, questionAt(own), doc{"text": "Theirs, not yours?"}).is(t, http.StatusCreated)
			who.post(t, answerAt(own), doc{"text": "Mine."}).is(t, http.StatusCreated)
			c.patch(t, at, doc{"levels": []int{1, 1}, "feedback": "Clear."}).is(t, http.StatusOK)
		}
		theirs := eve.publish(t, "reviewsNeeded", 2, "marks", 20, "rubric", twoCriteria())
		other := bob.submit(t, theirs)
		who.del(t, "/api/reviews/lease/"+who.task(t, "")["submissionId"].(string)).is(t, http.StatusOK) // of everyNoun
		require.Equal(t, other, who.task(t, theirs)["submissionId"])
		who.post(t, questionAt(other), doc{"text": "Why?"}).is(t, http.StatusCreated)
		who.patch(t, "/api/submissions/"+other, doc{"levels": []int{0, 1}, "feedback": "Too short."}).is(t, http.StatusOK)
		who.put(t, "/api/reviews/"+who.given(t)["_id"].(string), doc{"levels": []int{1, 1}, "feedback": "Short."}).is(t, http.StatusOK)
		who.post(t, "/api/rubrics", savedRubric("Essay")).is(t, http.StatusCreated)
		who.put(t, "/api/phrases", doc{"phrases": []string{"Well argued."}}).is(t, http.StatusOK)
		received := who.get(t, at+"/reviews").is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)
		who.put(t, "/api/reviews/"+received["_id"].(string)+"/reply", doc{"helpful": true, "reply": "Thank you."}).is(t, http.StatusOK)
		who.linkBy(t, p).linked(t)
		who.addPasskey(t, "Phone")

		a := who.get(t, "/api/auth/export").is(t, http.StatusOK)
		got := a.json(t)
		parts := map[string]bool{}
		for table, names := range exportedAs {
			for _, name := range names {
				parts[name] = true
				require.NotEmpty(t, got[name], "%s, from %s", name, table)
			}
		}
		for name := range got {
			require.True(t, parts[name], "no table says where %s comes from", name)
		}
		account, err := n.app.Store.AccountByEmail(t.Context(), email)
		require.NoError(t, err)
		for _, table := range n.tablesAbout(t, account.ID) {
			require.True(t, exportedAs[table] != nil || notExported[table] != "", "the export leaves out %s, and notExported gives no reason", table)
		}
		require.Equal(t, "Clear.", got["reviews"].([]any)[0].(doc)["feedback"])
		require.Equal(t, "Too short.", got["earlierReviews"].([]any)[0].(doc)["feedback"])
		require.Equal(t, []any{2.0, 1.0}, got["selfAssessments"].([]any)[0].(doc)["levels"])
		require.Equal(t, "Why?", got["questions"].([]any)[0].(doc)["text"])
		require.Equal(t, "Mine.", got["answers"].([]any)[0].(doc)["text"])
		require.NotContains(t, string(a.body), "Theirs, not yours?")
		require.Equal(t, "Essay", got["rubrics"].([]any)[0].(doc)["name"])
		require.Equal(t, "Well argued.", got["phrases"].([]any)[0].(doc)["text"])
		require.Equal(t, doc{
			"submissionId": strings.TrimPrefix(at, "/api/submissions/"), "review": received["label"], "helpful": true, "reply": "Thank you.",
		}, got["replies"].([]any)[0])
		require.Equal(t, "Please look again.", got["appeals"].([]any)[0].(doc)["reason"])
		require.InDelta(t, 12, got["exemplars"].([]any)[0].(doc)["mark"], 0)
		require.Equal(t, "like", got["reactions"].([]any)[0].(doc)["kind"])
		require.Equal(t, "Copied", got["reports"].([]any)[0].(doc)["reason"])
		for _, other := range []*client{bob, eve, fay} {
			for _, canary := range marksOf(t, other)[2:] {
				require.NotContains(t, string(a.body), canary)
			}
			require.NotContains(t, string(a.body), other.email)
		}
	})
}

// tablesAbout returns the tables with a foreign key to users, or with a row that contains
// the user's id.
func (n *node) tablesAbout(t *testing.T, userID string) []string {
	t.Helper()
	found := map[string]bool{}
	query := `SELECT DISTINCT s.name FROM sqlite_schema s JOIN pragma_foreign_key_list(s.name) k WHERE s.type = 'table' AND k."table" = 'users'`
	if n.database.URL != "" {
		query = "SELECT DISTINCT CAST(conrelid::regclass AS TEXT) FROM pg_constraint WHERE contype = 'f' AND confrelid = 'users'::regclass"
	}
	rows, err := n.app.Store.Engine().Reads().QueryContext(t.Context(), query)
	require.NoError(t, err)
	defer func() { require.NoError(t, rows.Close()) }()
	for rows.Next() {
		var table string
		require.NoError(t, rows.Scan(&table))
		found[table] = true
	}
	require.NoError(t, rows.Err())
	for _, place := range n.tablesWith(t, []string{strings.ToLower(userID)}) {
		table, _, _ := strings.Cut(place, ":")
		table, _, _ = strings.Cut(table, ".")
		found[table] = true
	}
	require.Greater(t, len(found), 15)
	return slices.Sorted(maps.Keys(found))
}
