package storetest

import (
	"context"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/jobs"
	"studycircle/internal/limit"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/store/engine"
	"studycircle/internal/testpg"
	"studycircle/internal/teststore"
)

// BenchmarkWrites measures writes/s of each kind of write with 32 clients, durable on
// both engines:
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
			for _, mails := range []string{"off", "on"} {
				b.Run(fmt.Sprintf("%s/%s/mails=%s", engine, w.name, mails), func(b *testing.B) {
					c := store.Config{Dir: b.TempDir()}
					if engine == "postgres" {
						name, err := cluster.Create("template1")
						require.NoError(b, err)
						c = store.Config{URL: cluster.URL(name)}
					}
					benchWrite(b, c, w, mails == "on")
				})
			}
		}
	}
}

// crowded is a store with users, assignments and pending submissions, one for each write.
type crowded struct {
	*store.Store
	people      []studycircle.User
	assignments []studycircle.Assignment
	submissions []studycircle.Submission
}

type write struct {
	name string
	do   func(ctx context.Context, s *crowded, c, n int) error
}

// inTx returns a write in its own transaction.
func inTx(f func(ctx context.Context, tx *store.Tx, s *crowded, c, n int) error) func(context.Context, *crowded, int, int) error {
	return func(ctx context.Context, s *crowded, c, n int) error {
		return s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error { return f(ctx, tx, s, c, n) })
	}
}

// writes are all kinds of writes by users, each by client c and the n-th of all.
var writes = []write{
	{"create", func(ctx context.Context, s *crowded, c, _ int) error {
		return teststore.Publish(ctx, s.Store, sample(s.people[c], studycircle.Easy, "Written by many at once", "Some words to index, and some more."))
	}},
	{"update", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, _, n int) error {
		after := s.assignments[n]
		after.Title, after.UpdatedAt = "Changed by many at once", after.UpdatedAt.Add(time.Second)
		return tx.UpdateAssignment(ctx, s.assignments[n], after)
	})},
	{"delete", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, _, n int) error {
		return tx.DeleteAssignment(ctx, s.assignments[n].ID, now)
	})},
	{"submit", func(ctx context.Context, s *crowded, c, n int) error {
		return handedIn(ctx, s.Store, handIn(s.assignments[n], s.people[c]))
	}},
	{"change", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, _, n int) error {
		return tx.UpdateSubmission(ctx, s.submissions[n].ID, studycircle.SubmissionInput{DocsLink: "https://example.org/2"})
	})},
	{"withdraw", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, _, n int) error {
		return tx.WithdrawSubmission(ctx, s.submissions[n].ID)
	})},
	{"grade", func(ctx context.Context, s *crowded, c, n int) error {
		return graded(ctx, s.Store, s.submissions[n].ID, studycircle.Grade{GraderID: s.people[c].ID, Mark: 5, MarkedAt: now})
	}},
	{"profile", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, n int) error {
		return tx.UpdateProfile(ctx, s.people[c].ID, studycircle.Profile{DisplayName: fmt.Sprint("Name ", n)})
	})},
	{"register", inTx(func(ctx context.Context, tx *store.Tx, _ *crowded, _, _ int) error {
		id := studycircle.NewID(time.Now())
		if err := tx.InsertAccount(ctx, studycircle.Account{User: studycircle.User{ID: id, Email: id + "@example.com", DisplayName: "New", CreatedAt: now}}); err != nil {
			return err
		}
		if err := tx.QueueMail(ctx, id, "verify"); err != nil {
			return err
		}
		return tx.InsertSession(ctx, store.NewSession{ID: id, UserID: id, SecretHash: id, CreatedAt: now, ExpiresAt: now.Add(time.Hour)})
	})},
	{"forgot", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, n int) error {
		if err := tx.Spend(ctx, limit.Window{Name: "bench", Max: 1 << 20, Per: time.Hour}, fmt.Sprint(n), now); err != nil {
			return err
		}
		return tx.QueueMail(ctx, s.people[c].ID, "reset")
	})},
}

func benchWrite(b *testing.B, c store.Config, w write, mails bool) {
	b.Helper()
	opened, err := store.Open(b.Context(), c)
	require.NoError(b, err)
	s := &crowded{Store: opened}
	s.fill(b, b.N)
	defer func() { require.NoError(b, s.Close()) }()
	if mails {
		ctx, stop := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() {
			done <- s.RunJobs(ctx, jobs.Work{Mailer: &jobs.Mailer{
				Send: func(context.Context, jobs.Mail) error { return nil },
				Wait: func(int) time.Duration { return time.Second },
			}})
		}()
		defer func() {
			stop()
			require.NoError(b, <-done)
		}()
	}
	if mails {
		// The first write pays the cost of starting up.
		require.NoError(b, s.Write(b.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error { return tx.QueueMail(ctx, s.people[0].ID, "first") }))
		require.Eventually(b, func() bool {
			n, err := s.MailsWaiting(b.Context())
			return err == nil && n == 0
		}, time.Minute, 10*time.Millisecond)
	}
	var next atomic.Int64
	var working sync.WaitGroup
	before := cpu(b)
	b.ResetTimer()
	for client := range clients {
		working.Go(func() {
			for n := int(next.Add(1)) - 1; n < b.N; n = int(next.Add(1)) - 1 {
				if err := w.do(context.Background(), s, client, n); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	working.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "writes/s")
	b.ReportMetric(float64((cpu(b)-before).Nanoseconds())/float64(b.N)/1000, "cpu-µs/op")
}

// cpu returns the processor time that this process has used. It leaves PostgreSQL's out.
func cpu(tb testing.TB) time.Duration {
	tb.Helper()
	var used syscall.Rusage
	require.NoError(tb, syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// fill stores n of each thing that the writes need.
func (s *crowded) fill(tb testing.TB, n int) {
	tb.Helper()
	require.NoError(tb, s.Write(engine.WithLongWrite(tb.Context(), engine.LongSamples), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		for i := range clients {
			u := studycircle.User{ID: studycircle.NewID(now), Email: fmt.Sprint("p", i, "@example.org"), DisplayName: "Person", CreatedAt: now}
			if err := tx.InsertAccount(ctx, studycircle.Account{User: u}); err != nil {
				return err
			}
			s.people = append(s.people, u)
		}
		// Of another user, so that every client may submit.
		submitter := studycircle.User{ID: studycircle.NewID(now), Email: "submitter@example.org", DisplayName: "Submitter", CreatedAt: now}
		if err := tx.InsertAccount(ctx, studycircle.Account{User: submitter}); err != nil {
			return err
		}
		for i := range n {
			a := sample(s.people[i%clients], studycircle.Levels[i%3], "There before", "Some words to index, and some more.")
			a.Seq = int64(i + 1) // the database is empty
			s.assignments = append(s.assignments, a)
			s.submissions = append(s.submissions, handIn(a, submitter))
		}
		if _, err := bulk.ImportAssignments(ctx, tx.Tx, s.assignments); err != nil {
			return err
		}
		_, err := bulk.ImportSubmissions(ctx, tx.Tx, s.submissions)
		return err
	}))
}
