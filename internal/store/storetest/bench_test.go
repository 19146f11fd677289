package storetest

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store"
	"studycircle/internal/testpg"
)

// BenchmarkWrites has 32 clients write at once and reports writes/s of each kind
// of write, durable on both engines:
//
//	go test ./internal/store/storetest -run '^$' -bench Writes -benchtime 3000x
//
// jobs=on runs the job queue beside them, as a node does.
func BenchmarkWrites(b *testing.B) {
	cluster, err := testpg.StartIn(os.TempDir(), "fsync=on", "full_page_writes=on")
	require.NoError(b, err)
	defer func() { require.NoError(b, cluster.Stop()) }()
	for _, engine := range []string{"sqlite", "postgres"} {
		for _, w := range writes {
			for _, jobs := range []string{"off", "on"} {
				b.Run(fmt.Sprintf("%s/%s/jobs=%s", engine, w.name, jobs), func(b *testing.B) {
					c := store.Config{Dir: b.TempDir()}
					if engine == "postgres" {
						name, err := cluster.Create("template1")
						require.NoError(b, err)
						c = store.Config{URL: cluster.URL(name)}
					}
					benchWrite(b, c, w, jobs == "on")
				})
			}
		}
	}
}

// crowded is a store with what writes are about: people, assignments, and
// pending submissions, one for each write.
type crowded struct {
	*store.Store
	people      []studycircle.User
	assignments []studycircle.Assignment
	submissions []studycircle.Submission
}

type write struct {
	name string
	do   func(ctx context.Context, tx *store.Tx, s *crowded, c, n int) error
}

// writes are all the kinds of writes that people make, each by client c and the
// n-th of all.
var writes = []write{
	{"create", func(ctx context.Context, tx *store.Tx, s *crowded, c, _ int) error {
		_, err := tx.InsertAssignment(ctx, sample(s.people[c], studycircle.Easy, "Written by many at once", "Some words to index, and some more."))
		return err
	}},
	{"update", func(ctx context.Context, tx *store.Tx, s *crowded, _, n int) error {
		after := s.assignments[n]
		after.Title, after.UpdatedAt = "Changed by many at once", after.UpdatedAt.Add(time.Second)
		return tx.UpdateAssignment(ctx, s.assignments[n], after)
	}},
	{"delete", func(ctx context.Context, tx *store.Tx, s *crowded, _, n int) error {
		return tx.DeleteAssignment(ctx, s.assignments[n].ID, now)
	}},
	{"submit", func(ctx context.Context, tx *store.Tx, s *crowded, c, n int) error {
		return tx.InsertSubmission(ctx, handIn(s.assignments[n], s.people[c]))
	}},
	{"change", func(ctx context.Context, tx *store.Tx, s *crowded, _, n int) error {
		return tx.UpdateSubmission(ctx, s.submissions[n].ID, studycircle.SubmissionInput{DocsLink: "https://example.org/2"})
	}},
	{"withdraw", func(ctx context.Context, tx *store.Tx, s *crowded, _, n int) error {
		return tx.WithdrawSubmission(ctx, s.submissions[n].ID)
	}},
	{"grade", func(ctx context.Context, tx *store.Tx, s *crowded, c, n int) error {
		return tx.GradeSubmission(ctx, s.submissions[n].ID, studycircle.Grade{GraderID: s.people[c].ID, Mark: 5, MarkedAt: now})
	}},
	{"profile", func(ctx context.Context, tx *store.Tx, s *crowded, c, n int) error {
		return tx.UpdateProfile(ctx, s.people[c].ID, studycircle.Profile{DisplayName: fmt.Sprint("Name ", n)})
	}},
	{"register", func(ctx context.Context, tx *store.Tx, _ *crowded, _, _ int) error {
		id := studycircle.NewID(time.Now())
		if err := tx.InsertAccount(ctx, studycircle.Account{User: studycircle.User{ID: id, Email: id + "@example.com", DisplayName: "New", CreatedAt: now}}); err != nil {
			return err
		}
		if err := tx.QueueMail(ctx, id, "verify"); err != nil {
			return err
		}
		return tx.InsertSession(ctx, store.NewSession{ID: id, UserID: id, SecretHash: id, CreatedAt: now, ExpiresAt: now.Add(time.Hour)})
	}},
	{"forgot", func(ctx context.Context, tx *store.Tx, s *crowded, c, n int) error {
		if err := tx.Spend(ctx, limit.Window{Name: "bench", Max: 1 << 20, Per: time.Hour}, fmt.Sprint(n), now); err != nil {
			return err
		}
		return tx.QueueMail(ctx, s.people[c].ID, "reset")
	}},
}

func benchWrite(b *testing.B, c store.Config, w write, jobs bool) {
	b.Helper()
	opened, err := store.Open(b.Context(), c)
	require.NoError(b, err)
	s := &crowded{Store: opened}
	s.fill(b, b.N)
	defer func() { require.NoError(b, s.Close()) }()
	if jobs {
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() {
			done <- s.RunMails(ctx, store.Mailer{
				Send: func(context.Context, store.QueuedMail) error { return nil },
				Wait: func(int) time.Duration { return time.Second },
			})
		}()
		defer func() {
			stop()
			require.NoError(b, <-done)
		}()
	}
	if jobs {
		// Once one is through, what it costs to begin is over.
		require.NoError(b, s.Write(b.Context(), func(ctx context.Context, tx *store.Tx) error { return tx.QueueMail(ctx, s.people[0].ID, "first") }))
		require.Eventually(b, func() bool {
			n, err := s.MailsWaiting(b.Context())
			return err == nil && n == 0
		}, time.Minute, 10*time.Millisecond)
	}
	var next atomic.Int64
	var working sync.WaitGroup
	b.ResetTimer()
	for client := range clients {
		working.Go(func() {
			for n := int(next.Add(1)) - 1; n < b.N; n = int(next.Add(1)) - 1 {
				if err := s.Write(context.Background(), func(ctx context.Context, tx *store.Tx) error { return w.do(ctx, tx, s, client, n) }); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	working.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "writes/s")
}

// fill has n of the things that writes are about.
func (s *crowded) fill(tb testing.TB, n int) {
	tb.Helper()
	require.NoError(tb, s.Write(tb.Context(), func(ctx context.Context, tx *store.Tx) error {
		for i := range clients {
			u := studycircle.User{ID: studycircle.NewID(now), Email: fmt.Sprint("p", i, "@example.org"), DisplayName: "Person", CreatedAt: now}
			if err := tx.InsertAccount(ctx, studycircle.Account{User: u}); err != nil {
				return err
			}
			s.people = append(s.people, u)
		}
		// Somebody else's, so that everybody may take them all.
		submitter := studycircle.User{ID: studycircle.NewID(now), Email: "submitter@example.org", DisplayName: "Submitter", CreatedAt: now}
		if err := tx.InsertAccount(ctx, studycircle.Account{User: submitter}); err != nil {
			return err
		}
		for i := range n {
			a := sample(s.people[i%clients], studycircle.Levels[i%3], "There before", "Some words to index, and some more.")
			var err error
			if a.Seq, err = tx.InsertAssignment(ctx, a); err != nil {
				return err
			}
			s.assignments = append(s.assignments, a)
			sub := handIn(a, submitter)
			if err := tx.InsertSubmission(ctx, sub); err != nil {
				return err
			}
			s.submissions = append(s.submissions, sub)
		}
		return nil
	}))
}
