package tables

import (
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
)

// ReportRow is a report with its position.
type ReportRow struct {
	studycircle.Report
	Seq int64
}

// Reports is the table of reports.
var Reports = engine.NewTable("reports", visibleIn(studycircle.ObjectReport, ""), "", nil,
	engine.GeneratedColumn("seq", func(r *ReportRow) *int64 { return &r.Seq }),
	engine.TextColumn("id", func(r *ReportRow) *string { return &r.ID }),
	engine.TextColumn("kind", func(r *ReportRow) *string { return (*string)(&r.Subject.Kind) }),
	engine.TextColumn("subject_id", func(r *ReportRow) *string { return &r.Subject.ID }),
	engine.TextColumn("circle_id", func(r *ReportRow) *string { return &r.CircleID }),
	engine.TextColumn("reason", func(r *ReportRow) *string { return &r.Reason }),
	engine.TimeColumn("created_at", func(r *ReportRow) *time.Time { return &r.CreatedAt }),
	engine.IntColumn("n", func(r *ReportRow) *int64 { return &r.Count }),
)

// OpenReports are the first open report of each subject to the organizers of a circle, or to the moderators, oldest
// first.
var OpenReports = &engine.List{
	Of: &Reports.Shape, Where: "closed_at IS NULL AND first", By: []string{"circle_id"},
	Position: "seq", Order: pages.OldestFirst,
}

// ReportsBy are those that one user made, oldest first.
var ReportsBy = &engine.List{Of: &Reports.Shape, By: []string{"reporter_id"}, Position: "seq", Order: pages.OldestFirst}

// ReportByID finds reports by their ids.
var ReportByID = &engine.Lookup{Of: &Reports.Shape, Key: "id"}

// DecisionRow is a moderator's decision with its position.
type DecisionRow struct {
	studycircle.Moderation
	Seq   int64
	Hides bool
}

// Decisions is the table of moderators' recorded actions.
var Decisions = engine.NewTable("moderation_log", visibleIn(studycircle.ObjectReport, ""), "", nil,
	engine.GeneratedColumn("seq", func(d *DecisionRow) *int64 { return &d.Seq }),
	engine.TextColumn("moderator", func(d *DecisionRow) *string { return &d.Moderator }),
	engine.TextColumn("action", func(d *DecisionRow) *string { return (*string)(&d.Action) }),
	engine.TextColumn("kind", func(d *DecisionRow) *string { return (*string)(&d.Subject.Kind) }),
	engine.TextColumn("subject_id", func(d *DecisionRow) *string { return &d.Subject.ID }),
	engine.TextColumn("circle_id", func(d *DecisionRow) *string { return &d.CircleID }),
	engine.TextColumn("reason", func(d *DecisionRow) *string { return &d.Reason }),
	engine.TimeColumn("done_at", func(d *DecisionRow) *time.Time { return &d.At }),
	engine.BoolColumn("hides", func(d *DecisionRow) *bool { return &d.Hides }),
)

// DecisionsIn are those of the organizers of a circle, or of the moderators, newest first.
var DecisionsIn = &engine.List{
	Of: &Decisions.Shape, By: []string{"circle_id"}, Position: "seq", Order: pages.NewestFirst,
}

// WrittenQuestions returns the questions about submissions, whose ids follow, as they were written, also while they are
// hidden: submission, reviewer, the question and its HTML, the answer and its HTML. Their order reveals nothing.
var WrittenQuestions = manyIDs(0, func(_ visibleRows, ids []string) string {
	return `
SELECT q.submission_id, q.reviewer, COALESCE(q.hidden_text, q.text), q.html,
	COALESCE(q.hidden_answer, q.answer), q.answer_html
FROM review_questions q WHERE q.submission_id IN (` + strings.Join(ids, ", ") + `) ORDER BY q.id`
})
