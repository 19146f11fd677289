package store

import (
	"context"

	"studycircle"
	"studycircle/internal/store/tables"
)

// RubricOf returns the rubric of a submission that v has read. A submitter who has left the circle keeps it with the
// reviews that chose its levels.
func (s *Store) RubricOf(
	ctx context.Context, v studycircle.Viewer, of studycircle.Submission,
) (_ studycircle.Rubric, err error) {
	defer s.operation(&err, "Store.RubricOf", of.ID)
	a, err := find(ctx, s, studycircle.System(), tables.Assignments, tables.AssignmentByID, of.AssignmentID)
	if isMissing(err) {
		return studycircle.Rubric{}, nil
	}
	return concealed(v, a).Rubric, err
}
