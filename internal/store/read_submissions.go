package store

import (
	"context"

	"studycircle"
	"studycircle/internal/store/db"
)

func (r *sqliteReads) own(ctx context.Context, userID string, status studycircle.Status, start pageStart, limit int64) ([]studycircle.Submission, error) {
	if status == "" {
		rows, err := r.store.query.OwnSubmissionsDownFrom(ctx, db.OwnSubmissionsDownFromParams{
			SubmitterID: optionalText(userID), SubmitterNo: start.from, RowSkip: start.skip, RowLimit: limit,
		})
		out := make([]studycircle.Submission, len(rows))
		for i, r := range rows {
			out[i] = toSubmission(r.Submission, nullText(r.SubmitterEmail), nullText(r.SubmitterName))
		}
		return out, err
	}
	rows, err := r.store.query.OwnSubmissionsOfStatusDownFrom(ctx, db.OwnSubmissionsOfStatusDownFromParams{
		SubmitterID: optionalText(userID), Status: string(status), SubmitterNo: start.from, RowSkip: start.skip, RowLimit: limit,
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

// Columns of submissions; the first is their place in the list.
const (
	submissionColumns = `s.id, COALESCE(s.assignment_id, ''), s.assignment_title, s.marks, COALESCE(s.submitter_id, ''), s.docs_link, s.note, s.status,
	s.submitted_at, s.late, s.given_mark, s.feedback, s.marked_at, COALESCE(s.grader_id, '')`
	withSubmitters = " s LEFT JOIN users u ON u.id = s.submitter_id"
)

var submissionRows = rowKind[studycircle.Submission]{
	columns: "ntttnttttnbntnt",
	read: func(r *postgresRow) studycircle.Submission {
		s := studycircle.Submission{
			ID: r.text(1), AssignmentID: r.text(2), AssignmentTitle: r.text(3), Marks: r.number(4), Submitter: studycircle.Person{UserID: r.text(5)},
			DocsLink: r.text(6), Note: r.text(7), Status: studycircle.Status(r.text(8)), SubmittedAt: instant(r.number(9)), Late: r.truth(10),
		}
		if r.has(11) {
			s.Grade = &studycircle.Grade{Mark: r.number(11), Feedback: r.text(12), GraderID: r.text(14)}
			if r.has(13) {
				s.Grade.MarkedAt = instant(r.number(13))
			}
		}
		return s
	},
	person: func(s *studycircle.Submission) *studycircle.Person { return &s.Submitter },
}

var pendingPage = pageQuery{
	columns: "s.seq, " + submissionColumns, table: "submissions", as: "s", where: "status = 'pending'",
	position: "seq", order: oldestFirst, joined: withSubmitters,
}

func (r postgresReads) pending(ctx context.Context, start pageStart, limit int64) ([]studycircle.Submission, error) {
	return collected(ctx, r, &submissionRows, oldestFirst, limit, pendingPage.from(start, limit))
}

var ownPage = pageQuery{
	columns: "s.submitter_no, " + submissionColumns, table: "submissions", as: "s", where: "TRUE", owner: "submitter_id",
	position: "submitter_no", order: newestFirst, joined: withSubmitters,
}

func (r postgresReads) own(ctx context.Context, userID string, status studycircle.Status, start pageStart, limit int64) ([]studycircle.Submission, error) {
	page := ownPage
	if status != "" {
		page.where = "status = " + quoted(status, studycircle.Pending, studycircle.Completed)
	}
	return collected(ctx, r, &submissionRows, page.order, limit, page.of(userID, start, limit))
}

func (postgresReads) pendingPositions(context.Context, int64) ([]int64, error) { return nil, nil }

func (postgresReads) ownPositions(context.Context, string, studycircle.Status, int64) ([]int64, error) {
	return nil, nil
}
