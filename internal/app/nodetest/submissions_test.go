package nodetest

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestSubmit(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		of := ada.publish(t)
		a := bob.post(t, "/api/submissions", submission(of))
		id := a.id(t)
		require.Equal(t, []string{"insertedId"}, fields(a.json(t)))
		require.Equal(t, "/api/submissions/"+id, a.header.Get("Location"))

		listed := bob.own(t, id)
		submitted, err := time.Parse(time.RFC3339, listed["submittedAt"].(string))
		require.NoError(t, err)
		require.WithinDuration(t, time.Now(), submitted, time.Minute)
		require.Equal(t, doc{
			"_id": id, "assignmentId": of, "assignmentTitle": "Essay on tides", "submittedBy": bob.email, "marks": 50.0,
			"docsLink": "https://docs.google.com/document/d/1", "note": "Please be kind.", "status": "pending",
			"submittedAt": listed["submittedAt"], "late": false, "may": doc{"answer": false, "assess": false, "appeal": false, "change": true, "withdraw": true},
		}, listed)

		t.Run("once while pending", func(t *testing.T) {
			bob.post(t, "/api/submissions", submission(of)).refused(t, http.StatusConflict, studycircle.CodeAlreadyPending)
		})
		t.Run("not by the creator", func(t *testing.T) {
			ada.post(t, "/api/submissions", submission(of)).refused(t, http.StatusForbidden, studycircle.CodeOwnAssignment)
		})
		t.Run("not by a visitor", func(t *testing.T) {
			n.visitor().post(t, "/api/submissions", submission(of)).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		})
		t.Run("for nothing", func(t *testing.T) {
			for _, nothing := range []string{"nothing", "", "a\x00b", "ä", string(make([]byte, 200))} {
				bob.post(t, "/api/submissions", submission(nothing)).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			}
		})
		t.Run("again once graded", func(t *testing.T) {
			ada.grade(t, id, 40)
			require.NotEqual(t, id, bob.submit(t, of))
		})
	})
}

func TestSubmitWithoutNote(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		of, bob := n.user(t, "Ada").publish(t), n.user(t, "Bob")
		id := bob.post(t, "/api/submissions", with(submission(of), "note", absent{})).id(t)
		require.NotContains(t, bob.own(t, id), "note", "never an invented value")
	})
}

func TestGrade(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve")
		id := bob.submit(t, ada.publish(t))
		at := "/api/submissions/" + id
		good := doc{"marks": 45, "feedback": "Clear and short.", "status": "completed", "markedAt": "1999-01-01T00:00:00Z"}

		n.visitor().patch(t, at, good).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		bob.patch(t, at, good).refused(t, http.StatusForbidden, studycircle.CodeOwnSubmission)
		eve.patch(t, "/api/submissions/nothing", good).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		eve.patch(t, "/api/submissions/%00", good).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		eve.patch(t, at, with(good, "marks", 51)).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.marks")
		require.Equal(t, "pending", bob.own(t, id)["status"])

		require.Equal(t, doc{"modifiedCount": 1.0}, eve.patch(t, at, good).is(t, http.StatusOK).json(t))
		for _, late := range []*client{ada, eve} {
			late.patch(t, at, with(good, "marks", 1)).refused(t, http.StatusConflict, studycircle.CodeAlreadyGraded)
		}
		bob.patch(t, at, good).refused(t, http.StatusForbidden, studycircle.CodeOwnSubmission)
		eve.patch(t, at, with(good, "marks", 51)).refused(t, http.StatusConflict, studycircle.CodeAlreadyGraded)

		graded := bob.own(t, id)
		marked, err := time.Parse(time.RFC3339, graded["markedAt"].(string))
		require.NoError(t, err)
		require.WithinDuration(t, time.Now(), marked, time.Minute)
		require.Equal(t, doc{
			"_id": id, "assignmentId": graded["assignmentId"], "assignmentTitle": "Essay on tides", "submittedBy": bob.email, "marks": 50.0,
			"docsLink": "https://docs.google.com/document/d/1", "note": "Please be kind.", "status": "completed",
			"submittedAt": graded["submittedAt"], "late": false,
			"givenMark": 45.0, "feedback": "Clear and short.", "format": "markdown", "html": "<p>Clear and short.</p>\n",
			"may":      doc{"answer": false, "assess": false, "appeal": true, "appealUntil": marked.AddDate(0, 0, 14).Format(time.DateOnly), "change": false, "withdraw": false},
			"markedAt": graded["markedAt"],
		}, graded, "who graded is not shown")
		require.Empty(t, ada.pending(t))
	})
}

func TestZeroIsAMark(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		id := bob.submit(t, ada.publish(t))
		ada.patch(t, "/api/submissions/"+id, doc{"marks": 0}).is(t, http.StatusOK)
		graded := bob.own(t, id)
		require.Contains(t, graded, "givenMark")
		require.InDelta(t, 0, graded["givenMark"], 0)
		require.NotContains(t, graded, "feedback")
	})
}

func TestChangeOwnSubmission(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		id := bob.submit(t, ada.publish(t))
		at := "/api/submissions/" + id + "/own"
		changed := doc{"docsLink": "https://docs.google.com/document/d/2", "note": "Now finished."}

		n.visitor().put(t, at, changed).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		ada.put(t, at, changed).refused(t, http.StatusForbidden, studycircle.CodeNotYourSubmissions)
		bob.put(t, "/api/submissions/nothing/own", changed).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		bob.put(t, at, with(changed, "docsLink", " ")).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.docsLink")

		require.Equal(t, doc{"modifiedCount": 1.0}, bob.put(t, at, changed).is(t, http.StatusOK).json(t))
		require.Equal(t, doc{"modifiedCount": 0.0}, bob.put(t, at, changed).is(t, http.StatusOK).json(t))
		require.Equal(t, "Now finished.", bob.own(t, id)["note"])
		require.Equal(t, "https://docs.google.com/document/d/2", ada.pending(t)[0]["docsLink"])
		bob.put(t, at, with(changed, "note", absent{})).is(t, http.StatusOK)
		require.NotContains(t, bob.own(t, id), "note")

		ada.grade(t, id, 10)
		bob.put(t, at, changed).refused(t, http.StatusConflict, studycircle.CodeAlreadyGraded)
		ada.put(t, at, changed).refused(t, http.StatusForbidden, studycircle.CodeNotYourSubmissions)
	})
}

func TestWithdrawOwnSubmission(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		of := ada.publish(t)
		at := "/api/submissions/" + bob.submit(t, of) + "/own"
		n.visitor().del(t, at).refused(t, http.StatusUnauthorized, studycircle.CodeUnauthenticated)
		ada.del(t, at).refused(t, http.StatusForbidden, studycircle.CodeNotYourSubmissions)

		require.Equal(t, doc{"deletedCount": 1.0}, bob.del(t, at).is(t, http.StatusOK).json(t))
		bob.del(t, at).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		require.Empty(t, bob.get(t, "/api/submissions").array(t))
		require.Empty(t, ada.pending(t))

		again := bob.submit(t, of)
		ada.grade(t, again, 10)
		bob.del(t, "/api/submissions/"+again+"/own").refused(t, http.StatusConflict, studycircle.CodeAlreadyGraded)
		require.Equal(t, "completed", bob.own(t, again)["status"])
	})
}

func TestLateSubmissions(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		late, onTime := ada.publish(t, "dueDate", time.Now().Add(-time.Hour).Format(time.RFC3339)), ada.publish(t)
		require.Equal(t, true, bob.own(t, bob.submit(t, late))["late"])
		require.Equal(t, false, bob.own(t, bob.submit(t, onTime))["late"])
		for _, s := range ada.pending(t) {
			require.Equal(t, s["assignmentId"] == late, s["late"])
		}
	})
}

// A submission at the instant of the due date is in time; a microsecond later, the
// resolution of instants, it is late.
func TestLateAtTheVeryInstant(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cleo := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cleo")
		due := time.Now().UTC().Add(10 * time.Minute).Truncate(time.Second)
		of := ada.publish(t, "dueDate", due.Format(time.RFC3339))
		n.clock.stand(due)
		inTime := bob.own(t, bob.submit(t, of))
		require.Equal(t, due.Format(time.RFC3339Nano), inTime["submittedAt"])
		require.Equal(t, false, inTime["late"])
		n.clock.stand(due.Add(time.Microsecond))
		require.Equal(t, true, cleo.own(t, cleo.submit(t, of))["late"])
	})
}

func TestSubmissionsOutliveTheAssignment(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Eve")
		of := ada.publish(t)
		graded := bob.submit(t, of)
		eve.grade(t, graded, 30)
		pending := eve.submit(t, of)

		ada.put(t, "/api/assignment/"+of, with(assignment(), "title", "Another", "marks", 5)).is(t, http.StatusOK)
		require.Equal(t, "Essay on tides", bob.own(t, graded)["assignmentTitle"], "as it was handed in for")
		require.InDelta(t, 50, bob.own(t, graded)["marks"], 0)
		ada.del(t, "/api/assignment/"+of).is(t, http.StatusOK)

		require.InDelta(t, 30, bob.own(t, graded)["givenMark"], 0)
		require.Len(t, bob.pending(t), 1)
		bob.patch(t, "/api/submissions/"+pending, doc{"marks": 51}).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.marks")
		bob.grade(t, pending, 50)
		require.Equal(t, "completed", eve.own(t, pending)["status"])
		require.Equal(t, "Essay on tides", eve.own(t, pending)["assignmentTitle"])
	})
}
