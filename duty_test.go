package studycircle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// A submitter owes as many reviews as the assignment asks for and there are to give, by the review due date, until the
// server settles.
func TestDuty(t *testing.T) {
	t.Parallel()
	handedIn := time.Date(2027, 3, 1, 12, 0, 0, 0, time.UTC)
	on := func(days int) studycircle.DueDate {
		return studycircle.DueDateAt(handedIn.AddDate(0, 0, days).UnixMicro(), 60)
	}
	settled := on(2).Time().Add(studycircle.SettleAfter)
	base := studycircle.Duty{Needed: 2, Each: 3, Given: 1, Givable: 9, Due: on(2), HandedInAt: handedIn}
	with := func(change func(*studycircle.Duty)) studycircle.Duty {
		d := base
		change(&d)
		return d
	}
	for name, c := range map[string]struct {
		duty       studycircle.Duty
		owed, left int64
		by         time.Time
		now        time.Time
	}{
		"no review due date":               {base, 3, 2, settled, handedIn},
		"by the review due date":           {with(func(d *studycircle.Duty) { d.ReviewDue = on(5) }), 3, 2, on(5).Time(), handedIn},
		"reviews are welcome after it":     {with(func(d *studycircle.Duty) { d.ReviewDue = on(5) }), 3, 2, on(5).Time(), on(6).Time()},
		"handed in after it":               {with(func(d *studycircle.Duty) { d.HandedInAt, d.ReviewDue = on(6).Time(), on(5) }), 3, 2, on(6).Time().Add(studycircle.SettleAfter), on(6).Time()},
		"a review due date after settling": {with(func(d *studycircle.Duty) { d.ReviewDue = on(20) }), 3, 2, settled, handedIn},
		"settled":                          {base, 3, 0, settled, settled},
		"just before it is settled":        {base, 3, 2, settled, settled.Add(-time.Microsecond)},
		"all given":                        {with(func(d *studycircle.Duty) { d.Given = 3 }), 3, 0, settled, handedIn},
		"more than all":                    {with(func(d *studycircle.Duty) { d.Given = 4 }), 3, 0, settled, handedIn},
		"one to give":                      {with(func(d *studycircle.Duty) { d.Givable = 1 }), 2, 1, settled, handedIn},
		"none to give":                     {with(func(d *studycircle.Duty) { d.Givable = 0 }), 1, 0, settled, handedIn},
		"none given, none to give":         {with(func(d *studycircle.Duty) { d.Given, d.Givable = 0, 0 }), 0, 0, time.Time{}, handedIn},
		"not handed in":                    {with(func(d *studycircle.Duty) { d.HandedInAt = time.Time{} }), 0, 0, time.Time{}, handedIn},
		"may not review":                   {with(func(d *studycircle.Duty) { d.Exempt = true }), 0, 0, time.Time{}, handedIn},
		"one grade":                        {with(func(d *studycircle.Duty) { d.Needed = 0 }), 0, 0, time.Time{}, handedIn},
	} {
		require.Equal(t, c.owed, c.duty.Owed(), name)
		require.Equal(t, c.left, c.duty.Left(c.now), name)
		require.True(t, c.by.Equal(c.duty.By()), "%s: %v", name, c.duty.By())
		require.Equal(t, c.left > 0, c.duty.Pressing(c.now), name)
	}
}

// A duty to review needs several reviews and a day after the due date.
func TestCheckReviewing(t *testing.T) {
	t.Parallel()
	day := func(n int) studycircle.DueDate { return studycircle.DueDateAt(int64(n)*24*3_600_000_000, 0) }
	for name, c := range map[string]struct {
		a      studycircle.Assignment
		faults []string
	}{
		"one grade":                 {studycircle.Assignment{Due: day(5)}, nil},
		"several reviews":           {studycircle.Assignment{Due: day(5), Reviews: 2}, nil},
		"after the due date":        {studycircle.Assignment{Due: day(5), Reviews: 2, ReviewDue: day(6), ReviewsOwed: 4}, nil},
		"on the due date":           {studycircle.Assignment{Due: day(5), Reviews: 2, ReviewDue: day(5)}, []string{"reviewDueDate"}},
		"before the due date":       {studycircle.Assignment{Due: day(5), Reviews: 2, ReviewDue: day(4)}, []string{"reviewDueDate"}},
		"a date with one grade":     {studycircle.Assignment{Due: day(5), ReviewDue: day(6)}, []string{"reviewDueDate"}},
		"a number with one grade":   {studycircle.Assignment{Due: day(5), ReviewsOwed: 2}, []string{"reviewsOwed"}},
		"both, with a single grade": {studycircle.Assignment{Due: day(5), ReviewDue: day(4), ReviewsOwed: 2}, []string{"reviewDueDate", "reviewsOwed"}},
	} {
		c.a.MarkBy = studycircle.MarkByModel
		if err := c.a.CheckReviewing(); c.faults == nil {
			require.NoError(t, err, name)
		} else {
			require.Equal(t, c.faults, faults(t, err, studycircle.CodeInvalid), name)
		}
	}
}

// The reviews and the date that a creator asks for keep their values unless the input has others.
func TestApplyDuty(t *testing.T) {
	t.Parallel()
	of := func(n int64) *int64 { return &n }
	text := func(s string) *string { return &s }
	apply := func(a studycircle.Assignment, change func(*studycircle.AssignmentInput)) (studycircle.Assignment, bool) {
		in := goodAssignment()
		change(&in)
		in, err := in.Clean()
		require.NoError(t, err)
		return a.Apply(in)
	}
	a, _ := apply(studycircle.Assignment{}, func(in *studycircle.AssignmentInput) {
		in.Reviews, in.ReviewsOwed, in.ReviewDueDate = of(3), of(2), text("2099-01-02T10:00:00+02:00")
	})
	require.EqualValues(t, 2, a.OwedEach())
	require.Equal(t, "2099-01-02T10:00:00+02:00", a.ReviewDue.String())
	kept, changed := apply(a, func(*studycircle.AssignmentInput) {})
	require.False(t, changed)
	require.Equal(t, a, kept)
	without, changed := apply(a, func(in *studycircle.AssignmentInput) { in.ReviewDueDate = text("") })
	require.True(t, changed)
	require.True(t, without.ReviewDue.IsZero())
	single, _ := apply(a, func(in *studycircle.AssignmentInput) { in.Reviews = of(1) })
	require.Zero(t, single.OwedEach())
	require.True(t, single.ReviewDue.IsZero())
	for _, wrong := range []studycircle.AssignmentInput{{ReviewsOwed: of(0)}, {ReviewsOwed: of(21)}} {
		in := goodAssignment()
		in.ReviewsOwed = wrong.ReviewsOwed
		_, err := in.Clean()
		require.Equal(t, []string{"reviewsOwed"}, faults(t, err, studycircle.CodeInvalid))
	}
	in := goodAssignment()
	in.ReviewDueDate = text("tomorrow")
	_, err := in.Clean()
	require.Equal(t, []string{"reviewDueDate"}, faults(t, err, studycircle.CodeInvalid))
}
