package tables

import (
	"encoding/json"
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
)

type (
	reviewing = studycircle.Reviewing
	review    = studycircle.Review
)

// Reviewings is the table of submissions with several reviewers.
var Reviewings = engine.NewTable("review_states", visibleIn(studycircle.ObjectWork, "submitter_id"), "", nil,
	engine.TextColumn("id", func(r *reviewing) *string { return &r.SubmissionID }),
	engine.IntColumn("seq", func(r *reviewing) *int64 { return &r.Seq }),
	engine.TextColumn("assignment_id", func(r *reviewing) *string { return &r.AssignmentID }),
	engine.TextColumn("circle_id", func(r *reviewing) *string { return &r.CircleID }),
	engine.OptionalTextColumn("submitter_id", func(r *reviewing) *string { return &r.SubmitterID }),
	engine.IntColumn("attempt", func(r *reviewing) *int64 { return &r.Attempt }),
	engine.TextColumn("label", func(r *reviewing) *string { return &r.Label }),
	engine.TextColumn("phase", func(r *reviewing) *string { return (*string)(&r.Phase) }),
	engine.IntColumn("reviews", func(r *reviewing) *int64 { return &r.Reviews }),
	engine.IntColumn("needed", func(r *reviewing) *int64 { return &r.Needed }),
	engine.IntColumn("wanted", func(r *reviewing) *int64 { return &r.Wanted }),
	engine.IntColumn("last_day", func(r *reviewing) *int64 { return &r.LastDay }),
	engine.IntColumn("before_last_day", func(r *reviewing) *int64 { return &r.BeforeLastDay }),
	engine.TimeColumn("settle_at", func(r *reviewing) *time.Time { return &r.SettleAt }),
	engine.TextColumn("appeal", func(r *reviewing) *string { return &r.Appeal }),
	engine.BoolColumn("asked", func(r *reviewing) *bool { return &r.Asked }),
	engine.Column[reviewing]{
		Name: "known", Kind: engine.Int, Nullable: true,
		Get: func(r *reviewing) engine.Value {
			if r.Known == nil {
				return engine.Value{Null: true}
			}
			return engine.Value{Int: *r.Known}
		},
		Set: func(r *reviewing, v engine.Value) { r.Known = &v.Int },
	},
)

var (
	// ReviewingByID finds one by the submission's id.
	ReviewingByID = &engine.Lookup{Of: &Reviewings.Shape, Key: "id"}
	// UnattendedReviews are those in a place that got no reviewer in time, oldest first.
	UnattendedReviews = &engine.List{
		Of: &Reviewings.Shape, Where: "phase = 'unattended'", By: []string{"circle_id"},
		Position: "seq", Order: pages.OldestFirst,
	}
)

// UnattendedScope counts UnattendedReviews.
func UnattendedScope(circleID string) pages.Scope { return scopeIn(circleID, "unattended") }

// ReviewAssignment is an assignment with submissions open to review.
type ReviewAssignment struct {
	Seq int64
	ID  string
}

// ReviewAssignmentTable is the table of them.
var ReviewAssignmentTable = engine.NewTable("review_assignments", visibleIn(studycircle.ObjectWork, ""), "", nil,
	engine.GeneratedColumn("seq", func(r *ReviewAssignment) *int64 { return &r.Seq }),
	engine.TextColumn("id", func(r *ReviewAssignment) *string { return &r.ID }),
)

// ReviewAssignmentByID finds one on the pending list.
var ReviewAssignmentByID = &engine.Lookup{Of: &ReviewAssignmentTable.Shape, Where: "listed", Key: "id"}

// ReviewAssignments are those of a place with an open submission, in the order in which they were first reviewed.
var ReviewAssignments = &engine.List{
	Of: &ReviewAssignmentTable.Shape, Where: "listed", By: []string{"circle_id"},
	Position: "seq", Order: pages.OldestFirst,
}

// ReviewAssignmentScope counts ReviewAssignments.
func ReviewAssignmentScope(circleID string) pages.Scope {
	return scopeIn(circleID, "review-assignments")
}

// ErrReviewed means that the reviewer has reviewed the submission before.
var ErrReviewed = studycircle.Errorf(studycircle.CodeAlreadyReviewed, "You have already reviewed this submission.")

// Reviews is the table of reviews, without the columns of the grade model.
var Reviews = engine.NewTable("reviews", visibleIn(studycircle.ObjectWork, "reviewer"), "", nil,
	engine.GeneratedColumn("seq", func(r *review) *int64 { return &r.Seq }),
	engine.TextColumn("id", func(r *review) *string { return &r.ID }),
	engine.TextColumn("submission_id", func(r *review) *string { return &r.SubmissionID }),
	engine.Column[review]{ // inserted with the review's totals
		Name: "circle_id", Kind: engine.Text, Generated: true,
		Get: func(r *review) engine.Value { return engine.Value{Text: r.CircleID} },
		Set: func(r *review, v engine.Value) { r.CircleID = v.Text },
	},
	engine.TextColumn("reviewer", func(r *review) *string { return &r.Reviewer }),
	engine.TextColumn("label", func(r *review) *string { return &r.Label }),
	engine.IntColumn("mark", func(r *review) *int64 { return &r.Mark }),
	engine.Column[review]{
		Name: "levels", Kind: engine.Text,
		Get: func(r *review) engine.Value { return engine.Value{Text: LevelsText(r.Levels)} },
		Set: func(r *review, v engine.Value) { r.Levels = ParseLevels(v.Text) },
	},
	shownColumn("feedback", func(r *review) *string { return &r.Feedback }),
	engine.TextColumn("feedback_html", func(r *review) *string { return &r.HTML }),
	// If it is set, feedback_html is its rendering.
	engine.Column[review]{
		Name: "hidden_feedback", Kind: engine.Text, Nullable: true,
		Get: func(*review) engine.Value { return engine.Value{Null: true} },
		Set: func(r *review, _ engine.Value) { r.HTML = "" },
	},
	engine.TimeColumn("given_at", func(r *review) *time.Time { return &r.GivenAt }),
	engine.Column[review]{
		Name: "helpful", Kind: engine.Bool, Nullable: true,
		Get: func(r *review) engine.Value {
			if r.Helpful == nil {
				return engine.Value{Null: true}
			}
			if *r.Helpful {
				return engine.Value{Int: 1}
			}
			return engine.Value{}
		},
		Set: func(r *review, v engine.Value) { helpful := v.Int != 0; r.Helpful = &helpful },
	},
	engine.TextColumn("reply", func(r *review) *string { return &r.Reply }),
).Shorten(func(r *review, room int) int {
	n := len(r.Feedback) + len(r.HTML)
	if n <= room {
		return n
	}
	r.Feedback, r.HTML, r.Partial = studycircle.Beginning(r.Feedback), "", true
	return 0
})

// ReviewByID finds a review.
var ReviewByID = &engine.Lookup{Of: &Reviews.Shape, Key: "id"}

// ReviewsGiven are those of one reviewer, exemplars left out, newest first.
var ReviewsGiven = &engine.List{
	Of: &Reviews.Shape, Where: "NOT exemplar", By: []string{"reviewer"}, Position: "seq", Order: pages.NewestFirst,
}

// ReviewsBy are all reviews of one reviewer, those of exemplars too, oldest first.
var ReviewsBy = &engine.List{Of: &Reviews.Shape, By: []string{"reviewer"}, Position: "seq", Order: pages.OldestFirst}

// LevelsText encodes chosen levels, "" for none.
func LevelsText(levels []int64) string {
	if levels == nil {
		return ""
	}
	text, _ := json.Marshal(levels) // numbers never fail
	return string(text)
}

// ParseLevels decodes LevelsText; an unreadable text gives none.
func ParseLevels(text string) (levels []int64) {
	if text == "" || json.Unmarshal([]byte(text), &levels) != nil {
		return nil
	}
	return levels
}

// SettledTime is the time at which a submission was settled.
type SettledTime struct {
	SubmissionID string
	At           time.Time
}

// SettledTimes is the table of settlements, for their times.
var SettledTimes = engine.NewTable("settlements", ofSubmission("submission_id"), "", nil,
	engine.TextColumn("submission_id", func(s *SettledTime) *string { return &s.SubmissionID }),
	engine.TimeColumn("at", func(s *SettledTime) *time.Time { return &s.At }),
)

// SettledTimesOf finds that of a submission's present mark.
var SettledTimesOf = &engine.Lookup{Of: &SettledTimes.Shape, Key: "submission_id", Number: "n"}

// SettlementsAmong returns the settlements of submissions, whose ids follow, oldest first: submission, time, mark and
// words.
var SettlementsAmong = manyIDs(0, func(visible visibleRows, ids []string) string {
	return "SELECT t.submission_id, t.at, t.mark, t.words FROM settlements t WHERE t.submission_id IN (" +
		strings.Join(ids, ", ") + ") AND " + visible(&SettledTimes.Shape, "t") + " ORDER BY t.submission_id, t.n"
})

// ComparedReviews returns the marks of the latest reviews by the user $1 of exemplars and of settled submissions, each
// with the right mark and the total; at most $2.
var ComparedReviews = engine.NewQuery(2, engine.Dollar, func(visible visibleRows) string {
	return `
SELECT r.mark, COALESCE(e.mark, s.given_mark), s.marks
FROM (SELECT submission_id, mark, seq FROM reviews WHERE reviewer = $1 ORDER BY seq DESC LIMIT 4 * CAST($2 AS BIGINT)) r
JOIN submissions s ON s.id = r.submission_id LEFT JOIN exemplars e ON e.id = s.id
WHERE ` + visible(&Submissions.Shape, "s") + ` AND (e.id IS NOT NULL OR s.given_mark IS NOT NULL)
ORDER BY r.seq DESC LIMIT CAST($2 AS BIGINT)`
})
