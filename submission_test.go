package studycircle_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"studycircle"
)

func TestSubmissionInput(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in    studycircle.SubmissionInput
		fault string
	}{
		"no note":      {studycircle.SubmissionInput{DocsLink: "https://a"}, ""},
		"longest note": {studycircle.SubmissionInput{DocsLink: "https://a", Note: strings.Repeat("🎓", 2000)}, ""},
		"lines":        {studycircle.SubmissionInput{DocsLink: "https://a", Note: "a\nb"}, ""},
		"long note":    {studycircle.SubmissionInput{DocsLink: "https://a", Note: strings.Repeat("a", 2001)}, "note"},
		"control":      {studycircle.SubmissionInput{DocsLink: "https://a", Note: "a\x00"}, "note"},
		"no link":      {studycircle.SubmissionInput{}, "docsLink"},
		"false link":   {studycircle.SubmissionInput{DocsLink: "javascript:alert(1)"}, "docsLink"},
	} {
		require.Equal(t, c.fault, strings.Join(faults(t, second(c.in.Clean()), studycircle.CodeInvalid), " "), name)
	}
	for _, blank := range []string{"", " ", "\n", "\u200b"} {
		require.ErrorContains(t, second(studycircle.SubmissionInput{DocsLink: blank}.Clean()), "Google Docs link is required")
	}
}

// A mark is from 0 to the total, and the total is at most 1,000.
func TestMarks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.Int64Range(1, studycircle.MaxMarks).Draw(t, "total")
		mark := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-2, 1002)).Draw(t, "mark")
		in, err := studycircle.GradeInput{Mark: mark}.Clean()
		if err == nil {
			err = in.CheckTotal(total)
		}
		if mark >= 0 && mark <= total {
			require.NoError(t, err)
			return
		}
		require.Equal(t, []string{"marks"}, faults(t, err, studycircle.CodeInvalid))
	})
}

func TestFeedback(t *testing.T) {
	t.Parallel()
	require.NoError(t, second(studycircle.GradeInput{Feedback: strings.Repeat("🎓", 5000)}.Clean()))
	require.Equal(t, []string{"feedback"}, faults(t, second(studycircle.GradeInput{Feedback: strings.Repeat("a", 5001)}.Clean()), studycircle.CodeInvalid))
	require.Equal(t, []string{"marks", "feedback"}, faults(t, second(studycircle.GradeInput{Mark: -1, Feedback: "\x00"}.Clean()), studycircle.CodeInvalid))
}

func TestStatuses(t *testing.T) {
	t.Parallel()
	for _, s := range []studycircle.Status{studycircle.Pending, studycircle.Completed} {
		require.True(t, s.Valid())
	}
	for _, s := range []studycircle.Status{"", "Pending", "done"} {
		require.False(t, s.Valid())
	}
}
