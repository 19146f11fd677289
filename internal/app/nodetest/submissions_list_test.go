package nodetest

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestPendingListShowsWhatGradersNeed(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		of := ada.publish(t)
		id := bob.submit(t, of)
		bob.patch(t, "/api/auth/profile", doc{"displayName": "Bob", "photoURL": "https://img.example/bob.png"}).is(t, http.StatusOK)
		due := ada.get(t, "/api/assignment/"+of).is(t, http.StatusOK).json(t)["dueDate"]
		want := doc{
			"_id": id, "assignmentId": of, "assignmentTitle": "Essay on tides", "submittedBy": bob.email, "submitterName": "Bob",
			"submitterPhoto": "https://img.example/bob.png", "marks": 50.0, "dueDate": due,
			"docsLink": "https://docs.google.com/document/d/1", "note": "Please be kind.", "status": "pending", "late": false,
		}
		for _, viewer := range []*client{ada, bob} {
			listed := viewer.pending(t)
			require.Len(t, listed, 1)
			want["submittedAt"] = listed[0]["submittedAt"]
			require.Equal(t, want, listed[0])
		}
		// A changed due date is shown, and none if the assignment is deleted.
		ada.put(t, "/api/assignment/"+of, with(assignment(), "dueDate", "2030-02-03T12:00:00+05:45")).is(t, http.StatusOK)
		require.Equal(t, "2030-02-03T12:00:00+05:45", ada.pending(t)[0]["dueDate"])
		ada.del(t, "/api/assignment/"+of).is(t, http.StatusOK)
		require.NotContains(t, ada.pending(t)[0], "dueDate")
	})
}

// numbered submits to n assignments of ada's, as bob, and returns the ids in order.
func numbered(t *testing.T, ada, bob *client, n int) []string {
	t.Helper()
	ids := make([]string, n)
	for i := range ids {
		ids[i] = bob.submit(t, ada.publish(t, "title", fmt.Sprintf("Number %d", i)))
	}
	return ids
}

func TestPendingListIsPaged(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		ids := numbered(t, ada, bob, 7)
		require.Equal(t, ids, follow(t, ada, "/api/submissions?status=pending&limit=3", 7), "oldest first")
		require.Equal(t, ids, follow(t, ada, "/api/submissions?status=pending&limit=7", 7))
		require.Equal(t, ids, follow(t, ada, "/api/submissions?status=pending", 7))

		past := ada.get(t, "/api/submissions?status=pending&page=9").is(t, http.StatusOK)
		require.Empty(t, past.array(t))
		require.Equal(t, "7", past.header.Get("X-Total-Count"))
		require.Empty(t, past.header.Get("Link"))

		ada.grade(t, ids[2], 5)
		require.Equal(t, append(ids[:2:2], ids[3:]...), follow(t, ada, "/api/submissions?status=pending&limit=2", 6))
	})
}

func TestOwnListIsPaged(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		ids := numbered(t, ada, bob, 5)
		ada.grade(t, ids[1], 5)
		ada.grade(t, ids[3], 5)
		newest := []string{ids[4], ids[3], ids[2], ids[1], ids[0]}
		own := "/api/submissions?submittedBy=" + bob.email
		for _, path := range []string{own, own + "&limit=2", "/api/submissions", "/api/submissions?limit=2", "/api/submissions?submittedBy=BOB%40Example.ORG"} {
			require.Equal(t, newest, follow(t, bob, path, 5), path)
		}
		completed := []string{ids[3], ids[1]}
		require.Equal(t, completed, follow(t, bob, own+"&status=completed&limit=1", 2))
		require.Equal(t, completed, follow(t, bob, "/api/submissions?status=completed", 2), "without submittedBy: own ones")
		require.Equal(t, []string{ids[4], ids[2], ids[0]}, follow(t, bob, own+"&status=pending&limit=2", 3), "newest first, though pending")
		require.Empty(t, ada.get(t, "/api/submissions").is(t, http.StatusOK).array(t))
	})
}

// With any spelling of the own address and any other parameters the list is the same; the
// address of another user, or an invalid one, is refused.
func TestListParametersMayBeInAnyForm(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		ids := numbered(t, ada, bob, 7)
		ada.grade(t, ids[3], 5)
		blanks := 20_000
		if n.balanced() {
			blanks = 4_000 // HAProxy takes 16 kB of a request before its body
		}
		for path, same := range map[string][]string{
			"/api/submissions?status=pending&limit=2":                {"/api/submissions?limit=2&status=pending&colour=blue"},
			"/api/submissions?status=pending&page=2&limit=2":         {"/api/submissions?status=pending&page=2&limit=2&x", "/api/submissions?status=pending&page=2&limit=2&submittedBy="},
			"/api/submissions?limit=3":                               {"/api/submissions?limit=3&submittedBy=BOB%40Example.org", "/api/submissions?limit=3&submittedBy=%20%20bob@example.org" + repeated("%20", blanks)},
			"/api/submissions?submittedBy=" + ada.email:              {"/api/submissions?submittedBy=a+b&page=3", "/api/submissions?submittedBy=%20", "/api/submissions?submittedBy=" + repeated("a", 3*blanks)},
			"/api/submissions?submittedBy=" + ada.email + "&limit=x": {"/api/submissions?limit=0", "/api/submissions?limit=%zz"},
		} {
			for _, known := range []string{"", `"old"`, bob.get(t, path).header.Get("ETag"), "*"} {
				one := bob.get(t, path, header{"If-None-Match", known})
				if one.status == http.StatusOK {
					require.NotEmpty(t, one.array(t), path)
				}
				for _, spelled := range same {
					other := bob.get(t, spelled, header{"If-None-Match", known})
					require.Equal(t, one.status, other.status, "%.100s", spelled)
					if one.status < http.StatusBadRequest {
						require.Equal(t, string(one.body), string(other.body), "%.100s", spelled)
						require.Less(t, len(other.header.Get("Link")), 200, "%.100s", spelled)
						for _, a := range []*answer{one, other} {
							a.header.Del("Date")
							a.header.Del("Link") // which repeats the parameters
						}
						require.Equal(t, one.header, other.header, "%.100s", spelled)
					}
				}
			}
		}
	})
}

var nextLink = regexp.MustCompile(`^<([^>]+)>; rel="next"$`)

// follow reads a list page by page along its links, checks the total of each, and returns
// the ids.
func follow(t *testing.T, u *client, path string, total int) []string {
	t.Helper()
	var ids []string
	for {
		a := u.get(t, path).is(t, http.StatusOK)
		require.Equal(t, fmt.Sprint(total), a.header.Get("X-Total-Count"), path)
		for _, s := range a.array(t) {
			ids = append(ids, s["_id"].(string))
		}
		link := a.header.Get("Link")
		if link == "" {
			return ids
		}
		require.Regexp(t, nextLink, link)
		path = nextLink.FindStringSubmatch(link)[1]
		require.LessOrEqual(t, len(ids), total, "links lead on for ever: %s", path)
	}
}

func TestSubmissionListsAreRefused(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		for _, path := range []string{"/api/submissions", "/api/submissions?status=pending", "/api/submissions?limit=0"} {
			n.visitor().get(t, path).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		}
		for _, email := range []string{bob.email, "nobody@example.org", "x", "\x00", "ada@example.org.evil"} {
			for _, status := range []string{"", "&status=pending", "&status=completed"} {
				ada.get(t, "/api/submissions?submittedBy="+url.QueryEscape(email)+status).
					refused(t, http.StatusForbidden, studycircle.CodeNotYourSubmissions)
			}
		}
		for query, location := range map[string]string{
			"status=open": "query.status", "status=PENDING": "query.status", "page=0": "query.page", "page=-1": "query.page",
			"page=x": "query.page", "page=1.5": "query.page", "limit=0": "query.limit", "limit=101": "query.limit",
			"limit=99999999999999999999": "query.limit", "submittedBy=" + bob.email + "&limit=0": "query.limit",
		} {
			ada.get(t, "/api/submissions?"+query).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, location)
		}
		ada.get(t, "/api/submissions?limit=100&colour=blue&page=9223372036854775807").is(t, http.StatusOK)
	})
}
