package nodetest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// hostile are attempts to run a script in the browser of a review's reader.
const hostile = "<script>alert(1)</script>\n\n<img src=x onerror=alert(2)>\n\n[a](javascript:alert(3)) [b](data:text/html,x) ![c](https://evil.example/c.png)\n\n" +
	"```\nan open fence <b>"

// harmless requires that HTML has no element and no link of hostile's.
func harmless(t *testing.T, html string) {
	t.Helper()
	require.Contains(t, html, "&lt;script&gt;alert(1)&lt;/script&gt;")
	require.Contains(t, html, "&lt;img src=x")
	for _, wrong := range []string{"<script", "<img", "<b>", "javascript:", "data:"} {
		require.NotContains(t, html, wrong)
	}
}

// Reviews are Markdown wherever they are read: each by itself, and all as the
// submission's feedback, where none affects another.
func TestReviewsAreMarkdown(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		of := ada.publish(t, "marks", 20, "reviewsNeeded", 3)
		id := bob.submit(t, of)
		at := "/api/submissions/" + id
		for name, said := range map[string]string{"Cem": hostile, "Dot": "**Good**, <i>not</i> great", "Eve": ""} {
			u := n.user(t, name)
			u.task(t, of)
			u.patch(t, at, doc{"marks": 12, "feedback": said}).is(t, http.StatusOK)
		}
		for _, reader := range []*client{bob, ada} {
			reviews := byFeedback(t, reader, at)
			require.Len(t, reviews, 3)
			good := reviews["**Good**, <i>not</i> great"]
			require.Equal(t, "markdown", good["format"])
			require.Equal(t, "<p><strong>Good</strong>, &lt;i&gt;not&lt;/i&gt; great</p>\n", good["html"])
			harmless(t, reviews[hostile]["html"].(string))
			require.NotContains(t, reviews[""], "format")
			require.NotContains(t, reviews[""], "html")
		}
		own := bob.own(t, id)
		result := ada.get(t, "/api/assignment/"+of+"/submissions").is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)
		for _, all := range []doc{own, result} {
			require.Equal(t, "markdown", all["format"])
			html := all["html"].(string)
			harmless(t, html)
			require.Contains(t, html, ":</strong></bdi> <strong>Good</strong>, &lt;i&gt;not&lt;/i&gt; great</p>\n")
			require.Equal(t, 1, strings.Count(html, "</code></pre>"), "the fence ends with its review")
		}
		require.Equal(t, own["html"], result["html"])
	})
}

// byFeedback returns the reviews of a submission by their feedback.
func byFeedback(t *testing.T, reader *client, at string) map[string]doc {
	t.Helper()
	found := map[string]doc{}
	for _, r := range reader.get(t, at+"/reviews").is(t, http.StatusOK).json(t)["data"].([]any) {
		said, _ := r.(doc)["feedback"].(string)
		found[said] = r.(doc)
	}
	return found
}

// A grade that becomes a review by an appeal keeps its HTML, and so does the feedback of
// all reviews when the creator sets the mark.
func TestFeedbackOfAppealsIsMarkdown(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		of := ada.publish(t, "marks", 20)
		id := bob.submit(t, of)
		at := "/api/submissions/" + id
		n.user(t, "Cem").patch(t, at, doc{"marks": 4, "feedback": "*Thin*"}).is(t, http.StatusOK)
		result := func() doc {
			return ada.get(t, "/api/assignment/"+of+"/submissions").is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)
		}
		require.Equal(t, "<p><em>Thin</em></p>\n", result()["html"], "of one grade")
		bob.post(t, at+"/appeal", doc{"reason": "Please look again."}).is(t, http.StatusCreated)
		require.Equal(t, "<p><em>Thin</em></p>\n", bob.own(t, id)["html"], "the mark stands")
		ada.post(t, at+"/reopen", doc{"action": "set-mark", "mark": 9, "reason": "It is long enough."}).is(t, http.StatusOK)
		require.Equal(t, "<p><em>Thin</em></p>\n", byFeedback(t, bob, at)["*Thin*"]["html"])
		require.Equal(t, "<p><bdi><strong>A:</strong></bdi> <em>Thin</em></p>\n", bob.own(t, id)["html"])
	})
}

// Hiding a review hides its HTML, too; restoring brings both back.
func TestHiddenFeedbackIsNotShown(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		c := blind(t, n)
		c.review(t, c.cem, []int{1, 1}, "*Fine*")
		c.review(t, c.dot, []int{1, 1}, "You are **stupid**")
		rude := c.received(t, "You are **stupid**")
		report := c.bob.post(t, "/api/reviews/"+rude["_id"].(string)+"/report", doc{"reason": "Rude"}).is(t, http.StatusCreated).id(t)
		mo.post(t, "/api/reports/"+report, doc{"action": "hide"}).is(t, http.StatusOK)
		hidden := c.received(t, studycircle.HiddenTitle)
		require.Equal(t, "plain", hidden["format"])
		require.NotContains(t, hidden, "html")
		own := c.bob.own(t, c.id)
		require.NotContains(t, own["html"], "stupid")
		for _, shown := range []string{":</strong></bdi> <em>Fine</em></p>\n", rude["label"].(string) + ":</strong></bdi> " + studycircle.HiddenTitle + "</p>\n"} {
			require.Contains(t, own["html"], shown)
		}
		n.restoreReview(t, rude["_id"].(string), report)
		require.Equal(t, rude, c.received(t, "You are **stupid**"))
		require.Contains(t, c.bob.own(t, c.id)["html"], "You are <strong>stupid</strong>")
	})
}

// Only submitter and creator get an event when an appeal opens.
func TestEventsOfAppeals(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem")
		of := ada.publish(t, "marks", 20)
		id := bob.submit(t, of)
		cem.grade(t, id, 4)
		adas, bobs, cems := ada.hears(t), bob.hears(t), cem.hears(t)
		at := "/api/submissions/" + id
		bob.post(t, at+"/appeal", doc{"reason": "Please look again."}).is(t, http.StatusCreated)
		last := ada.publish(t, "title", "The last")
		told, end := event{kind: "notifications"}, event{kind: "assignment.created", subject: last}
		adas.expect(t, told, event{kind: "assignment.results", subject: of}, end)
		bobs.expect(t, event{kind: "own-submission", subject: id}, end)
		cems.expect(t, end)
	})
}

// The creator may remove a rubric until the first submission.
func TestRubricIsRemoved(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		level := func(label string, marks int) doc { return doc{"label": label, "marks": marks} }
		rubric := doc{"criteria": []any{doc{"title": "Argument", "levels": []any{level("None", 0), level("Strong", 20)}}}}
		several := []any{"marks", 20, "reviewsNeeded", 2, "rubric", rubric}
		of := ada.publish(t, several...)
		at := "/api/assignment/" + of
		ada.put(t, at, with(assignment(), "marks", 30, "rubric", doc{"criteria": []any{}})).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.rubric")
		ada.put(t, at, with(assignment(), "marks", 20)).is(t, http.StatusOK)
		require.Contains(t, n.visitor().get(t, at).json(t), "rubric", "absent: as it was")
		ada.put(t, at, with(assignment(), "marks", 30, "rubric", nil)).is(t, http.StatusOK)
		got := n.visitor().get(t, at).json(t)
		require.NotContains(t, got, "rubric")
		require.Equal(t, []any{2.0, 30.0}, []any{got["reviewsNeeded"], got["marks"]})
		again := ada.put(t, at, with(assignment(), "marks", 30, "rubric", nil)).is(t, http.StatusOK).json(t)
		require.InDelta(t, 0, again["modifiedCount"], 0)

		taken := ada.publish(t, several...)
		bob.submit(t, taken)
		ada.put(t, "/api/assignment/"+taken, with(assignment(), "marks", 20, "rubric", nil)).refused(t, http.StatusConflict, studycircle.CodeAlreadyTaken)
		require.Contains(t, n.visitor().get(t, "/api/assignment/"+taken).json(t), "rubric")
		plain := ada.publish(t, "marks", 20, "reviewsNeeded", 2)
		bob.submit(t, plain)
		ada.put(t, "/api/assignment/"+plain, with(assignment(), "marks", 20, "rubric", nil)).is(t, http.StatusOK)
	})
}
