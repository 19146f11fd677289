package nodetest

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// Concurrent clients write, reply, react, edit and delete: every list and count is right
// afterwards.
func TestConcurrentComments(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		users := gathered(t, n)
		host := n.user(t, "Host")
		of := host.publish(t)
		shared := host.write(t, of, "What do you think?")
		at := "/api/assignment/" + of + "/comments"
		together(t, crowd, func(i int) error {
			me, ctx := users[i], t.Context()
			mine, err := me.do(ctx, http.MethodPost, at, doc{"text": me.name}, 201)
			if err != nil {
				return err
			}
			answer, err := me.do(ctx, http.MethodPost, at, doc{"text": "I think " + me.name, "parentId": shared}, 201)
			if err != nil {
				return err
			}
			for _, step := range []struct {
				method, path string
				body         any
			}{
				{http.MethodPut, "/api/comment/" + shared + "/reactions/insightful", nil},
				{http.MethodPatch, "/api/comment/" + mine, doc{"text": me.name + ", edited"}},
				{http.MethodPut, "/api/comment/" + answer + "/reactions/like", nil},
			} {
				if _, err := me.do(ctx, step.method, step.path, step.body, 200); err != nil {
					return err
				}
			}
			if i%2 == 0 {
				_, err = me.do(ctx, http.MethodDelete, "/api/comment/"+answer, nil, 200)
			}
			return err
		})
		seen, rest := host.threads(t, of, "?limit=100")
		require.InDelta(t, crowd+1, rest["pagination"].(doc)["total"], 0)
		require.InDelta(t, crowd/2, seen[0]["replyCount"], 0)
		require.Equal(t, doc{"count": float64(crowd), "mine": false}, seen[0]["reactions"].(doc)["insightful"])
		edited := slices.DeleteFunc(seen, func(c doc) bool { return !strings.HasSuffix(c["text"].(string), ", edited") })
		require.Len(t, edited, crowd)
	})
}

// Discussions are closed and deleted while others write: later writes are refused, and
// none is half done.
func TestConcurrentCommentsWhileTheDiscussionCloses(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		users := gathered(t, n)
		host := n.user(t, "Host")
		of := host.publish(t)
		at := "/api/assignment/" + of
		together(t, crowd, func(i int) error {
			if i == 0 {
				_, err := host.do(t.Context(), http.MethodPut, at+"/discussion", doc{"closed": true}, 200)
				return err
			}
			_, err := users[i].do(t.Context(), http.MethodPost, at+"/comments", doc{"text": "Still time?"}, 201, 409)
			return err
		})
		host.post(t, at+"/comments", doc{"text": "x"}).refused(t, http.StatusConflict, studycircle.CodeDiscussionClosed)
		_, before := host.threads(t, of, "?limit=100")
		require.Len(t, before["data"], int(before["pagination"].(doc)["total"].(float64)))
		host.put(t, at+"/discussion", doc{"closed": false}).is(t, http.StatusOK)
		together(t, crowd, func(i int) error {
			if i == 0 {
				_, err := host.do(t.Context(), http.MethodDelete, at, nil, 200)
				return err
			}
			_, err := users[i].do(t.Context(), http.MethodPost, at+"/comments", doc{"text": "Still there?"}, 201, 404)
			return err
		})
		host.post(t, at+"/comments", doc{"text": "x"}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
	})
}
