package nodetest

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/store/engine"
	"studycircle/internal/testpg"
)

// onEnginesForReal runs f on a node of each engine with durable commits.
func onEnginesForReal(b *testing.B, f func(b *testing.B, n *node)) {
	b.Helper()
	cluster, err := testpg.StartIn(os.TempDir(), "fsync=on", "full_page_writes=on", "shared_buffers=512MB", "max_wal_size=4GB")
	require.NoError(b, err)
	defer func() { require.NoError(b, cluster.Stop()) }()
	for name, made := range engines {
		b.Run(name, func(b *testing.B) {
			w := made(b)
			if w.database.URL != "" {
				empty, err := cluster.Create("template1")
				require.NoError(b, err)
				w.database.URL = cluster.URL(empty)
			}
			f(b, w.start(b))
		})
	}
}

// served sends a request as c through the whole node without a network.
func (c *client) served(b *testing.B, method, path string, body any, status int) *answer {
	b.Helper()
	text, err := encoded(body)
	require.NoError(b, err)
	r := httptest.NewRequestWithContext(context.Background(), method, path, bytes.NewReader(text))
	r.Header.Set("Authorization", "Bearer "+c.token)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	c.n.app.Handler.ServeHTTP(w, r)
	require.Equal(b, status, w.Code, "%s %s\n%s", method, path, w.Body)
	return &answer{what: method + " " + path, status: w.Code, header: w.Header(), body: w.Body.Bytes()}
}

// BenchmarkNextReview measures sequential reservations with 1,000,000 open submissions:
//
//	go test ./internal/app/nodetest -run '^$' -bench NextReview -benchtime 500x
//
// reviewer may have any of them; "of an assignment" names one that the reviewer handed in for; creator may not
// have the 10,000 submissions to their own assignments, which come first in the queue.
func BenchmarkNextReview(b *testing.B) {
	onEnginesForReal(b, func(b *testing.B, n *node) {
		b.Helper()
		const many = 1_000_000
		creator := n.user(b, "Creator")
		n.open(b, creator, many)
		askers := n.people(b, "Ada", "Bob", "Cem", "Dot", "Eve", "Fay", "Gus", "Hal")
		for _, c := range askers {
			n.tie(b, c)
		}
		for _, k := range []struct {
			name   string
			body   doc
			askers []*client
		}{
			{"reviewer", doc{}, askers}, {"of an assignment", doc{"assignmentId": "a70"}, askers}, {"creator", doc{}, []*client{creator}},
		} {
			b.Run(k.name, func(b *testing.B) {
				took := make([]time.Duration, 0, b.N)
				for i := 0; b.Loop(); i++ {
					c := k.askers[i%len(k.askers)]
					began := time.Now()
					id := c.served(b, http.MethodPost, "/api/reviews/next", k.body, http.StatusOK).text(b, "submissionId")
					took = append(took, time.Since(began))
					b.StopTimer()
					n.forget(b, c, id)
					b.StartTimer()
				}
				slices.Sort(took)
				b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-p50")
				b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "ms-p99")
			})
		}
	})
}

// open fills a new database with many submissions that are open to review, by 1,000 users
// and for 5,000 assignments, the first fifty of which are creator's.
func (n *node) open(b *testing.B, creator *client, many int) {
	b.Helper()
	account, err := n.app.Store.AccountByEmail(b.Context(), creator.email)
	require.NoError(b, err)
	counted := func(n int) string {
		return fmt.Sprintf("WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d) ", n-1)
	}
	require.NoError(b, n.app.Store.Write(engine.WithLongWrite(b.Context(), engine.LongSamples), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		for _, text := range []string{
			"INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at) " + counted(1000) +
				"SELECT 'u' || i, 'u' || i || '@example.org', 'Name', '', '', 0 FROM n",
			"INSERT INTO assignments (id, creator_id, title, description, thumbnail, marks, level, due_at, due_offset, created_at, updated_at, reviews_needed) " +
				counted(5000) + "SELECT 'a' || i, CASE WHEN i < 50 THEN '" + account.ID + "' ELSE 'u0' END, 'Title', 'Text', '', 20, 'easy', 0, 0, 0, 0, 3 FROM n",
			"INSERT INTO submissions (id, assignment_id, assignment_title, marks, submitter_id, submitter_no, docs_link, note, status, submitted_at, late, reviews_needed) " +
				counted(many) + "SELECT 's' || i, 'a' || (i / 200 % 5000), 'Title', 20, 'u' || (1 + i % 999), i, 'https://example.org', '', 'pending', 0, FALSE, 3 FROM n",
			"INSERT INTO review_states (id, seq, assignment_id, submitter_id, attempt, label, phase, reviews, needed, wanted, last_day, before_last_day, settle_at) " +
				"SELECT id, seq, assignment_id, submitter_id, 1, 'Heron', 'open', seq % 3, 3, 3, 0, 0, 9000000000000000 FROM submissions",
			"INSERT INTO review_queue (id, seq, assignment_id, submitter_id, attempt, filled, wanted, most, ungiven, certain) " +
				"SELECT id, seq, assignment_id, submitter_id, 1, CASE WHEN seq <= 10000 THEN 0 ELSE seq % 3 END, 3, 5, CASE WHEN seq <= 10000 THEN -9 ELSE -(seq % 7) END, 0 FROM submissions",
		} {
			if _, err := tx.DB.ExecContext(ctx, text); err != nil {
				return err
			}
		}
		return nil
	}))
	if n.database.URL != "" { // as autovacuum does within a minute
		require.NoError(b, n.app.Store.Write(engine.WithLongWrite(b.Context(), engine.LongSamples), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.DB.ExecContext(ctx, "ANALYZE")
			return err
		}))
	}
}

// tie hands in 20 submissions of c's, four of whose assignments' submitters have each, whose own work others have; and c
// has reviewed 60 submissions.
func (n *node) tie(b *testing.B, c *client) {
	b.Helper()
	account, err := n.app.Store.AccountByEmail(b.Context(), c.email)
	require.NoError(b, err)
	own := "SELECT id FROM submissions WHERE submitter_id = '" + account.ID + "'"
	require.NoError(b, n.app.Store.Write(engine.WithLongWrite(b.Context(), engine.LongSamples), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		for _, text := range []string{
			"INSERT INTO submissions (id, assignment_id, assignment_title, marks, submitter_id, submitter_no, docs_link, note, status, submitted_at, late, reviews_needed) " +
				"WITH RECURSIVE n (i) AS (SELECT 60 UNION ALL SELECT i + 1 FROM n WHERE i < 79) " +
				"SELECT '" + account.ID + "' || i, 'a' || i, 'Title', 20, '" + account.ID + "', i, 'https://example.org', '', 'pending', 0, FALSE, 3 FROM n",
			"INSERT INTO review_states (id, seq, assignment_id, submitter_id, attempt, label, phase, reviews, needed, wanted, last_day, before_last_day, settle_at) " +
				"SELECT id, seq, assignment_id, submitter_id, 1, 'Heron', 'open', 3, 3, 3, 0, 0, 9000000000000000 FROM submissions WHERE id IN (" + own + ")",
			"INSERT INTO review_turns (reviewer_id, id, turn, until) SELECT s.submitter_id, o.id, 'reviewed', 9000000000000000 FROM review_states o " +
				"JOIN review_states s ON s.assignment_id = o.assignment_id AND s.seq % 200 < 4 AND s.seq <= 1000000 WHERE o.id IN (" + own + ")",
			"INSERT INTO review_turns (reviewer_id, id, turn, until) SELECT t.submitter_id, s.id, 'reviewed', 9000000000000000 FROM review_states o " +
				"JOIN review_states s ON s.assignment_id = o.assignment_id AND s.seq % 200 < 4 AND s.seq <= 1000000 " +
				"JOIN review_states t ON t.assignment_id = o.assignment_id AND t.seq % 200 BETWEEN 9 AND 12 AND t.seq <= 1000000 WHERE o.id IN (" + own + ") ON CONFLICT DO NOTHING",
			"INSERT INTO reviews (id, submission_id, assignment_id, reviewer, label, mark, levels, feedback, given_at, reply, part_p, part_m, part_xx, part_xe, part_xd) " +
				"SELECT '" + account.ID + "' || seq, id, assignment_id, '" + account.ID + "', '', 10, '', '', 0, '', 0, 0, 0, 0, 0 FROM submissions WHERE seq BETWEEN 20001 AND 20060",
		} {
			if _, err := tx.DB.ExecContext(ctx, text); err != nil {
				return err
			}
		}
		return nil
	}))
}

// forget removes a lease as if it had never been given.
func (n *node) forget(b *testing.B, c *client, submissionID string) {
	b.Helper()
	account, err := n.app.Store.AccountByEmail(b.Context(), c.email)
	require.NoError(b, err)
	require.NoError(b, n.app.Store.Write(engine.WithLongWrite(b.Context(), engine.LongSamples), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		if _, err := tx.EndLease(ctx, account.ID, submissionID, studycircle.TurnReturned); err != nil {
			return err
		}
		_, err := tx.DB.ExecContext(ctx, "DELETE FROM review_turns WHERE reviewer_id = '"+account.ID+"'")
		return err
	}))
}

// BenchmarkReviewBesideGrade reports the processor time of a grade and of a review, the
// database's included, and of the review that settles, in a class of fifty:
//
//	go test ./internal/app/nodetest -run '^$' -bench ReviewBesideGrade -benchtime 10x
func BenchmarkReviewBesideGrade(b *testing.B) {
	const size, needed = 50, 3
	onEnginesForReal(b, func(b *testing.B, n *node) {
		b.Helper()
		ada, members, reviewers := n.user(b, "Ada"), make([]*client, size), make([]*client, needed*size)
		for i := range members {
			members[i] = n.user(b, fmt.Sprint("Member", i))
		}
		for i := range reviewers { // each reviews one, so none waits for a slot
			reviewers[i] = n.user(b, fmt.Sprint("Reviewer", i))
		}
		clock := n.processors(b)
		spent := map[string]time.Duration{}
		measure := func(what string, do func(i int)) {
			before := clock()
			for i := range size {
				do(i)
			}
			spent[what] += clock() - before
		}
		for b.Loop() {
			reviewed := ada.publish(b, "marks", 20, "reviewsNeeded", needed)
			for _, m := range members {
				m.submit(b, reviewed)
			}
			for round := range needed {
				reviewers := reviewers[round*size : (round+1)*size]
				graded := ada.publish(b, "marks", 20)
				works, leased := make([]string, size), make([]string, size)
				for i, m := range members {
					works[i] = m.submit(b, graded)
				}
				measure("grade", func(i int) {
					reviewers[i].served(b, http.MethodPatch, "/api/submissions/"+works[i], doc{"marks": 7, "feedback": "Well done."}, http.StatusOK)
				})
				for i, c := range reviewers {
					leased[i] = c.task(b, reviewed)["submissionId"].(string)
				}
				what := "review"
				if round == needed-1 {
					what = "last-review"
				}
				measure(what, func(i int) {
					reviewers[i].served(b, http.MethodPatch, "/api/submissions/"+leased[i], doc{"marks": 14 + i%3, "feedback": "Well done."}, http.StatusOK)
				})
			}
		}
		times := map[string]int{"grade": needed * size, "review": (needed - 1) * size, "last-review": size}
		for what, took := range spent {
			b.ReportMetric(float64(took.Microseconds())/float64(times[what]*b.N), "cpu-µs/"+what)
		}
	})
}
