package demo_test

import (
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/app"
	"studycircle/internal/demo"
	"studycircle/internal/store"
	"studycircle/internal/teststore"
)

var art = &url.URL{Scheme: "http", Host: "127.0.0.1:8080", Path: "/"}

func TestDemoIsLively(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), store.Config{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	people, err := demo.Fill(t.Context(), s, app.Unlimited, time.Now(), art)
	require.NoError(t, err)
	require.Len(t, people, 2)
	users := 0
	require.NoError(t, s.EachUser(t.Context(), func(studycircle.User) error { users++; return nil }))
	require.Equal(t, 26, users)
	all, total, err := s.Assignments(t.Context(), studycircle.ViewerOf("anyone"), studycircle.Hall, "", studycircle.Page{Number: 1, Limit: 100})
	require.NoError(t, err)
	require.GreaterOrEqual(t, total, int64(60))
	for i := 1; i < len(all); i++ {
		require.False(t, all[i].CreatedAt.After(all[i-1].CreatedAt), "newest first")
	}
	for _, level := range studycircle.Levels {
		_, n, err := s.Assignments(t.Context(), studycircle.ViewerOf("anyone"), studycircle.Hall, level, studycircle.Page{Number: 1, Limit: 1})
		require.NoError(t, err)
		require.Greater(t, n, int64(10), level)
	}
	_, pending, err := s.PendingSubmissions(t.Context(), studycircle.ViewerOf("anyone"), studycircle.Hall, time.Now(), studycircle.Page{Number: 1, Limit: 1})
	require.NoError(t, err)
	require.Greater(t, pending, int64(10))

	for _, u := range people {
		d, err := s.Dashboard(t.Context(), studycircle.ViewerOf(u.ID), time.Now())
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(d.Due), 2, "every sample user has something due")
		require.NotEmpty(t, d.Taken.Marks)
		require.NotEmpty(t, d.Waiting)
	}

	requirePhases(t, s, people[0], people[1])
	requireCircles(t, s, people[0])
	for _, u := range people {
		given, total, err := app.Unlimited(s, time.Now).ReviewsGiven(t.Context(), u, studycircle.Page{Number: 1, Limit: 10})
		require.NoError(t, err)
		require.GreaterOrEqual(t, total, int64(2), "every sample user has reviewed")
		require.True(t, slices.ContainsFunc(given, func(r studycircle.GivenReview) bool { return r.SettledMark != nil }))
	}

	again, err := demo.Fill(t.Context(), s, app.Unlimited, time.Now(), art)
	require.NoError(t, err)
	require.Equal(t, people, again, "a second start finds the sample people again")
	_, twice, err := s.Assignments(t.Context(), studycircle.ViewerOf("anyone"), studycircle.Hall, "", studycircle.Page{Number: 1, Limit: 1})
	require.NoError(t, err)
	require.Equal(t, total, twice)
}

// Notifications are listed as they came about, and none is from the future or older than the work that it tells of.
func TestDemoNotificationsAreInOrder(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), store.Config{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	now := time.Now()
	people, err := demo.Fill(t.Context(), s, app.Unlimited, now, art)
	require.NoError(t, err)
	for _, u := range people {
		list, total, _, err := s.Notifications(t.Context(), studycircle.ViewerOf(u.ID), false, studycircle.Page{Number: 1, Limit: 100})
		require.NoError(t, err)
		require.Len(t, list, int(total))
		require.GreaterOrEqual(t, len(list), 2, u.DisplayName)
		for i, n := range list {
			require.False(t, n.CreatedAt.After(now))
			if i > 0 {
				assert.False(t, n.CreatedAt.After(list[i-1].CreatedAt), "%s of %s is listed below %s", n.Kind, n.CreatedAt, list[i-1].CreatedAt)
			}
		}
	}
}

// requireCircles requires a class of 24 in two sections with three assignments, and an archived circle.
func requireCircles(t *testing.T, s *store.Store, teacher studycircle.User) {
	t.Helper()
	v, first := studycircle.ViewerOf(teacher.ID), studycircle.Page{Number: 1, Limit: 10}
	circles, _, err := s.CirclesOf(t.Context(), v, first)
	require.NoError(t, err)
	require.Len(t, circles, 2)
	class, past := circles[0], circles[1]
	require.False(t, past.ArchivedAt.IsZero())
	require.True(t, class.ArchivedAt.IsZero())
	for filter, want := range map[studycircle.MemberFilter]int64{
		{Role: studycircle.CircleMember}: 24, {Label: "Section A"}: 12, {Label: "Section B"}: 12,
	} {
		_, n, err := s.Members(t.Context(), v, class.ID, filter, true, first)
		require.NoError(t, err)
		require.Equal(t, want, n, filter)
	}
	published, n, err := s.Assignments(t.Context(), v, class.ID, "", first)
	require.NoError(t, err)
	require.EqualValues(t, 3, n)
	require.EqualValues(t, 2, published[2].Reviews)
}

// requirePhases requires one submission in each phase of a review, and a review that is
// the second user's to give.
func requirePhases(t *testing.T, s *store.Store, teacher, student studycircle.User) {
	t.Helper()
	mine, _, err := s.AssignmentsByState(t.Context(), studycircle.ViewerOf(teacher.ID), studycircle.Hall, studycircle.StateMine, "", studycircle.Page{Number: 1, Limit: 2})
	require.NoError(t, err)
	phases := map[string]int{}
	for _, a := range mine {
		require.EqualValues(t, 3, a.Reviews)
		require.NotNil(t, a.Rubric)
		work, _, err := s.Results(t.Context(), studycircle.ViewerOf(teacher.ID), a.ID, "", studycircle.Page{Number: 1, Limit: 10})
		require.NoError(t, err)
		for _, sub := range work {
			r := sub.Reviewing
			require.NotNil(t, r)
			switch {
			case r.Appeal != "":
				phases["appealed"]++
			case r.Phase == studycircle.ReviewSettled:
				phases["settled"]++
			case sub.Status == studycircle.Completed:
				phases["reopened"]++
			case r.Wanted > r.Needed:
				phases["one more"]++
			default:
				phases["open"]++
			}
		}
	}
	require.Equal(t, map[string]int{"open": 3, "one more": 1, "settled": 1, "appealed": 1, "reopened": 1}, phases)
	task, err := app.Unlimited(s, time.Now).NextReview(t.Context(), student, studycircle.Hall, mine[0].ID)
	require.NoError(t, err)
	require.NotNil(t, task, "the student has something to review")
}

func TestDemoLeavesOthersContentAlone(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), store.Config{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	now := time.Now()
	require.NoError(t, teststore.Publish(t.Context(), s, studycircle.Assignment{
		ID: "mine", Title: "Mine", Description: "Mine.", Level: studycircle.Easy, Marks: 1, CreatedAt: now, UpdatedAt: now,
		Due: studycircle.DueDateAt(now.UnixMicro(), 0),
	}))
	people, err := demo.Fill(t.Context(), s, app.Unlimited, now, art)
	require.NoError(t, err)
	require.Empty(t, people)
	_, total, err := s.Assignments(t.Context(), studycircle.ViewerOf("anyone"), studycircle.Hall, "", studycircle.Page{Number: 1, Limit: 1})
	require.NoError(t, err)
	require.EqualValues(t, 1, total)
}
