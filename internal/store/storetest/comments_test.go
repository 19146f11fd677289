package storetest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/testpg"
)

// remark is a comment ready to be inserted.
func remark(a studycircle.Assignment, by studycircle.User, threadID, text string) studycircle.Comment {
	return studycircle.Comment{
		ID: studycircle.NewID(now), AssignmentID: a.ID, ThreadID: threadID, Author: studycircle.Person{UserID: by.ID},
		Text: text, HTML: "<p>" + text + "</p>", CreatedAt: now,
	}
}

// comment writes one.
func (b *bundle) comment(t *testing.T, c studycircle.Comment) studycircle.Comment {
	t.Helper()
	b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertComment(ctx, c) })
	stored, err := b.Comment(t.Context(), c.ID)
	require.NoError(t, err)
	return stored
}

func (b *bundle) deleteComment(t *testing.T, c studycircle.Comment) {
	t.Helper()
	b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteComment(ctx, c, now.Add(time.Hour)) })
}

func TestCommentIsKept(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob := b.user(t, "Ada"), b.user(t, "Bob")
		a := b.assignment(t, ada, studycircle.Easy, "Tides", "Read.")
		at := b.here(t)
		c := b.comment(t, remark(a, bob, "", "Why twice a day?"))
		require.Equal(t, studycircle.Person{UserID: bob.ID, Email: bob.Email, DisplayName: "Bob"}, c.Author)
		require.True(t, c.Listed)
		require.True(t, c.Shows())
		require.True(t, c.EditedAt.IsZero())
		events, _ := b.since(t, at)
		require.Equal(t, []studycircle.Event{{Kind: studycircle.CommentCreated, ID: a.ID, Audience: studycircle.Everybody}}, events)

		edited := c
		edited.Text, edited.HTML, edited.EditedAt = "Why?", "<p>Why?</p>", now.Add(time.Minute)
		b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.EditComment(ctx, edited) })
		got, err := b.Comment(t.Context(), c.ID)
		require.NoError(t, err)
		require.Equal(t, edited, got)

		gone := remark(a, studycircle.User{ID: "nobody"}, "", "Hello")
		require.ErrorIs(t, b.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error { return tx.InsertComment(ctx, gone) }), studycircle.ErrNotFound)
		lost := remark(a, bob, "nothing", "Hello")
		require.ErrorIs(t, b.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error { return tx.InsertComment(ctx, lost) }), studycircle.ErrNotFound)
	})
}

// A deleted comment leaves its place while others' replies stand there, and no longer.
func TestDeletedCommentsLeaveTheirReplies(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob := b.user(t, "Ada"), b.user(t, "Bob")
		a := b.assignment(t, ada, studycircle.Easy, "Tides", "Read.")
		thread := b.comment(t, remark(a, bob, "", "Why?"))
		first, second := b.comment(t, remark(a, ada, thread.ID, "The moon.")), b.comment(t, remark(a, bob, thread.ID, "And the sun?"))
		b.react(t, thread, ada, "like", true, true)
		b.deleteComment(t, thread)
		left, err := b.Comment(t.Context(), thread.ID)
		require.NoError(t, err)
		require.False(t, left.Shows())
		require.Empty(t, left.Text+left.HTML+left.Author.UserID+left.Author.Email)
		require.Zero(t, left.Reacted)
		require.EqualValues(t, 2, left.Replies)
		require.ErrorIs(t, b.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error { return tx.EditComment(ctx, thread) }), studycircle.ErrNotFound)
		_, err = b.reacts(t.Context(), thread.ID, bob, "like", true)
		require.ErrorIs(t, err, studycircle.ErrNotFound)

		b.deleteComment(t, first)
		threads, total, err := b.Threads(t.Context(), a.ID, studycircle.Page{Number: 1, Limit: 20})
		require.NoError(t, err)
		require.EqualValues(t, 1, total)
		require.EqualValues(t, 1, threads[0].Replies)
		b.deleteComment(t, second)
		threads, total, err = b.Threads(t.Context(), a.ID, studycircle.Page{Number: 1, Limit: 20})
		require.NoError(t, err)
		require.Zero(t, total)
		require.Empty(t, threads)
		require.Empty(t, b.ids(t, "SELECT id FROM comments"))
		require.ErrorIs(t, b.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
			return tx.DeleteComment(ctx, second, now)
		}), studycircle.ErrNotFound)
	})
}

func (b *bundle) reacts(ctx context.Context, commentID string, by studycircle.User, r studycircle.Reaction, on bool) (changed bool, err error) {
	err = b.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		changed, err = tx.React(ctx, commentID, by.ID, r, on)
		return err
	})
	return changed, err
}

// react requires whether it changes anything.
func (b *bundle) react(t *testing.T, c studycircle.Comment, by studycircle.User, r studycircle.Reaction, on, changes bool) {
	t.Helper()
	changed, err := b.reacts(t.Context(), c.ID, by, r, on)
	require.NoError(t, err)
	require.Equal(t, changes, changed)
}

func TestReactionsCountOnce(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob := b.user(t, "Ada"), b.user(t, "Bob")
		a := b.assignment(t, ada, studycircle.Easy, "Tides", "Read.")
		c, other := b.comment(t, remark(a, bob, "", "Why?")), b.comment(t, remark(a, bob, "", "What?"))
		b.react(t, c, ada, "question", true, true)
		b.react(t, c, ada, "question", true, false)
		b.react(t, c, bob, "question", true, true)
		b.react(t, c, ada, "thanks", true, true)
		b.react(t, other, ada, "like", true, true)
		b.react(t, other, ada, "like", false, true)
		b.react(t, other, ada, "like", false, false)
		got, err := b.Comment(t.Context(), c.ID)
		require.NoError(t, err)
		require.Equal(t, studycircle.ReactionCounts{0, 1, 0, 2}, got.Reacted)
		mine, err := b.ReactionsOf(t.Context(), ada.ID, []string{other.ID, c.ID})
		require.NoError(t, err)
		require.ElementsMatch(t, []studycircle.Reaction{"question", "thanks"}, mine[c.ID])
		require.Empty(t, mine[other.ID])

		b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAccount(ctx, ada.ID) })
		got, err = b.Comment(t.Context(), c.ID)
		require.NoError(t, err)
		require.Equal(t, studycircle.ReactionCounts{0, 0, 0, 1}, got.Reacted)
	})
}

func TestParticipants(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob, eve := b.user(t, "Ada"), b.user(t, "Bob"), b.user(t, "Eve")
		a, other := b.assignment(t, ada, studycircle.Easy, "Tides", "Read."), b.assignment(t, bob, studycircle.Easy, "Ebbs", "Read.")
		b.comment(t, remark(a, bob, "", "Why?"))
		b.comment(t, remark(other, eve, "", "Why?"))
		named := func(search string) (names []string) {
			found, total, err := b.Participants(t.Context(), a.ID, search, 10)
			require.NoError(t, err)
			require.Len(t, found, int(total))
			for _, p := range found {
				names = append(names, p.DisplayName)
				require.Empty(t, p.Email)
			}
			return names
		}
		require.Equal(t, []string{"Ada", "Bob"}, named(""))
		require.Equal(t, []string{"Bob"}, named("bO"))
		require.Empty(t, named("eve"))
		for who, want := range map[string]bool{ada.ID: true, bob.ID: true, eve.ID: false, "nobody": false} {
			b.do(t, func(ctx context.Context, tx *store.Tx) error {
				got, err := tx.TakesPart(ctx, a.ID, who)
				require.Equal(t, want, got)
				return err
			})
		}
		names, err := b.Names(t.Context(), []string{bob.ID, "nobody"})
		require.NoError(t, err)
		require.Equal(t, map[string]string{bob.ID: "Bob"}, names)
	})
}

func TestDiscussionsClose(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		a := b.assignment(t, b.user(t, "Ada"), studycircle.Easy, "Tides", "Read.")
		closing := func(closed bool) (changed bool) {
			b.do(t, func(ctx context.Context, tx *store.Tx) (err error) {
				changed, err = tx.SetDiscussionClosed(ctx, a.ID, closed)
				return err
			})
			return changed
		}
		require.False(t, closing(false))
		require.True(t, closing(true))
		require.False(t, closing(true))
		closed, err := b.DiscussionClosed(t.Context(), a.ID)
		require.NoError(t, err)
		require.True(t, closed)
		b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAssignment(ctx, a.ID, now) })
		_, err = b.DiscussionClosed(t.Context(), a.ID)
		require.ErrorIs(t, err, studycircle.ErrNotFound)
	})
}

// talk makes random changes to discussions.
type talk struct {
	*history
	under    []studycircle.Assignment
	comments []studycircle.Comment // that show
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

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

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
		require.NoError(h.t, h.b.FoldPageDeltas(h.t.Context()))
	}
}

// moderate hides something that shows, or shows something hidden again.
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

// compareComments holds every list of comments against a plain query of all its
// rows, and counts that rows keep against those rows.
func (b *bundle) compareComments(t *testing.T) {
	t.Helper()
	ctx, id := t.Context(), func(c studycircle.Comment) string { return c.ID }
	for _, a := range b.ids(t, "SELECT id FROM assignments") {
		want := b.ids(t, "SELECT id FROM comments WHERE assignment_id = $1 AND thread_id IS NULL AND listed ORDER BY seq", a)
		comparePages(t, want, func(p studycircle.Page) ([]studycircle.Comment, int64, error) { return b.Threads(ctx, a, p) }, id)
		for i, thread := range want {
			c, err := b.Comment(ctx, thread)
			require.NoError(t, err)
			before, err := b.ThreadsBefore(ctx, c)
			require.NoError(t, err)
			require.EqualValues(t, i, before)
		}
		first, err := b.FirstReplies(ctx, want, 3)
		require.NoError(t, err)
		for _, thread := range want {
			replies := b.ids(t, "SELECT id FROM comments WHERE thread_id = $1 AND listed ORDER BY seq", thread)
			comparePages(t, replies, func(p studycircle.Page) ([]studycircle.Comment, int64, error) { return b.Replies(ctx, thread, p) }, id)
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

// From one engine to the other and back: discussions are as they were.
func TestCopyMovesDiscussions(t *testing.T) {
	t.Parallel()
	from := setup(t, store.Config{URL: testpg.DB(t)})
	h := newTalk(t, from, 5)
	for range 150 {
		h.step()
	}
	ids := from.ids(t, "SELECT id FROM comments ORDER BY seq")
	for _, config := range []store.Config{{Dir: t.TempDir()}, {URL: testpg.DB(t)}} {
		to := setup(t, config)
		_, err := bulk.Copy(t.Context(), from.Store, to.Store, func() {})
		require.NoError(t, err)
		require.Equal(t, ids, to.ids(t, "SELECT id FROM comments ORDER BY seq"))
		to.compareComments(t)
		to.comment(t, remark(h.under[0], h.people[0], "", "Numbered on"))
		to.compareComments(t)
		ids, from = to.ids(t, "SELECT id FROM comments ORDER BY seq"), to
	}
}

// Many write, answer, react and delete in the same discussion at once: everything
// that was acknowledged is there, and every count is right.
func TestManyTalkAtOnce(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		people, _ := b.people(t)
		a := b.assignment(t, people[0], studycircle.Easy, "Tides", "Read.")
		shared := b.comment(t, remark(a, people[0], "", "All answer this."))
		doomed := make([]studycircle.Comment, clients/4)
		for i := range doomed {
			doomed[i] = b.comment(t, remark(a, people[0], "", "Deleted meanwhile."))
		}
		var told answered
		atOnce(func(i int) {
			me, ctx := people[i], t.Context()
			write := func(c studycircle.Comment) error {
				return b.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.InsertComment(ctx, c) })
			}
			remove := func(id string) error {
				return b.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
					c, err := tx.Comment(ctx, id)
					if err != nil {
						return err
					}
					return tx.DeleteComment(ctx, c, now)
				})
			}
			thread := remark(a, me, "", "Mine")
			told.is("write", "", write(thread))
			for range 3 {
				told.is("answer", "", write(remark(a, me, shared.ID, "Mine")))
			}
			answer := remark(a, me, thread.ID, "To myself")
			told.is("answer oneself", "", write(answer))
			_, err := b.reacts(ctx, shared.ID, me, "like", true)
			told.is("react", "", err)
			target := doomed[i%len(doomed)].ID
			switch i / len(doomed) {
			case 0:
				told.is("delete", "", remove(target))
			case 1:
				if err := write(remark(a, me, target, "To what goes")); err != nil {
					told.is("answer what goes", studycircle.CodeNotFound, err)
				}
			case 2:
				if _, err := b.reacts(ctx, target, me, "thanks", true); err != nil {
					told.is("react to what goes", studycircle.CodeNotFound, err)
				}
			default:
				told.is("delete the answer", "", remove(answer.ID))
				told.is("leave", "", b.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAccount(ctx, me.ID) }))
			}
		})
		told.check(t)
		b.compareComments(t)
		require.NoError(t, b.FoldPageDeltas(t.Context()))
		b.compareComments(t)
		_, total, err := b.Replies(t.Context(), shared.ID, studycircle.Page{Number: 1, Limit: 1})
		require.NoError(t, err)
		require.EqualValues(t, 3*clients, total)
		got, err := b.Comment(t.Context(), shared.ID)
		require.NoError(t, err)
		require.EqualValues(t, clients-clients/4, got.Reacted[0], "those who left take theirs with them")
	})
}
