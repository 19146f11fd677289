package studycircle_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestMayAssessOwn(t *testing.T) {
	t.Parallel()
	member := studycircle.OwnCircle{Circle: studycircle.Circle{ID: "c"}, Mine: studycircle.Membership{CircleID: "c", UserID: "bob", Role: studycircle.CircleMember}}
	archived := member
	archived.ArchivedAt = caseNow
	sub := func(status studycircle.Status, circleID string) studycircle.Submission {
		return studycircle.Submission{Submitter: studycircle.Person{UserID: "bob"}, Status: status, CircleID: circleID}
	}
	for name, test := range map[string]struct {
		viewer string
		circle studycircle.OwnCircle
		s      studycircle.Submission
		code   studycircle.Code
	}{
		"the submitter":             {"bob", studycircle.OwnCircle{}, sub(studycircle.Pending, ""), ""},
		"a member":                  {"bob", member, sub(studycircle.Pending, "c"), ""},
		"another user":              {"cem", studycircle.OwnCircle{}, sub(studycircle.Pending, ""), studycircle.CodeNotYourSubmissions},
		"a visitor":                 {"", studycircle.OwnCircle{}, studycircle.Submission{Status: studycircle.Pending}, studycircle.CodeNotYourSubmissions},
		"another user, on a sample": {"cem", studycircle.OwnCircle{}, studycircle.Submission{Status: studycircle.Sample}, studycircle.CodeNotYourSubmissions},
		"a former member":           {"bob", studycircle.OwnCircle{}, sub(studycircle.Pending, "c"), studycircle.CodeNotFound},
		"in an archived circle":     {"bob", archived, sub(studycircle.Pending, "c"), studycircle.CodeCircleArchived},
		"settled":                   {"bob", studycircle.OwnCircle{}, sub(studycircle.Completed, ""), studycircle.CodeAlreadySettled},
		"an unknown status":         {"bob", studycircle.OwnCircle{}, sub("later", ""), studycircle.CodeAlreadySettled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.code, studycircle.CodeOf(studycircle.MayAssessOwn(test.viewer, test.circle, test.s)))
		})
	}
}

func TestSelfAssessmentsAreOfTheRubric(t *testing.T) {
	t.Parallel()
	levels := []studycircle.RubricLevel{{Label: "Weak", Marks: 0}, {Label: "Strong", Marks: 5}}
	rubric := studycircle.Rubric{Criteria: []studycircle.Criterion{{Title: "Clarity", Levels: levels}, {Title: "Depth", Levels: levels}}}
	require.NoError(t, studycircle.SelfAssessmentInput{Levels: []int64{0, 1}}.CheckUnder(rubric))
	for _, wrong := range [][]int64{nil, {}, {0}, {0, 1, 0}, {0, 2}, {-1, 0}} {
		require.Equal(t, studycircle.CodeInvalid, studycircle.CodeOf(studycircle.SelfAssessmentInput{Levels: wrong}.CheckUnder(rubric)), "%v", wrong)
	}
	require.Equal(t, studycircle.CodeInvalid, studycircle.CodeOf(studycircle.SelfAssessmentInput{Levels: []int64{}}.CheckUnder(studycircle.Rubric{})))
}
