package studycircle_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestPolicy(t *testing.T) {
	t.Parallel()
	person := func(id string) studycircle.Person { return studycircle.Person{UserID: id} }
	of := func(id string) studycircle.Assignment { return studycircle.Assignment{Creator: person(id)} }
	by := func(id string, s studycircle.Status) studycircle.Submission {
		return studycircle.Submission{Submitter: person(id), Status: s}
	}
	gradable := func(id string, s studycircle.Status) studycircle.Gradable {
		return studycircle.Gradable{SubmitterID: id, Status: s}
	}
	const (
		pending, completed = studycircle.Pending, studycircle.Completed
		notMine            = studycircle.CodeNotYourAssignment
		notMySubmissions   = studycircle.CodeNotYourSubmissions
		ownWork            = studycircle.CodeOwnSubmission
		graded             = studycircle.CodeAlreadyGraded
	)
	for name, c := range map[string]struct {
		got  error
		want studycircle.Code
	}{
		"creator changes":                               {studycircle.MayChangeAssignment("ada", of("ada")), ""},
		"another changes":                               {studycircle.MayChangeAssignment("bob", of("ada")), notMine},
		"a user changes a deleted user's":               {studycircle.MayChangeAssignment("ada", of("")), notMine},
		"a visitor changes a deleted user's":            {studycircle.MayChangeAssignment("", of("")), notMine},
		"a visitor changes":                             {studycircle.MayChangeAssignment("", of("ada")), notMine},
		"creator reads results":                         {studycircle.MayReadResults("ada", of("ada")), ""},
		"another reads results":                         {studycircle.MayReadResults("bob", of("ada")), notMine},
		"a user reads a deleted user's results":         {studycircle.MayReadResults("ada", of("")), notMine},
		"a visitor reads a deleted user's results":      {studycircle.MayReadResults("", of("")), notMine},
		"another is reminded":                           {studycircle.MayBeReminded("bob", of("ada")), ""},
		"creator is reminded":                           {studycircle.MayBeReminded("ada", of("ada")), studycircle.CodeOwnAssignment},
		"a visitor is reminded":                         {studycircle.MayBeReminded("", of("ada")), studycircle.CodeOwnAssignment},
		"another submits":                               {studycircle.MaySubmit("bob", of("ada")), ""},
		"creator submits":                               {studycircle.MaySubmit("ada", of("ada")), studycircle.CodeOwnAssignment},
		"a user submits to a deleted user's":            {studycircle.MaySubmit("ada", of("")), ""},
		"a visitor submits":                             {studycircle.MaySubmit("", of("ada")), studycircle.CodeOwnAssignment},
		"another grades":                                {studycircle.MayGrade("bob", gradable("ada", pending)), ""},
		"submitter grades":                              {studycircle.MayGrade("ada", gradable("ada", pending)), ownWork},
		"submitter grades again":                        {studycircle.MayGrade("ada", gradable("ada", completed)), ownWork},
		"another grades again":                          {studycircle.MayGrade("bob", gradable("ada", completed)), graded},
		"another grades a state not known":              {studycircle.MayGrade("bob", gradable("ada", "lost")), graded},
		"another grades no state":                       {studycircle.MayGrade("bob", gradable("ada", "")), graded},
		"a visitor grades a deleted user's":             {studycircle.MayGrade("", gradable("", pending)), ownWork},
		"submitter changes theirs":                      {studycircle.MayChangeSubmission("ada", by("ada", pending)), ""},
		"submitter changes a graded one":                {studycircle.MayChangeSubmission("ada", by("ada", completed)), graded},
		"submitter changes a state not known":           {studycircle.MayChangeSubmission("ada", by("ada", "lost")), graded},
		"another changes a submission":                  {studycircle.MayChangeSubmission("bob", by("ada", pending)), notMySubmissions},
		"another learns nothing of the state":           {studycircle.MayChangeSubmission("bob", by("ada", completed)), notMySubmissions},
		"a visitor changes a deleted user's submission": {studycircle.MayChangeSubmission("", by("", pending)), notMySubmissions},
		"users list theirs":                             {studycircle.MayListSubmissionsOf(studycircle.User{Email: "a@b"}, "a@b"), ""},
		"users do not list others'":                     {studycircle.MayListSubmissionsOf(studycircle.User{Email: "a@b"}, "b@b"), notMySubmissions},
		"users do not list by a beginning":              {studycircle.MayListSubmissionsOf(studycircle.User{Email: "a@b"}, "a@"), notMySubmissions},
		"a visitor lists those of no address":           {studycircle.MayListSubmissionsOf(studycircle.User{}, ""), notMySubmissions},
		"an address in another spelling is not":         {studycircle.MayListSubmissionsOf(studycircle.User{Email: "a@b"}, "A@b"), notMySubmissions},
	} {
		require.Equal(t, c.want, studycircle.CodeOf(c.got), name)
	}
}

func TestWhoHears(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		viewer   string
		audience studycircle.Audience
		circle   string // the only one that the viewer is a member of
		want     bool
	}{
		{"", studycircle.Everybody, "", true},
		{"ada", studycircle.Everybody, "", true},
		{"", studycircle.AllUsers, "", false},
		{"ada", studycircle.AllUsers, "", true},
		{"ada", "ada", "", true},
		{"bob", "ada", "", false},
		{"", "ada", "", false},
		{"", "", "", false},
		{"ada", "", "", false},
		{"ada", studycircle.Everybody.In("book"), "book", true},
		{"ada", studycircle.Everybody.In("book"), "chess", false},
		{"ada", studycircle.AllUsers.In("book"), "", false},
		{"", studycircle.Everybody.In("book"), "book", false},
		{"ada", studycircle.Audience("ada").In("book"), "book", true},
		{"ada", studycircle.Audience("ada").In("book"), "", false},
		{"bob", studycircle.Audience("ada").In("book"), "book", false},
	} {
		require.Equal(t, c.want, studycircle.MayHear(c.viewer, studycircle.Event{Audience: c.audience}, func(circleID string) bool { return circleID == c.circle }), "%+v", c)
	}
}
