package tables

import (
	"time"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
)

// NotificationRow is a notification with its position among its user's, 0 if it is only emailed.
type NotificationRow struct {
	studycircle.Notification
	No     int64
	Mail   string // the state of its email: see store/mailing.go
	MailAt time.Time
}

type notification = NotificationRow

// Notifications is the table of notifications.
var Notifications = engine.NewTable("notifications", visibleIn(studycircle.ObjectPersonal, ""), "actor_id",
	func(n *notification) *studycircle.Person { return &n.Actor },
	engine.TextColumn("id", func(n *notification) *string { return &n.ID }),
	engine.TextColumn("user_id", func(n *notification) *string { return &n.UserID }),
	engine.Column[notification]{
		Name: "no", Kind: engine.Int, Nullable: true,
		Get: func(n *notification) engine.Value { return engine.Value{Int: n.No, Null: n.No == 0} },
		Set: func(n *notification, v engine.Value) { n.No = v.Int },
	},
	engine.TextColumn("kind", func(n *notification) *string { return (*string)(&n.Kind) }),
	engine.TextColumn("subject", func(n *notification) *string { return &n.Subject }),
	engine.OptionalTextColumn("assignment_id", func(n *notification) *string { return &n.AssignmentID }),
	engine.TextColumn("circle_id", func(n *notification) *string { return &n.CircleID }),
	shownColumn("title", func(n *notification) *string { return &n.Title }),
	engine.TextColumn("url", func(n *notification) *string { return &n.URL }),
	engine.OptionalTextColumn("actor_id", func(n *notification) *string { return &n.Actor.UserID }),
	engine.IntColumn("notices", func(n *notification) *int64 { return &n.Count }),
	engine.TimeColumn("created_at", func(n *notification) *time.Time { return &n.CreatedAt }),
	engine.OptionalTimeColumn("read_at", func(n *notification) *time.Time { return &n.ReadAt }),
	engine.TextColumn("mail", func(n *notification) *string { return &n.Mail }),
	engine.OptionalTimeColumn("mail_at", func(n *notification) *time.Time { return &n.MailAt }),
)

// shownNotices leaves out the notifications of invitations to circles that are deleted.
const shownNotices = "(kind <> '" + string(studycircle.NotifyInvited) + "' OR EXISTS (SELECT 1" +
	" FROM circle_invitations i JOIN circles c ON c.id = i.circle_id WHERE i.id = subject AND c.deleted_at IS NULL))"

var (
	// OwnNotifications are those of one user, newest first.
	OwnNotifications = &engine.List{
		Of: &Notifications.Shape, Where: shownNotices, By: []string{"user_id"}, Position: "no",
		Order: pages.NewestFirst,
	}
	// UnreadNotifications are those of them that are unread.
	UnreadNotifications = &engine.List{
		Of: &Notifications.Shape, Where: "read_at IS NULL AND " + shownNotices, By: []string{"user_id"}, Position: "no",
		Order: pages.NewestFirst,
	}
	// ExportedNotifications are OwnNotifications, oldest first.
	ExportedNotifications = &engine.List{
		Of: &Notifications.Shape, Where: shownNotices, By: []string{"user_id"}, Position: "no",
		Order: pages.OldestFirst,
	}
	// NotificationByID finds a notification.
	NotificationByID = &engine.Lookup{Of: &Notifications.Shape, Key: "id"}
)

// TakenNotice notifies a creator of a submission for their assignment.
func TakenNotice(s SubmissionRow) studycircle.Notice {
	return studycircle.Notice{
		UserID: s.Basis.CreatorID, Kind: studycircle.NotifyTaken, Subject: s.AssignmentID,
		AssignmentID: s.AssignmentID, CircleID: s.CircleID,
		Title: s.AssignmentTitle, URL: "/assignment/" + s.AssignmentID + "#results", ActorID: s.Submitter.UserID,
		At: s.SubmittedAt,
	}
}

// GradedNotice notifies a submitter of a grade.
func GradedNotice(s SubmissionRow) studycircle.Notice {
	return studycircle.Notice{
		UserID: s.Submitter.UserID, Kind: studycircle.NotifyGraded, Subject: s.ID, CircleID: s.CircleID,
		Title: s.AssignmentTitle, URL: "/attemded-assignments", ActorID: s.Grade.GraderID, At: s.Grade.MarkedAt,
	}
}

// SettledNotice notifies a submitter of a mark from several reviews, or of a new one. Its time is the day: see
// store.Tx.Settle.
func SettledNotice(s SubmissionRow, first bool, at time.Time) studycircle.Notice {
	n := studycircle.Notice{
		UserID: s.Submitter.UserID, Kind: studycircle.NotifySettlement, Subject: s.ID, CircleID: s.CircleID,
		Title: s.AssignmentTitle, URL: "/submission/" + s.ID + "/mark", At: studycircle.StartOfDay(studycircle.Day(at)),
	}
	if first {
		n.Kind = studycircle.NotifyGraded
	}
	return n
}

type notice = studycircle.Notice

// Notices is the table of notices that are not delivered yet, for inserts.
var Notices = engine.NewTable("notices", visibleIn(studycircle.ObjectPersonal, ""), "", nil,
	engine.TextColumn("user_id", func(n *notice) *string { return &n.UserID }),
	engine.TextColumn("kind", func(n *notice) *string { return (*string)(&n.Kind) }),
	engine.TextColumn("subject", func(n *notice) *string { return &n.Subject }),
	engine.OptionalTextColumn("assignment_id", func(n *notice) *string { return &n.AssignmentID }),
	engine.TextColumn("circle_id", func(n *notice) *string { return &n.CircleID }),
	shownColumn("title", func(n *notice) *string { return &n.Title }),
	engine.TextColumn("url", func(n *notice) *string { return &n.URL }),
	engine.Column[notice]{
		Name: "actor_id", Kind: engine.Text, Nullable: true,
		Get: func(n *notice) engine.Value {
			return engine.Value{Text: n.ActorID, Null: n.ActorID == "" || !n.Kind.NamesActor()}
		},
		Set: func(n *notice, v engine.Value) { n.ActorID = v.Text },
	},
	engine.TimeColumn("created_at", func(n *notice) *time.Time { return &n.At }),
)
