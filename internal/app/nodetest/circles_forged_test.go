package nodetest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/transfer"
)

// lines returns records as lines of a file.
func lines(t *testing.T, records ...doc) string {
	t.Helper()
	var out strings.Builder
	for _, r := range records {
		text, err := json.Marshal(r)
		require.NoError(t, err)
		out.Write(append(text, '\n'))
	}
	return out.String()
}

// forged are the files of a circle of Ada's, in which others have said, handed in and been marked what they have not.
func forged(t *testing.T) map[string]string {
	t.Helper()
	work := func(id, by string, more ...any) doc {
		return with(doc{
			"_id": id, "assignmentId": "of-bob", "submittedBy": by, "docsLink": "https://docs.example/" + id, "status": "completed",
			"givenMark": 3, "feedback": "Poor.",
		}, more...)
	}
	of := func(id, by, name string) doc {
		return doc{
			"_id": id, "title": id, "description": "d", "thumbnail": "https://example.org", "marks": 20, "level": "easy",
			"dueDate": "2030-01-01", "creatorEmail": by, "creatorName": name,
		}
	}
	said := func(id, by, name string) doc {
		return doc{
			"_id": id, "assignmentId": "of-bob", "authorEmail": by, "authorName": name, "text": "I said " + id,
			"createdAt": "2026-01-01T00:00:00Z",
		}
	}
	return map[string]string{
		"circle.jsonl": lines(t, doc{"_id": "forged", "name": "Forged"}),
		"members.jsonl": lines(t,
			doc{"email": "ada@example.org", "displayName": "Ada", "role": "owner"},
			doc{"email": "bob@example.org", "displayName": "Bob", "role": "organizer"},
			doc{"email": "new@example.org", "displayName": "Newcomer", "role": "member"}),
		"users.jsonl": lines(t, doc{"email": "extra@example.org", "displayName": "Extra"}, doc{"email": "eve@example.org", "displayName": "Eve"}),
		"assignments.jsonl": lines(t, of("of-bob", "bob@example.org", "Robert"), of("of-eve", "eve@example.org", "Eve"),
			of("of-ada", "ada@example.org", "Ada"), of("of-gone", "gone@example.org", "Gone")),
		"submissions.jsonl": lines(t, work("by-eve", "eve@example.org"), work("by-ada", "ada@example.org", "givenMark", 19),
			work("by-bob", "bob@example.org", "assignmentId", "of-ada"), work("by-new", "new@example.org"),
			doc{"_id": "waits", "assignmentId": "of-ada", "submittedBy": "gone@example.org", "docsLink": "https://docs.example/w"}),
		"comments.jsonl": lines(t, said("eve", "eve@example.org", "Eve"), said("bob", "bob@example.org", "Bob"),
			said("gone", "gone@example.org", "Gone")),
	}
}

// authors returns who has created, handed in and said what in the circle of forged, as c, an owner, reads it.
func (c *client) authors(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, a := range c.get(t, "/api/assignments?circle=forged&limit=100").is(t, http.StatusOK).json(t)["data"].([]any) {
		id := a.(doc)["_id"].(string)
		out[id] = fmt.Sprint(a.(doc)["creatorName"], " ", a.(doc)["creatorEmail"])
		for _, s := range c.get(t, "/api/assignment/"+id+"/submissions").is(t, http.StatusOK).json(t)["data"].([]any) {
			out[s.(doc)["_id"].(string)] = fmt.Sprint(s.(doc)["submitterName"], " ", s.(doc)["submittedBy"])
		}
	}
	for _, s := range c.get(t, "/api/assignment/of-bob/comments").is(t, http.StatusOK).json(t)["data"].([]any) {
		out["said "+s.(doc)["_id"].(string)] = s.(doc)["authorName"].(string)
	}
	return out
}

// accounts returns the addresses of all accounts of n that have one.
func (n *node) addresses(t *testing.T) (out []string) {
	t.Helper()
	require.NoError(t, n.app.Store.EachUser(t.Context(), func(u studycircle.User) error {
		if studycircle.ValidEmail(u.Email) {
			out = append(out, u.Email)
		}
		return nil
	}))
	return out
}

// An archive can say that anyone did anything. What it says of others than its owner is shown as imported, and is
// nothing of theirs.
func TestAForgedArchiveSpeaksForNoAccount(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve")
		for _, c := range []*client{ada, bob, eve} {
			c.confirmed(t)
		}
		path := zipped(t, forged(t))
		counts, err := n.importCircle(t, path, ada.email)
		require.NoError(t, err)
		require.Equal(t, transfer.CircleCounts{
			Counts: transfer.Counts{Users: 1, Assignments: 4, Submissions: 5}, Circle: "forged", Members: 1, Comments: 3, Imported: 3,
			Apart: 1,
		}, counts)
		require.Equal(t, map[string]string{
			"of-bob": "Bob (imported) unknown", "of-eve": "Eve (imported) unknown", "of-ada": "Ada ada@example.org",
			"of-gone": "Gone (imported) unknown", "by-eve": "Eve (imported) unknown", "by-ada": "Ada ada@example.org",
			"by-bob": "Bob (imported) unknown", "by-new": "Newcomer new@example.org", "waits": "Gone (imported) unknown",
			"said eve": "Eve (imported)", "said bob": "Bob (imported)", "said gone": "Gone (imported)",
		}, ada.authors(t))
		require.Equal(t, []string{"Ada owner", "Newcomer member"}, ada.members(t, "forged", ""))
		require.Equal(t, []string{"ada@example.org", "bob@example.org", "eve@example.org", "new@example.org"}, n.addresses(t))
		for _, c := range []*client{bob, eve} {
			require.Empty(t, c.circles(t))
			require.Empty(t, c.marksByTitle(t))
			require.Empty(t, c.get(t, "/api/notifications").is(t, http.StatusOK).json(t)["data"])
			require.NotContains(t, string(c.get(t, "/api/auth/export").is(t, http.StatusOK).body), "forged")
			c.get(t, "/api/comment/"+strings.ToLower(c.name)).refused(t, http.StatusNotFound, "not-found")
			c.get(t, "/api/submissions/by-"+strings.ToLower(c.name)+"/receipt").refused(t, http.StatusNotFound, "not-found")
		}
		require.InDelta(t, 19, ada.marksByTitle(t)["of-bob"], 0)
		ada.get(t, "/api/submissions/by-ada/receipt").refused(t, http.StatusNotFound, "not-found")

		before := n.everything(t)
		counts, err = n.importCircle(t, path, ada.email)
		require.NoError(t, err)
		require.Equal(t, transfer.CircleCounts{Circle: "forged", Apart: 1}, counts)
		require.Equal(t, before, n.everything(t))
		_, repairs, err := n.app.Store.RepairFigures(t.Context(), "")
		require.NoError(t, err)
		require.Empty(t, repairs)

		files, _ := ada.exported(t, "forged", "")
		for name, text := range files {
			require.NotContains(t, text, "eve@example.org", name)
		}
		to := n.elsewhere(t)
		_, err = to.importCircle(t, zipped(t, files), ada.email)
		require.NoError(t, err)
		there := to.as(t, ada.email)
		require.Equal(t, ada.authors(t), there.authors(t))
		again, _ := there.exported(t, "forged", "")
		require.Equal(t, files, again)
	})
}

// Of those who are shown as imported no account can be used: nothing finds it by an address, and it cannot be
// registered before.
func TestImportedPeopleCannotSignIn(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		ada.confirmed(t)
		_, err := n.importCircle(t, zipped(t, forged(t)), ada.email)
		require.NoError(t, err)
		address := studycircle.ImportedEmail("forged", "gone@example.org")
		for _, c := range []*client{ada, n.visitor()} {
			c.post(t, "/api/auth/register", with(newcomer(), "email", address)).is(t, http.StatusUnprocessableEntity)
			for _, guess := range []string{"", password} {
				a := c.post(t, "/api/auth/login", doc{"email": address, "password": guess})
				require.GreaterOrEqual(t, a.status, http.StatusBadRequest)
			}
		}
		gone := n.user(t, "Gone")
		gone.confirmed(t)
		require.Empty(t, gone.marksByTitle(t))
		require.Equal(t, "Gone (imported) unknown", ada.authors(t)["waits"])
	})
}

// Users who are shown as imported are removed with their circle, and all other users stay: an account that the import
// opened for an address is its owner's to claim. Nodes that remove them at once do so once.
func TestImportedPeopleGoWithTheirCircle(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		n.clock.stand(time.Now())
		ada := n.user(t, "Ada")
		ada.confirmed(t)
		for _, id := range []string{"forged", "forged_2", "forgedx2"} {
			files := forged(t)
			for name, text := range files {
				files[name] = strings.NewReplacer(
					`"of-`, `"of-`+id, `"by-`, `"by-`+id, `"waits`, `"waits`+id, `"_id":"eve`, `"_id":"eve`+id, `"_id":"bob`, `"_id":"bob`+id,
					`"_id":"gone`, `"_id":"gone`+id,
				).Replace(text)
			}
			files["circle.jsonl"] = lines(t, doc{"_id": id, "name": id})
			_, err := n.importCircle(t, zipped(t, files), ada.email)
			require.NoError(t, err)
		}
		people := func() (all []string) {
			require.NoError(t, n.app.Store.EachUser(t.Context(), func(u studycircle.User) error {
				all = append(all, u.Email)
				return nil
			}))
			slices.Sort(all)
			return all
		}
		before := people()
		require.Len(t, before, 3+3*2)
		require.ElementsMatch(t, []string{"ada@example.org", "bob@example.org", "new@example.org"}, n.addresses(t))
		ada.del(t, "/api/circle/forged_2").is(t, http.StatusOK)
		n.clock.stand(n.clock.now().Add(studycircle.CircleRestorable))
		require.NoError(t, n.app.Service.RemoveCircles(t.Context()))
		require.Equal(t, before, people(), "the circle can be restored")

		n.clock.stand(n.clock.now().Add(time.Second))
		together(t, crowd, func(int) error { return n.app.Service.RemoveCircles(t.Context()) })
		var kept []string
		for _, email := range before {
			if !strings.HasPrefix(email, "imported:forged_2:") {
				kept = append(kept, email)
			}
		}
		require.Len(t, kept, 3+2*2)
		require.Equal(t, kept, people())
		_, repairs, err := n.app.Store.RepairFigures(t.Context(), "")
		require.NoError(t, err)
		require.Empty(t, repairs)
	})
}

// The operator says whose account here is whose.
func TestTheOperatorMapsThePeopleOfAnArchive(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem")
		for _, c := range []*client{ada, bob, cem} {
			c.confirmed(t)
		}
		n.user(t, "Unproved")
		path := zipped(t, forged(t))
		before := n.everything(t)
		for reason, accounts := range map[string]map[string]string{
			"eve@example.org, who is given an account, is no member in members.jsonl":                           {"eve@example.org": bob.email},
			"the account of unproved@example.org has not verified its address":                                  {"bob@example.org": "unproved@example.org"},
			"members.jsonl line 2: ada@example.org and bob@example.org would have one account, ada@example.org": {"bob@example.org": ada.email},
		} {
			_, err := n.importPeople(t, path, transfer.People{Owner: ada.email, Accounts: accounts})
			require.ErrorContains(t, err, reason)
		}
		require.Equal(t, before, n.everything(t))

		counts, err := n.importPeople(t, path, transfer.People{Owner: ada.email, Accounts: map[string]string{"bob@example.org": cem.email}})
		require.NoError(t, err)
		require.Equal(t, 2, counts.Members)
		require.Equal(t, 2, counts.Imported)
		require.Equal(t, []string{"Ada owner", "Cem organizer", "Newcomer member"}, ada.members(t, "forged", ""))
		require.Equal(t, "Cem cem@example.org", ada.authors(t)["of-bob"])
		require.Equal(t, "Cem", ada.authors(t)["said bob"])
		require.InDelta(t, 3, cem.marksByTitle(t)["of-ada"], 0)
		require.Empty(t, bob.circles(t))
		require.Empty(t, bob.marksByTitle(t))
	})
}

// Of an archive that the operator trusts, members have the accounts here with their addresses; others are shown as
// imported nevertheless.
func TestAnArchiveIsMappedByAddress(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve")
		for _, c := range []*client{ada, bob, eve} {
			c.confirmed(t)
		}
		counts, err := n.importPeople(t, zipped(t, forged(t)), transfer.People{Owner: ada.email, ByAddress: true})
		require.NoError(t, err)
		require.Equal(t, 2, counts.Members)
		require.Zero(t, counts.Apart)
		require.Equal(t, []string{"Forged"}, bob.circles(t))
		require.Equal(t, "Bob bob@example.org", ada.authors(t)["of-bob"])
		require.Empty(t, eve.circles(t))
		require.Equal(t, "Eve (imported) unknown", ada.authors(t)["by-eve"])
	})
}

// An owner who edits the archive of a circle that is here changes no mark and adds no word of its members.
func TestAnEditedArchiveOfACircleThatIsHere(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, circle := classroomToExport(t, n)
		cem := n.as(t, "cem@example.org")
		for _, name := range []string{"ada", "bob", "cem", "dot", "eve"} {
			n.as(t, name+"@example.org").confirmed(t)
		}
		files, _ := ada.exported(t, circle, "")
		edited := maps.Clone(files)
		edited["submissions.jsonl"] = strings.ReplaceAll(files["submissions.jsonl"], `"givenMark":15`, `"givenMark":1`)
		require.NotEqual(t, files["submissions.jsonl"], edited["submissions.jsonl"])
		edited["comments.jsonl"] = strings.ReplaceAll(files["comments.jsonl"], "enough", "too much")
		edited["circle.jsonl"] = strings.TrimSuffix(files["circle.jsonl"], "}\n") + `,"archivedAt":"2026-01-01T00:00:00Z"}`
		counts, err := n.importCircle(t, zipped(t, edited), ada.email)
		require.NoError(t, err)
		require.Equal(t, transfer.CircleCounts{Circle: circle}, counts)
		again, _ := ada.exported(t, circle, "")
		require.Equal(t, files, again)

		of := firstID(t, files["assignments.jsonl"])
		edited["comments.jsonl"] += lines(t, doc{
			"_id": "forgedword", "assignmentId": of, "authorEmail": cem.email, "authorName": "Cem", "text": "I cheated.",
			"createdAt": "2026-01-01T00:00:00Z",
		})
		edited["submissions.jsonl"] += lines(t, doc{
			"_id": "forgedwork", "assignmentId": of, "submittedBy": cem.email, "docsLink": "https://docs.example/f",
			"status": "completed", "givenMark": 20,
		})
		counts, err = n.importCircle(t, zipped(t, edited), ada.email)
		require.NoError(t, err)
		require.Equal(t, transfer.CircleCounts{Counts: transfer.Counts{Submissions: 1}, Circle: circle, Comments: 1, Imported: 1}, counts)
		word := ada.get(t, "/api/comment/forgedword").is(t, http.StatusOK).json(t)
		require.Contains(t, fmt.Sprint(word), "Cem (imported)")
		require.NotContains(t, string(cem.get(t, "/api/auth/export").is(t, http.StatusOK).body), "I cheated.")
		require.InDelta(t, 15, cem.marksByTitle(t)["Poems"], 0)
	})
}
