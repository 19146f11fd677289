package store

import (
	"context"
	"database/sql"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"studycircle"
	"studycircle/internal/store/db"
)

func (r *sqliteReads) own(ctx context.Context, userID string, status studycircle.Status, from, skip, limit int64) ([]studycircle.Submission, error) {
	if status == "" {
		rows, err := r.store.query.OwnSubmissionsDownFrom(ctx, db.OwnSubmissionsDownFromParams{
			SubmitterID: optionalText(userID), SubmitterNo: from, RowSkip: skip, RowLimit: limit,
		})
		out := make([]studycircle.Submission, len(rows))
		for i, r := range rows {
			out[i] = toSubmission(r.Submission, nullText(r.SubmitterEmail), nullText(r.SubmitterName))
		}
		return out, err
	}
	rows, err := r.store.query.OwnSubmissionsOfStatusDownFrom(ctx, db.OwnSubmissionsOfStatusDownFromParams{
		SubmitterID: optionalText(userID), Status: string(status), SubmitterNo: from, RowSkip: skip, RowLimit: limit,
	})
	out := make([]studycircle.Submission, len(rows))
	for i, r := range rows {
		out[i] = toSubmission(r.Submission, nullText(r.SubmitterEmail), nullText(r.SubmitterName))
	}
	return out, err
}

func (r *sqliteReads) ownPositions(ctx context.Context, userID string, status studycircle.Status, block int64) ([]int64, error) {
	return r.store.query.OwnPositions(ctx, db.OwnPositionsParams{
		SubmitterID: optionalText(userID), FirstNo: block * blockRows, EndNo: (block + 1) * blockRows, Status: string(status),
	})
}

const (
	selectSubmissions = `SELECT s.seq, s.id, COALESCE(s.assignment_id, ''), s.assignment_title, s.marks, COALESCE(s.submitter_id, ''), s.docs_link, s.note, s.status,
	s.submitted_at, s.late, s.given_mark, s.feedback, s.marked_at, COALESCE(s.grader_id, ''), COALESCE(u.email, ''), COALESCE(u.display_name, '') FROM `
	withSubmitters = ` s LEFT JOIN users u ON u.id = s.submitter_id`
)

func (r postgresReads) submissions(ctx context.Context, expected int64, text string, args ...any) ([]studycircle.Submission, error) {
	return collected(ctx, r, expected, postgresQuery{text: text, args: args}, func(row pgx.CollectableRow) (studycircle.Submission, error) {
		var s db.Submission
		var assignment, submitter, grader, email, name string
		var mark, marked pgtype.Int8
		var feedback pgtype.Text
		err := row.Scan(&s.Seq, &s.ID, &assignment, &s.AssignmentTitle, &s.Marks, &submitter, &s.DocsLink, &s.Note, &s.Status,
			&s.SubmittedAt, &s.Late, &mark, &feedback, &marked, &grader, &email, &name)
		s.AssignmentID, s.SubmitterID, s.GraderID = optionalText(assignment), optionalText(submitter), optionalText(grader)
		s.GivenMark, s.MarkedAt, s.Feedback = sql.NullInt64(mark), sql.NullInt64(marked), sql.NullString(feedback)
		return toSubmission(s, nullText(email), nullText(name)), err
	})
}

func (r postgresReads) pending(ctx context.Context, from, skip, limit int64) ([]studycircle.Submission, error) {
	args, first := []any{from}, "$1"
	if skip > 0 {
		args, first = append(args, skip), afterSkip("seq", "submissions WHERE status = 'pending' AND seq >= $1", "seq", 2)
	}
	return r.submissions(ctx, limit, selectSubmissions+"(SELECT * FROM submissions WHERE status = 'pending' AND seq >= "+first+
		" ORDER BY seq LIMIT "+strconv.FormatInt(limit, 10)+")"+withSubmitters+" ORDER BY s.seq", args...)
}

func (r postgresReads) own(ctx context.Context, userID string, status studycircle.Status, from, skip, limit int64) ([]studycircle.Submission, error) {
	of := "submissions WHERE submitter_id = $1"
	if status != "" {
		of += " AND status = " + quoted(status, studycircle.Pending, studycircle.Completed)
	}
	args, first := []any{userID, from}, "$2"
	if skip > 0 {
		args, first = append(args, skip), afterSkip("submitter_no", of+" AND submitter_no <= $2", "submitter_no DESC", 3)
	}
	return r.submissions(ctx, limit, selectSubmissions+"(SELECT * FROM "+of+" AND submitter_no <= "+first+
		" ORDER BY submitter_no DESC LIMIT "+strconv.FormatInt(limit, 10)+")"+withSubmitters+" ORDER BY s.submitter_no DESC", args...)
}

func (postgresReads) pendingPositions(context.Context, int64) ([]int64, error) { return nil, nil }

func (postgresReads) ownPositions(context.Context, string, studycircle.Status, int64) ([]int64, error) {
	return nil, nil
}
