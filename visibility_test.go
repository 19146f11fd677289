package studycircle_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"studycircle"
)

// viewers are one of each role: ada created the assignment and wrote the comment, bo
// did neither.
func viewers() map[string]studycircle.Viewer {
	ada, bo := studycircle.ViewerOf("ada"), studycircle.ViewerOf("bo")
	return map[string]studycircle.Viewer{
		"none": {}, "live": studycircle.Live(), "visitor": studycircle.Visitor(), "ada": ada, "bo": bo,
		"ada as author": ada.Author(), "bo as author": bo.Author(), "bo as party": bo.Party(), "bo as moderator": bo.Moderator(),
		"system": studycircle.System(),
	}
}

func TestVisible(t *testing.T) {
	t.Parallel()
	live := studycircle.Facts{CreatorID: "ada", OwnerID: "ada"}
	deleted, hidden := live, live
	deleted.Deleted = true
	hidden.Deleted, hidden.Hidden = true, true
	as := func(f studycircle.Facts, o studycircle.Object) studycircle.Facts {
		f.Object = o
		return f
	}
	buried, silenced := as(live, studycircle.ObjectComment), as(live, studycircle.ObjectComment)
	buried.Unlisted = true
	silenced.Unlisted, silenced.CommentHidden = true, true
	circle, joined := live, live
	circle.CircleID, joined.CircleID, joined.Member = "book", "book", true
	gone, mine := joined, circle
	gone.Deleted = true
	mine.OwnerID = "bo"
	signedIn := []string{"ada", "bo", "ada as author", "bo as author", "bo as party", "bo as moderator", "system"}
	for name, test := range map[string]struct {
		facts studycircle.Facts
		to    []string
	}{
		"an unknown object":            {as(live, 0), []string{"system"}},
		"a live assignment":            {as(live, studycircle.ObjectAssignment), append([]string{"live", "visitor"}, signedIn...)},
		"a deleted assignment":         {as(deleted, studycircle.ObjectAssignment), []string{"bo as party", "bo as moderator", "system"}},
		"a hidden assignment":          {as(hidden, studycircle.ObjectAssignment), []string{"ada as author", "bo as party", "bo as moderator", "system"}},
		"a comment":                    {as(live, studycircle.ObjectComment), append([]string{"visitor"}, signedIn...)},
		"a comment that nothing shows": {buried, []string{"bo as moderator", "system"}},
		"a hidden comment":             {silenced, []string{"ada as author", "bo as moderator", "system"}},
		"a comment on a deleted one":   {as(deleted, studycircle.ObjectComment), []string{"bo as party", "bo as moderator", "system"}},
		"work":                         {as(live, studycircle.ObjectWork), signedIn},
		"work on a deleted one":        {as(deleted, studycircle.ObjectWork), signedIn},
		"a report":                     {as(live, studycircle.ObjectReport), []string{"bo as moderator", "system"}},
		"a reminder":                   {as(live, studycircle.ObjectPersonal), []string{"ada", "ada as author", "system"}},
		"an assignment of a circle":    {as(circle, studycircle.ObjectAssignment), []string{"live", "system"}},
		"one of the viewer's circle":   {as(joined, studycircle.ObjectAssignment), append([]string{"live"}, signedIn...)},
		"a deleted one of it":          {as(gone, studycircle.ObjectAssignment), []string{"bo as party", "bo as moderator", "system"}},
		"a comment in a circle":        {as(circle, studycircle.ObjectComment), []string{"system"}},
		"work in a circle":             {as(circle, studycircle.ObjectWork), []string{"system"}},
		"a former member's work":       {as(mine, studycircle.ObjectWork), []string{"bo as party", "system"}},
		"work in the viewer's circle":  {as(joined, studycircle.ObjectWork), signedIn},
		"a report in a circle":         {as(circle, studycircle.ObjectReport), []string{"system"}},
		"a notification of a circle":   {as(circle, studycircle.ObjectPersonal), []string{"system"}},
		"a notification on a hidden":   {as(hidden, studycircle.ObjectPersonal), []string{"ada", "ada as author", "system"}},
	} {
		var to []string
		for who, v := range viewers() {
			if studycircle.Visible(v, test.facts) {
				to = append(to, who)
			}
		}
		assert.ElementsMatch(t, test.to, to, name)
	}
}

// Facts in every combination.
func everyFact(f func(studycircle.Facts)) {
	for o := range studycircle.ObjectPersonal + 2 {
		for bits := range 1 << 8 {
			is := func(n int) bool { return bits>>n&1 == 1 }
			facts := studycircle.Facts{Object: o, Deleted: is(0), Hidden: is(1), Unlisted: is(2), CommentHidden: is(3)}
			if is(4) {
				facts.CreatorID = "ada"
			}
			if is(5) {
				facts.OwnerID = "ada"
			}
			if is(6) {
				facts.CircleID, facts.Member = "book", is(7)
			}
			f(facts)
		}
	}
}

func TestVisibilityOnlyGrowsWithTheRole(t *testing.T) {
	t.Parallel()
	everyFact(func(f studycircle.Facts) {
		sees := func(v studycircle.Viewer) bool { return studycircle.Visible(v, f) }
		implies := func(less, more studycircle.Viewer) {
			assert.False(t, sees(less) && !sees(more), "%v sees what %v does not: %+v", less, more, f)
		}
		assert.False(t, sees(studycircle.Viewer{}), "the zero Viewer: %+v", f)
		assert.True(t, sees(studycircle.System()), "System: %+v", f)
		for _, id := range []string{"ada", "bo"} {
			user := studycircle.ViewerOf(id)
			implies(studycircle.Visitor(), user)
			implies(user, user.Author())
			implies(user, user.Party())
			implies(user, user.Moderator())
		}
	})
}

func TestVisitorsHaveNoOtherRole(t *testing.T) {
	t.Parallel()
	for _, v := range []studycircle.Viewer{{}, studycircle.Live(), studycircle.Visitor(), studycircle.System()} {
		for name, other := range map[string]studycircle.Viewer{"author": v.Author(), "party": v.Party(), "moderator": v.Moderator()} {
			assert.Equal(t, v, other, fmt.Sprint(name, " of ", v))
		}
	}
	assert.Equal(t, studycircle.Visitor(), studycircle.ViewerOf(""))
}
