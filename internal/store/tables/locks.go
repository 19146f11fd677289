package tables

import (
	"strings"

	"studycircle"
	"studycircle/internal/store/engine"
)

// Lock order. A transaction that changes rows of several users takes them in this
// order, and several rows of one table by their keys, so that no two transactions
// wait for each other:
//
//  1. users: the account that is deleted or suspended, or that submits; those who join or
//     leave a circle, and the one who changes it
//  2. circles, which guard their members, invitations and requests
//  3. circle_members, which guard their users' leases and reminders in the circle
//  4. assignments: a transaction about work shares its assignment before it takes rows of the work
//  5. review_states, and in submissions the rows of exemplars and of work with a single grade
//  6. review_queue
//  7. review_turns
//  8. reviews
//  9. review_totals
//  10. submissions
//  11. taken
//  12. comments, which guard their reactions
//  13. reminders
//  14. fanouts
//  15. notices
//  16. review_assignments
//  17. inboxes, which guard their users' notifications
//  18. reports
//
// A row of review_states guards the reviews and settlements of its submission, and a row of
// review_queue the leases on it; an exemplar has neither, and its own row guards both. Background work skips rows that
// are locked. A statement that changes several fanouts or notices locks them itself, in the order of their ids, and
// changes no others: one with a low id may be committed late.

// Rows that writes lock.
var (
	UserRow        = rowOf("users")
	ReviewStateRow = rowOf("review_states")
	QueueRow       = rowOf("review_queue")
	AssignmentRow  = rowOf("assignments")
	// ExemplarRow is the row of an exemplar. Users who reserve or review it share it.
	ExemplarRow         = rowOf("submissions")
	CommentRow          = rowOf("comments")
	CircleRow           = rowOf("circles")
	ReviewAssignmentRow = rowOf("review_assignments")

	// CommentAndThread are a comment and the thread that it belongs to.
	CommentAndThread = engine.Selection{Table: "comments", Where: "id IN ($1, $2)"}
	// AssignmentOfSubmission is the assignment of a submission or an exemplar.
	AssignmentOfSubmission = engine.Selection{
		Table: "assignments", Where: "id = COALESCE((SELECT s.assignment_id FROM submissions s WHERE s.id = $1)," +
			" (SELECT e.assignment_id FROM exemplars e WHERE e.id = $1))",
	}
	// AssignmentOf has the assignment that a subject of reports is, or belongs to.
	AssignmentOf = map[studycircle.SubjectKind]engine.Selection{
		studycircle.OfAssignment: AssignmentRow,
		studycircle.OfSubmission: AssignmentOfSubmission,
		studycircle.OfReview: {
			Table: "assignments", Where: "id = (SELECT r.assignment_id FROM reviews r WHERE r.id = $1)",
		},
		studycircle.OfComment: {
			Table: "assignments", Where: "id = (SELECT c.assignment_id FROM comments c WHERE c.id = $1)",
		},
	}
	// SingleGradeRow is a submission whose mark is a single grade.
	SingleGradeRow = engine.Selection{Table: "submissions", Where: "id = $1 AND reviews_needed = 0"}
	// SubmissionsFor are the submissions for an assignment.
	SubmissionsFor = engine.Selection{Table: "submissions", Where: "assignment_id = $1"}
	// ReviewStatesFor and QueueFor are where the reviews for an assignment stand.
	ReviewStatesFor = engine.Selection{Table: "review_states", Where: "assignment_id = $1"}
	QueueFor        = engine.Selection{Table: "review_queue", Where: "assignment_id = $1"}
	// StatesOfBoth are where the reviews of two users' submissions for an assignment stand.
	StatesOfBoth = engine.Selection{Table: "review_states", Where: "assignment_id = $1 AND submitter_id IN ($2, $3)"}
	// QueuedBy are one submission and those of the same submitter for the same assignment.
	QueuedBy = engine.Selection{Table: "review_queue", Where: "id = $1 OR (submitter_id = $2 AND assignment_id = $3)"}
	// TurnsOn and ReviewsOf are the leases and the reviews of a submission; TurnOf is one reviewer's.
	TurnsOn   = engine.Selection{Table: "review_turns", Key: turnKey, Where: "id = $1"}
	ReviewsOf = engine.Selection{Table: "reviews", Where: "submission_id = $1"}
	TurnOf    = engine.Selection{Table: "review_turns", Key: turnKey, Where: "reviewer_id = $1 AND id = $2"}
	// RemindersFor are the reminders of an assignment, RemindersTo those of a user.
	RemindersFor = engine.Selection{Table: "reminders", Key: reminderKey, Where: "assignment_id = $1"}
	RemindersTo  = engine.Selection{Table: "reminders", Key: reminderKey, Where: "user_id = $1"}
	ReminderOf   = engine.Selection{
		Table: "reminders", Key: reminderKey, Where: "user_id = $1 AND assignment_id = $2",
	}
	// AssignmentsIn are those of a circle.
	AssignmentsIn = engine.Selection{Table: "assignments", Where: "circle_id = $1"}
	// SubmissionsJudged are the submissions for an assignment, of one user or of all for "".
	SubmissionsJudged = engine.Selection{
		Table: "submissions", Where: "assignment_id = $1 AND (CAST($2 AS TEXT) = '' OR submitter_id = CAST($2 AS TEXT))",
	}
	// FanoutsAhead are those between two ids that have not come to a user.
	FanoutsAhead = engine.Selection{Table: "fanouts", Where: "id >= $1 AND id <= $2 AND told_to < $3"}
	// ReportsToClose are the reports of a subject that wait for a decision.
	ReportsToClose = engine.Selection{
		Table: "reports", Where: "kind = $1 AND subject_id = $2 AND circle_id = $3 AND closed_at IS NULL",
	}
	// InboxesOfSubmitters are the inboxes of an assignment's submitters.
	InboxesOfSubmitters = engine.Selection{Table: "inboxes", Where: ofSubmitters}
	// InboxesAbout are the inboxes with notifications of an assignment;
	// InboxesAboutOrOfSubmitters are those and its submitters'.
	InboxesAbout               = engine.Selection{Table: "inboxes", Where: aboutAssignment}
	InboxesAboutOrOfSubmitters = engine.Selection{Table: "inboxes", Where: aboutAssignment + " OR " + ofSubmitters}
	// InboxesAboutComment are the inboxes with notifications that stand for a comment.
	InboxesAboutComment = engine.Selection{Table: "inboxes",
		Where: "id IN (SELECT n.user_id FROM notification_comments k" +
			" JOIN notifications n ON n.id = k.notification_id WHERE k.comment_id = $1)"}
)

const (
	turnKey         = "reviewer_id, id"
	reminderKey     = "user_id, assignment_id"
	ofSubmitters    = "id IN (SELECT s.submitter_id FROM submissions s WHERE s.assignment_id = $1)"
	aboutAssignment = "id IN (SELECT n.user_id FROM notifications n WHERE n.assignment_id = $1)"
	// withdrawable selects the submissions of a user that DeleteAccount withdraws from review.
	withdrawable = "(SELECT s.id FROM review_states s WHERE s.submitter_id = $1 AND s.phase IN ('open', 'unattended'))"
	// withPending selects the assignments for which a user has pending submissions.
	withPending = "id IN (SELECT s.assignment_id FROM submissions s WHERE s.submitter_id = $1 AND s.status = 'pending')"
)

// AccountRows are the rows that DeleteAccount changes itself or through the schema's ON DELETE rules, which would
// lock them in another order. They include rows of other users: notifications that name the user as the actor,
// reviews by the user, reviews of withdrawn submissions, and settlements that the user decided about.
var AccountRows = []engine.Selection{
	UserRow,
	{Table: "circles",
		Where: "heir_id = $1 OR heir_of = $1 OR id IN (SELECT m.circle_id FROM circle_members m WHERE m.user_id = $1) OR" +
			" id IN (SELECT i.circle_id FROM circle_invitations i WHERE i.created_by = $1)"},
	{Table: "circle_members", Key: "seq", Where: "user_id = $1"},
	{Table: "assignments", Where: "creator_id = $1 OR " + withPending},
	{Table: "review_states",
		Where: "submitter_id = $1 OR id IN (SELECT s.submission_id FROM settlements s WHERE s.decider_id = $1)"},
	{
		Table: "review_queue",
		Where: "submitter_id = $1 OR id IN (SELECT r.id FROM review_turns r WHERE r.reviewer_id = $1 AND r.turn = 'leased')",
	},
	{Table: "review_turns", Key: turnKey, Where: "reviewer_id = $1 OR id IN " + withdrawable},
	{Table: "reviews", Where: "reviewer = $1 OR submission_id IN " + withdrawable},
	{Table: "submissions", Where: "submitter_id = $1 OR grader_id = $1"},
	{Table: "taken", Key: "user_id, seq", Where: "user_id = $1"},
	{Table: "comments", Where: "author_id = $1 OR id IN (SELECT comment_id FROM reactions WHERE user_id = $1)"},
	RemindersTo,
	{Table: "notices", Where: "user_id = $1"},
	{
		Table: "review_assignments",
		Where: "id IN (SELECT s.assignment_id FROM review_states s" +
			" WHERE s.submitter_id = $1 AND s.phase IN ('open', 'unattended'))",
	},
	{Table: "inboxes", Where: "id = $1 OR id IN (SELECT n.user_id FROM notifications n WHERE n.actor_id = $1)"},
	{Table: "reports", Where: "reporter_id = $1"},
}

// ReportedRows are the rows that subjects of reports are.
var ReportedRows = map[studycircle.SubjectKind]engine.Selection{
	studycircle.OfComment: CommentRow, studycircle.OfAssignment: AssignmentRow, studycircle.OfReview: rowOf("reviews"),
	studycircle.OfSubmission: rowOf("submissions"),
}

// Stale returns rows of a table by one of its columns, which holds one of n values.
func Stale(table, column string, n int) engine.Selection {
	return engine.Selection{Table: table, Key: column, Where: column + " IN (" + strings.Join(dollars(1, n), ", ") + ")"}
}

func rowOf(table string) engine.Selection { return engine.Selection{Table: table, Where: "id = $1"} }
