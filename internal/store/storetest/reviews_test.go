package storetest

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/grademodel"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/testpg"
)

// forReview hands in what several people are to review.
func (b *bundle) forReview(t *testing.T, a studycircle.Assignment, by studycircle.User) string {
	t.Helper()
	s := handIn(a, by)
	s.ID, s.Reviews = studycircle.NewBlindID(), 3
	require.NoError(t, b.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		return tx.SubmitForReview(ctx, s, studycircle.Reviewing{
			SubmissionID: s.ID, AssignmentID: a.ID, SubmitterID: by.ID, Label: "Heron", Phase: studycircle.ReviewOpen, Needed: 3, Wanted: 3,
			SettleAt: now.Add(studycircle.SettleAfter),
		})
	}))
	return s.ID
}

// offered are the submissions that a user may be given, in groups that are equally
// near the front, each taken by somebody else before the next is asked for.
func (b *bundle) offered(t *testing.T, userID, assignmentID string) (ids []string) {
	t.Helper()
	require.NoError(t, b.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		offers, err := tx.NextToReview(ctx, userID, assignmentID, func(o studycircle.Offer) bool { return studycircle.MayBeOffered(userID, o) })
		ids = nil
		for _, o := range offers {
			ids = append(ids, o.SubmissionID)
		}
		return err
	}))
	return ids
}

// The queue gives first attempts first, then what has the fewest reviews and leases,
// then whose submitter gave more reviews, then the oldest, five at most.
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

// A lease is taken once, and one at a time; what changed since it was offered is not.
func TestLeases(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		a := b.assignment(t, b.user(t, "Ada"), studycircle.Easy, "Reviewed", "By several.")
		reader := b.user(t, "Reader")
		first, second := b.forReview(t, a, b.user(t, "Bob")), b.forReview(t, a, b.user(t, "Cem"))
		take := func(o studycircle.Offer) (taken bool, err error) {
			err = b.Write(t.Context(), func(ctx context.Context, tx *store.Tx) (err error) {
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
		held, err := b.LapsedLeases(t.Context(), now.Add(time.Hour))
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

// A copy takes reviews, queue, sums and settlements along.
func TestCopyMovesReviews(t *testing.T) {
	t.Parallel()
	from := setup(t, store.Config{Dir: t.TempDir()})
	a := from.assignment(t, from.user(t, "Ada"), studycircle.Easy, "Reviewed", "By several.")
	id, reader := from.forReview(t, a, from.user(t, "Bob")), from.user(t, "Reader")
	from.do(t, func(ctx context.Context, tx *store.Tx) error {
		r, err := tx.LockReviewing(ctx, id)
		require.NoError(t, err)
		given, err := tx.InsertReview(ctx, studycircle.Review{ID: "r1", SubmissionID: id, Reviewer: reader.ID, Mark: 7, Levels: []int64{1}, GivenAt: now}, r)
		require.NoError(t, err)
		return tx.ChangeTotals(ctx, r, 7, 50, nil, []studycircle.Review{given})
	})
	for _, c := range []store.Config{{URL: testpg.DB(t)}, {Dir: t.TempDir()}} {
		to := setup(t, c)
		_, err := bulk.Copy(t.Context(), from.Store, to.Store, func() {})
		require.NoError(t, err)
		reviews, err := to.Reviews(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, []studycircle.Review{{Seq: 1, ID: "r1", SubmissionID: id, Reviewer: reader.ID, Mark: 7, Levels: []int64{1}, GivenAt: now}}, reviews)
		rows, total, err := to.PendingSubmissions(t.Context(), studycircle.Page{Number: 1, Limit: 10})
		require.NoError(t, err)
		require.EqualValues(t, 1, total)
		require.EqualValues(t, 1, rows[0].Reviewable)
		given, total, err := to.ReviewsGiven(t.Context(), reader.ID, studycircle.Page{Number: 1, Limit: 10})
		require.NoError(t, err)
		require.EqualValues(t, 1, total)
		require.Equal(t, "Heron", given[0].SubmissionLabel)
		from = to
	}
}

// BenchmarkNextReview has one person after the other ask for something to review with
// 1,000,000 submissions open, and reports the median:
//
//	go test ./internal/store/storetest -run '^$' -bench NextReview -benchtime 300x
func BenchmarkNextReview(b *testing.B) {
	for _, engine := range []string{"sqlite", "postgres"} {
		b.Run(engine, func(b *testing.B) {
			c := store.Config{Dir: b.TempDir()}
			if engine == "postgres" {
				c = store.Config{URL: testpg.DB(b)}
			}
			s := manyOpen(b, c, 1_000_000)
			took := make([]time.Duration, 0, b.N)
			b.ResetTimer()
			for n := range b.N {
				user := fmt.Sprint("u", n%1000)
				began := time.Now()
				require.NoError(b, s.Write(b.Context(), func(ctx context.Context, tx *store.Tx) error {
					offers, err := tx.NextToReview(ctx, user, "", func(o studycircle.Offer) bool { return studycircle.MayBeOffered(user, o) })
					if err != nil || len(offers) == 0 {
						return fmt.Errorf("%d offers: %w", len(offers), err)
					}
					if taken, err := tx.TakeLease(ctx, user, offers[0], now.Add(time.Hour)); err != nil || !taken {
						return fmt.Errorf("taken %v: %w", taken, err)
					}
					_, err = tx.EndLease(ctx, user, offers[0].SubmissionID, studycircle.TurnReturned)
					return err
				}))
				took = append(took, time.Since(began))
			}
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-p50")
			b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms-p99")
		})
	}
}

// manyOpen is a store with many submissions open to review, of a thousand people, for
// a hundred assignments.
func manyOpen(b *testing.B, c store.Config, many int) *store.Store {
	b.Helper()
	s, err := store.Open(b.Context(), c)
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, s.Close()) })
	counted := func(n int) string {
		return fmt.Sprintf("WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d) ", n-1)
	}
	require.NoError(b, s.Write(b.Context(), func(ctx context.Context, tx *store.Tx) error {
		for _, text := range []string{
			"INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at) " + counted(1000) + "SELECT 'u' || i, 'u' || i || '@example.org', 'Name', '', '', 0 FROM n",
			"INSERT INTO assignments (id, creator_id, title, description, thumbnail, marks, level, due_at, due_offset, created_at, updated_at, reviews_needed) " +
				counted(100) + "SELECT 'a' || i, 'u0', 'Title', 'Text', '', 20, 'easy', 0, 0, 0, 0, 3 FROM n",
			"INSERT INTO submissions (id, assignment_id, assignment_title, marks, submitter_id, submitter_no, docs_link, note, status, submitted_at, late, reviews_needed) " +
				counted(many) + "SELECT 's' || i, 'a' || (i % 100), 'Title', 20, 'u' || (1 + i % 999), i, 'https://example.org', '', 'completed', 0, FALSE, 3 FROM n",
			"INSERT INTO review_queue (id, seq, assignment_id, submitter_id, attempt, filled, wanted, most, ungiven, certain) " +
				"SELECT id, seq, assignment_id, submitter_id, 1 + seq % 3, seq % 3, 3, 5, -(seq % 7), 0 FROM submissions",
		} {
			if _, err := tx.DB.ExecContext(ctx, text); err != nil {
				return err
			}
		}
		return nil
	}))
	return s
}

// A copy takes exemplars along, with their reviews and whom to ask; an export has none.
func TestCopyMovesExemplars(t *testing.T) {
	t.Parallel()
	from := setup(t, store.Config{Dir: t.TempDir()})
	a, bob, reader := from.assignment(t, from.user(t, "Ada"), studycircle.Easy, "Reviewed", "By several."), from.user(t, "Bob"), from.user(t, "Reader")
	id := from.forReview(t, a, bob)
	e := studycircle.Exemplar{
		ID: studycircle.NewBlindID(), AssignmentID: a.ID, Label: "Wren", Total: 20, DocsLink: "https://example.org/1",
		ExemplarMark: studycircle.ExemplarMark{Mark: 18, Reason: "Good."},
	}
	from.do(t, func(ctx context.Context, tx *store.Tx) error {
		require.NoError(t, tx.InsertExemplar(ctx, e, a.Title, now))
		require.NoError(t, tx.LeaseExemplar(ctx, reader.ID, e.ID, now))
		return tx.InsertExemplarReview(ctx, studycircle.Review{ID: "r1", SubmissionID: e.ID, Reviewer: reader.ID, Mark: 7, GivenAt: now}, a.ID, grademodel.Part{P: 1, M: -.5})
	})
	for _, c := range []store.Config{{URL: testpg.DB(t)}, {Dir: t.TempDir()}} {
		to := setup(t, c)
		_, err := bulk.Copy(t.Context(), from.Store, to.Store, func() {})
		require.NoError(t, err)
		found, err := to.Exemplars(t.Context(), a.ID)
		require.NoError(t, err)
		require.Equal(t, []studycircle.Exemplar{e}, found)
		to.do(t, func(ctx context.Context, tx *store.Tx) error {
			record, err := tx.Record(ctx, reader.ID, "")
			require.Equal(t, grademodel.Record{P: 1, M: -.5}, record)
			return err
		})
		require.Equal(t, []string{bob.ID}, to.ids(t, "SELECT user_id FROM review_requests"))
		var exported []string
		require.NoError(t, to.EachSubmission(t.Context(), func(s studycircle.Submission) error {
			exported = append(exported, s.ID)
			return nil
		}))
		require.Equal(t, []string{id}, exported)
	}
}
