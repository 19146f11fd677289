package tables

import "studycircle/internal/store/engine"

// Statements about any number of rows.
var (
	// DeleteStale deletes rows that mark assignments whose words are to be indexed again.
	DeleteStale = engine.Statement{Head: "DELETE FROM search_stale WHERE id IN (", Row: "?", Tail: ") RETURNING id"}

	// OpenInboxes locks the inboxes of users who have an account, in the order of their
	// ids, and numbers what they get.
	OpenInboxes = engine.Statement{
		Head: "INSERT INTO inboxes (id, last_no) SELECT u.id, v.column2 FROM (VALUES ",
		Row:  "(CAST(? AS TEXT), CAST(? AS BIGINT))",
		Tail: ") AS v JOIN users u ON u.id = v.column1 WHERE TRUE ORDER BY u.id ON CONFLICT (id) DO UPDATE SET last_no = " +
			"inboxes.last_no + excluded.last_no" +
			" RETURNING id, last_no, time_zone, preferences, refused_at IS NOT NULL",
	}
	// FindUnread reads the unread notifications that notices are added to, by user, kind and subject.
	FindUnread = engine.Statement{
		Head: "SELECT " + Notifications.Selected("n", false) + " FROM (VALUES ",
		Row:  "(CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT))",
		Tail: ") AS v JOIN notifications n ON n.user_id = v.column1 AND n.kind = v.column2 AND n.subject = v.column3 AND " +
			"n.read_at IS NULL",
	}
	// UpdateGathered stores what changes where a notification stands for more notices.
	UpdateGathered = Notifications.Update(GatheredColumns, "id = ?")
	// InsertNotifications inserts notifications.
	InsertNotifications = Notifications.Insert(" RETURNING id")
	// AttachComments inserts the comments of notifications.
	AttachComments = engine.Statement{
		Head: "INSERT INTO notification_comments (notification_id, comment_id, mail) VALUES ", Row: "(?, ?, ?)",
		Tail: " ON CONFLICT (notification_id, comment_id) DO NOTHING RETURNING notification_id",
	}
	// ReadAll marks notifications as read, those that are their user's and were not.
	ReadAll = engine.Statement{
		Head: "UPDATE notifications SET read_at = v.column3, mail = '', mail_at = NULL FROM (VALUES ",
		Row:  "(CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT))",
		Tail: ") AS v WHERE notifications.id = v.column1 AND notifications.user_id = v.column2 AND notifications.read_at " +
			"IS NULL RETURNING notifications.no",
	}
	// PlanReminders stores what was done of reminders, and when they are due next.
	PlanReminders = engine.Statement{
		Head: "UPDATE reminders SET seen_at = v.column3, done = v.column4, next_at = v.column5, done_reviews = v.column6 " +
			"FROM (VALUES ",
		Row: "(CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS TEXT))",
		Tail: ") AS v WHERE reminders.user_id = v.column1 AND reminders.assignment_id = v.column2 RETURNING " +
			"reminders.user_id",
	}
)

// GatheredColumns are the columns that UpdateGathered changes.
var GatheredColumns = Notifications.Only("no", "title", "url", "actor_id", "notices", "created_at", "mail", "mail_at")

// MembersAmong finds which of some users are members of a circle, each named with it, that is neither deleted nor
// archived: they get its notifications.
var MembersAmong = engine.Statement{
	Head: "SELECT m.circle_id, m.user_id FROM (VALUES ",
	Row:  "(CAST(? AS TEXT), CAST(? AS TEXT))",
	Tail: ") AS v JOIN circle_members m ON m.circle_id = v.column1 AND m.user_id = v.column2 JOIN circles c ON c.id = " +
		"m.circle_id" +
		" WHERE c.deleted_at IS NULL AND c.archived_at IS NULL",
}

// DigestOf reads the notifications of the digest that is being sent to the user $1, newest first, $2 at most.
var DigestOf = "SELECT " + Notifications.Selected("t", true) + " FROM notifications t" + Notifications.Joined("t") +
	" WHERE t.user_id = $1 AND t.mail = 'digesting' AND t.read_at IS NULL AND t.notices > 0 ORDER BY t.created_at DESC " +
	"LIMIT $2"
