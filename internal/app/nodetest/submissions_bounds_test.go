package nodetest

import (
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func submissionBounds() []bound {
	return []bound{
		{"docsLink", same(goodLinks()...), append(badLinks(), invisible()...)},
		{"note", also(same(append(strange(), "a\nb", repeated("x", 2000), repeated("🎓", 2000))...), " a\n", "a"),
			join(notText(), controls(), []any{repeated("x", 2001), repeated("🎓", 2001)})},
	}
}

func TestSubmissionBounds(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		of := ada.publish(t)
		own := "/api/submissions/" + bob.submit(t, ada.publish(t)) + "/own"
		for _, b := range submissionBounds() {
			for _, value := range b.bad {
				bob.post(t, "/api/submissions", with(submission(of), b.field, value)).
					refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body."+b.field)
				bob.put(t, own, with(submission(of), "assignmentId", absent{}, b.field, value)).
					refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body."+b.field)
			}
			for sent, kept := range b.good {
				id := bob.post(t, "/api/submissions", with(submission(of), b.field, sent)).id(t)
				require.Equal(t, kept, bob.own(t, id)[b.field], sent)
				bob.del(t, "/api/submissions/"+id+"/own").is(t, http.StatusOK)
				bob.put(t, own, with(submission(of), "assignmentId", absent{}, b.field, sent)).is(t, http.StatusOK)
			}
		}
		for _, name := range []string{"assignmentId", "docsLink"} {
			bob.post(t, "/api/submissions", with(submission(of), name, absent{})).
				refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body."+name)
		}
		for _, value := range notText() {
			bob.post(t, "/api/submissions", with(submission(of), "assignmentId", value)).
				refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.assignmentId")
		}
		blank := bob.post(t, "/api/submissions", with(submission(of), "docsLink", "  "))
		require.Equal(t, "Google Docs link is required", blank.json(t)["detail"])
	})
}

// badGrades are invalid grades for a submission with a total of 50, with the invalid
// field.
func badGrades() (all []struct {
	body  doc
	field string
}) {
	add := func(field string, body doc) {
		all = append(all, struct {
			body  doc
			field string
		}{body, field})
	}
	for _, value := range append(notNumbers(), 51, 1000) {
		add("marks", doc{"marks": value})
	}
	add("marks", doc{})
	add("marks", doc{"feedback": "Good."})
	for _, value := range join(notText(), controls(), []any{repeated("x", 5001), repeated("🎓", 5001)}) {
		add("feedback", doc{"marks": 10, "feedback": value})
	}
	return all
}

func TestGradeBounds(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		of := ada.publish(t)
		id := bob.submit(t, of)
		for _, bad := range badGrades() {
			ada.patch(t, "/api/submissions/"+id, bad.body).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body."+bad.field)
		}
		require.Equal(t, "pending", bob.own(t, id)["status"])
		ada.grade(t, id, 50)
		for sent, kept := range map[string]float64{"0": 0, "-0": 0, "50": 50, "50.0": 50, "5e1": 50, "1": 1} {
			id := bob.submit(t, of)
			ada.patch(t, "/api/submissions/"+id, doc{"marks": number(sent)}).is(t, http.StatusOK)
			require.InDelta(t, kept, bob.own(t, id)["givenMark"], 0, sent)
		}
		for i, feedback := range append(strange(), "a\nb", repeated("x", 5000), repeated("🎓", 5000)) {
			id := bob.submit(t, of)
			ada.patch(t, "/api/submissions/"+id, doc{"marks": i, "feedback": feedback}).is(t, http.StatusOK)
			require.Equal(t, feedback, bob.own(t, id)["feedback"], fmt.Sprint(i))
		}
	})
}
