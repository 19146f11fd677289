package storetest

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/teststore"
)

// A write that notifies users of an assignment runs beside the hiding of the assignment: no notification keeps its title.
func TestNotificationsBesideHidingTheirAssignment(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob, cem, dot := b.user(t, "Ada"), b.user(t, "Bob"), b.user(t, "Cem"), b.user(t, "Dot")
		writes := func(f func(ctx context.Context, tx *store.Tx) error) func(context.Context) error {
			return func(ctx context.Context) error { return b.Write(ctx, studycircle.System(), f) }
		}
		for name, prepare := range map[string]func(a studycircle.Assignment) (notify func(context.Context) error){
			"a reminder": func(a studycircle.Assignment) func(context.Context) error {
				b.do(t, func(ctx context.Context, tx *store.Tx) error {
					_, err := tx.SetReminder(ctx, bob.ID, a.ID, true, now.Add(-48*time.Hour))
					return err
				})
				return func(ctx context.Context) error { _, err := b.SendReminders(ctx, now); return err }
			},
			"a request to review": func(a studycircle.Assignment) func(context.Context) error {
				b.forReview(t, a, bob)
				b.forReview(t, a, cem)
				overdue := a.Due.Time().Add(time.Hour)
				return writes(func(ctx context.Context, tx *store.Tx) error {
					due, err := tx.DueReviewRequests(ctx, overdue)
					for _, r := range due {
						if ask, _ := r.Plan(overdue); ask {
							tx.Notify(studycircle.ReviewNotice(r.UserID, r.AssignmentID, r.CircleID, r.Title, overdue))
						}
					}
					return err
				})
			},
			"new work": func(a studycircle.Assignment) func(context.Context) error {
				b.forReview(t, a, bob)
				of := b.forReview(t, a, cem)
				b.do(t, func(ctx context.Context, tx *store.Tx) error {
					return arrive(ctx, tx, studycircle.Review{ID: studycircle.NewBlindID(), SubmissionID: of, Reviewer: bob.ID, Mark: 20, GivenAt: now})
				})
				b.forReview(t, a, dot)
				return writes(func(ctx context.Context, tx *store.Tx) error { return tx.NoticeNewWork(ctx, a.ID, now) })
			},
			"a decision on a comment": func(a studycircle.Assignment) func(context.Context) error {
				c := b.comment(t, remark(a, bob, "", "Odd."))
				return writes(func(ctx context.Context, tx *store.Tx) error {
					_, err := tx.Moderate(ctx, studycircle.Moderation{
						Moderator: studycircle.ByShell, Action: studycircle.Hide, Reason: "Not here", At: now,
						Subject: studycircle.Subject{Kind: studycircle.OfComment, ID: c.ID},
					})
					return err
				})
			},
			"a decision on a review": func(a studycircle.Assignment) func(context.Context) error {
				of := b.forReview(t, a, cem)
				given := studycircle.Review{ID: studycircle.NewBlindID(), SubmissionID: of, Reviewer: bob.ID, Mark: 20, Feedback: "Odd.", GivenAt: now}
				b.do(t, func(ctx context.Context, tx *store.Tx) error { return arrive(ctx, tx, given) })
				return writes(func(ctx context.Context, tx *store.Tx) error {
					_, err := tx.Moderate(ctx, studycircle.Moderation{
						Moderator: studycircle.ByShell, Action: studycircle.Hide, Reason: "Not here", At: now,
						Subject: studycircle.Subject{Kind: studycircle.OfReview, ID: given.ID},
					})
					return err
				})
			},
		} {
			for _, paused := range []string{"committing", "hiding an assignment"} {
				what := fmt.Sprintf("%s, paused %s", name, paused)
				a := sample(ada, studycircle.Easy, what, "Read.")
				a.Reviews = 3
				require.NoError(t, teststore.Publish(t.Context(), b.Store, a))
				a = b.stored(t, a)
				notify := prepare(a)
				hide := writes(func(ctx context.Context, tx *store.Tx) error { return moderate(ctx, tx, studycircle.Hide, a.ID) })
				var notified, hidden error
				if paused == "committing" {
					notified, hidden = teststore.Beside(t, b.config, paused, notify, hide)
				} else {
					hidden, notified = teststore.Beside(t, b.config, paused, hide, notify)
				}
				require.NoError(t, notified, what)
				require.NoError(t, hidden, what)
				b.deliverAll(t)
				titles := b.ids(t, fmt.Sprintf("SELECT title FROM notifications WHERE user_id <> '%s'", ada.ID))
				assert.NotContains(t, titles, what)
			}
		}
	})
}
