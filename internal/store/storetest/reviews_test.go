package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/grademodel"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/store/db"
	"studycircle/internal/testengine"
	"studycircle/internal/testpg"
	"studycircle/internal/teststore"
)

// forReview submits work for several reviews.
func (b *bundle) forReview(t *testing.T, a studycircle.Assignment, by studycircle.User) string {
	t.Helper()
	s := handIn(a, by)
	s.ID, s.Reviews = studycircle.NewBlindID(), 3
	require.NoError(t, b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		return tx.SubmitForReview(ctx, s, a, studycircle.Reviewing{
			SubmissionID: s.ID, AssignmentID: a.ID, CircleID: a.CircleID, SubmitterID: by.ID, Phase: studycircle.ReviewOpen, Needed: 3, Wanted: 3,
			SettleAt: now.Add(studycircle.SettleAfter),
		})
	}))
	return s.ID
}

// arrive stores a review and its effects, with the review's own mark as the model's
// result.
func arrive(ctx context.Context, tx *store.Tx, given studycircle.Review) error {
	c, err := tx.LoadReviewCase(ctx, given.SubmissionID, given.Reviewer)
	if err != nil {
		return err
	}
	err = c.Arrive(given, func([]studycircle.Review) (studycircle.Verdict, error) {
		return studycircle.Verdict{Mark: given.Mark}, nil
	})
	if err != nil {
		return err
	}
	return tx.SaveReviewCase(ctx, c, nil)
}

// offered returns the submissions that a user may be given, in groups that are equally
// near the front, each taken by another user before the next is requested.
func (b *bundle) offered(t *testing.T, userID, assignmentID string) (ids []string) {
	t.Helper()
	require.NoError(t, b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		offers, err := tx.NextToReview(ctx, userID, studycircle.Hall, assignmentID, now)
		ids = nil
		for _, o := range offers {
			ids = append(ids, o.SubmissionID)
		}
		return err
	}))
	return ids
}

// The queue offers first attempts first, then those with the fewest reviews and leases,
// then those whose submitter gave more reviews, then the oldest, five at most.
func TestReviewQueueOrder(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, reader := b.user(t, "Ada"), b.user(t, "Reader")
		a := b.assignment(t, ada, studycircle.Easy, "Reviewed", "By several.")
		var ids []string
		for i := range 8 {
			ids = append(ids, b.forReview(t, a, b.user(t, fmt.Sprint("Person", i))))
		}
		require.Equal(t, ids[:5], b.offered(t, reader.ID, a.ID))
		require.Equal(t, ids[:5], b.offered(t, reader.ID, ""))
		require.Empty(t, b.offered(t, ada.ID, ""), "their own assignment's")
		for _, change := range []string{
			"UPDATE review_queue SET ungiven = -2 WHERE id = '" + ids[7] + "'",
			"UPDATE review_queue SET filled = 1 WHERE id = '" + ids[0] + "'",
			"UPDATE review_queue SET attempt = 2 WHERE id = '" + ids[1] + "'",
		} {
			_, err := b.plain.ExecContext(t.Context(), change)
			require.NoError(t, err)
		}
		require.Equal(t, []string{ids[7], ids[2], ids[3], ids[4], ids[5]}, b.offered(t, reader.ID, a.ID))
		_, err := b.plain.ExecContext(t.Context(), "UPDATE review_queue SET filled = 3, certain = -seq")
		require.NoError(t, err)
		require.Len(t, b.offered(t, reader.ID, a.ID), 1, "the widest")
		_, err = b.plain.ExecContext(t.Context(), "UPDATE review_queue SET filled = 5")
		require.NoError(t, err)
		require.Empty(t, b.offered(t, reader.ID, a.ID), "not more than five")
	})
}

// A submission is leased once to a user, and one at a time; an offer that changed
// meanwhile fails.
func TestLeases(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		a := b.assignment(t, b.user(t, "Ada"), studycircle.Easy, "Reviewed", "By several.")
		reader := b.user(t, "Reader")
		first, second := b.forReview(t, a, b.user(t, "Bob")), b.forReview(t, a, b.user(t, "Cem"))
		take := func(o studycircle.Offer) (taken bool, err error) {
			err = b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) (err error) {
				taken, err = tx.TakeLease(ctx, reader.ID, o, now.Add(time.Hour))
				return err
			})
			return taken, err
		}
		taken, err := take(studycircle.Offer{SubmissionID: first, Filled: 1})
		require.NoError(t, err)
		require.False(t, taken)
		taken, err = take(studycircle.Offer{SubmissionID: first})
		require.NoError(t, err)
		require.True(t, taken)
		_, err = take(studycircle.Offer{SubmissionID: second})
		require.ErrorIs(t, err, studycircle.ErrAskedTwice)
		require.Equal(t, []string{first}, b.ids(t, "SELECT id FROM review_queue WHERE filled = 1"), "the second place is free")
		held, err := b.LapsedLeases(t.Context(), now.Add(time.Hour), 0)
		require.NoError(t, err)
		require.Equal(t, []studycircle.HeldLease{{ReviewerID: reader.ID, SubmissionID: first}}, held)
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			ended, err := tx.EndLease(ctx, reader.ID, first, studycircle.TurnLapsed)
			require.True(t, ended)
			return err
		})
		require.Equal(t, []string{second}, b.offered(t, reader.ID, ""))
		require.Empty(t, b.ids(t, "SELECT id FROM review_queue WHERE filled = 1"))
	})
}

// A copy includes reviews, queue, sums and settlements.
func TestCopyMovesReviews(t *testing.T) {
	t.Parallel()
	testengine.Need(t, testengine.Postgres)
	from := setup(t, store.Config{Dir: teststore.DirBeside(t)})
	a := from.assignment(t, from.user(t, "Ada"), studycircle.Easy, "Reviewed", "By several.")
	id, reader := from.forReview(t, a, from.user(t, "Bob")), from.user(t, "Reader")
	from.do(t, func(ctx context.Context, tx *store.Tx) error {
		return arrive(ctx, tx, studycircle.Review{ID: "r1", SubmissionID: id, Reviewer: reader.ID, Mark: 7, Levels: []int64{1}, GivenAt: now})
	})
	given := func(of *bundle) []studycircle.GivenReview {
		t.Helper()
		given, total, err := of.ReviewsGiven(
			t.Context(), studycircle.ViewerOf(reader.ID), studycircle.Page{Number: 1, Limit: 10},
		)
		require.NoError(t, err)
		require.EqualValues(t, 1, total)
		return given
	}
	label := given(from)[0].SubmissionLabel
	require.NotEmpty(t, label)
	for _, c := range []store.Config{{URL: testpg.DB(t)}, {Dir: teststore.DirBeside(t)}} {
		to := setup(t, c)
		_, err := bulk.Copy(t.Context(), from.Store, to.Store, func() {})
		require.NoError(t, err)
		reviews, err := to.Reviews(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, []studycircle.Review{{Seq: 1, ID: "r1", SubmissionID: id, Reviewer: reader.ID, Mark: 7, Levels: []int64{1}, GivenAt: now}}, reviews)
		rows, total, err := to.PendingSubmissions(t.Context(), anyone, studycircle.Hall, now, studycircle.Page{Number: 1, Limit: 10})
		require.NoError(t, err)
		require.EqualValues(t, 1, total)
		require.EqualValues(t, 1, *rows[0].Reviewable)
		require.Equal(t, label, given(to)[0].SubmissionLabel)
		from = to
	}
}

// A copy includes exemplars, their reviews and review requests; an export has none.
func TestCopyMovesExemplars(t *testing.T) {
	t.Parallel()
	testengine.Need(t, testengine.Postgres)
	from := setup(t, store.Config{Dir: teststore.DirBeside(t)})
	a, bob, reader := from.assignment(t, from.user(t, "Ada"), studycircle.Easy, "Reviewed", "By several."), from.user(t, "Bob"), from.user(t, "Reader")
	id := from.forReview(t, a, bob)
	e := studycircle.Exemplar{
		ID: studycircle.NewBlindID(), AssignmentID: a.ID, Total: 20, DocsLink: "https://example.org/1",
		ExemplarMark: studycircle.ExemplarMark{Mark: 18, Reason: "Good."},
	}
	from.do(t, func(ctx context.Context, tx *store.Tx) error {
		require.NoError(t, tx.InsertExemplar(ctx, e, a.Title, now))
		require.NoError(t, tx.LeaseExemplar(ctx, reader.ID, e.ID, now))
		return tx.InsertExemplarReview(ctx, studycircle.Review{ID: "r1", SubmissionID: e.ID, Reviewer: reader.ID, Mark: 7, GivenAt: now}, studycircle.Exemplar{AssignmentID: a.ID}, grademodel.Part{P: 1, M: -.5})
	})
	inserted, err := from.Exemplars(t.Context(), studycircle.System(), a.ID)
	require.NoError(t, err)
	require.NotEmpty(t, inserted[0].Label)
	e.Label = inserted[0].Label
	for _, c := range []store.Config{{URL: testpg.DB(t)}, {Dir: teststore.DirBeside(t)}} {
		to := setup(t, c)
		_, err := bulk.Copy(t.Context(), from.Store, to.Store, func() {})
		require.NoError(t, err)
		found, err := to.Exemplars(t.Context(), studycircle.System(), a.ID)
		require.NoError(t, err)
		require.Equal(t, []studycircle.Exemplar{e}, found)
		to.do(t, func(ctx context.Context, tx *store.Tx) error {
			var p, m int64 // in units of 2^-32
			require.NoError(t, tx.DB.QueryRowContext(ctx, "SELECT part_p, part_m FROM reviews WHERE reviewer = $1", reader.ID).Scan(&p, &m))
			require.Equal(t, []int64{1 << 32, -1 << 31}, []int64{p, m})
			return nil
		})
		require.Equal(t, []string{bob.ID}, to.ids(t, "SELECT user_id FROM review_requests"))
		var exported []string
		require.NoError(t, to.EachSubmission(t.Context(), studycircle.System(), studycircle.Hall, func(s studycircle.Submission) error {
			exported = append(exported, s.ID)
			return nil
		}))
		require.Equal(t, []string{id}, exported)
	}
}

// A submission that is offered again, once a moderator shows its assignment, returns to its position: of two without
// a free slot the one whose mark reviews may still move most comes first.
func TestRestoredSubmissionsKeepTheirPlaces(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, cem, reader := b.user(t, "Ada"), b.user(t, "Cem"), b.user(t, "Reader")
		a := b.assignment(t, ada, studycircle.Easy, "Reviewed", "By several.")
		ids := []string{b.forReview(t, a, b.user(t, "Bob")), b.forReview(t, a, b.user(t, "Dot"))}
		for i, id := range ids {
			b.do(t, func(ctx context.Context, tx *store.Tx) error {
				c, err := tx.LoadReviewCase(ctx, id, cem.ID)
				require.NoError(t, err)
				given := studycircle.Review{ID: studycircle.NewBlindID(), SubmissionID: id, Reviewer: cem.ID, Mark: 20, GivenAt: now}
				require.NoError(t, c.Arrive(given, func([]studycircle.Review) (studycircle.Verdict, error) {
					return studycircle.Verdict{Mark: 20, Open: float64(1 + 10*i)}, nil
				}))
				return tx.SaveReviewCase(ctx, c, []grademodel.Part{{}})
			})
		}
		first := func(when string) string {
			t.Helper()
			var offered []studycircle.Offer
			takers := make([]studycircle.User, 4)
			for i := range takers {
				takers[i] = b.user(t, fmt.Sprint(when, i))
			}
			b.do(t, func(ctx context.Context, tx *store.Tx) (err error) {
				for i, id := range ids {
					for filled := range int64(2) {
						taken, err := tx.TakeLease(ctx, takers[2*i+int(filled)].ID, studycircle.Offer{SubmissionID: id, Filled: 1 + filled}, now)
						require.NoError(t, err)
						require.True(t, taken)
					}
				}
				offered, err = tx.NextToReview(ctx, reader.ID, studycircle.Hall, a.ID, now)
				return err
			})
			require.Len(t, offered, 1)
			return offered[0].SubmissionID
		}
		require.Equal(t, ids[1], first("before"))
		for _, action := range []studycircle.ModerationAction{studycircle.Hide, studycircle.Restore} {
			b.do(t, func(ctx context.Context, tx *store.Tx) error {
				_, err := tx.Moderate(ctx, studycircle.Moderation{Action: action, Subject: studycircle.Subject{Kind: studycircle.OfAssignment, ID: a.ID}, Reason: "Not here", At: now})
				return err
			})
		}
		require.Equal(t, ids[1], first("after"))
	})
}

// Reviews of an assignment's submissions bring their author's own submission forward;
// reviews of its exemplars and for other assignments do not.
func TestReviewsGivenBringASubmissionForward(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob, cem, dot, reader := b.user(t, "Ada"), b.user(t, "Bob"), b.user(t, "Cem"), b.user(t, "Dot"), b.user(t, "Reader")
		a, other := b.assignment(t, ada, studycircle.Easy, "Reviewed", "By several."), b.assignment(t, ada, studycircle.Easy, "Another", "By several.")
		review := func(by studycircle.User, id string) studycircle.Review {
			return studycircle.Review{ID: studycircle.NewBlindID(), SubmissionID: id, Reviewer: by.ID, Mark: 20, GivenAt: now}
		}
		e := studycircle.Exemplar{ID: studycircle.NewBlindID(), AssignmentID: a.ID, DocsLink: "https://example.org/1", Total: a.Marks}
		e.Mark, e.Reason = 12, "It is fine."
		elsewhere := b.forReview(t, other, bob)
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			require.NoError(t, tx.InsertExemplar(ctx, e, a.Title, now))
			require.NoError(t, tx.InsertExemplarReview(ctx, review(cem, e.ID), studycircle.Exemplar{AssignmentID: a.ID}, grademodel.Part{}))
			return arrive(ctx, tx, review(cem, elsewhere))
		})
		offered := func() (ids []string) {
			b.do(t, func(ctx context.Context, tx *store.Tx) error {
				found, err := tx.NextToReview(ctx, reader.ID, studycircle.Hall, a.ID, now)
				ids = nil
				for _, o := range found {
					ids = append(ids, o.SubmissionID)
				}
				return err
			})
			return ids
		}
		bobs, cems, dots := b.forReview(t, a, bob), b.forReview(t, a, cem), b.forReview(t, a, dot)
		require.Equal(t, []string{bobs, cems, dots}, offered(), "in the order in which they came")
		b.do(t, func(ctx context.Context, tx *store.Tx) error { return arrive(ctx, tx, review(dot, bobs)) })
		require.Equal(t, []string{dots, cems}, offered())
	})
}

// The queue offers no work of users who have the viewer's to review, or have reviewed it within 90 days, nor of those who
// close a ring of three, while other work waits; of the rest those whom the viewer has met least often.
func TestTheQueueAvoidsTrades(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, people := b.user(t, "Ada"), map[string]studycircle.User{}
		a, before := b.assignment(t, ada, studycircle.Easy, "Reviewed", "By several."), b.assignment(t, ada, studycircle.Easy, "Earlier", "By several.")
		work := map[string]string{}
		for _, name := range []string{"me", "bob", "cem", "dot", "eve", "fay", "gus"} {
			people[name] = b.user(t, name)
			work[name] = b.forReview(t, a, people[name])
		}
		turn := func(reviewer, submissionID string, turn studycircle.Turn) {
			t.Helper()
			b.do(t, func(ctx context.Context, tx *store.Tx) error {
				taken, err := tx.TakeLease(ctx, people[reviewer].ID, studycircle.Offer{SubmissionID: submissionID}, now.Add(studycircle.LeaseTime))
				require.True(t, taken)
				if err != nil || turn == studycircle.TurnLeased {
					return err
				}
				if turn == studycircle.TurnReviewed {
					return arrive(ctx, tx, studycircle.Review{ID: studycircle.NewBlindID(), SubmissionID: submissionID, Reviewer: people[reviewer].ID, Mark: 20, GivenAt: now})
				}
				_, err = tx.EndLease(ctx, people[reviewer].ID, submissionID, turn)
				return err
			})
		}
		front := func() {
			t.Helper()
			_, err := b.plain.ExecContext(t.Context(), "UPDATE review_queue SET filled = 0, ungiven = 0")
			require.NoError(t, err)
		}
		offered := func() (out []string) {
			t.Helper()
			front()
			for _, id := range b.offered(t, people["me"].ID, a.ID) {
				for name := range work {
					if work[name] == id {
						out = append(out, name)
					}
				}
			}
			return out
		}
		require.Equal(t, []string{"bob", "cem", "dot", "eve", "fay"}, offered())
		for reviewer, what := range map[string]studycircle.Turn{"bob": studycircle.TurnReviewed, "cem": studycircle.TurnLeased, "dot": studycircle.TurnLapsed, "eve": studycircle.TurnReturned} {
			front()
			turn(reviewer, work["me"], what)
		}
		require.Equal(t, []string{"eve", "fay", "gus"}, offered(), "bob reviewed mine, cem and dot may")
		front()
		turn("fay", work["bob"], studycircle.TurnReviewed)
		require.Equal(t, []string{"eve", "gus"}, offered(), "fay reviewed bob's, who reviewed mine")

		mine := b.forReview(t, before, people["me"])
		turn("eve", mine, studycircle.TurnReviewed)
		require.Equal(t, []string{"gus"}, offered(), "eve reviewed mine of another assignment")
		_, err := b.plain.ExecContext(t.Context(), "UPDATE reviews SET given_at = given_at - 90 * CAST(86400000000 AS BIGINT) WHERE submission_id = '"+mine+"'")
		require.NoError(t, err)
		require.Equal(t, []string{"gus"}, offered(), "of two, the one whom I have not met")
		front()
		_, err = b.plain.ExecContext(t.Context(), "UPDATE review_queue SET filled = 3 WHERE id = '"+work["gus"]+"'")
		require.NoError(t, err)
		require.Equal(t, []string{work["eve"]}, b.offered(t, people["me"].ID, a.ID))

		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			offers, err := tx.NextToReview(ctx, people["gus"].ID, studycircle.Hall, a.ID, now)
			require.NoError(t, err)
			require.Equal(t, work["me"], offers[0].SubmissionID)
			require.NoError(t, tx.Queries.PutTurn(ctx, db.PutTurnParams{ReviewerID: people["me"].ID, ID: work["gus"], Turn: string(studycircle.TurnReviewed)}))
			taken, err := tx.TakeLease(ctx, people["gus"].ID, offers[0], now.Add(studycircle.LeaseTime))
			require.False(t, taken, "I have begun to review gus's meanwhile")
			return err
		})

		_, err = b.plain.ExecContext(t.Context(), "UPDATE review_queue SET filled = 5 WHERE id NOT IN ('"+work["bob"]+"', '"+work["fay"]+"')")
		require.NoError(t, err)
		require.Equal(t, []string{work["fay"]}, b.offered(t, people["me"].ID, a.ID), "a ring rather than a direct trade")
		_, err = b.plain.ExecContext(t.Context(), "UPDATE review_queue SET filled = 5 WHERE id <> '"+work["bob"]+"'")
		require.NoError(t, err)
		require.Equal(t, []string{work["bob"]}, b.offered(t, people["me"].ID, a.ID), "a direct trade rather than nothing")
	})
}
