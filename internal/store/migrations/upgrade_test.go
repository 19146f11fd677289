package migrations_test

import (
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/teststore"
)

// kept returns a database of an earlier program, with its sample content.
func kept(tb testing.TB, name string) []byte {
	tb.Helper()
	file, err := os.Open(filepath.Join("testdata", name))
	require.NoError(tb, err)
	defer func() { require.NoError(tb, file.Close()) }()
	unpacked, err := gzip.NewReader(file)
	require.NoError(tb, err)
	all, err := io.ReadAll(unpacked)
	require.NoError(tb, err)
	return all
}

// upgraded requires that a database of an earlier release has all its content, counted, and that users continue to work
// with it.
func upgraded(t *testing.T, c store.Config) {
	t.Helper()
	d, _ := unopened(t, c)
	var assignments, handedIn int64
	require.NoError(t, d.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM assignments WHERE deleted_at IS NULL").Scan(&assignments))
	require.NoError(t, d.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM submissions").Scan(&handedIn))
	s, err := store.Open(t.Context(), c)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	live := map[string]studycircle.Assignment{}
	require.NoError(t, s.EachAssignment(t.Context(), studycircle.Visitor(), studycircle.Hall, func(a studycircle.Assignment) error {
		live[a.ID] = a
		return nil
	}))
	require.Len(t, live, int(assignments))
	listed := 0
	for _, level := range append(studycircle.Levels, "") {
		for number := int64(1); ; number++ {
			rows, total, err := s.Assignments(t.Context(), studycircle.ViewerOf("anyone"), studycircle.Hall, level, studycircle.Page{Number: number, Limit: 7})
			require.NoError(t, err)
			if level == "" {
				require.EqualValues(t, len(live), total)
			}
			if len(rows) == 0 {
				break
			}
			for _, a := range rows {
				a.HTML = live[a.ID].HTML // lists have it, exports do not
				require.Equal(t, live[a.ID], a)
				listed++
			}
		}
	}
	require.Equal(t, 2*len(live), listed)
	one, _, err := s.Assignments(t.Context(), studycircle.ViewerOf("anyone"), studycircle.Hall, "", studycircle.Page{Number: 3, Limit: 1})
	require.NoError(t, err)
	found, _, err := s.SearchAssignments(t.Context(), studycircle.ViewerOf("anyone"), studycircle.Hall, one[0].Title, one[0].Level, studycircle.Page{Number: 1, Limit: 10})
	require.NoError(t, err)
	require.Contains(t, found, one[0])

	ada, err := s.AccountByEmail(t.Context(), "ada@studycircle.example")
	require.NoError(t, err)
	var submissions, pending int64
	require.NoError(t, s.EachSubmission(t.Context(), studycircle.System(), studycircle.Hall, func(sub studycircle.Submission) error {
		submissions++
		if sub.Status == studycircle.Pending {
			pending++
		}
		require.Equal(t, sub.Status == studycircle.Completed, sub.Grade != nil)
		return nil
	}))
	require.Equal(t, handedIn, submissions)
	_, total, err := s.PendingSubmissions(t.Context(), studycircle.ViewerOf("anyone"), studycircle.Hall, time.Now(), studycircle.Page{Number: 1, Limit: 1})
	require.NoError(t, err)
	require.Equal(t, pending, total)
	standing(t, s, live)

	mine := one[0]
	mine.ID, mine.Title, mine.Creator = studycircle.NewID(mine.CreatedAt), "Upgraded entirely", studycircle.Person{UserID: ada.ID}
	require.NoError(t, teststore.Publish(t.Context(), s, mine))
	require.NoError(t, s.Write(t.Context(), studycircle.ViewerOf(ada.ID), func(ctx context.Context, tx *store.Tx) error {
		_, a, err := tx.HoldToSubmit(ctx, mine.ID)
		if err != nil {
			return err
		}
		_, err = tx.HandIn(ctx, studycircle.Submission{
			ID: mine.ID, AssignmentID: a.ID, AssignmentTitle: a.Title, Marks: a.Marks, Submitter: studycircle.Person{UserID: ada.ID},
			Status: studycircle.Pending, SubmittedAt: mine.CreatedAt,
		}, a)
		return err
	}))
	found, total, err = s.SearchAssignments(t.Context(), studycircle.ViewerOf("anyone"), studycircle.Hall, "upgraded entirely", "", studycircle.Page{Number: 1, Limit: 10})
	require.NoError(t, err)
	require.EqualValues(t, 1, total)
	require.Equal(t, mine.ID, found[0].ID)
	require.NoError(t, s.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		return tx.DeleteAssignment(ctx, mine.ID, mine.CreatedAt)
	}))
	_, total, err = s.Assignments(t.Context(), studycircle.ViewerOf("anyone"), studycircle.Hall, "", studycircle.Page{Number: 1, Limit: 1})
	require.NoError(t, err)
	require.EqualValues(t, len(live), total)
}

// standing requires that all users see their work from before the upgrade.
func standing(t *testing.T, s *store.Store, live map[string]studycircle.Assignment) {
	t.Helper()
	type figures struct {
		created, received, handedIn, marked int64
		open                                int
	}
	want := map[string]*figures{}
	of := func(userID string) *figures {
		if want[userID] == nil {
			want[userID] = &figures{open: len(live)}
		}
		return want[userID]
	}
	for _, a := range live {
		of(a.Creator.UserID).created++
		of(a.Creator.UserID).open--
	}
	taken := map[[2]string]bool{}
	require.NoError(t, s.EachSubmission(t.Context(), studycircle.System(), studycircle.Hall, func(sub studycircle.Submission) error {
		by := sub.Submitter.UserID
		of(by).handedIn++
		a, lives := live[sub.AssignmentID]
		if lives {
			of(a.Creator.UserID).received++
		}
		if pair := [2]string{by, a.ID}; lives && !taken[pair] && a.Creator.UserID != by {
			taken[pair] = true
			of(by).open--
		}
		if sub.Grade != nil && sub.Grade.GraderID != "" {
			of(sub.Grade.GraderID).marked++
		}
		return nil
	}))
	require.Greater(t, len(want), 3)
	for userID, figures := range want {
		if userID == "" {
			continue
		}
		d, err := s.Dashboard(t.Context(), studycircle.ViewerOf(userID), time.Now())
		require.NoError(t, err)
		require.Equal(t, figures.created, d.Created.Total)
		require.Equal(t, figures.received, d.Created.Pending+d.Created.Graded.N)
		require.Equal(t, figures.handedIn, d.Taken.Pending+d.Taken.Graded.N)
		require.Equal(t, figures.marked, d.Given.Graded.N)
		require.LessOrEqual(t, len(d.Taken.Marks), int(figures.handedIn))
		_, open, err := s.AssignmentsByState(t.Context(), studycircle.ViewerOf(userID), studycircle.Hall, studycircle.StateOpen, "", studycircle.Page{Number: 1, Limit: 10})
		require.NoError(t, err)
		require.EqualValues(t, figures.open, open)
	}
}
