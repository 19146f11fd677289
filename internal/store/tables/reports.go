package tables

import (
	"time"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
)

// ReportRow is a report with its place.
type ReportRow struct {
	studycircle.Report
	Seq int64
}

// Reports is the table of reports.
var Reports = engine.NewTable("reports", visible(studycircle.ObjectReport), "", nil,
	engine.GeneratedColumn("seq", func(r *ReportRow) *int64 { return &r.Seq }),
	engine.TextColumn("id", func(r *ReportRow) *string { return &r.ID }),
	engine.TextColumn("kind", func(r *ReportRow) *string { return (*string)(&r.Subject.Kind) }),
	engine.TextColumn("subject_id", func(r *ReportRow) *string { return &r.Subject.ID }),
	engine.TextColumn("reason", func(r *ReportRow) *string { return &r.Reason }),
	engine.TimeColumn("created_at", func(r *ReportRow) *time.Time { return &r.CreatedAt }),
	engine.IntColumn("n", func(r *ReportRow) *int64 { return &r.Count }),
)

// OpenReports are the first open report of each subject, oldest first.
var OpenReports = &engine.List{Of: &Reports.Shape, Where: "closed_at IS NULL AND first", Position: "seq", Order: pages.OldestFirst}

// ReportsBy are those that one user made, oldest first.
var ReportsBy = &engine.List{Of: &Reports.Shape, By: []string{"reporter_id"}, Position: "seq", Order: pages.OldestFirst}

// ReportScope counts subjects with open reports.
const ReportScope pages.Scope = "reports"
