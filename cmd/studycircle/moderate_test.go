package main

import (
	"context"
	"io"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/teststore"
)

// printed returns the output of f.
func printed(t *testing.T, f func() error) string {
	t.Helper()
	read, write, err := os.Pipe()
	require.NoError(t, err)
	before := os.Stdout
	os.Stdout = write
	err = f()
	os.Stdout = before
	require.NoError(t, write.Close())
	require.NoError(t, err)
	text, err := io.ReadAll(read)
	require.NoError(t, err)
	return string(text)
}

// The ids of reports list, hide and restore reviews and suspend their authors; neither the list nor the record names
// the author.
func TestReviewsAreModeratedUnnamed(t *testing.T) {
	config := store.Config{Dir: t.TempDir()}
	s, err := store.Open(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	now := time.Now().UTC().Truncate(time.Microsecond)
	user := func(name string) studycircle.User {
		return studycircle.User{ID: "id-of-" + name, Email: name + "@example.org", DisplayName: name, CreatedAt: now}
	}
	ada, bob, cem := user("ada"), user("bob"), user("cem")
	require.NoError(t, s.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		for _, u := range []studycircle.User{ada, bob, cem} {
			if err := tx.InsertAccount(ctx, studycircle.Account{User: u}); err != nil {
				return err
			}
		}
		return nil
	}))
	require.NoError(t, teststore.Publish(t.Context(), s, studycircle.Assignment{
		ID: "tides", Title: "Tides", Marks: 20, Level: studycircle.Easy, Reviews: 2, Creator: studycircle.Person{UserID: ada.ID}, CreatedAt: now, UpdatedAt: now,
	}))
	require.NoError(t, s.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		r := studycircle.Reviewing{
			SubmissionID: "work", AssignmentID: "tides", SubmitterID: bob.ID, Label: "Acorn", Phase: studycircle.ReviewOpen, Needed: 2, Wanted: 2, SettleAt: now,
		}
		err := tx.SubmitForReview(ctx, studycircle.Submission{
			ID: "work", AssignmentID: "tides", AssignmentTitle: "Tides", Marks: 20, Submitter: studycircle.Person{UserID: bob.ID}, DocsLink: "https://docs.example/1",
			Status: studycircle.Pending, SubmittedAt: now, Reviews: 2,
		}, studycircle.Assignment{ID: "tides"}, r)
		if err != nil {
			return err
		}
		c, err := tx.LoadReviewCase(ctx, "work", cem.ID)
		if err != nil {
			return err
		}
		given := studycircle.Review{ID: "review", SubmissionID: "work", Reviewer: cem.ID, Mark: 3, Feedback: "Rude words", GivenAt: now}
		err = c.Arrive(given, func([]studycircle.Review) (studycircle.Verdict, error) { return studycircle.Verdict{Mark: 3}, nil })
		if err != nil {
			return err
		}
		if err := tx.SaveReviewCase(ctx, c, nil); err != nil {
			return err
		}
		if _, err := tx.DB.ExecContext(ctx, "UPDATE reviews SET label = 'A'"); err != nil { // as if it were released
			return err
		}
		for id, subject := range map[string]studycircle.Subject{
			"report1": {Kind: studycircle.OfReview, ID: "review"}, "report2": {Kind: studycircle.OfSubmission, ID: "work"},
		} {
			if _, _, err := tx.InsertReport(ctx, studycircle.Report{ID: id, Subject: subject, Reason: "Look", CreatedAt: now}, ada.ID); err != nil {
				return err
			}
		}
		return nil
	}))
	flags := operatorFlags{databaseFlags: databaseFlags{Data: config.Dir}}
	list := printed(t, func() error { return moderateList{flags}.Run(t.Context()) })
	for _, shown := range []string{"report1", "Rude words", "report2", "https://docs.example/1"} {
		require.Contains(t, list, shown)
	}
	feedback := func() string {
		found, err := s.Reviews(t.Context(), "work")
		require.NoError(t, err)
		return found[0].Feedback
	}
	require.Equal(t, "report1 is hidden.\n", printed(t, func() error { return moderateHide{flags, "report1", "Not here"}.Run(t.Context()) }))
	require.Equal(t, studycircle.HiddenTitle, feedback())
	require.Equal(t, "report1 is shown again.\n", printed(t, func() error { return moderateRestore{flags, "report1"}.Run(t.Context()) }))
	require.Equal(t, "Rude words", feedback())
	require.Equal(t, studycircle.CodeInvalid, studycircle.CodeOf(moderateHide{flags, "report2", "Not here"}.Run(t.Context())))
	for id, u := range map[string]studycircle.User{"report1": cem, "report2": bob} {
		require.Equal(t, id+" is decided on: its author is suspended.\n", printed(t, func() error { return moderateSuspend{flags, id}.Run(t.Context()) }))
		account, err := s.AccountByEmail(t.Context(), u.Email)
		require.NoError(t, err)
		require.False(t, account.SuspendedAt.IsZero())
	}
	require.ErrorContains(t, moderateSuspend{flags, "tides"}.Run(t.Context()), "there is no comment and no assignment tides")
	log := printed(t, func() error { return moderateLog{flags}.Run(t.Context()) })
	for _, line := range []string{"hide +review +report1", "restore +review +report1", "suspend +review +report1", "suspend +submission +report2"} {
		require.Regexp(t, line, log)
	}
	for _, u := range []studycircle.User{bob, cem} {
		for _, named := range []string{u.ID, u.Email, u.DisplayName, "work", "\treview\t"} {
			require.NotContains(t, list+log, named)
		}
	}
}
