package storetest

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// talk makes random changes to discussions.
type talk struct {
	*history
	under    []studycircle.Assignment
	comments []studycircle.Comment // visible ones
	hidden   []studycircle.Comment
}

func newTalk(t *testing.T, b *bundle, seed uint64) *talk {
	t.Helper()
	h := &talk{history: newHistory(t, b, seed)}
	for i := range 3 {
		h.under = append(h.under, b.assignment(t, h.creator, studycircle.Easy, fmt.Sprint("Under ", i), "Talk."))
	}
	return h
}

func (h *talk) step() {
	h.t.Helper()
	by := pick(h.random, h.people)
	switch n := h.random.IntN(100); {
	case n < 25 || len(h.comments) == 0:
		h.comments = append(h.comments, h.b.comment(h.t, remark(pick(h.random, h.under), by, "", "New")))
	case n < 55:
		parent := pick(h.random, h.comments)
		if parent.ThreadID != "" {
			parent.ID = parent.ThreadID
		}
		h.comments = append(h.comments, h.b.comment(h.t, remark(studycircle.Assignment{ID: parent.AssignmentID}, by, parent.ID, "Reply")))
	case n < 75:
		h.b.deleteComment(h.t, take(h.random, &h.comments))
	case n < 80:
		h.moderate()
	case n < 90:
		_, err := h.b.reacts(h.t.Context(), pick(h.random, h.comments).ID, by, pick(h.random, studycircle.Reactions[:]), h.random.IntN(3) > 0)
		require.NoError(h.t, err)
	case n < 93:
		h.replacePerson()
	case n < 97:
		h.b.skipSeqs(h.t, "comments", 1+h.random.Int64N(90_000))
	default:
		h.b.fold(h.t)
	}
}

// moderate hides a visible comment, or shows a hidden one again.
func (h *talk) moderate() {
	h.t.Helper()
	m := studycircle.Moderation{Moderator: studycircle.ByShell, Action: studycircle.Hide, Reason: "Not here", At: now}
	m.Subject = studycircle.Subject{Kind: studycircle.OfComment, ID: pick(h.random, h.comments).ID}
	if len(h.hidden) > 0 && h.random.IntN(2) == 0 {
		m.Action, m.Subject.ID = studycircle.Restore, take(h.random, &h.hidden).ID
	}
	var moved studycircle.Comment
	h.b.do(h.t, func(ctx context.Context, tx *store.Tx) error {
		changed, err := tx.Moderate(ctx, m)
		require.NoError(h.t, err)
		require.True(h.t, changed)
		moved, err = tx.Comment(ctx, m.Subject.ID)
		return err
	})
	if m.Action == studycircle.Restore {
		h.comments = append(h.comments, moved)
		return
	}
	h.hidden = append(h.hidden, moved)
	h.comments = slices.DeleteFunc(h.comments, func(c studycircle.Comment) bool { return c.ID == moved.ID })
}

// compareComments compares every list and count of comments with a plain query.
func (b *bundle) compareComments(t *testing.T) {
	t.Helper()
	ctx, id := t.Context(), func(c studycircle.Comment) string { return c.ID }
	for _, a := range b.ids(t, "SELECT id FROM assignments") {
		want := b.ids(t, "SELECT id FROM comments WHERE assignment_id = $1 AND thread_id IS NULL AND listed ORDER BY seq", a)
		comparePages(t, want, func(p studycircle.Page) ([]studycircle.Comment, int64, error) { return b.Threads(ctx, anyone, a, p) }, id)
		for i, thread := range want {
			c, err := b.Comment(ctx, studycircle.System(), thread)
			require.NoError(t, err)
			before, err := b.ThreadsBefore(ctx, anyone, c)
			require.NoError(t, err)
			require.EqualValues(t, i, before)
		}
		first, err := b.FirstReplies(ctx, anyone, want, 3)
		require.NoError(t, err)
		for _, thread := range want {
			replies := b.ids(t, "SELECT id FROM comments WHERE thread_id = $1 AND listed ORDER BY seq", thread)
			comparePages(t, replies, func(p studycircle.Page) ([]studycircle.Comment, int64, error) {
				return b.Replies(ctx, anyone, thread, p)
			}, id)
			got := []string{}
			for _, r := range first[thread] {
				got = append(got, r.ID)
			}
			require.Equal(t, replies[:min(3, len(replies))], got)
		}
	}
	require.Empty(t, b.ids(t, `SELECT id FROM comments c WHERE replies <> (SELECT COUNT(*) FROM comments r WHERE r.thread_id = c.id AND r.listed)
		OR likes <> (SELECT COUNT(*) FROM reactions r WHERE r.comment_id = c.id AND r.kind = 'like')
		OR thanks <> (SELECT COUNT(*) FROM reactions r WHERE r.comment_id = c.id AND r.kind = 'thanks')
		OR insightful <> (SELECT COUNT(*) FROM reactions r WHERE r.comment_id = c.id AND r.kind = 'insightful')
		OR questions <> (SELECT COUNT(*) FROM reactions r WHERE r.comment_id = c.id AND r.kind = 'question')`))
	require.Empty(t, b.ids(t, "SELECT id FROM comments WHERE deleted_at IS NOT NULL AND ((replies = 0) = listed OR author_id IS NOT NULL OR text <> '')"))
}

func TestDiscussionsAreExactAfterAnyHistory(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		h := newTalk(t, b, 3)
		for i := range 400 {
			if h.step(); i%80 == 0 {
				b.compareComments(t)
			}
		}
		b.compareComments(t)
	})
}

// A thread that shows only for its reply, because it was deleted or hidden itself, goes
// with the reply and comes back with it.
func TestRestoredReplyBringsItsThreadBack(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada := b.user(t, "Ada")
		a := b.assignment(t, ada, studycircle.Easy, "Tides", "Read.")
		moderate := func(action studycircle.ModerationAction, c studycircle.Comment) {
			b.do(t, func(ctx context.Context, tx *store.Tx) error {
				_, err := tx.Moderate(ctx, studycircle.Moderation{Action: action, Subject: studycircle.Subject{Kind: studycircle.OfComment, ID: c.ID}, Reason: "Not here", At: now})
				return err
			})
		}
		threads := func(want int64) {
			t.Helper()
			_, total, err := b.Threads(t.Context(), anyone, a.ID, studycircle.Page{Number: 1, Limit: 10})
			require.NoError(t, err)
			require.Equal(t, want, total)
			b.compareComments(t)
		}
		for i, withdraw := range []func(studycircle.Comment){
			func(c studycircle.Comment) { b.deleteComment(t, c) },
			func(c studycircle.Comment) { moderate(studycircle.Hide, c) },
		} {
			before := int64(i)
			thread := b.comment(t, remark(a, ada, "", "Why?"))
			reply := b.comment(t, remark(a, ada, thread.ID, "The moon."))
			withdraw(thread)
			threads(before + 1)
			moderate(studycircle.Hide, reply)
			threads(before)
			moderate(studycircle.Restore, reply)
			threads(before + 1)
		}
	})
}
