package storetest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/grademodel"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/testpg"
)

// moreWrites are writes to accounts, and concurrent writes to one object. The last one
// deletes the accounts.
var moreWrites = []write{
	{"sign in", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, _ int) error {
		if err := tx.ReplacePasswordHash(ctx, s.people[c].ID, "", ""); err != nil {
			return err
		}
		return tx.InsertSession(ctx, store.NewSession{
			ID: fmt.Sprint("session", c), UserID: s.people[c].ID, SecretHash: fmt.Sprint("secret", c), CreatedAt: now, ExpiresAt: now.Add(time.Hour),
		})
	})},
	{"renew", inTx(func(ctx context.Context, tx *store.Tx, _ *crowded, c, _ int) error {
		return tx.SeeSession(ctx, fmt.Sprint("session", c), now.Add(time.Minute))
	})},
	{"change password", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, _ int) error {
		if err := tx.ReplacePasswordHash(ctx, s.people[c].ID, "", "hash"); err != nil {
			return err
		}
		if _, err := tx.DeleteSessionsOf(ctx, s.people[c].ID, fmt.Sprint("session", c)); err != nil {
			return err
		}
		return tx.DeleteActionCodesOf(ctx, s.people[c].ID)
	})},
	{"sign out", inTx(func(ctx context.Context, tx *store.Tx, _ *crowded, c, _ int) error {
		_, err := tx.DeleteSessionBySecret(ctx, fmt.Sprint("secret", c))
		return err
	})},
	{"get a code", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, _ int) error {
		return tx.InsertActionCode(ctx, s.people[c].ID, "reset", fmt.Sprint("code", c), now.Add(time.Hour))
	})},
	{"reset", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, _ int) error {
		if _, err := tx.UseActionCode(ctx, "reset", fmt.Sprint("code", c), now); err != nil {
			return err
		}
		if err := tx.ResetPassword(ctx, s.people[c].ID, "new", now); err != nil {
			return err
		}
		return tx.DeleteMailsOf(ctx, s.people[c].ID, "reset")
	})},
	{"link", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, _ int) error {
		if err := tx.UseTicket(ctx, fmt.Sprint("ticket", c), now.Add(time.Minute)); err != nil {
			return err
		}
		return tx.InsertProviderLink(ctx, studycircle.ProviderLink{
			Issuer: "https://login.example.org", Subject: fmt.Sprint(c), UserID: s.people[c].ID, Provider: "school", LinkedAt: now,
		})
	})},
	{"unlink", inTx(func(ctx context.Context, tx *store.Tx, _ *crowded, c, _ int) error {
		return tx.DeleteProviderLink(ctx, "https://login.example.org", fmt.Sprint(c))
	})},
	{"add a passkey", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, _ int) error {
		id := fmt.Sprint("key", c)
		return tx.InsertPasskey(ctx, studycircle.Passkey{ID: id, UserID: s.people[c].ID, CredentialID: id, Name: "Phone", Credential: "{}", CreatedAt: now})
	})},
	{"use a passkey", inTx(func(ctx context.Context, tx *store.Tx, _ *crowded, c, _ int) error {
		return tx.UsePasskey(ctx, fmt.Sprint("key", c), "{}", now)
	})},
	{"rename a passkey", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, _ int) error {
		_, err := tx.RenamePasskey(ctx, s.people[c].ID, fmt.Sprint("key", c), "Laptop")
		return err
	})},
	{"remove a passkey", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, _ int) error {
		return tx.DeletePasskey(ctx, s.people[c].ID, fmt.Sprint("key", c))
	})},
	{"write a comment", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, _ int) error {
		return tx.InsertComment(ctx, s.remark(c))
	})},
	{"react", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, _ int) error {
		_, err := tx.React(ctx, s.remark(c).ID, s.people[c].ID, "like", true)
		return err
	})},
	{"edit a comment", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, _ int) error {
		return tx.EditComment(ctx, s.remark(c))
	})},
	{"delete a comment", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, _ int) error {
		return tx.DeleteComment(ctx, s.remark(c), now)
	})},
	{"close a discussion", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, _ int) error {
		_, err := tx.SetDiscussionClosed(ctx, s.assignments[len(s.assignments)-1-c].ID, true)
		return err
	})},
	{"suspend", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, _ int) error {
		_, err := tx.SetSuspended(ctx, s.people[c].Email, now)
		return err
	})},
	{"hand in for review", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, n int) error {
		sub := handIn(s.assignments[n], s.people[(c+1)%clients])
		sub.ID, sub.Reviews = fmt.Sprint("reviewed", c), 1
		return tx.SubmitForReview(ctx, sub, s.assignments[n], studycircle.Reviewing{
			SubmissionID: sub.ID, AssignmentID: sub.AssignmentID, SubmitterID: sub.Submitter.UserID, Phase: studycircle.ReviewOpen,
			Needed: 1, Wanted: 1, SettleAt: now,
		})
	})},
	{"hand in an exemplar", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, n int) error {
		a := s.assignments[n]
		if err := tx.LockAssignment(ctx, a.ID); err != nil {
			return err
		}
		return tx.InsertExemplar(ctx, studycircle.Exemplar{ID: fmt.Sprint("exemplar", c), AssignmentID: a.ID, Total: 20, DocsLink: "https://example.org/1"}, a.Title, now)
	})},
	{"reserve one exemplar", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, _ int) error {
		return tx.LeaseExemplar(ctx, s.people[c].ID, "exemplar0", now)
	})},
	{"review one exemplar", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, n int) error {
		given := studycircle.Review{ID: fmt.Sprint("practice", c), SubmissionID: "exemplar0", Reviewer: s.people[c].ID, Mark: 7, GivenAt: now}
		return tx.InsertExemplarReview(ctx, given, studycircle.Exemplar{AssignmentID: s.assignments[n-c].ID}, grademodel.Part{P: 1})
	})},
	{"change an exemplar", inTx(func(ctx context.Context, tx *store.Tx, _ *crowded, c, _ int) error {
		return tx.UpdateExemplar(ctx, fmt.Sprint("exemplar", c), studycircle.ExemplarMark{Mark: 3, Reason: "Short."})
	})},
	{"reserve", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, _ int) error {
		_, err := tx.TakeLease(ctx, s.people[c].ID, studycircle.Offer{SubmissionID: fmt.Sprint("reviewed", c)}, now)
		return err
	})},
	{"review and settle", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, _ int) error {
		given := studycircle.Review{ID: fmt.Sprint("review", c), SubmissionID: fmt.Sprint("reviewed", c), Reviewer: s.people[c].ID, Mark: 7, GivenAt: now}
		return arrive(ctx, tx, given)
	})},
	{"ask to review", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, n int) error {
		return tx.PlanReviewRequest(ctx, studycircle.ReviewRequest{UserID: s.people[(c+1)%clients].ID, AssignmentID: s.assignments[n].ID, Asked: 1}, now)
	})},
	{"remove an exemplar", inTx(func(ctx context.Context, tx *store.Tx, _ *crowded, c, _ int) error {
		return tx.DeleteExemplar(ctx, fmt.Sprint("exemplar", c))
	})},
	{"leave", inTx(func(ctx context.Context, tx *store.Tx, s *crowded, c, _ int) error {
		return tx.DeleteAccount(ctx, s.people[c].ID, time.Now())
	})},
}

// remark returns a client's comment in the shared discussion.
func (s *crowded) remark(c int) studycircle.Comment {
	made := remark(s.assignments[len(s.assignments)-1], s.people[c], "", "Written by many at once")
	made.ID, made.EditedAt = fmt.Sprint("comment", c), now
	return made
}

// On PostgreSQL no two clients that make the same kind of write wait for each other: with
// every commit held up, all of them reach their commit. The embedded database has one
// writer, for which all wait.
func TestWritesOfDifferentUsersDoNotWait(t *testing.T) {
	t.Parallel()
	b := setup(t, store.Config{URL: testpg.DB(t)})
	s := &crowded{Store: b.Store}
	s.fill(t, clients*len(writes))
	// Deferred triggers wait for the lock, and so within COMMIT, on all tables but those
	// that background tasks write.
	_, err := b.plain.ExecContext(t.Context(), `
		CREATE FUNCTION await_gate() RETURNS TRIGGER LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(7); RETURN NULL; END $$;
		DO $$ DECLARE name TEXT; BEGIN
			FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename NOT SIMILAR TO 'events|page%|river%' LOOP
				EXECUTE format('CREATE CONSTRAINT TRIGGER gate AFTER INSERT OR UPDATE OR DELETE ON %I DEFERRABLE INITIALLY DEFERRED
					FOR EACH ROW EXECUTE FUNCTION await_gate()', name);
			END LOOP;
		END $$`)
	require.NoError(t, err)
	gate, err := b.plain.Conn(t.Context())
	require.NoError(t, err)
	defer func() { require.NoError(t, gate.Close()) }()
	for k, w := range slices.Concat(writes, moreWrites) {
		_, err := gate.ExecContext(t.Context(), "SELECT pg_advisory_lock(7)")
		require.NoError(t, err)
		failed := make([]error, clients)
		done := make(chan struct{})
		go func() {
			defer close(done)
			atOnce(func(c int) {
				failed[c] = w.do(t.Context(), s, c, min(k, len(writes)-1)*clients+c)
			})
		}()
		assert.Eventually(t, func() bool {
			var waiting int
			err := gate.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM pg_locks
				WHERE locktype = 'advisory' AND objid = 7 AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`).Scan(&waiting)
			return err == nil && waiting == clients
		}, 30*time.Second, 2*time.Millisecond, "%s: clients wait for each other", w.name)
		_, err = gate.ExecContext(t.Context(), "SELECT pg_advisory_unlock(7)")
		require.NoError(t, err)
		<-done
		for _, err := range failed {
			require.NoError(t, err, w.name)
		}
	}
}

// Folders with the same users are imported concurrently while some of the users work. No
// write fails, and testpg reports deadlocks.
func TestConcurrentImports(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		const many = 40
		users, assignments := make([]studycircle.User, many), make([]studycircle.Assignment, many)
		submissions := make([]studycircle.Submission, many)
		for i := range many {
			users[i] = studycircle.User{ID: fmt.Sprint("user", i), Email: fmt.Sprintf("u%d@example.org", i), DisplayName: "Imported", CreatedAt: now}
		}
		for i := range many {
			assignments[i] = sample(users[i], studycircle.Easy, fmt.Sprint("Imported ", i), "From a folder.")
			submissions[i] = handIn(assignments[i], users[(i*7+1)%many])
		}
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			_, _, err := bulk.ImportAccounts(ctx, tx.Tx, users[:clients])
			return err
		})
		common := b.assignment(t, users[0], studycircle.Easy, "There before", "For all.")
		var wrong sync.Map
		atOnce(func(i int) {
			r := rand.New(rand.NewPCG(uint64(i), 1))
			work := handIn(common, users[i])
			err := errors.Join(
				handedIn(t.Context(), b.Store, work),
				b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
					if err := bulk.BeginImport(ctx, tx.Tx); err != nil {
						return err
					}
					if _, _, err := bulk.ImportAccounts(ctx, tx.Tx, shuffled(r, users)); err != nil {
						return err
					}
					if _, err := bulk.ImportAssignments(ctx, tx.Tx, shuffled(r, assignments)); err != nil {
						return err
					}
					_, err := bulk.ImportSubmissions(ctx, tx.Tx, shuffled(r, submissions))
					return err
				}),
				b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error { return tx.WithdrawSubmission(ctx, work.ID) }))
			if err != nil {
				wrong.Store(i, err)
			}
		})
		wrong.Range(func(i, err any) bool {
			t.Errorf("client %v: %v", i, err)
			return true
		})
		require.Len(t, b.ids(t, "SELECT id FROM users"), many)
		require.Len(t, b.ids(t, "SELECT id FROM submissions"), many)
		(&history{t: t, b: b, people: users}).compare()
	})
}

func shuffled[T any](r *rand.Rand, all []T) []T {
	out := slices.Clone(all)
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return out
}
