package studycircle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestReportsOfAnonymousSubjects(t *testing.T) {
	t.Parallel()
	by := func(id string) studycircle.Submission {
		return studycircle.Submission{Submitter: studycircle.Person{UserID: id}}
	}
	released, kept := studycircle.Review{Label: "A", Reviewer: "cem"}, studycircle.Review{Reviewer: "cem"}
	now := time.Now()
	held := studycircle.Lease{SubmissionID: "one", Until: now.Add(time.Second)}
	over := studycircle.Lease{SubmissionID: "one", Until: now}
	answered := studycircle.Question{AnsweredAt: now}
	const none = studycircle.CodeNotFound
	for name, c := range map[string]struct {
		got  error
		want studycircle.Code
	}{
		"submitter reports a review":          {studycircle.MayReportReview("bob", released, by("bob")), ""},
		"not before it is released":           {studycircle.MayReportReview("bob", kept, by("bob")), none},
		"its reviewer does not":               {studycircle.MayReportReview("cem", released, by("bob")), none},
		"a visitor reports a deleted user's":  {studycircle.MayReportReview("", released, by("")), none},
		"the holder reports a submission":     {studycircle.MayReportSubmission("one", held, now), ""},
		"not another one":                     {studycircle.MayReportSubmission("two", held, now), none},
		"not once the lease is over":          {studycircle.MayReportSubmission("one", over, now), none},
		"who holds nothing reports nothing":   {studycircle.MayReportSubmission("one", studycircle.Lease{}, now), none},
		"who holds nothing, of no submission": {studycircle.MayReportSubmission("", studycircle.Lease{Until: now.Add(time.Hour)}, now), none},
		"a reviewer reports an answer":        {studycircle.MayReportAnswer(answered, studycircle.TurnReviewed), ""},
		"also after a lapsed lease":           {studycircle.MayReportAnswer(answered, studycircle.TurnLapsed), ""},
		"not once it is given back":           {studycircle.MayReportAnswer(answered, studycircle.TurnReturned), none},
		"not before it comes":                 {studycircle.MayReportAnswer(studycircle.Question{}, studycircle.TurnReviewed), none},
		"answers are hidden":                  {studycircle.CheckHidingAnswers([]studycircle.Question{{}, answered}), ""},
		"a submission is not":                 {studycircle.CheckHidingAnswers([]studycircle.Question{{}}), studycircle.CodeInvalid},
	} {
		require.Equal(t, c.want, studycircle.CodeOf(c.got), name)
	}
}

// The record of a decision names the report instead of a subject whose author is anonymous.
func TestRecordOfADecision(t *testing.T) {
	t.Parallel()
	for _, kind := range []studycircle.SubjectKind{studycircle.OfComment, studycircle.OfAssignment, studycircle.OfReview, studycircle.OfSubmission, studycircle.OfUser} {
		m := studycircle.Moderation{Subject: studycircle.Subject{Kind: kind, ID: "subject"}, ReportID: "report"}
		want := map[bool]string{false: "subject", true: "report"}[kind == studycircle.OfReview || kind == studycircle.OfSubmission]
		require.Equal(t, studycircle.Subject{Kind: kind, ID: want}, m.Recorded())
	}
}

func TestRubricInWordsAndWithout(t *testing.T) {
	t.Parallel()
	rubric := studycircle.Rubric{Criteria: []studycircle.Criterion{
		{Title: "Argument", Levels: []studycircle.RubricLevel{{Label: "None"}, {Label: "Strong", Marks: 12}}},
	}}
	require.Equal(t, []studycircle.ChosenLevel{{Criterion: "Argument", Level: "Strong"}}, rubric.Chosen([]int64{1}))
	for _, wrong := range [][]int64{nil, {2}, {-1}, {0, 0}} {
		require.Empty(t, rubric.Chosen(wrong))
	}
	shown := rubric.Concealed()
	require.Equal(t, studycircle.Rubric{Criteria: []studycircle.Criterion{
		{Title: studycircle.HiddenTitle, Levels: []studycircle.RubricLevel{{Label: "1"}, {Label: "2", Marks: 12}}},
	}}, shown)
	require.Equal(t, "None", rubric.Criteria[0].Levels[0].Label, "the rubric itself stays")
	require.True(t, studycircle.Rubric{}.Concealed().Empty())
}

func TestFeedbackOfReleasedReviews(t *testing.T) {
	t.Parallel()
	require.Equal(t, studycircle.Feedback{
		Text: "A: *Good*\n\nC: Fine <b>\n& short\n\nD: # No",
		HTML: "<p><bdi><strong>A:</strong></bdi> <em>Good</em></p>\n<p><bdi><strong>C:</strong></bdi> Fine &lt;b&gt;<br>\n&amp; short</p>\n<p><bdi><strong>D:</strong></bdi></p>\n<h3>No</h3>\n",
	}, studycircle.FeedbackOf([]studycircle.Review{
		{Feedback: "Secret", HTML: "<p>Secret</p>\n"}, {Label: "A", Feedback: "*Good*", HTML: "<p><em>Good</em></p>\n"}, {Label: "B"},
		{Label: "C", Feedback: "Fine <b>\n& short"}, {Label: "D", Feedback: "# No", HTML: "<h3>No</h3>\n"},
	}))
	require.Equal(t, studycircle.Feedback{}, studycircle.FeedbackOf(nil))
}
