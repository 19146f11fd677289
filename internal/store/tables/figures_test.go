package tables_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
)

// figure is one stated change.
type figure struct {
	scope           pages.Scope
	block, n, total int64
}

// stated records the figures that a write states.
type stated struct {
	tables.Effects
	figures []figure
}

// Figure implements tables.Effects.
func (s *stated) Figure(scope pages.Scope, block, n, total int64) {
	s.figures = append(s.figures, figure{scope, block, n, total})
}

// A grade counts for creator, submitter and grader: marks as tenths of a percent, rounded to the nearest, and waits
// as hundredths of an hour, never below zero.
func TestFiguresOfAGrade(t *testing.T) {
	t.Parallel()
	live := tables.Basis{ID: "a", Seq: 7, CreatorID: "ada", Level: studycircle.Hard}
	submitted := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	of := func(total int64) figure { return figure{tables.Of("ada"), tables.OfGraded, 1, total} }
	got := func(share, total int64) figure { return figure{tables.Got("bob", studycircle.Hard), share, 1, total} }
	gave := func(wait, total int64) figure { return figure{tables.Gave("cem"), wait, 1, total} }
	const percent = studycircle.PercentUnit
	gone := live.Gone()
	for name, c := range map[string]struct {
		basis       tables.Basis
		mark, marks int64
		waited      time.Duration
		want        []figure
	}{
		"half":                   {live, 10, 20, time.Hour, []figure{of(50 * percent), got(500, 50*percent), gave(100, 50*percent)}},
		"none, at once":          {live, 0, 20, 0, []figure{of(0), got(0, 0), gave(0, 0)}},
		"all":                    {live, 20, 20, 18 * time.Second, []figure{of(100 * percent), got(1000, 100*percent), gave(1, 100*percent)}},
		"rounded up":             {live, 2, 3, 17 * time.Second, []figure{of(66_666_667), got(667, 66_666_667), gave(0, 66_666_667)}},
		"by a clock gone back":   {live, 10, 20, -time.Hour, []figure{of(50 * percent), got(500, 50*percent), gave(0, 50*percent)}},
		"the assignment is gone": {gone, 10, 20, time.Hour, []figure{got(500, 50*percent), gave(100, 50*percent)}},
		"without an assignment":  {tables.Basis{}, 10, 20, time.Hour, []figure{{tables.Got("bob", "none"), 500, 1, 50 * percent}, gave(100, 50*percent)}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var to stated
			tables.CountGrade(&to, c.basis, tables.SubmissionRow{Submission: studycircle.Submission{
				Submitter: studycircle.Person{UserID: "bob"}, Marks: c.marks, SubmittedAt: submitted,
				Grade: &studycircle.Grade{GraderID: "cem", Mark: c.mark, MarkedAt: submitted.Add(c.waited)},
			}}, 1)
			require.Equal(t, c.want, to.figures)
		})
	}
}
