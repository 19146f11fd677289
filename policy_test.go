package studycircle_test

import (
	"cmp"
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
		"creator changes":                               {studycircle.MayChangeAssignment("ada", hall, of("ada")), ""},
		"another changes":                               {studycircle.MayChangeAssignment("bob", hall, of("ada")), notMine},
		"a user changes a deleted user's":               {studycircle.MayChangeAssignment("ada", hall, of("")), notMine},
		"a visitor changes a deleted user's":            {studycircle.MayChangeAssignment("", hall, of("")), notMine},
		"a visitor changes":                             {studycircle.MayChangeAssignment("", hall, of("ada")), notMine},
		"creator reads results":                         {studycircle.MayReadResults("ada", hall, of("ada")), ""},
		"another reads results":                         {studycircle.MayReadResults("bob", hall, of("ada")), notMine},
		"a user reads a deleted user's results":         {studycircle.MayReadResults("ada", hall, of("")), notMine},
		"a visitor reads a deleted user's results":      {studycircle.MayReadResults("", hall, of("")), notMine},
		"another is reminded":                           {studycircle.MayBeReminded("bob", hall, of("ada")), ""},
		"creator is reminded":                           {studycircle.MayBeReminded("ada", hall, of("ada")), studycircle.CodeOwnAssignment},
		"a visitor is reminded":                         {studycircle.MayBeReminded("", hall, of("ada")), studycircle.CodeOwnAssignment},
		"another submits":                               {studycircle.MaySubmit("bob", hall, of("ada")), ""},
		"creator submits":                               {studycircle.MaySubmit("ada", hall, of("ada")), studycircle.CodeOwnAssignment},
		"a user submits to a deleted user's":            {studycircle.MaySubmit("ada", hall, of("")), ""},
		"a visitor submits":                             {studycircle.MaySubmit("", hall, of("ada")), studycircle.CodeOwnAssignment},
		"another grades":                                {studycircle.MayGrade("bob", hall, by("ada", pending)), ""},
		"submitter grades":                              {studycircle.MayGrade("ada", hall, by("ada", pending)), ownWork},
		"submitter grades again":                        {studycircle.MayGrade("ada", hall, by("ada", completed)), ownWork},
		"another grades again":                          {studycircle.MayGrade("bob", hall, by("ada", completed)), graded},
		"another grades a state not known":              {studycircle.MayGrade("bob", hall, by("ada", "lost")), graded},
		"another grades no state":                       {studycircle.MayGrade("bob", hall, by("ada", "")), graded},
		"a visitor grades a deleted user's":             {studycircle.MayGrade("", hall, by("", pending)), ownWork},
		"submitter changes theirs":                      {studycircle.MayChangeSubmission("ada", hall, by("ada", pending)), ""},
		"submitter changes a graded one":                {studycircle.MayChangeSubmission("ada", hall, by("ada", completed)), graded},
		"submitter changes a state not known":           {studycircle.MayChangeSubmission("ada", hall, by("ada", "lost")), graded},
		"another changes a submission":                  {studycircle.MayChangeSubmission("bob", hall, by("ada", pending)), notMySubmissions},
		"another learns nothing of the state":           {studycircle.MayChangeSubmission("bob", hall, by("ada", completed)), notMySubmissions},
		"a visitor changes a deleted user's submission": {studycircle.MayChangeSubmission("", hall, by("", pending)), notMySubmissions},
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
		{"ada", studycircle.Deciders, "", false},
		{"mo", studycircle.Deciders, "", true},
		{"mo", studycircle.Deciders.In("book"), "", false},
		{"mo", studycircle.Deciders.In("book"), "book", false},
		{"olga", studycircle.Deciders, "", false},
		{"olga", studycircle.Deciders.In("book"), "book", true},
		{"olga", studycircle.Deciders.In("book"), "chess", false},
		{"owner", studycircle.Deciders.In("book"), "book", true},
		{"ada", studycircle.Deciders.In("book"), "book", false},
		{"", studycircle.Deciders, "", false},
		{"", studycircle.Deciders.In("book"), "book", false},
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
		role := cmp.Or(map[string]studycircle.CircleRole{"olga": studycircle.CircleOrganizer, "owner": studycircle.CircleOwner}[c.viewer], studycircle.CircleMember)
		who := studycircle.Hearer{UserID: c.viewer, Moderator: c.viewer == "mo", RoleIn: func(circleID string) studycircle.CircleRole {
			if circleID != c.circle {
				return ""
			}
			return role
		}}
		require.Equal(t, c.want, studycircle.CanHear(who, studycircle.Event{Audience: c.audience}, studycircle.HallOn), "%+v", c)
	}
}
