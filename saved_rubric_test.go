package studycircle_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestWhoSavesAndDeletesRubrics(t *testing.T) {
	t.Parallel()
	in := func(role studycircle.CircleRole) studycircle.OwnCircle {
		return studycircle.OwnCircle{Circle: studycircle.Circle{ID: "c"}, Mine: studycircle.Membership{CircleID: "c", UserID: "bob", Role: role}}
	}
	archived := in(studycircle.CircleOwner)
	archived.ArchivedAt = caseNow
	none := studycircle.OwnCircle{}
	own, theirs := studycircle.SavedRubric{MakerID: "bob"}, studycircle.SavedRubric{MakerID: "ada"}
	ownIn, theirsIn := own, theirs
	ownIn.CircleID, theirsIn.CircleID = "c", "c"
	for name, test := range map[string]struct {
		err  error
		code studycircle.Code
	}{
		"a user saves one of their own":       {studycircle.MaySaveRubric("bob", none, "", 49), ""},
		"a visitor":                           {studycircle.MaySaveRubric("", none, "", 0), studycircle.CodeNotFound},
		"one too many":                        {studycircle.MaySaveRubric("bob", none, "", 50), studycircle.CodeTooManyRubrics},
		"a member saves one for the circle":   {studycircle.MaySaveRubric("bob", in(studycircle.CircleMember), "c", 0), ""},
		"one too many for the circle":         {studycircle.MaySaveRubric("bob", in(studycircle.CircleOwner), "c", 50), studycircle.CodeTooManyRubrics},
		"a user who is not a member":          {studycircle.MaySaveRubric("bob", none, "c", 0), studycircle.CodeNotFound},
		"in an archived circle":               {studycircle.MaySaveRubric("bob", archived, "c", 0), studycircle.CodeCircleArchived},
		"a user deletes their own":            {studycircle.MayDeleteRubric("bob", none, own), ""},
		"a user deletes another user's":       {studycircle.MayDeleteRubric("bob", none, theirs), studycircle.CodeNotFound},
		"a visitor deletes one without maker": {studycircle.MayDeleteRubric("", none, studycircle.SavedRubric{}), studycircle.CodeNotFound},
		"its maker, in the circle":            {studycircle.MayDeleteRubric("bob", in(studycircle.CircleMember), ownIn), ""},
		"another member":                      {studycircle.MayDeleteRubric("bob", in(studycircle.CircleMember), theirsIn), studycircle.CodeNotOrganizer},
		"an organizer":                        {studycircle.MayDeleteRubric("bob", in(studycircle.CircleOrganizer), theirsIn), ""},
		"its maker, after leaving":            {studycircle.MayDeleteRubric("bob", none, ownIn), studycircle.CodeNotFound},
		"an owner of an archived circle":      {studycircle.MayDeleteRubric("bob", archived, theirsIn), studycircle.CodeCircleArchived},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.code, studycircle.CodeOf(test.err))
		})
	}
}

func TestSavedRubricsAndPhrasesAreCleaned(t *testing.T) {
	t.Parallel()
	criterion := studycircle.Criterion{Title: " Clarity ", Levels: []studycircle.RubricLevel{{Label: "Weak"}, {Label: "Strong", Marks: 5}}}
	in, err := studycircle.SavedRubricInput{Name: " Essay ", Rubric: studycircle.Rubric{Criteria: []studycircle.Criterion{criterion}}}.Clean()
	require.NoError(t, err)
	require.Equal(t, "Essay", in.Name)
	require.Equal(t, "Clarity", in.Rubric.Criteria[0].Title)
	in.Rubric.Criteria = append(in.Rubric.Criteria, studycircle.Criterion{Levels: criterion.Levels})
	in.Name = ""
	_, err = in.Clean()
	var wrong *studycircle.Error
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, "name", wrong.Fields[0].Field)
	require.Equal(t, "criteria[1].title", wrong.Fields[1].Field)
	_, err = studycircle.SavedRubricInput{Name: "Empty"}.Clean()
	require.ErrorAs(t, err, &wrong)
	require.Equal(t, "criteria", wrong.Fields[0].Field)

	phrases, err := studycircle.Phrases{" Well argued. ", strings.Repeat("é", 300)}.Clean()
	require.NoError(t, err)
	require.Equal(t, "Well argued.", phrases[0])
	for _, bad := range []studycircle.Phrases{{""}, {"a\nb"}, {strings.Repeat("é", 301)}, make(studycircle.Phrases, 51)} {
		_, err = bad.Clean()
		require.Equal(t, studycircle.CodeInvalid, studycircle.CodeOf(err))
	}
}
