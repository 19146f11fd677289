package nodetest

import (
	"encoding/csv"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/grademodel"
)

// file reads a file of comma-separated values as rows by the names of the columns.
func (c *client) file(t *testing.T, path string) (rows []map[string]string) {
	t.Helper()
	a := c.get(t, path).is(t, http.StatusOK)
	require.Equal(t, "text/csv; charset=utf-8", a.header.Get("Content-Type"))
	require.Contains(t, a.header.Get("Content-Disposition"), "attachment")
	require.Empty(t, a.header.Get("Accept-Ranges"), "it cannot be resumed")
	text := strings.TrimPrefix(string(a.body), "\ufeff")
	require.Equal(t, strings.Contains(path, "bom=true"), text != string(a.body))
	require.True(t, strings.HasSuffix(text, "\r\n"))
	all, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	require.NoError(t, err)
	for _, cells := range all[1:] {
		row := map[string]string{}
		for i, cell := range cells {
			row[all[0][i]] = cell
		}
		rows = append(rows, row)
	}
	return rows
}

func column(rows []map[string]string, name string) (cells []string) {
	for _, row := range rows {
		cells = append(cells, row[name])
	}
	return cells
}

// The marks of a circle are those of one section where a label is asked for.
func TestMarksOfASection(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem")
		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "member", bob, cem)
		ada.publish(t, "circleId", circle)
		at := "/api/circle/" + circle
		ada.patch(t, at+"/members/"+bob.id(t), doc{"label": "B"}).is(t, http.StatusOK)
		marks := ada.get(t, at+"/marks?label=B").is(t, http.StatusOK).json(t)
		require.Len(t, marks["data"], 1)
		require.Equal(t, "Bob", marks["data"].([]any)[0].(doc)["displayName"])
		require.InDelta(t, 1, marks["pagination"].(doc)["total"], 0)
		marks = ada.get(t, at+"/marks?label=C").is(t, http.StatusOK).json(t)
		require.Empty(t, marks["data"])
		require.Len(t, marks["assignments"], 1)
	})
}

// Organizers read the marks of all members for all assignments, a member those for own assignments without addresses,
// and others nothing.
func TestMarksOfACircle(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "=Cem"), n.user(t, "Eve")
		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "member", bob, cem)
		first := ada.publish(t, "circleId", circle, "marks", 20, "title", "@first")
		own := bob.publish(t, "circleId", circle, "marks", 10)
		work := cem.submit(t, first)
		ada.grade(t, work, 15)
		ada.grade(t, cem.submit(t, first), 12)
		cem.submit(t, own)
		at := "/api/circle/" + circle + "/marks"
		eve.get(t, at).refused(t, http.StatusNotFound, "not-found")
		eve.get(t, at+".csv").refused(t, http.StatusNotFound, "not-found")
		cem.get(t, at).refused(t, http.StatusForbidden, "not-an-organizer")
		cem.get(t, at+".csv").refused(t, http.StatusForbidden, "not-an-organizer")
		cem.get(t, "/api/circle/"+circle+"/reviews.csv").refused(t, http.StatusForbidden, "not-an-organizer")
		cem.get(t, "/api/assignment/"+first+"/results.csv").refused(t, http.StatusForbidden, "not-your-assignment")
		eve.get(t, "/api/assignment/"+first+"/reviews.csv").refused(t, http.StatusNotFound, "not-found")

		got := ada.get(t, at).is(t, http.StatusOK).json(t)
		require.Len(t, got["assignments"], 2)
		require.Equal(t, own, got["assignments"].([]any)[0].(doc)["_id"], "newest first")
		require.Equal(t, []string{"Ada", "Bob", "=Cem"}, names(t, got))
		row := got["data"].([]any)[2].(doc)
		require.Equal(t, cem.email, row["email"])
		require.Equal(t, []any{doc{"state": "pending"}, doc{"state": "graded", "givenMark": 15.0, "marks": 20.0, "percent": 75.0}}, row["cells"])
		got = bob.get(t, at).is(t, http.StatusOK).json(t)
		require.Len(t, got["assignments"], 1, "a member's own")
		for _, c := range []*client{ada, bob, cem} { // what the page offers is what the server answers
			told := c.get(t, "/api/circle/"+circle).is(t, http.StatusOK).json(t)["readsMarks"] == true
			require.Equal(t, c.get(t, at).status == http.StatusOK, told, c.name)
		}
		require.Nil(t, got["data"].([]any)[2].(doc)["email"])

		rows := ada.file(t, at+".csv?bom=true")
		require.Len(t, rows, 6, "a line for each member and assignment")
		require.Equal(t, map[string]string{
			"member": "'=Cem", "rosterName": "", "email": "'" + cem.email, "label": "", "assignment": first, "title": "'@first", "state": "graded",
			"mark": "15", "total": "20", "percent": "75.0", "late": "false", "reviewsGiven": "", "reviewsOwed": "", "exemplarsReviewed": "", "accuracy": "",
		}, rows[5])
		coded := ada.file(t, at+".csv?codes=true")
		require.Len(t, coded, 6)
		require.Equal(t, column(coded, "member"), slices.Sorted(slices.Values(column(coded, "member"))), "in an order that tells nothing")
		require.Equal(t, []string{"", "", "", "", "", ""}, column(coded, "email"))
		results := ada.file(t, "/api/assignment/"+first+"/results.csv?codes=true")
		require.Len(t, results, 2)
		require.Contains(t, column(coded, "member"), results[0]["member"], "one code in all files of a circle")
		require.Equal(t, []string{"'=Cem", "'=Cem"}, column(ada.file(t, "/api/assignment/"+first+"/results.csv"), "member"))
		require.Equal(t, []string{""}, column(bob.file(t, "/api/assignment/"+own+"/results.csv"), "email"))
	})
}

// reviewed plays a circle in which people hand in and review for each of some assignments, and returns it.
func reviewed(t *testing.T, organizer *client, people []*client, marks func(i, j int) int, titles ...string) (circle string, of []string) {
	t.Helper()
	circle = organizer.circle(t, "Class")
	organizer.admits(t, circle, "member", people...)
	for _, title := range titles {
		a := organizer.publish(t, "circleId", circle, "marks", 20, "reviewsNeeded", 2, "title", title)
		of = append(of, a)
		for _, c := range people {
			c.submit(t, a)
		}
		for i, c := range people {
			for j := range 2 {
				task := c.post(t, "/api/reviews/next", doc{"assignmentId": a})
				if task.status == http.StatusOK {
					c.patch(t, "/api/submissions/"+task.text(t, "submissionId"), doc{"marks": marks(i, j), "feedback": "Clear."}).is(t, http.StatusOK)
				}
			}
		}
	}
	return circle, of
}

// Files about reviews have codes for reviewers, other ones for each assignment, which are no codes of people. The
// grade model makes of them what it makes of the reviews themselves.
func TestFilesOfReviews(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, people := n.user(t, "Ada"), n.people(t, "Bob", "Cem", "Dot", "Eve", "Fay", "Gus")
		circle, of := reviewed(t, ada, people, func(i, j int) int { return 9 + i + j }, "One", "Two")
		for _, a := range of {
			ada.post(t, "/api/assignment/"+a+"/settle", nil).is(t, http.StatusOK)
		}
		all := ada.file(t, "/api/circle/"+circle+"/reviews.csv")
		first, second := ada.file(t, "/api/assignment/"+of[0]+"/reviews.csv"), ada.file(t, "/api/assignment/"+of[1]+"/reviews.csv")
		require.Equal(t, slices.Concat(second, first), all, "newest first")
		require.NotEmpty(t, first)
		codes := map[string]bool{}
		for _, code := range slices.Concat(column(ada.file(t, "/api/circle/"+circle+"/marks.csv?codes=true"), "member"), column(first, "reviewer")) {
			codes[code] = true
		}
		require.Len(t, codes, 7+6, "no reviewer has a person's code")
		for _, code := range column(second, "reviewer") {
			require.False(t, codes[code], "made anew")
		}
		require.True(t, slices.IsSortedFunc(first, func(a, b map[string]string) int {
			return strings.Compare(a["submission"]+a["reviewer"], b["submission"]+b["reviewer"])
		}), "in an order that tells nothing")
		require.Equal(t, graded(t, first, "reviewer"), graded(t, stored(t, n, of[0]), "reviewer"))
	})
}

// While work is open, no review of today changes what others see of a reviewer: with the count of the submission's
// reviews it would reveal who gave it. Once all is settled, the numbers are exact.
func TestMarksDoNotTellWhoReviewsWhat(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		n.clock.stand(time.Date(2027, 3, 1, 10, 0, 0, 0, time.UTC))
		ada, bob, cem, dot := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot")
		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "member", bob, cem, dot)
		of := ada.publish(t, "circleId", circle, "marks", 20, "reviewsNeeded", 2, "dueDate", "2027-03-03T00:00:00Z")
		for _, c := range []*client{bob, cem, dot} {
			c.submit(t, of)
		}
		look := func() (all []string) {
			ada.newSession(t)
			for _, path := range []string{"/marks", "/marks.csv", "/marks.csv?codes=true", "/reviews.csv"} {
				all = append(all, string(ada.get(t, "/api/circle/"+circle+path).is(t, http.StatusOK).body))
			}
			owes := ada.owes(t, of)
			delete(owes, "submissions") // how many reviews each has
			return append(all, strings.Join(names(t, owes), ","))
		}
		review := func(c *client) {
			id := c.task(t, of)["submissionId"].(string)
			c.patch(t, "/api/submissions/"+id, doc{"marks": 9, "feedback": "Clear."}).is(t, http.StatusOK)
		}
		before := look()
		review(bob)
		require.Equal(t, before, look())
		n.clock.stand(time.Date(2027, 3, 2, 0, 0, 0, 0, time.UTC))
		require.NotEqual(t, before, look(), "it shows on the next day")
		for _, c := range []*client{bob, cem, dot} {
			c.newSession(t)
			for c.post(t, "/api/reviews/next", doc{"assignmentId": of}).status == http.StatusOK {
				review(c)
			}
		}
		ada.newSession(t)
		ada.post(t, "/api/assignment/"+of+"/settle", nil).is(t, http.StatusOK)
		for _, row := range ada.file(t, "/api/circle/"+circle+"/marks.csv")[1:] {
			require.Equal(t, "2", row["reviewsGiven"], "all is settled")
		}
	})
}

// stored returns the released reviews as the file has them, with the reviewers' ids.
func stored(t *testing.T, n *node, assignmentID string) (rows []map[string]string) {
	t.Helper()
	n.eachReview(t, assignmentID, func(submission, reviewer, mark, total string) {
		rows = append(rows, map[string]string{"assignment": assignmentID, "submission": submission, "reviewer": reviewer, "mark": mark, "total": total})
	})
	return rows
}

// graded returns what the grade model makes of reviews, by the submissions' ids.
func graded(t *testing.T, rows []map[string]string, reviewer string) map[string]float64 {
	t.Helper()
	var subs []grademodel.Submission
	var ids []string
	for _, row := range rows {
		at := slices.Index(ids, row["submission"])
		if at < 0 {
			at = len(ids)
			ids = append(ids, row["submission"])
			subs = append(subs, grademodel.Submission{Assignment: row["assignment"], Total: wholeIn(t, row["total"])})
		}
		subs[at].Reviews = append(subs[at].Reviews, grademodel.Review{Reviewer: row[reviewer], Mark: float64(wholeIn(t, row["mark"]))})
	}
	out := map[string]float64{}
	for i, s := range grademodel.ModelOf(grademodel.SC2).Grade(subs) {
		out[ids[i]] = s.Estimate
	}
	return out
}

func wholeIn(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}

// eachReview calls f with the released reviews for an assignment.
func (n *node) eachReview(t *testing.T, assignmentID string, f func(submission, reviewer, mark, total string)) {
	t.Helper()
	require.NoError(t, n.app.Store.EachReleasedReviews(t.Context(), studycircle.System(), assignmentID, func(reviews []studycircle.ReleasedReview) error {
		for _, r := range reviews {
			f(r.SubmissionID, r.Reviewer, strconv.FormatInt(r.Mark, 10), strconv.FormatInt(r.Total, 10))
		}
		return nil
	}))
}
