package tables

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
)

// SubmissionRow is a submission with its positions: among all, and among its submitter's own.
type SubmissionRow struct {
	studycircle.Submission
	Seq, No int64
	// Basis is the assignment's basis. It is not part of the row: the write reads it.
	Basis Basis
}

type submission = SubmissionRow

// Submissions is the table of submissions.
var Submissions = engine.NewTable("submissions", visibleIn(studycircle.ObjectWork, "submitter_id"), "submitter_id",
	func(s *submission) *studycircle.Person { return &s.Submitter },
	engine.GeneratedColumn("seq", func(s *submission) *int64 { return &s.Seq }),
	engine.TextColumn("id", func(s *submission) *string { return &s.ID }),
	engine.OptionalTextColumn("assignment_id", func(s *submission) *string { return &s.AssignmentID }),
	shownColumn("assignment_title", func(s *submission) *string { return &s.AssignmentTitle }),
	engine.TextColumn("circle_id", func(s *submission) *string { return &s.CircleID }),
	engine.IntColumn("marks", func(s *submission) *int64 { return &s.Marks }),
	engine.OptionalTextColumn("submitter_id", func(s *submission) *string { return &s.Submitter.UserID }),
	engine.IntColumn("submitter_no", func(s *submission) *int64 { return &s.No }),
	engine.TextColumn("docs_link", func(s *submission) *string { return &s.DocsLink }),
	engine.TextColumn("note", func(s *submission) *string { return &s.Note }),
	engine.TextColumn("status", func(s *submission) *string { return (*string)(&s.Status) }),
	engine.TimeColumn("submitted_at", func(s *submission) *time.Time { return &s.SubmittedAt }),
	engine.BoolColumn("late", func(s *submission) *bool { return &s.Late }),
	engine.OptionalTimeColumn("link_changed_at", func(s *submission) *time.Time { return &s.LinkChangedAt }),
	engine.BoolColumn("link_late", func(s *submission) *bool { return &s.LinkLate }),
	engine.OptionalTextColumn("past_of", func(s *submission) *string { return &s.PastOf }),
	engine.TextColumn("past_label", func(s *submission) *string { return &s.PastLabel }),
	engine.OptionalTimeColumn("ended_at", func(s *submission) *time.Time { return &s.EndedAt }),
	engine.TextColumn("end_reason", func(s *submission) *string { return &s.EndReason }),
	engine.IntColumn("reviews_needed", func(s *submission) *int64 { return &s.Reviews }),
	gradeColumn("given_mark", engine.Int,
		func(g *studycircle.Grade) engine.Value { return engine.Value{Int: g.Mark} },
		func(g *studycircle.Grade, v engine.Value) { g.Mark = v.Int }),
	gradeColumn("feedback", engine.Text,
		func(g *studycircle.Grade) engine.Value { return engine.Value{Text: Stored(g.Feedback)} },
		func(g *studycircle.Grade, v engine.Value) { g.Feedback = Shown(v.Text) }),
	gradeColumn("feedback_html", engine.Text,
		func(g *studycircle.Grade) engine.Value { return engine.Value{Text: Stored(g.HTML)} },
		func(g *studycircle.Grade, v engine.Value) { g.HTML = Shown(v.Text) }),
	gradeColumn("marked_at", engine.Int,
		func(g *studycircle.Grade) engine.Value {
			return engine.Value{Int: g.MarkedAt.UnixMicro(), Null: g.MarkedAt.IsZero()}
		},
		func(g *studycircle.Grade, v engine.Value) { g.MarkedAt = engine.Instant(v.Int) }),
	gradeColumn("grader_id", engine.Text,
		func(g *studycircle.Grade) engine.Value { return engine.Value{Text: g.GraderID, Null: g.GraderID == ""} },
		func(g *studycircle.Grade, v engine.Value) { g.GraderID = v.Text }),
).Shorten(func(s *submission, room int) int {
	if s.Grade == nil {
		return 0
	}
	n := len(s.Grade.Feedback) + len(s.Grade.HTML)
	if n <= room {
		return n
	}
	s.Grade.Feedback, s.Grade.Partial = studycircle.Beginning(s.Grade.Feedback), true
	if s.Grade.HTML != "" {
		s.Grade.HTML = studycircle.Unrendered
	}
	return 0
})

func gradeColumn(
	name string, kind engine.Kind, get func(*studycircle.Grade) engine.Value, set func(*studycircle.Grade, engine.Value),
) engine.Column[submission] {
	return engine.Column[submission]{
		Name: name, Kind: kind, Nullable: true,
		Get: func(s *submission) engine.Value {
			if s.Grade == nil {
				return engine.Value{Null: true}
			}
			return get(s.Grade)
		},
		Set: func(s *submission, v engine.Value) {
			if s.Grade == nil {
				s.Grade = &studycircle.Grade{}
			}
			set(s.Grade, v)
		},
	}
}

// GradeColumns are the columns that a grade changes.
var GradeColumns = Submissions.Only("status", "given_mark", "feedback", "feedback_html", "marked_at", "grader_id")

// gradeSubmission is the statement that grades a pending submission: GradeColumns, and its id.
var gradeSubmission = Submissions.Update(GradeColumns, "id = ? AND status = 'pending'")

// SettleSubmission is the statement that sets or changes a submission's mark: GradeColumns, and its id.
var SettleSubmission = Submissions.Update(GradeColumns, "id = ?")

// toGrade excludes submissions for an assignment that a moderator has hidden.
const toGrade = "status = 'pending' AND reviews_needed = 0 AND hidden_title IS NULL"

var (
	// SubmissionByID finds a submission.
	SubmissionByID = &engine.Lookup{Of: &Submissions.Shape, Key: "id"}
	// PendingSubmissions are all pending submissions with one grade in a place, oldest first.
	PendingSubmissions = &engine.List{
		Of: &Submissions.Shape, Where: toGrade, By: []string{"circle_id"}, Position: "seq", Order: pages.OldestFirst,
	}
	// SubmissionBySeq finds submissions by their positions.
	SubmissionBySeq = &engine.Lookup{Of: &Submissions.Shape, Key: "seq", Kind: engine.Int}
	// OwnSubmissions are those of one submitter, newest first.
	OwnSubmissions = &engine.List{
		Of: &Submissions.Shape, By: []string{"submitter_id"}, Position: "submitter_no", Order: pages.NewestFirst,
	}
	// OwnSubmissionsOfStatus are those that have a status.
	OwnSubmissionsOfStatus = &engine.List{
		Of: &Submissions.Shape, By: []string{"submitter_id", "status"}, Position: "submitter_no", Order: pages.NewestFirst,
	}
	// ExportedSubmissions are all but exemplars and attempts that ended without a mark, oldest first.
	ExportedSubmissions = &engine.List{
		Of: &Submissions.Shape, Where: "status <> 'exemplar' AND ended_at IS NULL", By: []string{"circle_id"},
		Position: "seq", Order: pages.OldestFirst,
	}
	// SubmitterSubmissions are those of one submitter, oldest first.
	SubmitterSubmissions = &engine.List{
		Of: &Submissions.Shape, By: []string{"submitter_id"}, Position: "submitter_no", Order: pages.OldestFirst,
	}
	// GraderSubmissions are those that one grader graded, oldest first.
	GraderSubmissions = &engine.List{
		Of: &Submissions.Shape, By: []string{"grader_id"}, Position: "seq", Order: pages.OldestFirst,
	}
)

// PendingScope counts all pending submissions with one grade in a place.
func PendingScope(circleID string) pages.Scope { return scopeIn(circleID, "pending") }

// ErrPending means that the submitter has a pending submission already.
var ErrPending = studycircle.Errorf(studycircle.CodeAlreadyPending,
	"You have handed this assignment in already. You can take it again once that is marked.")

// ErrGraded means that another grader was first.
var ErrGraded = studycircle.Errorf(studycircle.CodeAlreadyGraded, "Someone has already marked this submission.")

// AnnounceSubmission announces a change of a place's pending list to all users who may see it, and a change of the
// submitter's own list to the submitter, if there is one. A submission with several reviewers is announced to the
// submitter only, because the time of the change would reveal the submitter to others.
func AnnounceSubmission(to Effects, kind studycircle.EventKind, circleID, id, submitterID string, reviews int64) {
	if reviews == 0 {
		to.Announce(studycircle.Event{Kind: kind, ID: id, Audience: studycircle.AllUsers.In(circleID)})
	}
	if submitterID != "" {
		to.Announce(studycircle.Event{Kind: studycircle.OwnSubmission, ID: id, Audience: studycircle.Audience(submitterID)})
	}
}

// AnnounceSettled announces that a submission with several reviewers is settled: to the submitter, and to all users
// that its assignment has one less to review.
func AnnounceSettled(to Effects, s SubmissionRow) {
	to.Announce(studycircle.Event{
		Kind: studycircle.SubmissionGraded, ID: s.AssignmentID, Audience: studycircle.AllUsers.In(s.CircleID),
	})
	if s.Submitter.UserID != "" {
		to.Announce(studycircle.Event{
			Kind: studycircle.OwnSubmission, ID: s.ID, Audience: studycircle.Audience(s.Submitter.UserID),
		})
	}
	AnnounceResults(to, s.CircleID, s.AssignmentID, s.Basis.CreatorID)
}

// AnnounceResults announces a change of an assignment's submissions to its creator, if there is one.
func AnnounceResults(to Effects, circleID, assignmentID, creatorID string) {
	if creatorID != "" {
		to.Announce(studycircle.Event{
			Kind: studycircle.AssignmentResults, ID: assignmentID, Audience: studycircle.Audience(creatorID).In(circleID),
		})
	}
}

// CountPending adds n pending submissions at the submission's position.
func CountPending(to Effects, s SubmissionRow, n int64) {
	if s.Reviews == 0 && !s.Basis.Hidden {
		to.Count(PendingScope(s.CircleID), s.Seq, n)
	}
}

// HandIn numbers and stores a submission, whose assignment the transaction shares, and records its effects;
// ErrAccountGone, ErrPending.
func HandIn(ctx context.Context, tx *engine.Tx, s studycircle.Submission, of Basis) (row SubmissionRow, err error) {
	row = SubmissionRow{Submission: s, Basis: of}
	if err := tx.Later.NumberSubmission(ctx, s.Submitter.UserID); err != nil {
		return row, err
	}
	values := Submissions.Values(&row, Submissions.Inserted)
	values[numberAt] = s.Submitter.UserID
	err = tx.DB.QueryRowContext(ctx, insertNumbered.Text(1, tx.Engine.Placeholder), values...).Scan(&row.Seq, &row.No)
	switch tx.Engine.Fault(err) {
	case engine.Unique:
		return row, ErrPending
	case engine.Reference:
		return row, studycircle.ErrAccountGone
	case engine.NoFault, engine.Unavailable:
	}
	if err != nil {
		return row, err
	}
	return row, submitted(ctx, tx, row)
}

// insertNumbered is the statement of HandIn: it takes the number from the submitter's account, by its id in place of
// the number.
var insertNumbered = func() engine.Statement {
	all := Submissions.Insert(" RETURNING seq, submitter_no")
	parts := strings.SplitAfter(all.Row, "?")
	parts[numberAt] = strings.Replace(
		parts[numberAt], "?", "(SELECT COALESCE(MAX(u.submission_count), 0) FROM users u WHERE u.id = ?)", 1,
	)
	all.Row = strings.Join(parts, "")
	return all
}()

// numberAt is the place of the number among the inserted columns.
var numberAt = slices.Index(Submissions.Inserted, Submissions.Only("submitter_no")[0])

// InsertSubmission is the statement that stores a submission with its number and returns its seq.
var InsertSubmission = Submissions.Insert(" RETURNING seq")

// submitted records the effects of a stored submission: counts, figures, events, the notification of the creator and
// the check of its link.
func submitted(ctx context.Context, tx *engine.Tx, s SubmissionRow) error {
	AnnounceSubmission(tx, studycircle.SubmissionPending, s.CircleID, s.ID, s.Submitter.UserID, s.Reviews)
	AnnounceResults(tx, s.CircleID, s.AssignmentID, s.Basis.CreatorID)
	CountPending(tx, s, 1)
	CountWork(tx, s.Basis, 1)
	tx.Notify(TakenNotice(s))
	tx.LookAtLink(s.ID, s.SubmittedAt)
	return putAttempt(ctx, tx, s, 1)
}

// Grade stores the grade of a pending submission, whose assignment the transaction shares, and records its effects;
// ErrGraded, ErrAccountGone.
func Grade(ctx context.Context, tx *engine.Tx, s SubmissionRow, g studycircle.Grade) (err error) {
	basis := Bases.Collect(1)
	if err := tx.Engine.Ask(ctx, tx, basis, BasisByID.SQL(studycircle.RoleSystem), s.AssignmentID); err != nil {
		return err
	}
	s.Status, s.Grade = studycircle.Completed, &g
	result, err := tx.DB.ExecContext(
		ctx, gradeSubmission.Text(1, tx.Engine.Placeholder), append(Submissions.Values(&s, GradeColumns), s.ID)...,
	)
	if tx.Engine.Fault(err) == engine.Reference {
		return studycircle.ErrAccountGone
	}
	if err != nil {
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n == 0 {
		return cmp.Or(err, error(ErrGraded))
	}
	if len(basis.All) > 0 {
		s.Basis = basis.All[0]
	}
	AnnounceSubmission(tx, studycircle.SubmissionGraded, s.CircleID, s.ID, s.Submitter.UserID, s.Reviews)
	AnnounceResults(tx, s.CircleID, s.AssignmentID, s.Basis.CreatorID)
	tx.Notify(GradedNotice(s))
	return Marked(ctx, tx, s)
}

// Marked counts the first mark of a pending submission.
func Marked(ctx context.Context, tx *engine.Tx, s SubmissionRow) error {
	CountPending(tx, s, -1)
	CountGrade(tx, s.Basis, s, 1)
	return putAttempt(ctx, tx, s, 0)
}
