package storetest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/jobs"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/testengine"
	"studycircle/internal/testpg"
	"studycircle/internal/teststore"
)

// mailbox records sent emails, by user and kind.
type mailbox struct {
	mu   sync.Mutex
	sent map[string]int
}

func (m *mailbox) count(key string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.sent[key]
}

// work sends a node's emails until the test ends. While failing returns an error, none is
// sent.
func (m *mailbox) work(t *testing.T, s *store.Store, failing func(jobs.Mail) error) {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- s.RunJobs(ctx, jobs.Work{Mailer: &jobs.Mailer{
			Wait: func(int) time.Duration { return 10 * time.Millisecond },
			Send: func(_ context.Context, q jobs.Mail) error {
				if err := failing(q); err != nil {
					return err
				}
				m.mu.Lock()
				defer m.mu.Unlock()
				m.sent[q.UserID+" "+q.Kind]++
				return nil
			},
		}})
	}()
	t.Cleanup(func() {
		stop()
		require.NoError(t, <-done)
	})
}

func never(jobs.Mail) error { return nil }

// known makes sure that a user with this id exists: only users get emails.
func (b *bundle) known(t *testing.T, userID string) {
	t.Helper()
	_, err := b.plain.ExecContext(t.Context(), `INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at)
		VALUES ($1, $2, 'Somebody', '', '', 0) ON CONFLICT DO NOTHING`, userID, userID+"@example.org")
	require.NoError(t, err)
}

func (b *bundle) queue(t *testing.T, userID, kind string) {
	t.Helper()
	b.known(t, userID)
	b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.QueueMail(ctx, userID, kind) })
}

func (b *bundle) awaitNoMails(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		n, err := b.MailsWaiting(t.Context())
		return err == nil && n == 0
	}, 2*time.Minute, 20*time.Millisecond)
}

// An email is queued by the transaction that wants it, or not at all, and sent once by
// any number of nodes.
func TestEmailsAreSentOnceByOneOfTwoNodes(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		other := setup(t, b.config)
		box := &mailbox{sent: map[string]int{}}
		box.work(t, b.Store, never)
		box.work(t, other.Store, never)
		errUndone := errors.New("undone")
		var wrong sync.Map
		for i := range clients {
			b.known(t, fmt.Sprint("user", i))
		}
		atOnce(func(i int) {
			err := []*bundle{b, other}[i%2].Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
				if err := tx.QueueMail(ctx, fmt.Sprint("user", i), "reset"); err != nil {
					return err
				}
				if i%4 == 3 {
					return errUndone
				}
				return nil
			})
			if (i%4 == 3) != errors.Is(err, errUndone) || (i%4 != 3 && err != nil) {
				wrong.Store(i, err)
			}
		})
		wrong.Range(func(i, err any) bool {
			t.Errorf("client %v: %v", i, err)
			return true
		})
		b.awaitNoMails(t)
		for i := range clients {
			want := 1
			if i%4 == 3 {
				want = 0
			}
			assert.Equal(t, want, box.count(fmt.Sprintf("user%d reset", i)), "client %d", i)
		}
	})
}

func TestFailedEmailsAreRetriedUntilGivenUp(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		b.queue(t, "patient", "reset")
		b.queue(t, "hopeless", "reset")
		box := &mailbox{sent: map[string]int{}}
		attempts := map[string]int{}
		var mu sync.Mutex
		box.work(t, b.Store, func(q jobs.Mail) error {
			mu.Lock()
			defer mu.Unlock()
			attempts[q.UserID]++
			assert.Equal(t, attempts[q.UserID], q.Attempts)
			switch {
			case q.UserID == "hopeless":
				return jobs.ErrGiveUp
			case q.Attempts < 3:
				return errors.New("not now")
			default:
				return nil
			}
		})
		b.awaitNoMails(t)
		mu.Lock()
		defer mu.Unlock()
		assert.Equal(t, map[string]int{"patient": 3, "hopeless": 1}, attempts)
		assert.Equal(t, map[string]int{"patient reset": 1}, box.sent)
	})
}

// A node that dies while sending leaves the email marked as running; another node retries
// it.
func TestEmailOfADeadNodeIsRetried(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		b.queue(t, "ada", "reset")
		marked := "UPDATE river_job SET state = 'running', attempt = 1, attempted_at = now() - INTERVAL '5 minutes' WHERE kind = 'mail'"
		if b.sqlite {
			marked = "UPDATE river_job SET state = 'running', attempt = 1, attempted_at = datetime('now', '-5 minutes', 'subsec') WHERE kind = 'mail'"
		}
		_, err := b.plain.ExecContext(t.Context(), marked)
		require.NoError(t, err)
		box := &mailbox{sent: map[string]int{}}
		box.work(t, b.Store, never)
		b.awaitNoMails(t)
		assert.Equal(t, 1, box.count("ada reset"))
	})
}

func TestEmailsOfOneKindLeaveTheQueue(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		for _, user := range []string{"ada", "ben"} {
			b.queue(t, user, "reset")
			b.queue(t, user, "verify")
		}
		b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteMailsOf(ctx, "ada", "reset") })
		box := &mailbox{sent: map[string]int{}}
		box.work(t, b.Store, never)
		b.awaitNoMails(t)
		assert.Equal(t, map[string]int{"ada verify": 1, "ben reset": 1, "ben verify": 1}, box.sent)
	})
}

// The previous release queues in its own table. Emails that its last node left there are
// sent; one that another of its nodes is sending is not.
func TestEmailsOfThePreviousReleaseAreTakenOver(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		u := b.user(t, "Ada")
		for id, due := range map[string]time.Time{"left": time.Now().Add(-time.Second), "leased": time.Now().Add(time.Hour)} {
			_, err := b.plain.ExecContext(t.Context(), fmt.Sprintf(
				"INSERT INTO mails (id, user_id, kind, created_at, due_at, attempts) VALUES ('%[1]s', '%[2]s', '%[1]s', %[3]d, %[3]d, 0)", id, u.ID, due.UnixMicro()))
			require.NoError(t, err)
		}
		box := &mailbox{sent: map[string]int{}}
		box.work(t, b.Store, never)
		require.Eventually(t, func() bool { return box.count(u.ID+" left") == 1 }, 30*time.Second, 20*time.Millisecond)
		assert.Equal(t, []string{"leased"}, b.ids(t, "SELECT id FROM mails"))
	})
}

func TestCopyIncludesWaitingEmails(t *testing.T) {
	t.Parallel()
	configs := map[string]func(*testing.T) store.Config{
		"sqlite":   func(t *testing.T) store.Config { t.Helper(); return store.Config{Dir: teststore.DirBeside(t)} },
		"postgres": func(t *testing.T) store.Config { t.Helper(); return store.Config{URL: testpg.DB(t)} },
	}
	for from, source := range configs {
		for to, target := range configs {
			t.Run(from+" to "+to, func(t *testing.T) {
				t.Parallel()
				testengine.Need(t, testengine.Postgres)
				b, c := setup(t, source(t)), setup(t, target(t))
				u := b.user(t, "Ada")
				b.queue(t, u.ID, "verify")
				_, err := bulk.Copy(t.Context(), b.Store, c.Store, func() {})
				require.NoError(t, err)
				box := &mailbox{sent: map[string]int{}}
				box.work(t, c.Store, never)
				c.awaitNoMails(t)
				assert.Equal(t, map[string]int{u.ID + " verify": 1}, box.sent)
			})
		}
	}
}

// A backup includes waiting emails in any state. The restored database sends each once,
// also one that was being sent, since it is unknown whether that left.
func TestRestoredEmailsAreSentOnce(t *testing.T) {
	t.Parallel()
	b := setup(t, store.Config{Dir: teststore.Dir(t)})
	want := map[string]int{}
	for _, state := range []string{"available", "retryable", "scheduled", "running"} {
		b.queue(t, state, "verify")
		want[state+" verify"] = 1
		_, err := b.plain.ExecContext(t.Context(), `UPDATE river_job SET state = $1, attempt = 1,
			attempted_at = datetime('now', '-5 minutes', 'subsec'), scheduled_at = datetime('now', '-1 seconds', 'subsec')
			WHERE kind = 'mail' AND state = 'available'`, state)
		require.NoError(t, err)
	}
	backup := filepath.Join(t.TempDir(), "backup")
	require.NoError(t, store.Backup(t.Context(), b.config.Dir, backup))
	b.queue(t, "later", "verify")
	restored := store.Config{Dir: t.TempDir()}
	require.NoError(t, store.Restore(t.Context(), restored.Dir, backup))
	r := setup(t, restored)
	box := &mailbox{sent: map[string]int{}}
	box.work(t, r.Store, never)
	r.awaitNoMails(t)
	assert.Equal(t, want, box.sent)
}

// The queue uses only the writer's connection, so that no caller finds the database busy.
func TestWritersAndEmailsShareTheDatabase(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		u := b.user(t, "Ada")
		box := &mailbox{sent: map[string]int{}}
		box.work(t, b.Store, never)
		for i := range clients {
			b.known(t, fmt.Sprint("user", i))
		}
		const rounds = 3 // sending takes most of the time, and under the race detector seconds
		var wrong sync.Map
		atOnce(func(i int) {
			for round := range rounds {
				err := b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
					_, err := bulk.ImportAssignments(ctx, tx.Tx, []studycircle.Assignment{sample(u, studycircle.Easy, "Beside mails", "Text.")})
					if err != nil {
						return err
					}
					return tx.QueueMail(ctx, fmt.Sprint("user", i), fmt.Sprint("kind", round))
				})
				if err != nil {
					wrong.Store(fmt.Sprint(i, "/", round), err)
				}
			}
		})
		wrong.Range(func(at, err any) bool {
			t.Errorf("client %v: %v", at, err)
			return true
		})
		b.awaitNoMails(t)
		assert.Len(t, box.sent, clients*rounds)
	})
}

// Emails to unknown addresses delay no others: they wait in their own queue and are
// dropped.
func TestEmailsWithoutARecipientDelayNoOthers(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		// In several transactions, each of which must end within its deadline.
		for round := range 10 {
			b.do(t, func(ctx context.Context, tx *store.Tx) error {
				for i := range 100 {
					if err := tx.QueueMail(ctx, fmt.Sprint("nobody", round, "-", i), "reset"); err != nil {
						return err
					}
				}
				return nil
			})
		}
		b.queue(t, "ada", "reset")
		n, err := b.MailsWaiting(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 1, n)
		box := &mailbox{sent: map[string]int{}}
		box.work(t, b.Store, never)
		require.Eventually(t, func() bool { return box.count("ada reset") == 1 }, 10*time.Second, 20*time.Millisecond)
		require.Eventually(t, func() bool { return len(b.ids(t, "SELECT kind FROM river_job WHERE queue = 'nobody'")) == 0 }, time.Minute, 100*time.Millisecond)
		assert.Equal(t, map[string]int{"ada reset": 1}, box.sent)
	})
}

// An operator sees the jobs that wait or have failed, without users and ids, and has emails that were given up sent
// once more.
func TestJobsAreListedAndRetried(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		box, refuses := &mailbox{sent: map[string]int{}}, sync.Map{}
		refuses.Store("reset", true)
		box.work(t, b.Store, func(q jobs.Mail) error {
			if _, yes := refuses.Load(q.Kind); yes {
				return fmt.Errorf("%w: refused", jobs.ErrGiveUp)
			}
			return nil
		})
		b.queue(t, "ada", "reset")
		b.awaitNoMails(t)
		listed := func() (out []jobs.Job) {
			require.NoError(t, jobs.Each(t.Context(), b.Queue(), func(j jobs.Job) error {
				if !strings.HasPrefix(j.Kind, "periodic") {
					out = append(out, j)
				}
				return nil
			}))
			return out
		}
		got := listed()
		require.Len(t, got, 1)
		require.Equal(t, "mail reset", got[0].Kind)
		require.Equal(t, "cancelled", got[0].State)
		require.Equal(t, 1, got[0].Attempts)
		require.Contains(t, got[0].Error, "refused")

		refuses.Delete("reset")
		n, err := jobs.RetryFailed(t.Context(), b.Queue())
		require.NoError(t, err)
		require.Equal(t, 1, n)
		b.awaitNoMails(t)
		require.Equal(t, 1, box.count("ada reset"))
		n, err = jobs.RetryFailed(t.Context(), b.Queue())
		require.NoError(t, err)
		require.Zero(t, n)
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			return tx.QueueMail(ctx, "ada", jobs.NotificationMail("some-id"))
		})
		for _, j := range listed() {
			require.Contains(t, []string{"mail reset", "mail notification"}, j.Kind, "no id")
		}
	})
}

// Operators have all jobs listed, however many there are.
func TestManyJobsAreListed(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		const many = 1001 // one more than are read at once
		b.known(t, "ada")
		for range many / 91 { // writes have a deadline
			b.do(t, func(ctx context.Context, tx *store.Tx) error {
				for range 91 {
					if err := tx.QueueMail(ctx, "ada", "reset"); err != nil {
						return err
					}
				}
				return nil
			})
		}
		seen, last := 0, int64(0)
		require.NoError(t, jobs.Each(t.Context(), b.Queue(), func(j jobs.Job) error {
			require.Greater(t, j.ID, last)
			seen, last = seen+1, j.ID
			return nil
		}))
		require.Equal(t, many, seen)
	})
}
