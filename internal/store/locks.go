package store

import "context"

// Lock order. A transaction that changes rows of several users takes them in this
// order, and several rows of one table by their keys, so that no two transactions
// wait for each other:
//
//  1. users: the account that is deleted or suspended, or that submits
//  2. review_states
//  3. review_queue
//  4. review_turns
//  5. reviews
//  6. review_totals
//  7. submissions
//  8. assignments
//  9. taken
//  10. comments, which guard their reactions
//  11. reminders
//  12. fanouts
//  13. notices
//  14. inboxes, which guard their users' notifications
//  15. reports
//  16. review_assignments
//
// A row of review_states guards the reviews of its submission, and a row of
// review_queue the leases on it. Background work skips rows that are locked.

// withdrawable selects the submissions of a user that DeleteAccount withdraws from review.
const withdrawable = "(SELECT s.id FROM review_states s WHERE s.submitter_id = $1 AND s.phase IN ('open', 'unattended'))"

// withPending selects the assignments for which a user has pending submissions.
const withPending = "id IN (SELECT s.assignment_id FROM submissions s WHERE s.submitter_id = $1 AND s.status = 'pending')"

// accountLocks are the rows that DeleteAccount changes itself or through the schema's ON DELETE rules, which would
// lock them in another order. They include rows of other users: notifications that name the user as the actor,
// reviews by the user, and reviews of withdrawn submissions.
var accountLocks = []struct{ table, condition string }{
	{"users", "id = $1"},
	{"review_states", "submitter_id = $1"},
	{"review_queue", "submitter_id = $1 OR id IN (SELECT r.id FROM review_turns r WHERE r.reviewer_id = $1 AND r.turn = 'leased')"},
	{"review_turns", "reviewer_id = $1 OR id IN " + withdrawable},
	{"reviews", "reviewer = $1 OR submission_id IN " + withdrawable},
	{"submissions", "submitter_id = $1 OR grader_id = $1"},
	// The user's submissions count for their assignments, whose rows precede taken.
	{"assignments", "creator_id = $1 OR " + withPending},
	{"taken", "user_id = $1"},
	{"comments", "author_id = $1 OR id IN (SELECT comment_id FROM reactions WHERE user_id = $1)"},
	{"reminders", "user_id = $1"},
	{"notices", "user_id = $1"},
	{"inboxes", "id = $1 OR id IN (SELECT n.user_id FROM notifications n WHERE n.actor_id = $1)"},
	{"reports", "reporter_id = $1"},
}

// lockDeletion locks every row that DeleteAccount changes, in the lock order.
// review_totals follow while the user's reviews are discarded, in the order of their
// assignments.
func (tx *Tx) lockDeletion(ctx context.Context, userID string) error {
	for _, l := range accountLocks {
		if err := tx.Engine.LockRows(ctx, tx.Tx, l.table, l.condition, userID); err != nil {
			return tx.Classify(err)
		}
	}
	return nil
}

// lockReminders locks all reminders of an assignment.
func (tx *Tx) lockReminders(ctx context.Context, assignmentID string) error {
	return tx.Classify(tx.Engine.LockRows(ctx, tx.Tx, "reminders", "assignment_id = $1", assignmentID))
}
