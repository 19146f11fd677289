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
)

// circle adds a circle of an owner, and members with roles, in this order.
func (b *bundle) circle(t *testing.T, name string, owner studycircle.User, others ...studycircle.Membership) string {
	t.Helper()
	c := studycircle.Circle{ID: studycircle.NewID(now), CircleInput: studycircle.NewCircle, CreatedAt: now}
	c.Name = name
	require.NoError(t, b.Write(t.Context(), studycircle.ViewerOf(owner.ID), func(ctx context.Context, tx *store.Tx) error {
		return tx.InsertCircle(ctx, c)
	}))
	for _, m := range others {
		m.CircleID, m.JoinedAt = c.ID, now
		require.NoError(t, b.Write(t.Context(), studycircle.ViewerOf(m.UserID), func(ctx context.Context, tx *store.Tx) error {
			if _, err := tx.LockCircle(ctx, c.ID); err != nil {
				return err
			}
			return tx.InsertMember(ctx, m)
		}))
	}
	return c.ID
}

// roles describes the members of a circle in the order of joining.
func (b *bundle) roles(t *testing.T, circleID string) []string {
	t.Helper()
	return b.ids(t, "SELECT u.display_name || ' ' || m.role FROM circle_members m JOIN users u ON u.id = m.user_id WHERE m.circle_id = $1 ORDER BY m.seq", circleID)
}

// A circle whose last owner deletes the account goes to its longest-serving organizer, else member; an empty one is archived.
func TestCirclesOfDeletedOwners(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob, cleo, dan := b.user(t, "Ada"), b.user(t, "Bob"), b.user(t, "Cleo"), b.user(t, "Dan")
		member := func(u studycircle.User, r studycircle.CircleRole) studycircle.Membership {
			return studycircle.Membership{UserID: u.ID, Role: r, Label: "Red"}
		}
		organized := b.circle(t, "Organized", ada, member(bob, studycircle.CircleMember), member(cleo, studycircle.CircleOrganizer), member(dan, studycircle.CircleOrganizer))
		plain := b.circle(t, "Plain", ada, member(bob, studycircle.CircleMember), member(dan, studycircle.CircleMember))
		shared := b.circle(t, "Shared", ada, member(bob, studycircle.CircleMember), member(dan, studycircle.CircleOwner))
		empty := b.circle(t, "Empty", ada)

		b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.DeleteAccount(ctx, ada.ID, now) })
		require.Equal(t, []string{"Bob member", "Cleo owner", "Dan organizer"}, b.roles(t, organized))
		require.Equal(t, []string{"Bob owner", "Dan member"}, b.roles(t, plain))
		require.Equal(t, []string{"Bob member", "Dan owner"}, b.roles(t, shared))
		for id, want := range map[string]string{
			organized: fmt.Sprintf("3, false, %s", studycircle.OrganizerSucceeded),
			plain:     fmt.Sprintf("2, false, %s", studycircle.MemberSucceeded),
			shared:    "2, false, ",
		} {
			c, err := b.Circle(t.Context(), studycircle.ViewerOf(bob.ID), id)
			require.NoError(t, err)
			require.Equal(t, want, fmt.Sprintf("%d, %t, %s", c.Members, !c.ArchivedAt.IsZero(), c.Succession))
		}
		require.Len(t, b.ids(t, "SELECT id FROM circles WHERE id = $1 AND members = 0 AND archived_at IS NOT NULL AND notice <> ''", empty), 1)
		_, mine, err := b.CirclesOf(t.Context(), studycircle.ViewerOf(bob.ID), studycircle.Page{Number: 1, Limit: 10})
		require.NoError(t, err)
		require.EqualValues(t, 3, mine)
		_, err = b.Circle(t.Context(), studycircle.ViewerOf(cleo.ID), plain)
		require.Equal(t, studycircle.CodeNotFound, studycircle.CodeOf(err))
	})
}

// An archived circle stays archived when its last owner deletes the account.
func TestArchivedCirclesOfDeletedOwners(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob := b.user(t, "Ada"), b.user(t, "Bob")
		id := b.circle(t, "Archive", ada, studycircle.Membership{UserID: bob.ID, Role: studycircle.CircleMember})
		b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.SetCircleArchived(ctx, id, now) })
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			return tx.DeleteAccount(ctx, ada.ID, now.Add(time.Hour))
		})
		require.Equal(t, []string{"Bob owner"}, b.roles(t, id))
		c, err := b.Circle(t.Context(), studycircle.ViewerOf(bob.ID), id)
		require.NoError(t, err)
		require.Equal(t, now, c.ArchivedAt)
	})
}

// The members of a circle, and the user who leaves it, hear of the change.
func TestLeavingACircleIsHeard(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob, cleo := b.user(t, "Ada"), b.user(t, "Bob"), b.user(t, "Cleo")
		id := b.circle(t, "Readers", ada, studycircle.Membership{UserID: bob.ID, Role: studycircle.CircleMember}, studycircle.Membership{UserID: cleo.ID, Role: studycircle.CircleMember})
		for _, gone := range []studycircle.User{bob, cleo} {
			at := b.here(t)
			require.NoError(t, b.Write(t.Context(), studycircle.ViewerOf(ada.ID), func(ctx context.Context, tx *store.Tx) error {
				if _, err := tx.LockCircle(ctx, id, gone.ID); err != nil {
					return err
				}
				m, err := tx.Membership(ctx, id, gone.ID)
				if err != nil {
					return err
				}
				if gone == bob {
					return tx.RemoveMember(ctx, m, now)
				}
				return tx.LeaveCircle(ctx, m)
			}))
			events, _ := b.since(t, at)
			for _, u := range []studycircle.User{ada, gone} {
				require.Contains(t, events, studycircle.Event{Kind: studycircle.CircleChanged, ID: id, Audience: studycircle.Audience(u.ID)}, u.DisplayName)
			}
		}
	})
}

// A member who is removed or leaves loses the circle's leases, reminders and notifications at once, and keeps those of
// the hall.
func TestCircleForgetsThoseWhoLeave(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		ada, bob, cleo := b.user(t, "Ada"), b.user(t, "Bob"), b.user(t, "Cleo")
		id := b.circle(t, "Readers", ada, studycircle.Membership{UserID: bob.ID, Role: studycircle.CircleMember}, studycircle.Membership{UserID: cleo.ID, Role: studycircle.CircleMember})
		leave := map[string]func(ctx context.Context, tx *store.Tx, m studycircle.Membership) error{
			bob.ID: func(ctx context.Context, tx *store.Tx, m studycircle.Membership) error {
				return tx.RemoveMember(ctx, m, now)
			},
			cleo.ID: func(ctx context.Context, tx *store.Tx, m studycircle.Membership) error { return tx.LeaveCircle(ctx, m) },
		}
		inside, outside := b.assignmentIn(t, id, ada, studycircle.Easy, "Inside", "Read."), b.assignment(t, ada, studycircle.Easy, "Outside", "Read.")
		for userID := range leave {
			work := b.forReview(t, inside, b.user(t, "Submitter of "+userID))
			b.do(t, func(ctx context.Context, tx *store.Tx) error {
				taken, err := tx.TakeLease(ctx, userID, studycircle.Offer{SubmissionID: work}, now.Add(time.Hour))
				assert.True(t, taken)
				return err
			})
			for _, a := range []studycircle.Assignment{inside, outside} {
				b.do(t, func(ctx context.Context, tx *store.Tx) error {
					tx.Notify(studycircle.Notice{UserID: userID, Kind: studycircle.NotifyGraded, Subject: a.ID, CircleID: a.CircleID, Title: a.Title, URL: "/attemded-assignments", At: now})
					_, err := tx.SetReminder(ctx, userID, a.ID, true, now)
					return err
				})
			}
		}
		for n := 1; n > 0; {
			var err error
			n, err = b.DeliverNotices(t.Context())
			require.NoError(t, err)
		}
		held := func(userID string) []int {
			return []int{
				b.count(t, "review_turns WHERE turn = 'leased' AND reviewer_id = '"+userID+"'"), b.count(t, "reminders WHERE user_id = '"+userID+"'"),
				b.count(t, "notifications WHERE user_id = '"+userID+"'"),
			}
		}
		for userID, f := range leave {
			require.Equal(t, []int{1, 2, 3}, held(userID))
			role, err := b.RoleIn(t.Context(), userID, id)
			require.NoError(t, err)
			require.NotEmpty(t, role)
			require.NoError(t, b.Write(t.Context(), studycircle.ViewerOf(ada.ID), func(ctx context.Context, tx *store.Tx) error {
				if _, err := tx.LockCircle(ctx, id, userID); err != nil {
					return err
				}
				m, err := tx.Membership(ctx, id, userID)
				if err != nil {
					return err
				}
				return f(ctx, tx, m)
			}))
			require.Equal(t, []int{0, 1, 1}, held(userID))
			role, err = b.RoleIn(t.Context(), userID, id)
			require.NoError(t, err)
			require.Empty(t, role)
		}
	})
}
