package store

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// percent spells a grade of a submission named s in studycircle.PercentUnit.
const percent = "((s.given_mark * 200000000 + s.marks) / (2 * s.marks))"

// Dashboard tells how a user stands.
func (s *Store) Dashboard(ctx context.Context, userID string, now time.Time) (d studycircle.Dashboard, err error) {
	reads := s.engine.Reads()
	var seconds sql.NullInt64
	one := func(query string, into ...any) func() error {
		return func() error { return reads.QueryRowContext(ctx, query, userID).Scan(into...) }
	}
	var best sql.NullInt64
	for _, read := range []func() error{
		one("SELECT COUNT(*) FROM assignments WHERE creator_id = $1 AND deleted_at IS NULL", &d.Created.Total),
		one(`SELECT COUNT(*) - COUNT(s.given_mark), COUNT(s.given_mark), CAST(COALESCE(SUM(`+percent+`), 0) AS BIGINT)
			FROM assignments a JOIN submissions s ON s.assignment_id = a.id WHERE a.creator_id = $1 AND a.deleted_at IS NULL`,
			&d.Created.Pending, &d.Created.Graded.N, &d.Created.Graded.Sum),
		one(`SELECT COUNT(*) - COUNT(s.given_mark), COUNT(s.given_mark), CAST(COALESCE(SUM(`+percent+`), 0) AS BIGINT),
			MAX((s.given_mark * 2000 + s.marks) / (2 * s.marks)) FROM submissions s WHERE s.submitter_id = $1`,
			&d.Taken.Pending, &d.Taken.Graded.N, &d.Taken.Graded.Sum, &best),
		one("SELECT COUNT(*), CAST(COALESCE(SUM("+percent+"), 0) AS BIGINT) FROM submissions s WHERE s.grader_id = $1", &d.Given.Graded.N, &d.Given.Graded.Sum),
		func() error { return s.byLevel(ctx, userID, &d.Taken) },
		func() error { return s.takenMarks(ctx, userID, &d.Taken) },
		func() error { return s.dueOf(ctx, userID, now, &d) },
		func() error { return s.waitingFor(ctx, userID, &d) },
	} {
		if err := read(); err != nil {
			return d, s.classify(err)
		}
	}
	d.Taken.Best = float64(best.Int64) / 10
	err = reads.QueryRowContext(ctx, "SELECT (s.marked_at - s.submitted_at) FROM submissions s WHERE s.grader_id = $1 ORDER BY 1 LIMIT 1 OFFSET $2",
		userID, max(0, d.Given.Graded.N-1)/2).Scan(&seconds)
	if !errors.Is(err, sql.ErrNoRows) && err != nil {
		return d, s.classify(err)
	}
	d.Given.MedianWait = time.Duration(seconds.Int64) * time.Microsecond
	return d, nil
}

func (s *Store) byLevel(ctx context.Context, userID string, into *studycircle.TakenFigures) (err error) {
	rows, err := s.engine.Reads().QueryContext(ctx, "SELECT a.level, COUNT(*), CAST(SUM("+percent+`) AS BIGINT) FROM submissions s JOIN assignments a ON a.id = s.assignment_id
		WHERE s.submitter_id = $1 AND s.status = 'completed' GROUP BY a.level`, userID)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	into.ByLevel = map[studycircle.Level]studycircle.Average{}
	for rows.Next() {
		var level studycircle.Level
		var a studycircle.Average
		if err := rows.Scan(&level, &a.N, &a.Sum); err != nil {
			return err
		}
		into.ByLevel[level] = a
	}
	return rows.Err()
}

func (s *Store) takenMarks(ctx context.Context, userID string, into *studycircle.TakenFigures) (err error) {
	rows, err := s.engine.Reads().QueryContext(ctx, `SELECT COALESCE(s.assignment_id, ''), s.assignment_title, COALESCE(a.level, ''), s.given_mark, s.marks, s.marked_at
		FROM submissions s LEFT JOIN assignments a ON a.id = s.assignment_id WHERE s.submitter_id = $1 AND s.status = 'completed'
		ORDER BY s.marked_at DESC, s.submitter_no DESC LIMIT $2`, userID, studycircle.MaxTakenMarks)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var m studycircle.TakenMark
		var at sql.NullInt64
		if err := rows.Scan(&m.AssignmentID, &m.AssignmentTitle, &m.Level, &m.Obtained.Mark, &m.Obtained.Total, &at); err != nil {
			return err
		}
		m.MarkedAt = instant(at.Int64)
		into.Marks = append(into.Marks, m)
	}
	slices.Reverse(into.Marks)
	return rows.Err()
}

func (s *Store) dueOf(ctx context.Context, userID string, now time.Time, into *studycircle.Dashboard) (err error) {
	rows, err := s.engine.Reads().QueryContext(ctx, `SELECT d.* FROM (SELECT a.id, a.title, a.due_at, a.due_offset, `+states+` AS state,
		EXISTS (SELECT 1 FROM reminders r WHERE r.user_id = $1 AND r.assignment_id = a.id) AS remind, a.seq
		FROM assignments a WHERE a.deleted_at IS NULL AND a.due_at > $2 AND a.due_at <= $3) d
		WHERE d.state <> 'mine' AND (d.state = 'pending' OR d.remind) ORDER BY d.due_at, d.seq LIMIT $4`,
		userID, micros(now), micros(now.Add(studycircle.DueSoon)), studycircle.MaxDue)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var due studycircle.Due
		var at, seq int64
		var offset int
		if err := rows.Scan(&due.AssignmentID, &due.Title, &at, &offset, &due.State, &due.Remind, &seq); err != nil {
			return err
		}
		due.DueDate = studycircle.DueDateAt(at, offset)
		into.Due = append(into.Due, due)
	}
	return rows.Err()
}

func (s *Store) waitingFor(ctx context.Context, userID string, into *studycircle.Dashboard) error {
	t := tables.Submissions
	found := t.Collect(studycircle.MaxWaiting)
	err := engine.Select(ctx, s.engine.Reads(), found, "SELECT "+t.Selected("t", true)+" FROM submissions t"+t.Joined("t")+
		" WHERE t.status = 'pending' AND t.submitter_id <> $1 ORDER BY t.seq LIMIT $2",
		userID, studycircle.MaxWaiting)
	into.Waiting = submissionsOf(found.All)
	return err
}
