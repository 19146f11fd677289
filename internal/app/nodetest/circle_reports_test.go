package nodetest

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// reported returns the reports that c reads in a circle, or as a moderator.
func (c *client) reported(t *testing.T, circleID string) (out []doc) {
	t.Helper()
	for _, r := range c.get(t, "/api/reports?limit=100&circle="+circleID).is(t, http.StatusOK).json(t)["data"].([]any) {
		out = append(out, r.(doc))
	}
	return out
}

// decided returns the decisions that c reads in a circle, or as a moderator, as "hide comment".
func (c *client) decided(t *testing.T, circleID string) (out []string) {
	t.Helper()
	for _, d := range c.get(t, "/api/moderation?circle="+circleID).is(t, http.StatusOK).json(t)["data"].([]any) {
		out = append(out, d.(doc)["action"].(string)+" "+d.(doc)["kind"].(string))
	}
	return out
}

// Reports in a circle go to its organizers, who dismiss and hide; to others they do not exist.
func TestReportsInACircle(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		ada, oz, bob, cleo, eve := n.user(t, "Ada"), n.user(t, "Oz"), n.user(t, "Bob"), n.user(t, "Cleo"), n.user(t, "Eve")
		circle := ada.circle(t, "Canarycircle")
		ada.admits(t, circle, "organizer", oz)
		ada.admits(t, circle, "member", bob, cleo)
		of := bob.publishIn(t, circle, "Canaryassignment", time.Now().Add(5*24*time.Hour))
		rude := bob.write(t, of, "You are all stupid")
		first := cleo.post(t, "/api/comment/"+rude+"/report", doc{"reason": "Rude"}).is(t, http.StatusCreated).id(t)
		cleo.post(t, "/api/assignment/"+of+"/report", doc{"reason": "Copied", "to": "organizers"}).is(t, http.StatusCreated)
		require.Empty(t, mo.reported(t, ""))

		for _, c := range []*client{ada, oz} {
			found := c.reported(t, circle)
			require.Len(t, found, 2)
			require.Equal(t, "You are all stupid", found[0]["text"])
			require.Equal(t, "Canaryassignment", found[0]["assignmentTitle"])
			require.Equal(t, "Bob", found[0]["authorName"])
			require.Equal(t, []any{true, false}, []any{found[0]["mayDecide"], found[0]["maySuspend"]})
			told := c.told(t, studycircle.NotifyReport)
			require.Len(t, told, 2)
			require.Equal(t, []any{"Canaryassignment", "/circle/" + circle + "?tab=reports"}, []any{told[0]["title"], told[0]["url"]})
			n.holdsNoWords(t)
		}
		for _, path := range []string{"/api/reports?circle=", "/api/moderation?circle="} {
			for _, c := range []*client{bob, cleo} {
				c.get(t, path+circle).refused(t, http.StatusForbidden, studycircle.CodeNotOrganizer)
			}
			for _, c := range []*client{eve, mo} {
				c.get(t, path+circle).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			}
		}
		at := "/api/reports/" + first
		bob.post(t, at, doc{"action": "hide"}).refused(t, http.StatusForbidden, studycircle.CodeNotOrganizer)
		eve.post(t, at, doc{"action": "hide"}).refused(t, http.StatusForbidden, studycircle.CodeNotModerator)
		mo.post(t, at, doc{"action": "hide"}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		oz.post(t, at, doc{"action": "suspend"}).refused(t, http.StatusForbidden, studycircle.CodeNotModerator)
		for _, why := range []string{" ", strings.Repeat("x", studycircle.MaxReason+1)} {
			oz.post(t, at, doc{"action": "hide", "reason": why}).
				refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "body.reason")
		}
		oz.post(t, at, doc{"action": "hide", "reason": "Not about the work."}).modified(t, 1)
		require.Equal(t, doc{"reason": "Not about the work."}, bob.comment(t, rude)["hidden"])
		require.Len(t, oz.reported(t, circle), 1)
		shown, _ := cleo.threads(t, of, "")
		require.Empty(t, shown)
		require.Equal(t, []string{"hide comment"}, ada.decided(t, circle))
		require.Empty(t, mo.decided(t, ""))

		hidden := doc{"kind": "comment", "id": rude}
		bob.post(t, "/api/moderation/restore", hidden).refused(t, http.StatusForbidden, studycircle.CodeNotOrganizer)
		eve.post(t, "/api/moderation/restore", hidden).refused(t, http.StatusForbidden, studycircle.CodeNotModerator)
		mo.post(t, "/api/moderation/restore", hidden).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		ada.post(t, "/api/moderation/restore", hidden).modified(t, 1)
		shown, _ = cleo.threads(t, of, "")
		require.Len(t, shown, 1)
		require.Equal(t, []string{"restore comment", "hide comment"}, oz.decided(t, circle))

		left := oz.reported(t, circle)[0]["_id"].(string)
		ada.post(t, "/api/circle/"+circle+"/archive", nil).modified(t, 1)
		require.Equal(t, false, oz.reported(t, circle)[0]["mayDecide"])
		oz.post(t, "/api/reports/"+left, doc{"action": "dismiss"}).refused(t, http.StatusConflict, studycircle.CodeCircleArchived)
		ada.post(t, "/api/circle/"+circle+"/unarchive", nil).modified(t, 1)
		oz.post(t, "/api/reports/"+left, doc{"action": "dismiss"}).modified(t, 1)
		require.Empty(t, oz.reported(t, circle))
		require.Equal(t, "/assignment/"+of, cleo.told(t, studycircle.NotifyDecided)[0]["url"])
	})
}

// The moderators get what an organizer wrote, and what the reporter wants them to see. They see that text and no more.
func TestModeratorsSeeOnlyTheReportedTextOfACircle(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		ada, bob, cleo, dan, eve := n.user(t, "CanaryAda"), n.user(t, "CanaryBob"), n.user(t, "CanaryCleo"), n.user(t, "CanaryDan"), n.user(t, "CanaryEve")
		circle := ada.circle(t, "Canarycircle")
		ada.admits(t, circle, "member", bob, cleo, dan, eve)
		due := time.Now().Add(5 * 24 * time.Hour)
		of := bob.publishIn(t, circle, "Canaryassignment", due)
		several := bob.publishIn(t, circle, "Canaryreviewed", due, 2)
		own, theirs := ada.write(t, of, "By an organizer"), bob.write(t, of, "By a member")
		cleo.post(t, "/api/comment/"+own+"/report", doc{"reason": "First"}).is(t, http.StatusCreated)
		cleo.post(t, "/api/comment/"+theirs+"/report", doc{"reason": "Second", "to": "moderators"}).is(t, http.StatusCreated)
		handedIn := cleo.submit(t, several)
		for _, reviewer := range []*client{dan, eve} {
			reviewer.task(t, several)
			if reviewer == dan {
				reviewer.post(t, "/api/submissions/"+handedIn+"/report", doc{"reason": "Third", "to": "moderators"}).is(t, http.StatusCreated)
			}
			reviewer.patch(t, "/api/submissions/"+handedIn, doc{"marks": 5, "feedback": "By a reviewer"}).is(t, http.StatusOK)
		}
		received := cleo.get(t, "/api/submissions/"+handedIn+"/reviews").is(t, http.StatusOK).json(t)["data"].([]any)[0].(doc)["_id"].(string)
		cleo.post(t, "/api/reviews/"+received+"/report", doc{"reason": "Fourth", "to": "moderators"}).is(t, http.StatusCreated)
		require.Empty(t, ada.reported(t, circle))

		found := mo.reported(t, "")
		require.Len(t, found, 4)
		require.Equal(t, []any{"By an organizer", "By a member", nil, "By a reviewer"}, []any{found[0]["text"], found[1]["text"], found[2]["text"], found[3]["text"]})
		require.NotEmpty(t, found[2]["docsLink"])
		told := mo.told(t, studycircle.NotifyReport)
		require.Len(t, told, 4)
		require.Equal(t, []any{studycircle.ReportedIn, "/moderation"}, []any{told[0]["title"], told[0]["url"]})
		for _, path := range []string{"/api/reports", "/api/notifications", "/api/moderation", "/api/auth/export"} {
			body := string(mo.get(t, path).is(t, http.StatusOK).body)
			for _, secret := range []string{"Canary", circle, of, several} {
				require.NotContains(t, body, secret, path)
			}
		}
		report := func(i int) string { return "/api/reports/" + found[i]["_id"].(string) }
		ada.post(t, report(0), doc{"action": "dismiss"}).refused(t, http.StatusForbidden, studycircle.CodeNotModerator)
		for i, action := range []string{"hide", "dismiss", "dismiss", "hide"} {
			mo.post(t, report(i), doc{"action": action}).modified(t, 1)
		}
		require.Empty(t, mo.reported(t, ""))
		shown, _ := bob.threads(t, of, "")
		require.Len(t, shown, 1)
		require.Equal(t, studycircle.CommentURL(of, own), ada.told(t, studycircle.NotifyHidden)[0]["url"])
		body := string(mo.get(t, "/api/moderation").is(t, http.StatusOK).body)
		require.NotContains(t, body, "Canary")
		require.Empty(t, ada.decided(t, circle))
		hidden := doc{"kind": "comment", "id": own}
		ada.post(t, "/api/moderation/restore", hidden).refused(t, http.StatusForbidden, studycircle.CodeNotModerator)
		mo.post(t, "/api/moderation/restore", hidden).modified(t, 1)
		shown, _ = bob.threads(t, of, "")
		require.Len(t, shown, 2)
	})
}

// 32 members report one comment, to two recipients, and all organizers decide at once: one report of each stays one,
// and one decision of each counts.
func TestConcurrentModerationInACircle(t *testing.T) {
	moderated(t, func(t *testing.T, n *node, mo *client) {
		ada, users := n.user(t, "Ada"), gathered(t, n)
		circle := ada.circle(t, "Readers")
		ada.admits(t, circle, "organizer", users...)
		bob := n.user(t, "Bob")
		ada.admits(t, circle, "member", bob)
		id := bob.write(t, bob.publishIn(t, circle, "Tides", time.Now().Add(5*24*time.Hour)), "What is reported")
		reports := make([]string, crowd)
		together(t, crowd, func(i int) (err error) {
			to := []string{"organizers", "moderators"}[i%2]
			reports[i], err = users[i].do(t.Context(), http.MethodPost, "/api/comment/"+id+"/report", doc{"reason": "Rude", "to": to}, 201)
			return err
		})
		for _, found := range [][]doc{mo.reported(t, ""), ada.reported(t, circle)} {
			require.Len(t, found, 1)
			require.InDelta(t, crowd/2, found[0]["count"], 0)
		}
		together(t, crowd, func(i int) error {
			by := []*client{users[i], mo}[i%2]
			_, err := by.do(t.Context(), http.MethodPost, "/api/reports/"+reports[i], doc{"action": "hide"}, 200)
			return err
		})
		require.Empty(t, mo.reported(t, ""))
		require.Empty(t, ada.reported(t, circle))
		require.Equal(t, []string{"hide comment"}, mo.decided(t, ""))
		require.Equal(t, []string{"hide comment"}, ada.decided(t, circle))
	})
}

// A former member reads their mark and reviews with the rubric that the reviews chose from, and is offered no answer.
func TestFormerMembersKeepTheRubricOfTheirReviews(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		people := n.people(t, "Ada", "Bob", "Cem", "Dot", "Eve")
		ada, bob := people[0], people[1]
		circle := ada.circle(t, "Canarycircle")
		ada.admits(t, circle, "member", people[1:]...)
		levels := []any{doc{"label": "None", "marks": 0}, doc{"label": "Strong", "marks": 20}}
		of := people[4].publish(t, "circleId", circle, "marks", 20, "reviewsNeeded", 2, "rubric", doc{"criteria": []any{doc{"title": "Argument", "levels": levels}}})
		id := bob.submit(t, of)
		for _, reviewer := range people[2:4] {
			reviewer.task(t, of)
			reviewer.patch(t, "/api/submissions/"+id, doc{"levels": []int{1}, "feedback": "Clear"}).is(t, http.StatusOK)
		}
		reviews := func() doc { return bob.get(t, "/api/submissions/"+id+"/reviews").is(t, http.StatusOK).json(t) }
		member := reviews()
		require.Equal(t, []any{circle, true}, []any{member["circleId"], member["mayReply"]})
		bob.post(t, "/api/circle/"+circle+"/leave", nil).is(t, http.StatusOK)
		former := reviews()
		require.Equal(t, []any{nil, false}, []any{former["circleId"], former["mayReply"]})
		require.NotNil(t, member["rubric"])
		require.Equal(t, member["rubric"], former["rubric"])
		require.Equal(t, member["data"], former["data"])
		review := former["data"].([]any)[0].(doc)["_id"].(string)
		bob.put(t, "/api/reviews/"+review+"/reply", doc{"helpful": true}).refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		ada.admits(t, circle, "member", bob)
		require.Equal(t, member, reviews(), "who rejoins finds everything again")
	})
}
