package demo_test

import (
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/demo"
	"studycircle/internal/limit"
	"studycircle/internal/store"
)

var art = &url.URL{Scheme: "http", Host: "127.0.0.1:8080", Path: "/"}

func TestDemoIsLively(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), store.Config{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	people, err := demo.Fill(t.Context(), s, time.Now(), art)
	require.NoError(t, err)
	require.Len(t, people, 2)
	users := 0
	require.NoError(t, s.EachUser(t.Context(), func(studycircle.User) error { users++; return nil }))
	require.Equal(t, 12, users)
	all, total, err := s.Assignments(t.Context(), studycircle.ViewerOf("anyone"), "", studycircle.Page{Number: 1, Limit: 100})
	require.NoError(t, err)
	require.GreaterOrEqual(t, total, int64(60))
	for i := 1; i < len(all); i++ {
		require.False(t, all[i].CreatedAt.After(all[i-1].CreatedAt), "newest first")
	}
	for _, level := range studycircle.Levels {
		_, n, err := s.Assignments(t.Context(), studycircle.ViewerOf("anyone"), level, studycircle.Page{Number: 1, Limit: 1})
		require.NoError(t, err)
		require.Greater(t, n, int64(10), level)
	}
	_, pending, err := s.PendingSubmissions(t.Context(), studycircle.ViewerOf("anyone"), studycircle.Page{Number: 1, Limit: 1})
	require.NoError(t, err)
	require.Greater(t, pending, int64(10))

	for _, u := range people {
		d, err := s.Dashboard(t.Context(), studycircle.ViewerOf(u.ID), time.Now())
		require.NoError(t, err)
		require.GreaterOrEqual(t, len(d.Due), 2, "every sample user has something due")
		require.NotEmpty(t, d.Taken.Marks)
		require.NotEmpty(t, d.Waiting)
	}

	again, err := demo.Fill(t.Context(), s, time.Now(), art)
	require.NoError(t, err)
	require.Equal(t, people, again, "a second start finds the sample people again")
	_, twice, err := s.Assignments(t.Context(), studycircle.ViewerOf("anyone"), "", studycircle.Page{Number: 1, Limit: 1})
	require.NoError(t, err)
	require.Equal(t, total, twice)
}

func TestDemoLeavesOthersContentAlone(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), store.Config{Dir: t.TempDir()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	now := time.Now()
	require.NoError(t, s.Publish(t.Context(), studycircle.Assignment{
		ID: "mine", Title: "Mine", Description: "Mine.", Level: studycircle.Easy, Marks: 1, CreatedAt: now, UpdatedAt: now,
		Due: studycircle.DueDateAt(now.UnixMicro(), 0),
	}, limit.Use{}))
	people, err := demo.Fill(t.Context(), s, now, art)
	require.NoError(t, err)
	require.Empty(t, people)
	_, total, err := s.Assignments(t.Context(), studycircle.ViewerOf("anyone"), "", studycircle.Page{Number: 1, Limit: 1})
	require.NoError(t, err)
	require.EqualValues(t, 1, total)
}
