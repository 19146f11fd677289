package storetest

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/testpg"
)

// comparePersonal compares a user's states and lists with plain queries.
func (h *history) comparePersonal(u studycircle.User) {
	h.t.Helper()
	t, ctx := h.t, h.t.Context()
	for _, state := range []studycircle.State{studycircle.StateMine, studycircle.StateOpen, studycircle.StatePending, studycircle.StateGraded} {
		for _, level := range append([]studycircle.Level{""}, studycircle.Levels...) {
			want := h.b.ids(t, "SELECT a.id FROM assignments a WHERE a.deleted_at IS NULL AND "+stateOf+" = $2 AND (a.level = $3 OR $3 = '') ORDER BY a.seq DESC",
				u.ID, string(state), string(level))
			comparePages(t, want, func(p studycircle.Page) ([]studycircle.Assignment, int64, error) {
				return h.b.AssignmentsByState(ctx, studycircle.ViewerOf(u.ID), studycircle.Hall, state, level, p)
			}, func(a studycircle.Assignment) string { return a.ID })
		}
	}
	require.Equal(t, h.plainProgress(u.ID), h.progress(u.ID))
	got, err := h.b.Dashboard(ctx, studycircle.ViewerOf(u.ID), now)
	require.NoError(t, err)
	require.Equal(t, h.plainDashboard(u.ID), got)
}

// progress requests all assignments, deleted ones among them.
func (h *history) progress(userID string) (out []studycircle.Progress) {
	h.t.Helper()
	for ids := range slices.Chunk(h.b.ids(h.t, "SELECT id FROM assignments ORDER BY seq"), studycircle.MaxLimit) {
		some, err := h.b.Progress(h.t.Context(), studycircle.ViewerOf(userID), ids, now)
		require.NoError(h.t, err)
		out = append(out, some...)
	}
	return out
}

// compareDue compares the assignments due soon, and the submissions of each assignment, with plain queries.
func (h *history) compareDue() {
	h.t.Helper()
	t, ctx := h.t, h.t.Context()
	for _, level := range append([]studycircle.Level{""}, studycircle.Levels...) {
		want := h.b.ids(t, "SELECT id FROM assignments WHERE deleted_at IS NULL AND due_at > $1 AND due_at <= $2 AND (level = $3 OR $3 = '') ORDER BY due_at, seq",
			now.UnixMicro(), now.Add(studycircle.DueSoon).UnixMicro(), string(level))
		comparePages(t, want, func(p studycircle.Page) ([]studycircle.Assignment, int64, error) {
			return h.b.AssignmentsDueSoon(ctx, anyone, studycircle.Hall, level, now, p)
		}, func(a studycircle.Assignment) string { return a.ID })
	}
	for _, a := range h.live[:min(5, len(h.live))] {
		for _, status := range []studycircle.Status{"", studycircle.Pending, studycircle.Completed} {
			want := h.b.ids(t, "SELECT id FROM submissions WHERE assignment_id = $1 AND (status = $2 OR $2 = '') ORDER BY seq DESC", a.ID, string(status))
			comparePages(t, want, func(p studycircle.Page) ([]studycircle.Submission, int64, error) {
				return h.b.Results(ctx, anyone, a.ID, status, p)
			}, submissionID)
		}
	}
}

// States and figures against plain queries, after random histories in which users create
// assignments, submit, grade, change due dates and levels, set reminders and delete their
// accounts, and moderators hide and restore assignments.
func TestProgressIsExactAfterAnyHistory(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			onBothEngines(t, func(t *testing.T, b *bundle) {
				h := newHistory(t, b, seed+100)
				h.personal = true
				for range 8 {
					for range 30 {
						h.step()
						h.requireRepairs(0)
					}
					h.compareDue()
					for _, u := range append(h.people[:3:3], h.creator) {
						h.comparePersonal(u)
					}
				}
				h.requireRepairs(0)
				planted := h.drift()
				h.requireRepairs(planted)
				h.requireRepairs(0)
				h.compareDue()
				for _, u := range append(h.people, h.creator) {
					h.comparePersonal(u)
				}
			})
		})
	}
}

// personalStep makes one more kind of change: see history.personal.
func (h *history) personalStep() {
	h.t.Helper()
	anybody := append(slices.Clone(h.people), h.creator)
	who := anybody[h.random.IntN(len(anybody))]
	a := h.live[h.random.IntN(len(h.live))]
	switch h.random.IntN(6) {
	case 3:
		if len(h.live) > 1 {
			a := take(h.random, &h.live)
			h.b.moderated(h.t, studycircle.Hide, a)
			h.hidden = append(h.hidden, a)
		}
	case 4:
		if len(h.hidden) > 0 {
			a := take(h.random, &h.hidden)
			h.b.moderated(h.t, studycircle.Restore, a)
			h.live = append(h.live, h.b.stored(h.t, a))
		}
	case 0:
		h.b.do(h.t, func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.SetReminder(ctx, who.ID, a.ID, h.random.IntN(3) > 0, now)
			return err
		})
	case 1:
		h.importWork(a, who)
	case 2: // a mark that changes
		for _, id := range h.b.ids(h.t, "SELECT id FROM submissions WHERE status = 'completed' AND assignment_id IS NOT NULL AND seq % 7 = $1", h.random.Int64N(7)) {
			h.settleAnew(id)
		}
	default:
		i := h.random.IntN(len(h.live))
		before := h.live[i]
		after := before
		after.Due = studycircle.DueDateAt(now.Add(time.Duration(h.random.IntN(20*24*60)-24*60)*time.Minute).UnixMicro(), 60)
		after.UpdatedAt = before.UpdatedAt.Add(time.Microsecond)
		h.b.do(h.t, func(ctx context.Context, tx *store.Tx) error { return tx.UpdateAssignment(ctx, before, after) })
		h.live[i] = after
	}
}

// importWork imports graded work without a grader, and in half of the cases pending work before it.
func (h *history) importWork(a studycircle.Assignment, by studycircle.User) {
	h.t.Helper()
	var all []studycircle.Submission
	if h.random.IntN(2) == 0 {
		all = append(all, handIn(a, by))
	}
	for range 1 + h.random.IntN(2) {
		s := handIn(a, by)
		s.Status, s.Marks = studycircle.Completed, []int64{3, 7, 50, 100}[h.random.IntN(4)]
		s.Grade = &studycircle.Grade{Mark: h.random.Int64N(s.Marks + 1), MarkedAt: h.later()}
		if h.random.IntN(3) == 0 {
			s.AssignmentID = ""
		}
		all = append(all, s)
	}
	err := h.b.Write(h.t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		_, err := bulk.ImportSubmissions(ctx, tx.Tx, all)
		return err
	})
	switch {
	case err == nil && all[0].Status == studycircle.Pending:
		h.pending = append(h.pending, all[0])
	case err != nil:
		require.Equal(h.t, studycircle.CodeAlreadyPending, studycircle.CodeOf(err), err)
	}
}

// moderated hides an assignment, or shows it again.
func (b *bundle) moderated(t *testing.T, action studycircle.ModerationAction, a studycircle.Assignment) {
	t.Helper()
	b.do(t, func(ctx context.Context, tx *store.Tx) error { return moderate(ctx, tx, action, a.ID) })
}

func moderate(ctx context.Context, tx *store.Tx, action studycircle.ModerationAction, assignmentID string) error {
	_, err := tx.Moderate(ctx, studycircle.Moderation{
		Moderator: studycircle.ByShell, Action: action, Reason: "Not here", At: now,
		Subject: studycircle.Subject{Kind: studycircle.OfAssignment, ID: assignmentID},
	})
	return err
}

// later returns a time at which no other grade was given.
func (h *history) later() time.Time {
	h.made++
	return now.Add(time.Duration(h.random.IntN(1000))*time.Minute + time.Duration(h.made)*time.Millisecond)
}

// 32 users concurrently submit, grade, change levels and due dates, withdraw and delete,
// and moderators hide and restore; then everything agrees with plain queries.
func TestProgressIsExactAfterConcurrentWrites(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		h := newHistory(t, b, 1)
		for range 12 {
			h.create()
		}
		var crowd errgroup.Group
		for c := range 32 {
			who := h.people[c%len(h.people)]
			crowd.Go(func() error {
				for n := range 12 {
					a := h.live[(c+n)%len(h.live)]
					s := handIn(a, who)
					err := handedIn(t.Context(), b.Store, s)
					switch {
					case studycircle.CodeOf(err) == studycircle.CodeAlreadyPending || studycircle.CodeOf(err) == studycircle.CodeNotFound:
						continue
					case err == nil && c%4 == 3:
						err = b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error { return tx.WithdrawSubmission(ctx, s.ID) })
					case err == nil && n%3 != 2:
						err = graded(t.Context(), b.Store, s.ID, studycircle.Grade{GraderID: h.creator.ID, Mark: int64(c), MarkedAt: now.Add(time.Duration(100*c+n) * time.Minute)})
					}
					if err != nil {
						return err
					}
				}
				return nil
			})
		}
		for i, a := range h.live {
			crowd.Go(func() error {
				if i < 5 && i > 1 {
					for n := range 6 + i%2 { // the last is left hidden of some
						err := b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
							return moderate(ctx, tx, []studycircle.ModerationAction{studycircle.Hide, studycircle.Restore}[n%2], a.ID)
						})
						if err != nil {
							return err
						}
					}
					return nil
				}
				return b.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
					if i < 2 {
						return tx.DeleteAssignment(ctx, a.ID, now)
					}
					after := a
					after.Level, after.UpdatedAt = studycircle.Levels[i%3], a.UpdatedAt.Add(time.Microsecond)
					after.Due = studycircle.DueDateAt(now.Add(time.Duration(i)*24*time.Hour).UnixMicro(), 60)
					return tx.UpdateAssignment(ctx, a, after)
				})
			})
		}
		require.NoError(t, crowd.Wait())
		for range 2 {
			h.compareDue()
			for _, u := range append(h.people, h.creator) {
				h.comparePersonal(u)
			}
			b.fold(t)
		}
		h.requireRepairs(0)
	})
}

// requireRepairs requires that the check of the figures repairs so many.
func (h *history) requireRepairs(want int) {
	h.t.Helper()
	repairs, err := repairFigures(h.t.Context(), h.b.Store)
	require.NoError(h.t, err)
	require.Equal(h.t, want, repairs)
}

// drift changes figures and taken rows as a write would that forgets its effects, and returns how many are wrong
// then.
func (h *history) drift() (wrong int) {
	h.t.Helper()
	h.b.fold(h.t)
	for _, text := range []string{
		"UPDATE page_counts SET n = n + 1 WHERE tier = 0 AND scope LIKE 'of/%' AND block = 0",
		"UPDATE page_counts SET total = total - 5 WHERE tier = 0 AND scope LIKE 'got/%'",
		"DELETE FROM page_counts WHERE tier = 0 AND scope LIKE 'gave/%' AND n <> 0",
		"UPDATE taken SET attempts = attempts + 1 WHERE state = 'pending'",
		"UPDATE taken SET best_mark = NULL, best_total = NULL, level = 'Nope' WHERE state = 'graded' AND seq % 2 = 0",
		"DELETE FROM taken WHERE state = 'graded' AND seq % 2 = 1",
	} {
		h.b.do(h.t, func(ctx context.Context, tx *store.Tx) error {
			result, err := tx.DB.ExecContext(ctx, text)
			require.NoError(h.t, err)
			n, err := result.RowsAffected()
			wrong += int(n)
			return err
		})
	}
	return wrong
}

// Each repair is logged with what was found and what was expected, and no address.
func TestRepairsAreLogged(t *testing.T) { //nolint:paralleltest // all tests share the default logger
	for name, c := range map[string]store.Config{"sqlite": {Dir: t.TempDir()}, "postgres": {URL: testpg.DB(t)}} {
		t.Run(name, func(t *testing.T) {
			b := setup(t, c)
			ada, bob := b.user(t, "Ada"), b.user(t, "Bob")
			a := b.assignment(t, ada, studycircle.Easy, "One", "Text.")
			require.NoError(t, handedIn(t.Context(), b.Store, handIn(a, bob)))
			b.fold(t)
			b.do(t, func(ctx context.Context, tx *store.Tx) error {
				_, err := tx.DB.ExecContext(ctx, "DELETE FROM taken")
				require.NoError(t, err)
				_, err = tx.DB.ExecContext(ctx, "UPDATE page_counts SET n = 7 WHERE scope = $1", "of/"+ada.ID)
				return err
			})
			var logged bytes.Buffer
			before := slog.Default()
			slog.SetDefault(slog.New(slog.NewTextHandler(&logged, nil)))
			repairs, err := repairFigures(t.Context(), b.Store)
			slog.SetDefault(before)
			require.NoError(t, err)
			require.Equal(t, 2, repairs)
			require.Regexp(t, `msg="figure repaired" scope="of/`+ada.ID+` 0" found="\[7 0\]" expected="\[1 0\]"`, logged.String())
			require.Contains(t, logged.String(), `scope=taken/`+bob.ID+`/`+a.ID+` found="" expected="pending 1 `)
			require.NotContains(t, logged.String(), "@")
		})
	}
}
