package store

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
)

// Assignment returns a live assignment, or ErrNotFound.
func (s *Store) Assignment(ctx context.Context, id string) (studycircle.Assignment, error) {
	var a studycircle.Assignment
	err := s.read(ctx, func(ctx context.Context, src source) (err error) {
		a, err = src.rows.assignment(ctx, id)
		return err
	})
	return a, classify(err)
}

// Assignment returns a live assignment, or ErrNotFound.
func (tx *Tx) Assignment(ctx context.Context, id string) (studycircle.Assignment, error) {
	return getAssignment(ctx, tx.query, id)
}

func getAssignment(ctx context.Context, q *db.Queries, id string) (studycircle.Assignment, error) {
	row, err := q.GetAssignment(ctx, id)
	return toAssignment(row.Assignment, row.CreatorEmail, row.CreatorName), classify(err)
}

// Assignments returns a page of live assignments, newest first, and how many
// there are. level may be empty for all.
func (s *Store) Assignments(ctx context.Context, level studycircle.Level, p studycircle.Page) ([]studycircle.Assignment, int64, error) {
	of := oneScope(levelScope(level))
	if level == "" {
		of = scopes{levelScope(studycircle.Easy), levelScope(studycircle.Medium), levelScope(studycircle.Hard)}
	}
	var found []studycircle.Assignment
	var total int64
	err := s.read(ctx, func(ctx context.Context, src source) error {
		start, err := s.pages.locate(ctx, src, newestFirst, p.Skip(), of, func(block int64) ([]int64, error) {
			return src.rows.positions(ctx, level, block)
		})
		total, found = start.total, nil
		if err != nil || !start.found {
			return err
		}
		found, err = src.rows.down(ctx, level, start, p.Limit)
		return err
	})
	return found, total, classify(err)
}

// InsertAssignment publishes a and returns its place in the order.
func (tx *Tx) InsertAssignment(ctx context.Context, a studycircle.Assignment) (int64, error) {
	return tx.insertAssignment(ctx, a, searchText(a))
}

func (tx *Tx) insertAssignment(ctx context.Context, a studycircle.Assignment, words searchDoc) (int64, error) {
	seq, err := tx.insertAssignmentRow(ctx, db.InsertAssignmentParams{
		ID: a.ID, CreatorID: optionalText(a.Creator.UserID), Title: a.Title, Description: a.Description,
		Thumbnail: a.Thumbnail, Marks: a.Marks, Level: string(a.Level),
		DueAt: a.Due.Micros(), DueOffset: int64(a.Due.OffsetMinutes()),
		CreatedAt: micros(a.CreatedAt), UpdatedAt: micros(a.UpdatedAt),
	})
	if err != nil {
		if isForeignKey(err) {
			return 0, studycircle.ErrNotFound
		}
		return 0, classify(err)
	}
	tx.announceAssignment(studycircle.AssignmentCreated, a.ID)
	return seq, tx.published(ctx, seq, words)
}

func (tx *Tx) published(ctx context.Context, seq int64, words searchDoc) error {
	tx.count(levelScope(words.level), seq, 1)
	return classify(tx.index(ctx, searchChange{seq: seq, put: true, doc: words}))
}

// UpdateAssignment stores after in place of before, which must be what the
// store still holds: ErrNotFound where somebody changed or deleted it since.
func (tx *Tx) UpdateAssignment(ctx context.Context, before, after studycircle.Assignment) error {
	n, err := tx.query.UpdateAssignment(ctx, db.UpdateAssignmentParams{
		ID: before.ID, OldUpdatedAt: micros(before.UpdatedAt),
		Title: after.Title, Description: after.Description, Thumbnail: after.Thumbnail,
		Marks: after.Marks, Level: string(after.Level),
		DueAt: after.Due.Micros(), DueOffset: int64(after.Due.OffsetMinutes()), UpdatedAt: micros(after.UpdatedAt),
	})
	if err := mustAffect(n, err); err != nil {
		return err
	}
	tx.announceAssignment(studycircle.AssignmentUpdated, before.ID)
	tx.count(levelScope(before.Level), before.Seq, -1)
	tx.count(levelScope(after.Level), before.Seq, 1)
	words := searchText(after)
	if words == searchText(before) {
		return nil
	}
	return classify(tx.index(ctx, searchChange{seq: before.Seq, old: true, put: true, doc: words}))
}

// DeleteAssignment hides an assignment; ErrNotFound.
func (tx *Tx) DeleteAssignment(ctx context.Context, id string, now time.Time) error {
	row, err := tx.query.DeleteAssignment(ctx, db.DeleteAssignmentParams{ID: id, DeletedAt: optionalMicros(now)})
	if err != nil {
		return classify(err)
	}
	tx.announceAssignment(studycircle.AssignmentDeleted, id)
	tx.count(levelScope(studycircle.Level(row.Level)), row.Seq, -1)
	return classify(tx.index(ctx, searchChange{seq: row.Seq, old: true}))
}
