package store

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// SetReminder says whether a user wants to be reminded of an assignment, and tells
// whether that changes anything; ErrAccountGone.
func (tx *Tx) SetReminder(ctx context.Context, userID, assignmentID string, remind bool, now time.Time) (changed bool, err error) {
	var n int64
	if remind {
		n, err = tx.Queries.InsertReminder(ctx, db.InsertReminderParams{UserID: userID, AssignmentID: assignmentID, CreatedAt: micros(now)})
	} else {
		n, err = tx.Queries.DeleteReminder(ctx, db.DeleteReminderParams{UserID: userID, AssignmentID: assignmentID})
	}
	return n > 0, tx.orGone(err)
}

// states spells, for user $1, the state of the live assignments named a.
const states = `CASE WHEN a.creator_id = $1 THEN 'mine' ELSE COALESCE((SELECT CASE s.status WHEN 'pending' THEN 'pending' ELSE 'graded' END
	FROM submissions s WHERE s.submitter_id = $1 AND s.assignment_id = a.id ORDER BY s.submitter_no DESC LIMIT 1), 'open') END`

// AssignmentsByState returns a page of the live assignments with which a user stands
// so, newest first, and how many there are. level may be empty for all.
func (s *Store) AssignmentsByState(ctx context.Context, userID string, state studycircle.State, level studycircle.Level, p studycircle.Page) ([]studycircle.Assignment, int64, error) {
	return s.assignmentsWhere(ctx, states+" = $2 AND (a.level = $3 OR $3 = '')", "a.seq DESC", p, userID, string(state), string(level))
}

// AssignmentsDueSoon returns a page of the live assignments that are due within
// DueSoon of now, soonest first, and how many there are. level may be empty for all.
func (s *Store) AssignmentsDueSoon(ctx context.Context, level studycircle.Level, now time.Time, p studycircle.Page) ([]studycircle.Assignment, int64, error) {
	return s.assignmentsWhere(ctx, "a.due_at > $1 AND a.due_at <= $2 AND (a.level = $3 OR $3 = '')", "a.due_at, a.seq", p,
		micros(now), micros(now.Add(studycircle.DueSoon)), string(level))
}

func (s *Store) assignmentsWhere(ctx context.Context, where, order string, p studycircle.Page, args ...any) ([]studycircle.Assignment, int64, error) {
	from := " FROM assignments a WHERE a.deleted_at IS NULL AND " + where
	var total int64
	if err := s.engine.Reads().QueryRowContext(ctx, "SELECT COUNT(*)"+from, args...).Scan(&total); err != nil {
		return nil, 0, s.classify(err)
	}
	t := tables.Assignments
	found := t.Collect(p.Limit)
	n := len(args)
	err := engine.Select(ctx, s.engine.Reads(), found, "SELECT "+t.Selected("t", true)+" FROM (SELECT *"+from+" ORDER BY "+order+
		" LIMIT $"+strconv.Itoa(n+1)+" OFFSET $"+strconv.Itoa(n+2)+") t"+t.Joined("t")+" ORDER BY "+strings.ReplaceAll(order, "a.", "t."), append(args, p.Limit, p.Skip())...)
	return found.All, total, s.classify(err)
}

// Progress tells where a user stands with some live assignments, in their order.
func (s *Store) Progress(ctx context.Context, userID string, assignmentIDs []string) ([]studycircle.Progress, error) {
	var out []studycircle.Progress
	for _, id := range assignmentIDs {
		p := studycircle.Progress{AssignmentID: id}
		err := s.engine.Reads().QueryRowContext(ctx, "SELECT "+states+`,
			EXISTS (SELECT 1 FROM reminders r WHERE r.user_id = $1 AND r.assignment_id = a.id),
			COALESCE((SELECT s.id FROM submissions s WHERE s.submitter_id = $1 AND s.assignment_id = a.id ORDER BY s.submitter_no DESC LIMIT 1), ''),
			(SELECT COUNT(*) FROM submissions s WHERE s.submitter_id = $1 AND s.assignment_id = a.id)
			FROM assignments a WHERE a.deleted_at IS NULL AND a.id = $2`, userID, id).Scan(&p.State, &p.Remind, &p.SubmissionID, &p.Attempts)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, s.classify(err)
		}
		var best studycircle.Obtained
		err = s.engine.Reads().QueryRowContext(ctx, `SELECT s.given_mark, s.marks FROM submissions s WHERE s.submitter_id = $1 AND s.assignment_id = $2
			AND s.status = 'completed' ORDER BY s.given_mark * 1.0 / s.marks DESC, s.submitter_no DESC LIMIT 1`, userID, id).Scan(&best.Mark, &best.Total)
		if err == nil {
			p.Best = &best
		} else if !errors.Is(err, sql.ErrNoRows) {
			return nil, s.classify(err)
		}
		out = append(out, p)
	}
	return out, nil
}

// Results returns a page of what was handed in for an assignment, newest first, and
// how much there is. status may be empty for all.
func (s *Store) Results(ctx context.Context, assignmentID string, status studycircle.Status, p studycircle.Page) ([]studycircle.Submission, int64, error) {
	const from = " FROM submissions WHERE assignment_id = $1 AND (status = $2 OR $2 = '')"
	var total int64
	if err := s.engine.Reads().QueryRowContext(ctx, "SELECT COUNT(*)"+from, assignmentID, string(status)).Scan(&total); err != nil {
		return nil, 0, s.classify(err)
	}
	t := tables.Submissions
	found := t.Collect(p.Limit)
	err := engine.Select(ctx, s.engine.Reads(), found, "SELECT "+t.Selected("t", true)+" FROM (SELECT *"+from+" ORDER BY seq DESC LIMIT $3 OFFSET $4) t"+
		t.Joined("t")+" ORDER BY t.seq DESC", assignmentID, string(status), p.Limit, p.Skip())
	return submissionsOf(found.All), total, s.classify(err)
}
