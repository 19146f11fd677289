package store

import (
	"context"

	"studycircle"
	"studycircle/internal/store/db"
)

// lockLabels locks the labels of an assignment's work until tx ends, and whether the pending list has the assignment.
func (tx *Tx) lockLabels(ctx context.Context, circleID, assignmentID string) error {
	if err := tx.Queries.InsertReviewAssignment(ctx, db.InsertReviewAssignmentParams{
		ID: assignmentID, CircleID: circleID,
	}); err != nil {
		return err
	}
	return tx.lockListed(ctx, assignmentID)
}

// newLabel returns a label that no work of an assignment has, after lockLabels. Of an assignment with more than
// labelsRead works it reads a part of the labels: two may be the same.
func (tx *Tx) newLabel(ctx context.Context, assignmentID string) (string, error) {
	used, err := tx.Queries.LabelsOf(ctx, db.LabelsOfParams{AssignmentID: assignmentID, Most: labelsRead})
	return studycircle.NewLabel(used), err
}

const labelsRead = 128
