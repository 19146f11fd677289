package nodetest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/store/engine"
)

// BenchmarkHandIn measures the processor time of one submission, with the database's,
// when 32 users submit concurrently to one creator's assignments: until it is
// acknowledged, and until its creator is notified.
//
//	go test ./internal/app/nodetest -run '^$' -bench HandIn -benchtime 20x
func BenchmarkHandIn(b *testing.B) {
	const each = 20
	onEnginesForReal(b, func(b *testing.B, n *node) {
		b.Helper()
		ada, users := n.user(b, "Ada"), make([]*client, crowd)
		for i := range users {
			users[i] = n.user(b, fmt.Sprint("User", i))
		}
		clock := n.processors(b)
		var acknowledged, told, took time.Duration
		for b.Loop() {
			assignments := make([]string, each)
			for i := range assignments {
				assignments[i] = ada.publish(b)
			}
			n.nothingToTell(b)
			began, before := time.Now(), clock()
			var working sync.WaitGroup
			failed := make([]error, crowd)
			for i, u := range users {
				working.Go(func() {
					for _, a := range assignments {
						_, err := u.do(context.Background(), http.MethodPost, "/api/submissions", submission(a), http.StatusCreated)
						failed[i] = errors.Join(failed[i], err)
					}
				})
			}
			working.Wait()
			took += time.Since(began)
			acknowledged += clock() - before
			n.nothingToTell(b)
			told += clock() - before
			require.NoError(b, errors.Join(failed...))
		}
		times := float64(b.N * each * crowd)
		b.ReportMetric(float64(acknowledged.Microseconds())/times, "cpu-µs/acknowledged")
		b.ReportMetric(float64(told.Microseconds())/times, "cpu-µs/told")
		b.ReportMetric(times/took.Seconds(), "submissions/s")
	})
}

// nothingToTell delivers until nothing is left.
func (n *node) nothingToTell(b *testing.B) {
	b.Helper()
	for left := 1; left > 0; {
		_, err := n.app.Store.DeliverNotices(b.Context())
		require.NoError(b, err)
		const waiting = "SELECT (SELECT COUNT(*) FROM notices) + (SELECT COUNT(*) FROM fanouts)"
		require.NoError(b, n.app.Store.Engine().Reads().QueryRowContext(b.Context(), waiting).Scan(&left))
	}
}

// BenchmarkReply measures replies in threads with few and with 10,000 writers while a
// user publishes all the time: how long the slowest reply took, how long the slowest
// publication waited, and how long until all were notified.
//
//	go test ./internal/app/nodetest -run '^$' -bench Reply -benchtime 1x
func BenchmarkReply(b *testing.B) {
	onEnginesForReal(b, func(b *testing.B, n *node) {
		b.Helper()
		ada, bob, cleo := n.user(b, "Ada"), n.user(b, "Bob"), n.user(b, "Cleo")
		n.manyUsers(b, 10_000)
		for _, writers := range []int{10, 10_000} {
			b.Run(fmt.Sprint(writers), func(b *testing.B) {
				of := ada.publish(b)
				thread := bob.write(b, of, "Why?")
				n.writeAll(b, of, thread, writers)
				var answer, publish, told time.Duration
				for b.Loop() {
					ctx, stop := context.WithCancel(b.Context())
					slowest := make(chan time.Duration, 1)
					go func() {
						var most time.Duration
						for ctx.Err() == nil {
							began := time.Now()
							if _, err := ada.do(context.WithoutCancel(ctx), http.MethodPost, "/api/assignments", assignment(), http.StatusCreated); err == nil {
								most = max(most, time.Since(began))
							}
						}
						slowest <- most
					}()
					began := time.Now()
					cleo.reply(b, of, thread, "Because.")
					answer = max(answer, time.Since(began))
					n.nothingToTell(b)
					told = max(told, time.Since(began))
					stop()
					publish = max(publish, <-slowest)
				}
				b.ReportMetric(float64(answer.Microseconds())/1000, "ms-reply")
				b.ReportMetric(float64(publish.Microseconds())/1000, "ms-slowest-publish")
				b.ReportMetric(float64(told.Microseconds())/1000, "ms-told")
			})
		}
	})
}

func (n *node) manyUsers(b *testing.B, many int) {
	b.Helper()
	n.exec(b, fmt.Sprintf(`INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at)
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) SELECT 'u' || i, 'u' || i || '@example.org', 'Name', '', '', 0 FROM n`, many))
}

// writeAll has the first of manyUsers reply in a thread.
func (n *node) writeAll(b *testing.B, assignmentID, threadID string, many int) {
	b.Helper()
	n.exec(b, fmt.Sprintf(`INSERT INTO comments (id, assignment_id, thread_id, author_id, text, html, created_at, listed, replies, likes, thanks, insightful, questions)
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		SELECT '%[2]s-' || i, '%[3]s', '%[2]s', 'u' || i, 'So', 'So', 0, TRUE, 0, 0, 0, 0, 0 FROM n`, many, threadID, assignmentID))
	n.exec(b, fmt.Sprintf("UPDATE comments SET replies = %d WHERE id = '%s'", many, threadID))
	if n.database.URL != "" { // as autovacuum does within a minute
		n.exec(b, "ANALYZE")
	}
}

func (n *node) exec(tb testing.TB, query string) {
	tb.Helper()
	require.NoError(tb, n.app.Store.Write(engine.WithLongWrite(tb.Context(), engine.LongSamples), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.DB.ExecContext(ctx, query)
		return err
	}))
}
