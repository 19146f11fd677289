package studycircle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// verdict is a grade model with a constant result.
func verdict(mark int64, open float64) studycircle.Judge {
	return func([]studycircle.Review) (studycircle.Verdict, error) {
		return studycircle.Verdict{Mark: mark, Open: open, Model: "model"}, nil
	}
}

var caseNow = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// openCase is a submission of 50 marks with some of the two reviews that it needs.
func openCase(phase studycircle.ReviewPhase, given int64) studycircle.ReviewCase {
	c := studycircle.ReviewCase{
		Submission: studycircle.Submission{ID: "s", AssignmentID: "a", Marks: 50, Submitter: studycircle.Person{UserID: "bob"}, Reviews: 2},
		Assignment: studycircle.Assignment{ID: "a", Title: "Tides", Creator: studycircle.Person{UserID: "ada"}}, Live: true,
		Reviewing: studycircle.Reviewing{SubmissionID: "s", AssignmentID: "a", SubmitterID: "bob", Phase: phase, Reviews: given, Needed: 2, Wanted: 2, SettleAt: caseNow},
		Turn:      studycircle.TurnLeased,
	}
	for n := range given {
		c.Reviews = append(c.Reviews, studycircle.Review{ID: string(rune('0' + n)), Reviewer: "r", Mark: 30})
	}
	return c
}

func TestArrivingReviews(t *testing.T) {
	t.Parallel()
	given := studycircle.Review{ID: "new", Reviewer: "cem", Mark: 20, GivenAt: caseNow}
	for name, test := range map[string]struct {
		phase  studycircle.ReviewPhase
		before int64
		open   float64
		wanted int64
		reason studycircle.SettleReason // "" if nothing is settled
	}{
		"the first of two":                       {studycircle.ReviewOpen, 0, 0, 2, ""},
		"the last one":                           {studycircle.ReviewOpen, 1, 6, 2, studycircle.SettleEnough},
		"the last one, far from the first":       {studycircle.ReviewOpen, 1, 6.1, 3, ""},
		"the most there may be, far apart":       {studycircle.ReviewOpen, 6, 50, 2, studycircle.SettleEnough},
		"what no reviewer had come for":          {studycircle.ReviewUnattended, 0, 50, 2, studycircle.SettleTime},
		"the last one of an appeal":              {studycircle.ReviewAppealed, 1, 50, 2, studycircle.SettleAppeal},
		"the first one of an appeal":             {studycircle.ReviewAppealed, 0, 50, 2, ""},
		"the last one of a reopened submission":  {studycircle.ReviewReopened, 1, 0, 2, studycircle.SettleReopen},
		"the first one of a reopened submission": {studycircle.ReviewReopened, 0, 0, 2, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := openCase(test.phase, test.before)
			require.NoError(t, c.Arrive(given, verdict(25, test.open)))
			require.Equal(t, test.before+1, c.Reviewing.Reviews)
			require.Equal(t, test.wanted, c.Reviewing.Wanted)
			require.Equal(t, studycircle.Day(caseNow), c.Reviewing.LastDay)
			require.Equal(t, test.before, c.Reviewing.BeforeLastDay)
			require.Equal(t, &given, c.Decided.Given)
			require.False(t, c.Decided.Took)
			if test.reason == "" {
				require.Nil(t, c.Decided.Settlement)
				require.Equal(t, studycircle.QueueUpdated, c.Decided.Queue)
				require.Equal(t, int64(test.open/50*1e6), c.Decided.Open)
				require.Empty(t, c.Decided.Labeled)
				return
			}
			require.Equal(t, &studycircle.Settlement{At: caseNow, By: studycircle.SettledByModel, Reason: test.reason, Mark: 25, Model: "model"}, c.Decided.Settlement)
			require.Equal(t, studycircle.ReviewSettled, c.Reviewing.Phase)
			require.Equal(t, studycircle.QueueLeft, c.Decided.Queue)
			require.Len(t, c.Decided.Labeled, int(test.before)+1)
		})
	}
}

func TestPassingTime(t *testing.T) {
	t.Parallel()

	for name, test := range map[string]struct {
		phase   studycircle.ReviewPhase
		reviews int64
		change  func(*studycircle.ReviewCase)
		becomes studycircle.ReviewPhase
		reason  studycircle.SettleReason
		told    studycircle.NotificationKind
		queue   studycircle.QueueChange
	}{
		"no review":            {studycircle.ReviewOpen, 0, nil, studycircle.ReviewUnattended, "", studycircle.NotifyUnreviewed, studycircle.QueueLeft},
		"one of two":           {studycircle.ReviewOpen, 1, nil, studycircle.ReviewSettled, studycircle.SettleTime, "", studycircle.QueueLeft},
		"an appeal":            {studycircle.ReviewAppealed, 1, nil, studycircle.ReviewAppealed, "", studycircle.NotifyAppeal, studycircle.QueueKept},
		"an appeal, asked":     {studycircle.ReviewAppealed, 1, func(c *studycircle.ReviewCase) { c.Reviewing.Asked = true }, studycircle.ReviewSettled, studycircle.SettleAppeal, "", studycircle.QueueLeft},
		"an appeal, deleted":   {studycircle.ReviewAppealed, 1, func(c *studycircle.ReviewCase) { c.Live = false }, studycircle.ReviewSettled, studycircle.SettleAppeal, "", studycircle.QueueLeft},
		"settled already":      {studycircle.ReviewSettled, 2, nil, studycircle.ReviewSettled, "", "", studycircle.QueueKept},
		"unattended already":   {studycircle.ReviewUnattended, 0, nil, studycircle.ReviewUnattended, "", "", studycircle.QueueKept},
		"before its time came": {studycircle.ReviewOpen, 1, func(c *studycircle.ReviewCase) { c.Reviewing.SettleAt = caseNow.Add(1) }, studycircle.ReviewOpen, "", "", studycircle.QueueKept},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := openCase(test.phase, test.reviews)
			if test.change != nil {
				test.change(&c)
			}
			require.NoError(t, c.PassTime(caseNow, verdict(25, 0)))
			require.Equal(t, test.becomes, c.Reviewing.Phase)
			require.Equal(t, test.queue, c.Decided.Queue)
			if test.reason == "" {
				require.Nil(t, c.Decided.Settlement)
			} else {
				require.Equal(t, test.reason, c.Decided.Settlement.Reason)
			}
			if test.told == "" {
				require.Empty(t, c.Decided.Notices)
				return
			}
			require.Len(t, c.Decided.Notices, 1)
			require.Equal(t, test.told, c.Decided.Notices[0].Kind)
			require.Equal(t, "ada", c.Decided.Notices[0].UserID)
		})
	}
}

// An appeal against a grade makes the grade the first review and the first settlement.
func TestAppealAgainstAGrade(t *testing.T) {
	t.Parallel()
	for _, grader := range []string{"cem", ""} {
		c := openCase(studycircle.ReviewOpen, 0)
		c.Reviewing, c.Submission.Reviews = studycircle.Reviewing{}, 0
		c.Submission.Grade = &studycircle.Grade{GraderID: grader, Mark: 40, Feedback: "Good.", HTML: "<p>Good.</p>", MarkedAt: caseNow}
		c.Appeal(studycircle.Reason{Words: "Too low"}, studycircle.AppealReviews, caseNow.Add(time.Hour))
		require.Equal(t, &studycircle.Settlement{At: caseNow, By: studycircle.SettledByGrader, Reason: studycircle.SettleGrade, Mark: 40}, c.Decided.Graded)
		require.Equal(t, studycircle.ReviewSettled, c.Decided.Before.Phase)
		require.Equal(t, studycircle.ReviewAppealed, c.Reviewing.Phase)
		require.EqualValues(t, 1+studycircle.AppealReviews, c.Reviewing.Wanted)
		require.Equal(t, "Too low", c.Reviewing.Appeal)
		require.Equal(t, studycircle.QueueEntered, c.Decided.Queue)
		require.True(t, c.Decided.Announce)
		require.Len(t, c.Reviews, 1)
		require.Equal(t, "A", c.Reviews[0].Label)
		require.NotEmpty(t, c.Reviews[0].Reviewer)
		require.Equal(t, grader == "cem", c.Reviews[0].Reviewer == "cem")
	}
}

// A second round leaves the queue before it enters it again; a mark by the creator ends it.
func TestReopeningAndSettingTheMark(t *testing.T) {
	t.Parallel()
	c := openCase(studycircle.ReviewSettled, 2)
	c.Reopen(studycircle.Reason{Words: "Page two."}, caseNow)
	require.Equal(t, studycircle.QueueEntered, c.Decided.Queue)
	require.Equal(t, caseNow.Add(studycircle.SettleAfter), c.Reviewing.SettleAt)
	c.Reopen(studycircle.Reason{Words: "Page three."}, caseNow)
	require.Equal(t, studycircle.QueueEnteredAgain, c.Decided.Queue)
	appealed := openCase(studycircle.ReviewAppealed, 1)
	appealed.Reopen(studycircle.Reason{Words: "Once more."}, caseNow)
	require.Equal(t, studycircle.QueueEnteredAgain, appealed.Decided.Queue)
	mark := int64(33)
	c.SetMark(studycircle.ReopenInput{Mark: &mark, Reason: studycircle.Reason{Words: "So it is"}}, caseNow)
	require.Equal(t, &studycircle.Settlement{At: caseNow, By: studycircle.SettledByCreator, Reason: studycircle.SettleSetMark, Words: "So it is", Mark: 33}, c.Decided.Settlement)
	require.Equal(t, studycircle.QueueLeft, c.Decided.Queue)
	require.Equal(t, []string{"A", "B"}, []string{c.Reviews[0].Label, c.Reviews[1].Label})
}

// New letters follow the present ones, in random order.
func TestReleasedLetters(t *testing.T) {
	t.Parallel()
	c := openCase(studycircle.ReviewReopened, 3)
	c.Reviews[0].Label = "A"
	c.Shuffle = func(n int, swap func(i, j int)) {
		require.Equal(t, 2, n)
		swap(0, 1)
	}
	require.NoError(t, c.Settle(studycircle.SettleEarly, caseNow, verdict(25, 0)))
	require.Equal(t, []string{"0", "2", "1"}, []string{c.Reviews[0].ID, c.Reviews[1].ID, c.Reviews[2].ID})
	require.Equal(t, "B", c.Reviews[1].Label)
}

// Labels stay distinct after Z, and sort in the order of their release.
func TestLabelsAfterZ(t *testing.T) {
	t.Parallel()
	c := openCase(studycircle.ReviewReopened, 703)
	require.NoError(t, c.Settle(studycircle.SettleEarly, caseNow, verdict(25, 0)))
	for at, want := range map[int]string{0: "A", 25: "Z", 26: "AA", 27: "AB", 51: "AZ", 52: "BA", 701: "ZZ", 702: "AAA"} {
		require.Equal(t, want, c.Reviews[at].Label)
	}
	// Reviews that are released later follow, and the order stays.
	more := openCase(studycircle.ReviewReopened, 30)
	for i := range 28 {
		more.Reviews[i].Label = c.Reviews[27-i].Label
	}
	require.NoError(t, more.Settle(studycircle.SettleEarly, caseNow, verdict(25, 0)))
	require.Equal(t, []string{"A", "Z", "AB", "AC", "AD"}, []string{
		more.Reviews[0].Label, more.Reviews[25].Label, more.Reviews[27].Label, more.Reviews[28].Label, more.Reviews[29].Label,
	})
}

// A settlement by hand is early only while a review that each submission needs is missing.
func TestByHandIsEarlyOnlyWhileReviewsAreMissing(t *testing.T) {
	t.Parallel()
	for want, r := range map[studycircle.SettleReason][]studycircle.Reviewing{
		studycircle.SettleEnough: {{Phase: studycircle.ReviewOpen, Reviews: 3, Needed: 3, Wanted: 4}},
		studycircle.SettleEarly: {
			{Phase: studycircle.ReviewOpen, Reviews: 2, Needed: 3, Wanted: 3},
			{Phase: studycircle.ReviewReopened, Reviews: 4, Needed: 3, Wanted: 5},
		},
	} {
		for _, one := range r {
			require.Equal(t, want, one.ByHand(), "%+v", one)
		}
	}
}
