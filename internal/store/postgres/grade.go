package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// Grade implements engine.Writer.
func (d *DB) Grade(ctx context.Context, v studycircle.Viewer, submissionID string, u limit.Use, decide func(studycircle.OwnCircle, studycircle.Gradable) (studycircle.Grade, error)) error {
	return d.grader.write(ctx, request[submissionRow, grading]{noun: wanted{submissionID, v}, use: u, decide: func(s submissionRow) (decision[grading], error) {
		in := func(own studycircle.OwnCircle) (grading, error) {
			g, err := decide(own, tables.GradableOf(s))
			graded := s
			graded.Status, graded.Grade = studycircle.Completed, &g
			return graded, err
		}
		if s.CircleID == studycircle.Hall {
			row, err := in(studycircle.OwnCircle{})
			return decision[grading]{row: row}, err
		}
		locked := s
		locked.Grade = &studycircle.Grade{GraderID: v.UserID()}
		return decision[grading]{row: locked, in: in, member: member{s.CircleID, v.UserID()}}, nil
	}})
}

// grading is a submission after grading.
type grading = submissionRow

// gradeBatch is a batch of grades. It locks the submissions; the graders against deletion, which the foreign key
// would wait for; and the assignments against changes that figures depend on.
type gradeBatch struct {
	waited      bool // for locks
	graders     map[string]bool
	submissions map[string]*lockedSubmission
	bases       map[string]tables.Basis // by assignment
	rows        []grading
}

// lockedSubmission is a submission whose row the batch has locked.
type lockedSubmission struct{ ID, Status, SubmitterID string }

func (*gradeBatch) find(batch *pgx.Batch, nouns []wanted, found map[wanted]submissionRow) {
	queueFinds(batch, tables.SubmissionByID, tables.Submissions, nouns, found)
}

func (g *gradeBatch) lock(batch *pgx.Batch, rows []grading, places *batchPlaces, all bool) bool {
	graders, submissions, assignments := make([]string, len(rows)), make([]string, len(rows)), make([]string, len(rows))
	for i, r := range rows {
		graders[i], submissions[i], assignments[i] = r.Grade.GraderID, r.ID, r.AssignmentID
	}
	type user struct{ ID string }
	g.waited, g.graders, g.submissions = all, map[string]bool{}, map[string]*lockedSubmission{}
	batch.Queue("SELECT id FROM users WHERE id = ANY($1) FOR KEY SHARE"+skipLocked(all), graders).
		Query(eachRow(func(u user) { g.graders[u.ID] = true }))
	places.lock(batch, all)
	batch.Queue("SELECT id, status, COALESCE(submitter_id, '') FROM submissions WHERE id = ANY($1) FOR NO KEY UPDATE"+skipLocked(all), submissions).
		Query(eachRow(func(s lockedSubmission) { g.submissions[s.ID] = &s }))
	g.bases = map[string]tables.Basis{"": {}}
	queueBases(batch, assignments, " FOR KEY SHARE"+skipLocked(all), g.bases)
	return true
}

func (g *gradeBatch) check(r grading) error {
	s, ours := g.submissions[r.ID]
	var shared bool
	r.Basis, shared = g.bases[r.AssignmentID]
	switch {
	case !ours && g.waited:
		return studycircle.ErrNotFound
	case !g.graders[r.Grade.GraderID] && g.waited:
		return studycircle.ErrAccountGone
	case !ours || !shared || !g.graders[r.Grade.GraderID]:
		return errUnbatched
	case s.Status != string(studycircle.Pending):
		return tables.ErrGraded
	}
	s.Status = string(studycircle.Completed)
	r.Submitter.UserID = s.SubmitterID
	g.rows = append(g.rows, r)
	return nil
}

// graded are the columns of gradeAll, the id first.
var graded = append(tables.Submissions.Only("id"), tables.GradeColumns...)

var gradeAll = `
UPDATE submissions SET (` + names(&tables.Submissions.Shape, tables.GradeColumns, "") + `) = (` + names(&tables.Submissions.Shape, tables.GradeColumns, "g.") + `)
FROM ` + given(&tables.Submissions.Shape, graded, 1) + ` WHERE submissions.id = g.id`

func (g *gradeBatch) store(batch *pgx.Batch) {
	batch.Queue(gradeAll, arrays(tables.Submissions, graded, g.rows)...)
}

// stored always succeeds: all rows are locked.
func (*gradeBatch) stored(grading) error { return nil }

func (g *gradeBatch) record(ctx context.Context, tx *engine.Tx) error {
	for _, r := range g.rows {
		if err := tables.Graded(ctx, tx, r); err != nil {
			return err
		}
	}
	return nil
}

func (*gradeBatch) alone(err error) error {
	if faultOf(err) == engine.Reference {
		return studycircle.ErrAccountGone
	}
	return err
}
