package storetest

import (
	"context"
	"fmt"
	"testing"

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
			organized: fmt.Sprintf("3, false, %s", studycircle.Successor(studycircle.CircleOrganizer)),
			plain:     fmt.Sprintf("2, false, %s", studycircle.Successor(studycircle.CircleMember)),
			shared:    "2, false, ",
		} {
			c, err := b.Circle(t.Context(), studycircle.ViewerOf(bob.ID), id)
			require.NoError(t, err)
			require.Equal(t, want, fmt.Sprintf("%d, %t, %s", c.Members, !c.ArchivedAt.IsZero(), c.Notice))
		}
		require.Len(t, b.ids(t, "SELECT id FROM circles WHERE id = $1 AND members = 0 AND archived_at IS NOT NULL AND notice <> ''", empty), 1)
		mine, err := b.MembershipOf(t.Context(), bob.ID)
		require.NoError(t, err)
		require.Len(t, mine, 3)
		_, err = b.Circle(t.Context(), studycircle.ViewerOf(cleo.ID), plain)
		require.Equal(t, studycircle.CodeNotFound, studycircle.CodeOf(err))
	})
}
