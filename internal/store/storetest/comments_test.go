package storetest

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/testpg"
	"studycircle/internal/teststore"
)

// remark returns a comment to insert.
func remark(a studycircle.Assignment, by studycircle.User, threadID, text string) studycircle.Comment {
	return studycircle.Comment{
		ID: studycircle.NewID(now), AssignmentID: a.ID, ThreadID: threadID, Author: studycircle.Person{UserID: by.ID},
		Text: text, HTML: "<p>" + text + "</p>", CreatedAt: now,
	}
}

// comment inserts a comment and returns it as stored.
func (b *bundle) comment(t *testing.T, c studycircle.Comment) studycircle.Comment {
	t.Helper()
	b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertComment(ctx, c) })
	stored, err := b.Comment(t.Context(), studycircle.System(), c.ID)
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
		got, err := b.Comment(t.Context(), studycircle.System(), c.ID)
		require.NoError(t, err)
		require.Equal(t, edited, got)

		gone := remark(a, studycircle.User{ID: "nobody"}, "", "Hello")
		require.ErrorIs(t, b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error { return tx.InsertComment(ctx, gone) }), studycircle.ErrNotFound)
		lost := remark(a, bob, "nothing", "Hello")
		require.ErrorIs(t, b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error { return tx.InsertComment(ctx, lost) }), studycircle.ErrNotFound)
	})
}

// A deleted comment keeps its position while it has replies of others, and no longer.
func TestDeletedCommentsLeaveTheirReplies(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob := b.user(t, "Ada"), b.user(t, "Bob")
		a := b.assignment(t, ada, studycircle.Easy, "Tides", "Read.")
		thread := b.comment(t, remark(a, bob, "", "Why?"))
		first, second := b.comment(t, remark(a, ada, thread.ID, "The moon.")), b.comment(t, remark(a, bob, thread.ID, "And the sun?"))
		b.react(t, thread, ada, "like", true, true)
		b.deleteComment(t, thread)
		left, err := b.Comment(t.Context(), studycircle.System(), thread.ID)
		require.NoError(t, err)
		require.False(t, left.Shows())
		require.Empty(t, left.Text+left.HTML+left.Author.UserID+left.Author.Email)
		require.Zero(t, left.Reacted)
		require.EqualValues(t, 2, left.Replies)
		require.ErrorIs(t, b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error { return tx.EditComment(ctx, thread) }), studycircle.ErrNotFound)
		_, err = b.reacts(t.Context(), thread.ID, bob, "like", true)
		require.ErrorIs(t, err, studycircle.ErrNotFound)

		b.deleteComment(t, first)
		threads, total, err := b.Threads(t.Context(), anyone, a.ID, studycircle.Page{Number: 1, Limit: 20})
		require.NoError(t, err)
		require.EqualValues(t, 1, total)
		require.EqualValues(t, 1, threads[0].Replies)
		b.deleteComment(t, second)
		threads, total, err = b.Threads(t.Context(), anyone, a.ID, studycircle.Page{Number: 1, Limit: 20})
		require.NoError(t, err)
		require.Zero(t, total)
		require.Empty(t, threads)
		require.Empty(t, b.ids(t, "SELECT id FROM comments"))
		require.ErrorIs(t, b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			return tx.DeleteComment(ctx, second, now)
		}), studycircle.ErrNotFound)
	})
}

func (b *bundle) reacts(ctx context.Context, commentID string, by studycircle.User, r studycircle.Reaction, on bool) (changed bool, err error) {
	err = b.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		changed, err = tx.React(ctx, commentID, by.ID, r, on)
		return err
	})
	return changed, err
}

// react reacts and requires whether that changes anything.
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
		got, err := b.Comment(t.Context(), studycircle.System(), c.ID)
		require.NoError(t, err)
		require.Equal(t, studycircle.ReactionCounts{0, 1, 0, 2}, got.Reacted)
		mine, err := b.ReactionsOf(t.Context(), studycircle.ViewerOf(ada.ID), []string{other.ID, c.ID})
		require.NoError(t, err)
		require.ElementsMatch(t, []studycircle.Reaction{"question", "thanks"}, mine[c.ID])
		require.Empty(t, mine[other.ID])

		b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAccount(ctx, ada.ID, time.Now()) })
		got, err = b.Comment(t.Context(), studycircle.System(), c.ID)
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
		names, err := b.Names(t.Context(), anyone, []string{bob.ID, "nobody"})
		require.NoError(t, err)
		require.Equal(t, map[string]string{bob.ID: "Bob"}, names)
	})
}

// Of a long discussion Participants offers the creator and the latest authors, by their
// present names, while their comments show.
func TestParticipantsOfLongDiscussionsAreTheLatestAuthors(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		creator, early, late, busy := b.user(t, "Creator"), b.user(t, "Early"), b.user(t, "Late"), b.user(t, "Busy")
		a := b.assignment(t, creator, studycircle.Easy, "Tides", "Read.")
		b.comment(t, remark(a, early, "", "First"))
		said := b.comment(t, remark(a, late, "", "Second"))
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			for range 499 {
				if err := tx.InsertComment(ctx, remark(a, busy, said.ID, "Again")); err != nil {
					return err
				}
			}
			return nil
		})
		offered := func(search string) (names []string) {
			found, total, err := b.Participants(t.Context(), a.ID, search, 10)
			require.NoError(t, err)
			require.Len(t, found, int(total))
			for _, p := range found {
				names = append(names, p.DisplayName)
			}
			return names
		}
		require.Equal(t, []string{"Busy", "Creator", "Late"}, offered(""))
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			return tx.UpdateProfile(ctx, late.ID, studycircle.Profile{DisplayName: "Zoë Quill"})
		})
		require.Equal(t, []string{"Zoë Quill"}, offered("ZOE"))
		require.Equal(t, []string{"Zoë Quill"}, offered("qui"))
		require.Empty(t, offered("late"))
		hidden := studycircle.Moderation{Action: studycircle.Hide, Subject: studycircle.Subject{Kind: studycircle.OfComment, ID: said.ID}, Moderator: "shell", Reason: "Odd.", At: now}
		b.do(t, func(ctx context.Context, tx *store.Tx) error { _, err := tx.Moderate(ctx, hidden); return err })
		require.Equal(t, []string{"Busy", "Creator", "Early"}, offered(""), "a hidden comment makes room for an earlier one")
		hidden.Action = studycircle.Restore
		b.do(t, func(ctx context.Context, tx *store.Tx) error { _, err := tx.Moderate(ctx, hidden); return err })
		require.Equal(t, []string{"Zoë Quill"}, offered("zoe"))
		b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAccount(ctx, late.ID, time.Now()) })
		require.Equal(t, []string{"Busy", "Creator", "Early"}, offered(""))
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
		closed, err := b.DiscussionClosed(t.Context(), anyone, a.ID)
		require.NoError(t, err)
		require.True(t, closed)
		b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAssignment(ctx, a.ID, now) })
		_, err = b.DiscussionClosed(t.Context(), anyone, a.ID)
		require.ErrorIs(t, err, studycircle.ErrNotFound)
	})
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// A copy from one engine to the other and back keeps discussions unchanged.
func TestCopyMovesDiscussions(t *testing.T) {
	t.Parallel()
	from := setup(t, store.Config{URL: testpg.DB(t)})
	h := newTalk(t, from, 5)
	for range 150 {
		h.step()
	}
	ids := from.ids(t, "SELECT id FROM comments ORDER BY seq")
	for _, config := range []store.Config{{Dir: teststore.DirBeside(t)}, {URL: testpg.DB(t)}} {
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

// Concurrent clients write, reply, react and delete in one discussion: every acknowledged
// change is stored, and every count is right.
func TestConcurrentDiscussions(t *testing.T) {
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
				return b.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error { return tx.InsertComment(ctx, c) })
			}
			remove := func(id string) error {
				return b.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
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
				told.is("leave", "", b.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAccount(ctx, me.ID, time.Now()) }))
			}
		})
		told.check(t)
		b.compareComments(t)
		b.fold(t)
		b.compareComments(t)
		_, total, err := b.Replies(t.Context(), anyone, shared.ID, studycircle.Page{Number: 1, Limit: 1})
		require.NoError(t, err)
		require.EqualValues(t, 3*clients, total)
		got, err := b.Comment(t.Context(), studycircle.System(), shared.ID)
		require.NoError(t, err)
		require.EqualValues(t, clients-clients/4, got.Reacted[0], "those who left take theirs with them")
	})
}
