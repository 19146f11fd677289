package nodetest

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestDeleteAccount(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve")
		hers, his := ada.publish(t), bob.publish(t)
		graded := ada.submit(t, his)
		eve.grade(t, graded, 30)
		pending := ada.submit(t, his)
		byAda := bob.submit(t, hers)
		ada.grade(t, byAda, 20)
		still := eve.submit(t, hers)
		oldToken := ada.token
		cookie := header{"Cookie", "session=" + ada.newSession(t)}

		n.visitor().del(t, "/api/auth/account").refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		n.visitor().del(t, "/api/auth/account", cookie).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		a := ada.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		require.Empty(t, a.body)
		require.Negative(t, a.sessionCookie(t).MaxAge)

		t.Run("all sessions have ended", func(t *testing.T) {
			for _, token := range []string{ada.token, oldToken} {
				gone := &client{n: n, token: token}
				gone.ended(t)
				gone.get(t, "/api/submissions").refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
				gone.post(t, "/api/assignments", assignment()).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
				gone.del(t, "/api/auth/account").refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
			}
			require.Equal(t, doc{"user": nil}, n.visitor().get(t, "/api/auth/session", cookie).json(t))
			n.visitor().post(t, "/api/auth/login", doc{"email": ada.email, "password": password}).
				refused(t, http.StatusUnauthorized, studycircle.CodeInvalidCredential)
		})
		t.Run("assignments stay without a creator", func(t *testing.T) {
			got := n.visitor().get(t, "/api/assignment/"+hers).is(t, http.StatusOK).json(t)
			require.Equal(t, "unknown", got["creatorEmail"])
			require.Equal(t, "Anonymous", got["creatorName"])
			bob.put(t, "/api/assignment/"+hers, assignment()).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
			bob.del(t, "/api/assignment/"+hers).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
			list := n.visitor().get(t, "/api/assignments").json(t)
			require.InDelta(t, 2, list["pagination"].(doc)["total"], 0)
			bob.submit(t, hers)
		})
		t.Run("pending submissions are withdrawn", func(t *testing.T) {
			for _, s := range bob.pending(t) {
				require.NotEqual(t, pending, s["_id"])
			}
			bob.patch(t, "/api/submissions/"+pending, doc{"marks": 1}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		})
		t.Run("graded submissions stay in the figures", func(t *testing.T) {
			found := false
			require.NoError(t, n.app.Store.EachSubmission(t.Context(), studycircle.System(), studycircle.Hall, func(s studycircle.Submission) error {
				if s.ID == graded {
					found = true
					require.Equal(t, studycircle.Person{}, s.Submitter)
					require.Equal(t, int64(30), s.Grade.Mark)
				}
				return nil
			}))
			require.True(t, found)
			bob.patch(t, "/api/submissions/"+graded, doc{"marks": 1}).refused(t, http.StatusConflict, studycircle.CodeAlreadyGraded)
		})
		t.Run("other users keep their content", func(t *testing.T) {
			require.InDelta(t, 20, bob.own(t, byAda)["givenMark"], 0)
			bob.grade(t, still, 1)
		})
		t.Run("the address can be registered again", func(t *testing.T) {
			a := n.visitor().post(t, "/api/auth/register", with(newcomer(), "email", ada.email)).is(t, http.StatusCreated)
			newcomer := &client{n: n, token: a.json(t)["accessToken"].(string)}
			require.Empty(t, newcomer.get(t, "/api/submissions").is(t, http.StatusOK).array(t))
			newcomer.del(t, "/api/assignment/"+hers).refused(t, http.StatusForbidden, studycircle.CodeNotYourAssignment)
		})
	})
}
