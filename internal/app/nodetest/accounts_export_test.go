package nodetest

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExportHasAllOfOnesOwnDataAndNobodyElses(t *testing.T) {
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
		for i := range 250 { // more than the store reads at a time
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
