package nodetest

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// maxListBody exceeds a page of a list: its long texts, with escaped characters, and 100 rows without them.
const maxListBody = 3 << 20

// dear returns a text of n characters whose HTML has about eight times as many bytes.
func dear(n int) string { return strings.Repeat("*x* ", n/4)[:n] }

// A page of a discussion has a bound, whatever the HTML of its texts. A comment that does not fit is cut to its
// beginning; its own address has all of it.
func TestPagesOfDiscussionsAreBounded(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		of := ada.publish(t)
		account, err := n.app.Store.AccountByEmail(t.Context(), ada.email)
		require.NoError(t, err)
		text, html := dear(5000), strings.Repeat("<em>x</em> ", 40<<10/11)
		thread := ada.write(t, of, "First")
		// As CreateComment does, a hundred times faster.
		insert := func(threadID string) {
			require.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
				for range 99 {
					err := tx.InsertComment(ctx, studycircle.Comment{
						ID: studycircle.NewID(n.clock.now()), AssignmentID: of, ThreadID: threadID, Author: studycircle.Person{UserID: account.ID},
						Text: text, HTML: html, CreatedAt: n.clock.now(),
					})
					if err != nil {
						return err
					}
				}
				return nil
			}))
		}
		insert("")
		insert(thread)
		whole, cut := 0, ""
		for _, at := range []string{"/api/assignment/" + of + "/comments?limit=100", "/api/comment/" + thread + "/replies?limit=100"} {
			answer := n.visitor().get(t, at).is(t, http.StatusOK)
			require.Less(t, len(answer.body), maxListBody, at)
			for _, one := range answer.json(t)["data"].([]any) {
				if c := one.(doc); c["partial"] == true {
					require.NotContains(t, fields(c), "html")
					require.Equal(t, text[:280]+"…", c["text"])
					cut = c["_id"].(string)
				} else if c["html"] == html {
					whole++
				}
			}
		}
		require.Positive(t, whole)
		require.NotEmpty(t, cut)
		one := n.visitor().get(t, "/api/comment/"+cut).is(t, http.StatusOK).json(t)
		require.Equal(t, []any{text, html, nil}, []any{one["text"], one["html"], one["partial"]})
	})
}

// Lists of assignments have a bound and contain no rendered descriptions.
func TestListsOfAssignmentsAreBounded(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		short := ada.publish(t, "description", "Some *words*")
		long := strings.Repeat("𝄞", 9_990)
		for i := range 20 {
			ada.publish(t, "description", fmt.Sprint(long, i))
		}
		for _, query := range []string{"", "&level=medium", "&state=mine", "&search=tides", "&state=due-soon"} {
			answer := ada.get(t, "/api/assignments?limit=100"+query).is(t, http.StatusOK)
			require.Less(t, len(answer.body), maxListBody, query)
			partial := 0
			for _, one := range answer.json(t)["data"].([]any) {
				a := one.(doc)
				require.NotContains(t, fields(a), "html", query)
				require.Equal(t, "markdown", a["format"], query)
				switch {
				case a["_id"] == short:
					require.Equal(t, "Some *words*", a["description"])
				case a["partial"] == true:
					partial++
					require.Equal(t, long[:280*4]+"…", a["description"])
				}
			}
			require.Equal(t, 7, partial, "of 20 with 40 kB each 13 fit into 512 KiB: %s", query)
		}
		one := n.visitor().get(t, "/api/assignment/"+short).json(t)
		require.Equal(t, []any{"Some *words*", "<p>Some <em>words</em></p>\n"}, []any{one["description"], one["html"]})
	})
}

// Lists of graded submissions have a bound too; a page of one row is complete.
func TestListsOfFeedbackAreBounded(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve")
		of := ada.publish(t)
		feedback := strings.Repeat("**𝄞** ", 5000/6)
		for range 40 {
			id := bob.submit(t, of)
			eve.patch(t, "/api/submissions/"+id, doc{"marks": 1, "feedback": feedback}).is(t, http.StatusOK)
		}
		own := func(query string) []doc { return bob.get(t, "/api/submissions?"+query).is(t, http.StatusOK).array(t) }
		results := func(query string) (rows []doc) {
			for _, one := range ada.get(t, "/api/assignment/"+of+"/submissions?"+query).is(t, http.StatusOK).json(t)["data"].([]any) {
				rows = append(rows, one.(doc))
			}
			return rows
		}
		for _, list := range []func(query string) []doc{own, results} {
			length, partial := 0, 0
			for _, r := range list("limit=100") {
				length += len(fmt.Sprint(r))
				if r["partial"] == true {
					partial++
					require.NotContains(t, fields(r), "html")
					require.Equal(t, "markdown", r["format"])
				}
			}
			require.Less(t, length, maxListBody)
			require.Positive(t, partial)
			last := list("limit=1&page=40")[0]
			require.Equal(t, strings.TrimSpace(feedback), last["feedback"])
			require.Contains(t, last["html"], "<strong>")
		}
	})
}
