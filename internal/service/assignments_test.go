package service

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// crowded is a store of one assignment in which another user always writes first.
type crowded struct {
	Transactions
	a      studycircle.Assignment
	writes int
	free   int // the write from which on no other user writes; never if 0
}

func (c *crowded) Write(ctx context.Context, _ studycircle.Viewer, f func(context.Context, Tx) error) error {
	c.writes++
	return f(ctx, Tx{AssignmentTx: crowdedTx{crowded: c}, PlaceTx: inHall{}})
}

// inHall knows the hall alone.
type inHall struct{ PlaceTx }

func (inHall) OwnCircle(context.Context, string) (studycircle.OwnCircle, error) {
	return studycircle.OwnCircle{}, nil
}

// crowdedTx is one of its transactions.
type crowdedTx struct {
	AssignmentTx
	crowded *crowded
}

func (tx crowdedTx) Assignment(context.Context, string) (studycircle.Assignment, error) {
	return tx.crowded.a, nil
}

func (tx crowdedTx) UpdateAssignment(context.Context, studycircle.Assignment, studycircle.Assignment) error {
	if c := tx.crowded; c.free > 0 && c.writes >= c.free {
		return nil
	}
	return studycircle.ErrNotFound
}

// An update that always loses to other users ends.
func TestUpdateGivesUp(t *testing.T) {
	viewer := studycircle.User{ID: "u"}
	now := time.Now()
	in := studycircle.AssignmentInput{
		Title: "a", Description: "b", Thumbnail: "https://example.org/t.png", Marks: 5, DueDate: now.Add(time.Hour).Format(time.RFC3339),
	}
	always := func(studycircle.OwnCircle, studycircle.Assignment) error { return nil }
	store := &crowded{a: studycircle.Assignment{MarkBy: studycircle.MarkByModel, ID: studycircle.NewID(now), Creator: studycircle.Person{UserID: viewer.ID}}}
	_, err := New(Store{Transactions: store}, time.Now, nil).UpdateAssignment(t.Context(), viewer, store.a.ID, in, always)
	require.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(err))
	require.Equal(t, 2*maxRounds, store.writes)

	store.writes, store.free = 0, 41
	changed, err := New(Store{Transactions: store}, time.Now, nil).UpdateAssignment(t.Context(), viewer, store.a.ID, in, always)
	require.NoError(t, err)
	require.True(t, changed)
	require.Equal(t, 41, store.writes)
}
