package nodetest

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A creator asks each submitter for a number of reviews by a day, and may change both.
func TestReviewDutyOfAnAssignment(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		asked := []any{"reviewsNeeded", 2, "reviewsOwed", 3, "dueDate", inDays(7), "reviewDueDate", inDays(10)}
		of := ada.publish(t, asked...)
		read := func() doc { return ada.get(t, "/api/assignment/"+of).is(t, http.StatusOK).json(t) }
		require.InDelta(t, 3, read()["reviewsOwed"], 0)
		require.Equal(t, inDays(10), read()["reviewDueDate"])
		keep := with(assignment(), "dueDate", inDays(8))
		ada.put(t, "/api/assignment/"+of, keep).is(t, http.StatusOK)
		require.InDelta(t, 3, read()["reviewsOwed"], 0, "absent from a PUT, it keeps its value")
		require.Equal(t, inDays(10), read()["reviewDueDate"])
		refuse := func(field string, fields ...any) {
			t.Helper()
			ada.put(t, "/api/assignment/"+of, with(assignment(), fields...)).refused(t, http.StatusUnprocessableEntity, "invalid", field)
		}
		refuse("body.reviewDueDate", "dueDate", inDays(10))
		refuse("body.reviewDueDate", "reviewDueDate", "soon")
		refuse("body.reviewsOwed", "reviewsOwed", 0)
		refuse("body.reviewsOwed", "reviewsOwed", 21)
		ada.put(t, "/api/assignment/"+of, with(keep, "reviewDueDate", "", "reviewsOwed", 1)).is(t, http.StatusOK)
		require.InDelta(t, 1, read()["reviewsOwed"], 0)
		require.NotContains(t, read(), "reviewDueDate")

		require.NotContains(t, ada.get(t, "/api/assignment/"+ada.publish(t)).json(t), "reviewsOwed")
		require.InDelta(t, 4, ada.get(t, "/api/assignment/"+ada.publish(t, "reviewsNeeded", 4)).json(t)["reviewsOwed"], 0, "as many as each submission gets")
		for _, single := range []doc{{"reviewDueDate": inDays(10)}, {"reviewsOwed": 2}} {
			for field, value := range single {
				ada.post(t, "/api/assignments", with(assignment(), field, value)).refused(t, http.StatusUnprocessableEntity, "invalid", "body."+field)
			}
		}
	})
}

// What a submitter owes is what the assignment asks for, as far as there is work, also after the first hand-in, and the
// review due date is its day.
func TestReviewsAreOwedByTheReviewDueDate(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob, cem, dot, eve := n.user(t, "Ada"), n.user(t, "Bob"), n.user(t, "Cem"), n.user(t, "Dot"), n.user(t, "Eve")
		due := n.clock.now().Add(24 * time.Hour).UTC().Truncate(time.Second)
		reviewDue := due.Add(48 * time.Hour).Format(time.RFC3339)
		fields := []any{"reviewsNeeded", 2, "marks", 20, "dueDate", due.Format(time.RFC3339), "reviewsOwed", 3, "reviewDueDate", reviewDue}
		of := ada.publish(t, fields...)
		bob.submit(t, of)
		cem.submit(t, of)
		require.InDelta(t, 1, bob.duty(t, of)["reviewsOwed"], 0, "there is one to give")
		require.InDelta(t, 1, bob.duty(t, of)["reviewsLeft"], 0)
		dot.submit(t, of)
		eve.submit(t, of)
		duty := bob.duty(t, of)
		require.InDelta(t, 3, duty["reviewsOwed"], 0)
		require.InDelta(t, 3, duty["reviewsLeft"], 0)
		require.Equal(t, reviewDue, duty["reviewBy"])
		id := bob.task(t, of)["submissionId"].(string)
		bob.patch(t, "/api/submissions/"+id, doc{"marks": 9, "feedback": "Clear."}).is(t, http.StatusOK)
		duty = bob.duty(t, of)
		require.InDelta(t, 3, duty["reviewsOwed"], 0)
		require.InDelta(t, 1, duty["reviewsGiven"], 0)
		require.InDelta(t, 2, duty["reviewsLeft"], 0)
		ada.put(t, "/api/assignment/"+of, with(assignment(), append(fields, "reviewsOwed", 1)...)).is(t, http.StatusOK)
		require.InDelta(t, 0, bob.duty(t, of)["reviewsLeft"], 0)
		require.InDelta(t, 1, cem.duty(t, of)["reviewsLeft"], 0)
	})
}

// Reminders of the review due date go out at the user's time, once each, and none once all reviews are given or to
// users who have not handed in.
func TestReviewDueReminders(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.clock.stand(time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC))
		n := w.start(t)
		ada, bob, cem, dot := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t), n.user(t, "Cem").confirmed(t), n.user(t, "Dot").confirmed(t)
		a := ada.publish(t, "dueDate", "2027-03-02T23:59:59+01:00", "reviewDueDate", "2027-03-08T23:59:59+01:00", "reviewsNeeded", 2, "reviewsOwed", 1)
		for _, c := range []*client{bob, cem, dot} {
			c.put(t, "/api/assignment/"+a+"/reminder", doc{"remind": true}).is(t, http.StatusOK)
			c.put(t, "/api/settings/time-zone", doc{"timeZone": "Australia/Lord_Howe"}).is(t, http.StatusOK)
		}
		bob.submit(t, a)
		cem.submit(t, a)
		cem.patch(t, "/api/submissions/"+cem.task(t, a)["submissionId"].(string), doc{"marks": 9, "feedback": "Clear."}).is(t, http.StatusOK)
		for _, step := range []struct {
			at      string
			letters int
		}{
			{"2027-03-05T08:59:59+11:00", 0}, {"2027-03-05T09:00:00+11:00", 1}, {"2027-03-05T10:00:00+11:00", 1}, {"2027-03-07T09:00:01+11:00", 2}, {"2027-03-09T00:00:00+11:00", 2},
		} {
			instant, err := time.Parse(time.RFC3339, step.at)
			require.NoError(t, err)
			w.clock.stand(instant)
			n.looks(t)
			n.getsLetters(t, bob.email, step.letters)
		}
		require.Empty(t, n.mails.letters(t, cem.email), "all are given")
		for _, l := range n.mails.letters(t, dot.email) {
			require.NotContains(t, l.text, "reviews", "nothing is handed in")
		}
		require.Contains(t, n.mails.letters(t, bob.email)[0].text, "Your reviews of “\u2068Essay on tides\u2069” are due on Monday, 2027/03/08.\n")
	})
}
