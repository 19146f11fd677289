package storetest

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/testpg"
	"studycircle/internal/teststore"
)

// BenchmarkNotify measures how long 100,000 reminders take, in the app and queued as
// emails, while a user publishes now and then, and the slowest of those publications:
//
//	go test ./internal/store/storetest -run '^$' -bench Notify -benchtime 1x
func BenchmarkNotify(b *testing.B) {
	onDurable(b, func(b *testing.B, c store.Config) {
		b.Helper()
		s, err := store.Open(b.Context(), c)
		require.NoError(b, err)
		defer func() { require.NoError(b, s.Close()) }()
		const many = 100_000
		bundle := &bundle{Store: s, plain: plainDB(b, c)}
		bundle.manyReminders(b, many)
		require.NoError(b, bundle.plain.Close())
		creator := studycircle.User{ID: "u1"}
		ctx, stop := context.WithCancel(b.Context())
		slowest := make(chan time.Duration, 1)
		go func() {
			var most time.Duration
			for ctx.Err() == nil {
				began := time.Now()
				if teststore.Publish(context.WithoutCancel(ctx), s, sample(creator, studycircle.Easy, "Beside", "Words.")) == nil {
					most = max(most, time.Since(began))
				}
				select {
				case <-ctx.Done():
				case <-time.After(10 * time.Millisecond):
				}
			}
			slowest <- most
		}()
		b.ResetTimer()
		began := time.Now()
		told, err := deliverAll(b.Context(), s)
		took := time.Since(began)
		stop()
		require.NoError(b, err)
		require.Equal(b, many, told)
		b.ReportMetric(took.Seconds(), "s/100k")
		b.ReportMetric(float64((<-slowest).Milliseconds()), "ms-slowest-publish")
	})
}

// BenchmarkNotifications lists one page of a user's 1,000,000 notifications.
//
//	go test ./internal/store/storetest -run '^$' -bench Notifications -benchtime 1x
func BenchmarkNotifications(b *testing.B) {
	onDurable(b, func(b *testing.B, c store.Config) {
		b.Helper()
		for _, many := range []int{1000, 1_000_000} {
			b.Run(fmt.Sprint(many), func(b *testing.B) {
				own := c
				if own.URL == "" {
					own.Dir = b.TempDir()
				}
				s, err := store.Open(b.Context(), own)
				require.NoError(b, err)
				defer func() { require.NoError(b, s.Close()) }()
				user := fmt.Sprint("n", many)
				fillNotifications(b, own, user, many)
				for name, page := range map[string]int64{"first": 1, "middle": int64(many) / 40, "last": int64(many) / 20} {
					var times []time.Duration
					for range 101 {
						began := time.Now()
						list, total, _, err := s.Notifications(b.Context(), studycircle.ViewerOf(user), false, studycircle.Page{Number: page, Limit: 20})
						times = append(times, time.Since(began))
						require.NoError(b, err)
						require.Len(b, list, 20)
						require.EqualValues(b, many, total)
					}
					slices.Sort(times)
					b.ReportMetric(float64(times[50].Microseconds()), "us-p50-"+name)
				}
			})
		}
	})
}

// fillNotifications stores many unread notifications of a user, as delivery would.
func fillNotifications(b *testing.B, c store.Config, user string, many int) {
	b.Helper()
	d := plainDB(b, c)
	defer func() { require.NoError(b, d.Close()) }()
	numbers := fmt.Sprintf("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) ", many)
	for _, statement := range []string{
		fmt.Sprintf("INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at) VALUES ('%[1]s', '%[1]s@example.org', 'U', '', '', 0)", user),
		fmt.Sprintf("INSERT INTO inboxes (id, last_no) VALUES ('%s', %d)", user, many),
		fmt.Sprintf(`INSERT INTO notifications (id, user_id, no, kind, subject, title, url, notices, created_at)
			%[1]s SELECT '%[2]s-' || i, '%[2]s', i, 'reply', 's' || i, 'Title', '/assignment/x', 1, i FROM n`, numbers, user),
	} {
		_, err := d.ExecContext(b.Context(), statement)
		require.NoError(b, err)
	}
}

// onDurable runs f on both engines, as durable as in production.
func onDurable(b *testing.B, f func(b *testing.B, c store.Config)) {
	b.Helper()
	cluster, err := testpg.StartIn(os.TempDir(), "fsync=on", "full_page_writes=on")
	require.NoError(b, err)
	defer func() { require.NoError(b, cluster.Stop()) }()
	for _, engine := range []string{"sqlite", "postgres"} {
		b.Run(engine, func(b *testing.B) {
			c := store.Config{Dir: b.TempDir()}
			if engine == "postgres" {
				name, err := cluster.Create("template1")
				require.NoError(b, err)
				c = store.Config{URL: cluster.URL(name)}
			}
			f(b, c)
		})
	}
}
