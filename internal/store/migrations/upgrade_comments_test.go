package migrations_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// Notifications keep their comments when references become rows: hiding one removes it and restoring it adds it again,
// read or unread as it was.
func TestNotificationsOfEarlierSchemasKeepTheirComments(t *testing.T) {
	t.Parallel()
	onEmptyDatabases(t, func(t *testing.T, c store.Config, _ string) {
		d, dialect := unopened(t, c)
		_, err := provider(t, d, dialect).UpTo(t.Context(), 75)
		require.NoError(t, err)
		exec := func(query string) {
			t.Helper()
			_, err := d.ExecContext(t.Context(), query)
			require.NoError(t, err, query)
		}
		for _, id := range []string{"ada", "bob", "eve"} {
			exec(fmt.Sprintf("INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at) VALUES ('%[1]s', '%[1]s@x.org', '%[1]s', '', '', 0)", id))
		}
		exec(`INSERT INTO assignments (id, creator_id, title, description, thumbnail, marks, level, due_at, due_offset, created_at, updated_at)
			VALUES ('a', 'ada', 'Tides', 'Text', '', 10, 'easy', 0, 0, 0, 0)`)
		exec("INSERT INTO comments (id, assignment_id, author_id, text, html, created_at, replies, listed, likes, thanks, insightful, questions)" +
			" VALUES ('t', 'a', 'bob', 'T', 'T', 5, 5, TRUE, 0, 0, 0, 0)")
		for i, id := range []string{"r1", "r2", "r3", "r4", "r5"} {
			hidden := "NULL"
			if id == "r2" || id == "r4" {
				hidden = "9"
			}
			exec(fmt.Sprintf("INSERT INTO comments (id, assignment_id, thread_id, author_id, text, html, created_at, hidden_at, hidden_reason, listed, replies, likes, thanks, insightful, questions)"+
				" VALUES ('%[1]s', 'a', 't', 'eve', 'R', 'R', %[2]d, %[3]s, CASE WHEN %[3]s > 0 THEN 'Rude' END, %[3]s IS NULL, 0, 0, 0, 0, 0)", id, i+2, hidden))
		}
		exec("INSERT INTO inboxes (id, last_no) VALUES ('bob', 9), ('ada', 9)")
		for _, row := range []string{
			// Of two replies one was hidden after bob had read both; of the next two, one before he read it.
			"'n1', 'bob', 1, 'reply', 't', 1, 7, '', 'r1.0 -r2.0', '/assignment/a#comment-r1'",
			"'n2', 'bob', 2, 'reply', 't', 1, NULL, 'due', '+r3.0 =r4.0', '/assignment/a#comment-r3'",
			// Written before there were references.
			"'n3', 'ada', 1, 'comment', 'a', 2, NULL, '', '', '/assignment/a#comment-t'",
			"'n4', 'ada', 2, 'mention', 'r5', 1, NULL, '', '+r5.0', '/assignment/a#comment-r5'",
		} {
			exec("INSERT INTO notifications (id, user_id, no, kind, subject, notices, read_at, mail, comments, url, assignment_id, title, created_at, actor_id)" +
				" VALUES (" + row + ", 'a', 'Tides', 5, 'eve')")
		}
		s, err := store.Open(t.Context(), c)
		require.NoError(t, err)
		defer func() { require.NoError(t, s.Close()) }()
		shows := func(userID string, want ...string) {
			t.Helper()
			list, total, _, err := s.Notifications(t.Context(), studycircle.ViewerOf(userID), false, studycircle.Page{Number: 1, Limit: 10})
			require.NoError(t, err)
			require.EqualValues(t, len(want), total)
			var got []string
			for _, n := range list {
				got = append(got, fmt.Sprint(n.Kind, " ", n.Count, " ", studycircle.CommentIn(n.URL), " ", !n.ReadAt.IsZero()))
			}
			require.Equal(t, want, got)
		}
		moderate := func(action studycircle.ModerationAction, id string) {
			t.Helper()
			require.NoError(t, s.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
				_, err := tx.Moderate(ctx, studycircle.Moderation{
					Moderator: studycircle.ByShell, Action: action, Subject: studycircle.Subject{Kind: studycircle.OfComment, ID: id}, Reason: "Rude", At: time.Now(),
				})
				return err
			}))
		}
		shows("bob", "reply 1 r3 false", "reply 1 r1 true")
		shows("ada", "mention 1 r5 false", "comment 2 t false")
		moderate(studycircle.Restore, "r2")
		shows("bob", "reply 1 r3 false", "reply 2 r2 true")
		moderate(studycircle.Restore, "r4")
		shows("bob", "reply 2 r4 false", "reply 2 r2 true")
		moderate(studycircle.Hide, "r1")
		moderate(studycircle.Hide, "r2")
		shows("bob", "reply 2 r4 false")
		moderate(studycircle.Restore, "r1")
		shows("bob", "reply 2 r4 false", "reply 1 r1 true")
		moderate(studycircle.Hide, "r5")
		moderate(studycircle.Hide, "t")
		shows("ada", "comment 1  false")
		moderate(studycircle.Restore, "t")
		shows("ada", "comment 2 t false")
	})
}
