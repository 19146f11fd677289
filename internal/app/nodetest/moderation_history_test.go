package nodetest

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// history returns the decisions on a page of the history, newest first.
func (c *client) history(t *testing.T) (rows []doc) {
	t.Helper()
	for _, row := range c.get(t, "/api/moderation?limit=100").is(t, http.StatusOK).json(t)["data"].([]any) {
		rows = append(rows, row.(doc))
	}
	return rows
}

// Moderators read each decision with its moderator, time and reason, and undo those that hide.
func TestModerationHistory(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		ada, eve := n.user(t, "Ada"), n.user(t, "Eve")
		of := ada.publish(t)
		comment := ada.write(t, of, "Buy my book")
		restore := func(kind, id string) *answer {
			return mo.post(t, "/api/moderation/restore", doc{"kind": kind, "id": id})
		}
		n.visitor().get(t, "/api/moderation").refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		eve.get(t, "/api/moderation").refused(t, http.StatusForbidden, studycircle.CodeNotModerator)
		eve.post(t, "/api/moderation/restore", doc{"kind": "comment", "id": comment}).refused(t, http.StatusForbidden, studycircle.CodeNotModerator)
		restore("user", comment).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.kind")
		restore("comment", "nothing").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		require.Empty(t, mo.history(t))

		decide := func(kind, id, action string) {
			report := eve.post(t, "/api/"+kind+"/"+id+"/report", doc{"reason": "An advertisement"}).id(t)
			mo.post(t, "/api/reports/"+report, doc{"action": action}).is(t, http.StatusOK)
		}
		decide("comment", comment, "hide")
		decide("assignment", of, "hide")
		rows := mo.history(t)
		require.Len(t, rows, 2)
		require.Equal(t, doc{
			"moderator": mo.email, "action": "hide", "kind": "comment", "subjectId": comment, "assignmentId": of, "assignmentTitle": "Essay on tides",
			"reason": "An advertisement", "at": rows[1]["at"], "restorable": true,
		}, rows[1], "the oldest is last")
		require.Equal(t, "assignment", rows[0]["kind"])
		n.visitor().get(t, "/api/assignment/"+of).is(t, http.StatusNotFound)

		require.Equal(t, doc{"modifiedCount": 1.0}, restore("assignment", of).is(t, http.StatusOK).json(t))
		require.Equal(t, doc{"modifiedCount": 0.0}, restore("assignment", of).is(t, http.StatusOK).json(t))
		n.visitor().get(t, "/api/assignment/"+of).is(t, http.StatusOK)
		rows = mo.history(t)
		require.Len(t, rows, 3)
		for i, want := range []doc{{"action": "restore", "restorable": false}, {"action": "hide", "restorable": false}, {"action": "hide", "restorable": true}} {
			require.Equal(t, want, doc{"action": rows[i]["action"], "restorable": rows[i]["restorable"]}, i)
		}
		second := mo.get(t, "/api/moderation?limit=2&page=2").is(t, http.StatusOK).json(t)
		require.Equal(t, pages(2, 2, 3, 2), second["pagination"])
		require.Equal(t, rows[2], second["data"].([]any)[0])
	})
}

// A review's decision names the report in the history, and is undone by it.
func TestModerationHistoryOfReviewsNamesNoUser(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		c := blind(t, n)
		c.review(t, c.cem, []int{1, 1}, "Fine")
		c.review(t, c.dot, []int{1, 1}, "You are stupid")
		rude := c.received(t, "You are stupid")["_id"].(string)
		report := c.bob.post(t, "/api/reviews/"+rude+"/report", doc{"reason": "Rude"}).id(t)
		mo.post(t, "/api/reports/"+report, doc{"action": "hide"}).is(t, http.StatusOK)
		c.received(t, studycircle.HiddenTitle)
		row := mo.history(t)[0]
		require.Equal(t, report, row["subjectId"])
		require.Equal(t, true, row["restorable"])
		c.unseen(t, n, mo, []string{rude, c.id})
		require.Equal(t, doc{"modifiedCount": 1.0}, mo.post(t, "/api/moderation/restore", doc{"kind": "review", "id": report}).is(t, http.StatusOK).json(t))
		c.received(t, "You are stupid")
		require.Equal(t, false, mo.history(t)[1]["restorable"])
	})
}

// Other moderators can neither hide nor restore a moderator's texts.
func TestModeratorsDoNotRestoreForModerators(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		ada := n.user(t, "Ada")
		comment := mo.write(t, ada.publish(t), "Mine")
		n.moderate(t, studycircle.Hide, studycircle.OfComment, comment)
		require.Equal(t, false, mo.history(t)[0]["restorable"])
		mo.post(t, "/api/moderation/restore", doc{"kind": "comment", "id": comment}).refused(t, http.StatusForbidden, studycircle.CodeOperatorDecides)
	})
}

// Of several concurrent restores of the same subject, one succeeds.
func TestConcurrentRestores(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		ada := n.user(t, "Ada")
		of := ada.publish(t)
		comment := ada.write(t, of, "Hm")
		n.moderate(t, studycircle.Hide, studycircle.OfComment, comment)
		changed := make([]float64, crowd)
		together(t, crowd, func(i int) error {
			a, err := mo.persist(context.WithoutCancel(t.Context()), http.MethodPost, "/api/moderation/restore", doc{"kind": "comment", "id": comment})
			if err != nil {
				return err
			}
			if a.status != http.StatusOK {
				return fmt.Errorf("status %d", a.status)
			}
			changed[i] = a.json(t)["modifiedCount"].(float64)
			return nil
		})
		sum := 0.0
		for _, one := range changed {
			sum += one
		}
		require.InDelta(t, 1, sum, 0)
		require.Len(t, mo.history(t), 2)
		require.InDelta(t, 1, n.visitor().get(t, "/api/assignment/"+of+"/comments").json(t)["pagination"].(doc)["total"], 0)
	})
}
