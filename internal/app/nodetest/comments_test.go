package nodetest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// write comments under an assignment as c and returns the comment's id.
func (c *client) write(tb testing.TB, assignmentID, text string) string {
	tb.Helper()
	return c.post(tb, "/api/assignment/"+assignmentID+"/comments", doc{"text": text}).id(tb)
}

// reply replies to a comment.
func (c *client) reply(tb testing.TB, assignmentID, parentID, text string) string {
	tb.Helper()
	return c.post(tb, "/api/assignment/"+assignmentID+"/comments", doc{"text": text, "parentId": parentID}).id(tb)
}

// threads returns the comments that c sees, and the rest of the answer.
func (c *client) threads(tb testing.TB, assignmentID, query string) (data []doc, rest doc) {
	tb.Helper()
	rest = c.get(tb, "/api/assignment/"+assignmentID+"/comments"+query).is(tb, http.StatusOK).json(tb)
	for _, d := range rest["data"].([]any) {
		data = append(data, d.(doc))
	}
	return data, rest
}

// comment returns a comment as c sees it.
func (c *client) comment(tb testing.TB, id string) doc {
	tb.Helper()
	return c.get(tb, "/api/comment/"+id).is(tb, http.StatusOK).json(tb)
}

func none() doc { return doc{"count": 0.0, "mine": false} }

func TestComments(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve")
		of := ada.publish(t)
		a := bob.post(t, "/api/assignment/"+of+"/comments", doc{"text": " Why **twice** a day? "})
		id := a.id(t)
		require.Equal(t, "/api/comment/"+id, a.header.Get("Location"))

		seen, rest := n.visitor().threads(t, of, "")
		require.Equal(t, "open", rest["discussion"])
		require.Equal(t, doc{"page": 1.0, "limit": 20.0, "total": 1.0, "totalPages": 1.0}, rest["pagination"])
		require.Equal(t, []doc{{
			"_id": id, "text": "Why **twice** a day?", "html": "<p>Why <strong>twice</strong> a day?</p>\n", "authorName": "Bob", "authorId": seen[0]["authorId"],
			"mine": false, "createdAt": seen[0]["createdAt"], "deleted": false, "replyCount": 0.0, "replies": []any{},
			"reactions": doc{"like": none(), "thanks": none(), "insightful": none(), "question": none()},
		}}, seen)
		mine, _ := bob.threads(t, of, "")
		require.Equal(t, true, mine[0]["mine"])

		t.Run("answers go to the thread", func(t *testing.T) {
			first := eve.reply(t, of, id, "The moon.")
			second := ada.reply(t, of, first, "And the sun.")
			for i := range 3 {
				bob.reply(t, of, second, fmt.Sprint("Thanks ", i))
			}
			seen, _ := eve.threads(t, of, "")
			require.InDelta(t, 5, seen[0]["replyCount"], 0)
			replies := seen[0]["replies"].([]any)
			require.Len(t, replies, 3)
			require.Equal(t, first, replies[0].(doc)["_id"])
			require.Equal(t, true, replies[0].(doc)["mine"])
			require.Equal(t, id, replies[1].(doc)["parentId"])
			page := n.visitor().get(t, "/api/comment/"+id+"/replies?limit=2&page=3").is(t, http.StatusOK).json(t)
			require.Equal(t, doc{"page": 3.0, "limit": 2.0, "total": 5.0, "totalPages": 3.0}, page["pagination"])
			require.Len(t, page["data"], 1)
			n.visitor().get(t, "/api/comment/"+first+"/replies").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		})
		t.Run("reactions", func(t *testing.T) {
			at := "/api/comment/" + id + "/reactions/thanks"
			require.Equal(t, doc{"modifiedCount": 1.0}, eve.put(t, at, nil).is(t, http.StatusOK).json(t))
			require.Equal(t, doc{"modifiedCount": 0.0}, eve.put(t, at, nil).is(t, http.StatusOK).json(t))
			ada.put(t, at, nil).is(t, http.StatusOK)
			require.Equal(t, doc{"count": 2.0, "mine": true}, eve.comment(t, id)["reactions"].(doc)["thanks"])
			require.Equal(t, doc{"count": 2.0, "mine": false}, bob.comment(t, id)["reactions"].(doc)["thanks"])
			require.Equal(t, doc{"modifiedCount": 1.0}, eve.del(t, at).is(t, http.StatusOK).json(t))
			require.Equal(t, doc{"modifiedCount": 0.0}, eve.del(t, at).is(t, http.StatusOK).json(t))
			require.Equal(t, doc{"count": 1.0, "mine": false}, eve.comment(t, id)["reactions"].(doc)["thanks"])
			eve.put(t, "/api/comment/"+id+"/reactions/hate", nil).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "path.kind")
			n.visitor().put(t, at, nil).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
			eve.put(t, "/api/comment/nothing/reactions/like", nil).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		})
		t.Run("edited by the author alone", func(t *testing.T) {
			at := "/api/comment/" + id
			n.visitor().patch(t, at, doc{"text": "x"}).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
			for _, other := range []*client{ada, eve} {
				other.patch(t, at, doc{"text": "x"}).refused(t, http.StatusForbidden, studycircle.CodeNotYourComment)
			}
			require.Equal(t, doc{"modifiedCount": 0.0}, bob.patch(t, at, doc{"text": "Why **twice** a day?"}).is(t, http.StatusOK).json(t))
			require.NotContains(t, bob.comment(t, id), "editedAt")
			require.Equal(t, doc{"modifiedCount": 1.0}, bob.patch(t, at, doc{"text": "Why?"}).is(t, http.StatusOK).json(t))
			got := eve.comment(t, id)
			require.Equal(t, "<p>Why?</p>\n", got["html"])
			require.Contains(t, got, "editedAt")
		})
		t.Run("deleted by author and creator", func(t *testing.T) {
			other := eve.write(t, of, "Short-lived")
			n.visitor().del(t, "/api/comment/"+other).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
			bob.del(t, "/api/comment/"+other).refused(t, http.StatusForbidden, studycircle.CodeNotYourComment)
			require.Equal(t, doc{"deletedCount": 1.0}, ada.del(t, "/api/comment/"+other).is(t, http.StatusOK).json(t))
			for _, gone := range []*answer{
				eve.del(t, "/api/comment/"+other), eve.get(t, "/api/comment/"+other), eve.patch(t, "/api/comment/"+other, doc{"text": "x"}),
				eve.put(t, "/api/comment/"+other+"/reactions/like", nil), eve.get(t, "/api/comment/"+other+"/replies"),
				eve.post(t, "/api/assignment/"+of+"/comments", doc{"text": "x", "parentId": other}),
			} {
				gone.refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			}
			bob.del(t, "/api/comment/"+id).is(t, http.StatusOK)
			left := bob.comment(t, id)
			require.Equal(t, true, left["deleted"])
			for _, field := range []string{"text", "html", "authorName", "authorId"} {
				require.NotContains(t, left, field)
			}
			require.Equal(t, false, left["mine"])
			require.InDelta(t, 5, left["replyCount"], 0)
			eve.post(t, "/api/assignment/"+of+"/comments", doc{"text": "x", "parentId": id}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		})
		t.Run("an unknown comment", func(t *testing.T) {
			at := "/api/assignment/" + of + "/comments"
			n.visitor().post(t, at, doc{"text": "x"}).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
			for _, text := range []any{"", "  ", "\u2800", strings.Repeat("x", 5001), "a\x00b", 7, true} {
				bob.post(t, at, doc{"text": text}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.text")
			}
			bob.post(t, at, doc{}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.text")
			bob.post(t, at, doc{"text": "x", "author": "y"}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.author")
			bob.write(t, of, strings.Repeat("ä", 5000))
			for _, nowhere := range []string{"nothing", "%00", "a%2Fb", strings.Repeat("x", 100)} {
				bob.post(t, "/api/assignment/"+nowhere+"/comments", doc{"text": "x"}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
				bob.get(t, "/api/assignment/"+nowhere+"/comments").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
				bob.get(t, "/api/comment/"+nowhere).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
				bob.get(t, "/api/comment/"+nowhere+"/replies").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
				bob.post(t, at, doc{"text": "x", "parentId": nowhere}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			}
			for _, no := range []any{7, true, []any{}, doc{}} {
				bob.post(t, at, doc{"text": "x", "parentId": no}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.parentId")
			}
			for _, none := range []any{nil, ""} {
				begun := bob.post(t, at, doc{"text": "Answers nothing", "parentId": none}).id(t)
				require.NotContains(t, bob.comment(t, begun), "parentId")
			}
			other := bob.write(t, ada.publish(t), "Elsewhere")
			bob.post(t, at, doc{"text": "x", "parentId": other}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		})
		t.Run("pages", func(t *testing.T) {
			for _, query := range []string{"?page=0", "?limit=0", "?limit=101", "?page=x"} {
				name, _, _ := strings.Cut(query[1:], "=")
				bob.get(t, "/api/assignment/"+of+"/comments"+query).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "query."+name)
			}
			under := ada.publish(t)
			var ids []string
			for i := range 23 {
				ids = append(ids, bob.write(t, under, fmt.Sprint("Number ", i)))
			}
			second, rest := n.visitor().threads(t, under, "?page=2")
			require.Len(t, second, 3)
			require.Equal(t, ids[20], second[0]["_id"])
			require.Equal(t, doc{"page": 2.0, "limit": 20.0, "total": 23.0, "totalPages": 2.0}, rest["pagination"])
			past, rest := n.visitor().threads(t, under, "?page=3")
			require.Empty(t, past)
			require.Equal(t, []any{}, rest["data"])
			require.InDelta(t, 2, n.visitor().comment(t, ids[20])["page"], 0)
			require.InDelta(t, 1, n.visitor().comment(t, ids[19])["page"], 0)
			require.InDelta(t, 2, n.visitor().comment(t, eve.reply(t, under, ids[22], "x"))["page"], 0)
			require.InDelta(t, 5, n.visitor().get(t, "/api/comment/"+ids[20]+"?limit=5").json(t)["page"], 0)
			require.Equal(t, under, n.visitor().comment(t, ids[0])["assignmentId"])
		})
		t.Run("browsers keep valid answers", func(t *testing.T) {
			at := "/api/assignment/" + of + "/comments"
			for _, who := range []*client{bob, n.visitor()} {
				seen := who.get(t, at).is(t, http.StatusOK)
				require.Equal(t, "private, no-cache", seen.header.Get("Cache-Control"))
				who.get(t, at, header{"If-None-Match", seen.header.Get("ETag")}).is(t, http.StatusNotModified)
				eve.write(t, of, "News")
				who.get(t, at, header{"If-None-Match", seen.header.Get("ETag")}).is(t, http.StatusOK)
			}
			n.visitor().get(t, at, header{"Authorization", "Bearer nonsense"}).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		})
	})
}

// A discussion shows names and no email addresses.
func TestDiscussionsShowNoAddress(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		of := ada.publish(t)
		id := bob.write(t, of, "Why?")
		ada.reply(t, of, id, "Because.")
		for _, path := range []string{
			"/api/assignment/" + of + "/comments", "/api/comment/" + id, "/api/comment/" + id + "/replies", "/api/assignment/" + of + "/participants",
		} {
			for _, who := range []*client{ada, bob} {
				require.NotContains(t, string(who.get(t, path).is(t, http.StatusOK).body), "@example.org", path)
			}
		}
	})
}

// The names of those who may be mentioned suffice, except for namesakes.
func TestNamesakesAreToldApart(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		people := n.people(t, "Ada", "Sue", "Susan", "Tim")
		ada, photo := people[0], "https://example.org/sue.png"
		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "member", people[1:]...)
		ada.patch(t, "/api/circle/"+circle+"/members/"+people[1].id(t), doc{"label": "10A"}).is(t, http.StatusOK)
		ada.patch(t, "/api/circle/"+circle+"/members/"+people[3].id(t), doc{"label": "10A"}).is(t, http.StatusOK)
		people[1].patch(t, "/api/auth/profile", doc{"displayName": "Sue", "photoURL": photo}).is(t, http.StatusOK)
		people[2].patch(t, "/api/auth/profile", doc{"displayName": "Sue", "photoURL": ""}).is(t, http.StatusOK)
		of, everywhere := ada.publish(t, "circleId", circle), ada.publish(t)
		for _, c := range people[1:] {
			c.write(t, of, "Why?")
			c.write(t, everywhere, "Why?")
		}
		found := func(of string) (all []any) {
			data := ada.get(t, "/api/assignment/"+of+"/participants").is(t, http.StatusOK).json(t)["data"].([]any)
			for _, c := range people {
				for _, p := range data {
					if p.(doc)["authorId"] == c.id(t) {
						delete(p.(doc), "authorId")
						all = append(all, p)
					}
				}
			}
			return all
		}
		require.Equal(t, []any{
			doc{"displayName": "Ada"}, doc{"displayName": "Sue", "photoURL": photo, "label": "10A"},
			doc{"displayName": "Sue"}, doc{"displayName": "Tim"},
		}, found(of))
		require.Equal(t, doc{"displayName": "Sue", "photoURL": photo}, found(everywhere)[1], "a section is the circle's")
	})
}

func TestMentions(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve")
		of := ada.publish(t)
		id := bob.write(t, of, "Why?")
		bobID := bob.comment(t, id)["authorId"].(string)
		found := eve.get(t, "/api/assignment/"+of+"/participants?search=bo").is(t, http.StatusOK).json(t)
		require.Equal(t, []any{doc{"authorId": bobID, "displayName": "Bob"}}, found["data"])
		require.Equal(t, doc{"page": 1.0, "limit": 10.0, "total": 1.0, "totalPages": 1.0}, found["pagination"])
		n.visitor().get(t, "/api/assignment/"+of+"/participants").refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		eve.get(t, "/api/assignment/nothing/participants").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		eve.get(t, "/api/assignment/"+of+"/participants?search="+strings.Repeat("x", 201)).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "query.search")

		said := eve.write(t, of, "Ask @[Somebody](user:"+bobID+")!")
		bob.patch(t, "/api/auth/profile", doc{"displayName": "Robert <b>", "photoURL": ""}).is(t, http.StatusOK)
		require.Equal(t, `<p>Ask <span class="mention" data-mention="`+bobID+`">@Robert &lt;b&gt;</span>!</p>`+"\n", n.visitor().comment(t, said)["html"])
		require.Equal(t, `<p>Ask <span class="mention" data-mention="`+bobID+`">@Robert &lt;b&gt;</span>!</p>`+"\n",
			eve.post(t, "/api/preview", doc{"text": "Ask @[Somebody](user:" + bobID + ")!"}).is(t, http.StatusOK).json(t)["html"])

		at := "/api/assignment/" + of + "/comments"
		for _, who := range []string{"nobody", n.user(t, "Kim").post(t, "/api/assignment/"+ada.publish(t)+"/comments", doc{"text": "x"}).id(t)} {
			eve.post(t, at, doc{"text": "@[X](user:" + who + ")"}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.text")
		}
		many := strings.Repeat("@[B](user:"+bobID+")", 11)
		eve.write(t, of, many) // it is one person
		var others strings.Builder
		for i := range 11 {
			fmt.Fprintf(&others, "@[B](user:b%d)", i)
		}
		eve.post(t, at, doc{"text": others.String()}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.text")
		eve.post(t, at, doc{"text": strings.Repeat("@[B](user:b)", 10_000)}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.text")
		require.Equal(t, "<h3>One</h3>\n", eve.post(t, "/api/preview", doc{"text": "# One"}).is(t, http.StatusOK).json(t)["html"])
		require.Equal(t, "<h2>One</h2>\n", eve.post(t, "/api/preview", doc{"text": "# One", "of": "description"}).is(t, http.StatusOK).json(t)["html"])
		eve.post(t, "/api/preview", doc{"text": strings.Repeat("x", 10_000), "of": "description"}).is(t, http.StatusOK)
		eve.post(t, "/api/preview", doc{"text": strings.Repeat("x", 10_001), "of": "description"}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.text")
		eve.post(t, "/api/preview", doc{"text": "x", "of": "song"}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.of")
		eve.post(t, "/api/preview", doc{"text": others.String()}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.text")
		eve.write(t, of, "`@[X](user:nobody)` is how it is written")

		// A deleted user is shown as Anonymous, and comments that mention them may still
		// be edited.
		bob.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		require.Contains(t, n.visitor().comment(t, said)["html"], ">@Anonymous</span>")
		require.Equal(t, "Anonymous", n.visitor().comment(t, id)["authorName"])
		require.NotContains(t, n.visitor().comment(t, id), "authorId")
		eve.patch(t, "/api/comment/"+said, doc{"text": "Ask @[Somebody](user:" + bobID + "), or not."}).is(t, http.StatusOK)
	})
}

func TestClosedDiscussions(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		of := ada.publish(t)
		id := bob.write(t, of, "Why?")
		at := "/api/assignment/" + of + "/discussion"
		n.visitor().put(t, at, doc{"closed": true}).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		bob.put(t, at, doc{"closed": true}).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
		ada.put(t, at, doc{"closed": "yes"}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.closed")
		ada.put(t, "/api/assignment/nothing/discussion", doc{"closed": true}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		require.Equal(t, doc{"modifiedCount": 1.0}, ada.put(t, at, doc{"closed": true}).is(t, http.StatusOK).json(t))
		require.Equal(t, doc{"modifiedCount": 0.0}, ada.put(t, at, doc{"closed": true}).is(t, http.StatusOK).json(t))
		_, rest := bob.threads(t, of, "")
		require.Equal(t, "closed", rest["discussion"])
		for _, who := range []*client{ada, bob} {
			who.post(t, "/api/assignment/"+of+"/comments", doc{"text": "x"}).refused(t, http.StatusConflict, studycircle.CodeDiscussionClosed)
			who.post(t, "/api/assignment/"+of+"/comments", doc{"text": "x", "parentId": id}).refused(t, http.StatusConflict, studycircle.CodeDiscussionClosed)
		}
		bob.post(t, "/api/assignment/"+of+"/comments", doc{"text": "x", "parentId": "nothing"}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		bob.put(t, "/api/comment/"+id+"/reactions/like", nil).is(t, http.StatusOK)
		ada.put(t, at, doc{"closed": false}).is(t, http.StatusOK)
		bob.write(t, of, "Open again")
	})
}

// Deleting an assignment removes its discussion at once.
func TestDiscussionsOfDeletedAssignments(t *testing.T) {
	twoNodes(t, func(t *testing.T, a, b *node) {
		ada, bob := a.user(t, "Ada"), a.user(t, "Bob")
		of := ada.publish(t)
		id := bob.write(t, of, "Why?")
		bob.at(b).threads(t, of, "")
		ada.del(t, "/api/assignment/"+of).is(t, http.StatusOK)
		elsewhere := bob.at(b)
		for _, gone := range []*answer{
			elsewhere.get(t, "/api/assignment/"+of+"/comments"), elsewhere.get(t, "/api/comment/"+id), elsewhere.get(t, "/api/comment/"+id+"/replies"),
			elsewhere.get(t, "/api/assignment/"+of+"/participants"), elsewhere.patch(t, "/api/comment/"+id, doc{"text": "x"}),
			elsewhere.del(t, "/api/comment/"+id), elsewhere.put(t, "/api/comment/"+id+"/reactions/like", nil),
			elsewhere.post(t, "/api/assignment/"+of+"/comments", doc{"text": "x"}), elsewhere.post(t, "/api/assignment/"+of+"/comments", doc{"text": "x", "parentId": id}),
			ada.at(b).put(t, "/api/assignment/"+of+"/discussion", doc{"closed": true}),
		} {
			gone.refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		}
	})
}

// Thirty comments an hour; refused ones do not count.
func TestCommentsAreLimited(t *testing.T) {
	limitedOnBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		of := ada.publish(t)
		for range 40 {
			bob.post(t, "/api/assignment/"+of+"/comments", doc{"text": ""}).is(t, http.StatusUnprocessableEntity)
		}
		for range 30 {
			bob.write(t, of, "Again")
		}
		bob.post(t, "/api/assignment/"+of+"/comments", doc{"text": "Again"}).refused(t, http.StatusTooManyRequests, studycircle.CodeRateLimited)
		_, rest := bob.threads(t, of, "")
		require.InDelta(t, 30, rest["pagination"].(doc)["total"], 0)
		ada.write(t, of, "I may.")
		n.clock.advance(time.Hour + time.Second)
		bob.newSession(t)
		bob.write(t, of, "Again")
	})
}
