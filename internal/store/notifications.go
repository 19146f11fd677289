package store

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
)

// Notices become notifications in inboxes by themselves soon, and before their user
// looks: see DeliverNotices.

// Notifications returns a page of a user's notifications, newest first, all of them
// or those that were not read, how many there are, and how many were not read.
func (s *Store) Notifications(ctx context.Context, userID string, unread bool, p studycircle.Page) (list []studycircle.Notification, total, unreadTotal int64, err error) {
	if err := s.deliverTo(ctx, userID); err != nil {
		return nil, 0, 0, err
	}
	l, in := tables.OwnNotifications, pages.Of(tables.UnreadScope(userID), tables.ReadScope(userID))
	if unread {
		l, in = tables.UnreadNotifications, pages.Of(tables.UnreadScope(userID))
	}
	rows, total, err := page(ctx, s, tables.Notifications, l, []any{userID}, in, p)
	if err != nil {
		return nil, 0, 0, err
	}
	if unreadTotal = total; !unread {
		if unreadTotal, err = s.countIn(ctx, tables.UnreadScope(userID)); err != nil {
			return nil, 0, 0, err
		}
	}
	list = make([]studycircle.Notification, len(rows))
	for i := range rows {
		list[i] = rows[i].Notification
	}
	return list, total, unreadTotal, nil
}

// countIn is how many rows a scope has.
func (s *Store) countIn(ctx context.Context, scope pages.Scope) (int64, error) {
	beyond := studycircle.Page{Number: 1<<63 - 1, Limit: 1}.Skip()
	start, err := s.engine.Counts().Locate(ctx, pages.NewestFirst, beyond, pages.Of(scope), nil)
	return start.Total, s.classify(err)
}

// EachNotificationOf calls f with every notification of a user, oldest first.
func (s *Store) EachNotificationOf(ctx context.Context, userID string, f func(studycircle.Notification) error) error {
	if err := s.deliverTo(ctx, userID); err != nil {
		return err
	}
	return each(ctx, s, tables.Notifications, tables.ExportedNotifications, []any{userID},
		func(n tables.NotificationRow) int64 { return n.No }, func(n tables.NotificationRow) error { return f(n.Notification) })
}

// deliverTo puts a user's notices into their inbox. While the database takes no
// writes, what is there already can be read nevertheless.
func (s *Store) deliverTo(ctx context.Context, userID string) error {
	for {
		n, err := s.engine.Queries().NoticesWait(ctx, userID)
		if err != nil || n == 0 {
			return s.classify(err)
		}
		err = s.Write(ctx, func(ctx context.Context, tx *Tx) error {
			_, err := tx.deliver(ctx, "t.user_id = $1 AND", "", userID)
			return err
		})
		if studycircle.CodeOf(err) == studycircle.CodeUnavailable {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// DeliverNotices puts notices into inboxes, those that nobody else is putting there,
// and returns how many; there may be more. Any number of nodes may do so.
func (s *Store) DeliverNotices(ctx context.Context) (n int, err error) {
	var waiting int
	err = s.engine.Reads().QueryRowContext(ctx, "SELECT COUNT(*) FROM (SELECT 1 FROM notices LIMIT 1) AS n").Scan(&waiting)
	if err != nil || waiting == 0 {
		return 0, s.classify(err)
	}
	err = s.Write(ctx, func(ctx context.Context, tx *Tx) error {
		n, err = tx.deliver(ctx, "", tx.Engine.SkipLocked())
		return err
	})
	return n, err
}

// delivered is how many notices one transaction delivers: it holds up other writers
// for some milliseconds.
const delivered = 128

var deleteNotices = engine.Statement{Head: "DELETE FROM notices WHERE id IN (", Row: "?", Tail: ") RETURNING id"}

// deliver takes notices that a condition picks and puts them into inboxes. Whoever
// takes the same ones without lock is the last to delete them, or finds them gone.
func (tx *Tx) deliver(ctx context.Context, condition, lock string, args ...any) (int, error) {
	found := tables.Notices.Collect(delivered)
	n := len(args)
	err := engine.Select(ctx, tx.DB, found, "SELECT "+tables.Notices.Selected("t", false)+" FROM notices t WHERE "+condition+" t.id > "+
		tx.Engine.Placeholder(n+1)+" ORDER BY t.id LIMIT "+tx.Engine.Placeholder(n+2)+lock, append(args, int64(0), int64(delivered))...)
	if err != nil || len(found.All) == 0 {
		return 0, tx.Classify(err)
	}
	ids := make([][]any, len(found.All))
	for i, notice := range found.All {
		ids[i] = []any{notice.ID}
	}
	ours := map[int64]bool{}
	err = engine.Run(ctx, tx.Tx, deleteNotices, ids, func(rows *sql.Rows) error {
		var id int64
		err := rows.Scan(&id)
		ours[id] = true
		return err
	})
	if err != nil {
		return 0, tx.Classify(err)
	}
	var notices []studycircle.Notice
	for _, notice := range found.All {
		if ours[notice.ID] {
			notices = append(notices, notice.Notice)
		}
	}
	return len(found.All), tx.put(ctx, notices)
}

// about is what notices are gathered by.
type about struct {
	userID  string
	kind    studycircle.NotificationKind
	subject string
}

// put makes notifications of notices, in users' inboxes that it locks in one order.
func (tx *Tx) put(ctx context.Context, notices []studycircle.Notice) error {
	gathered := map[about]*tables.NotificationRow{}
	var order []*tables.NotificationRow
	for _, n := range notices {
		key := about{n.UserID, n.Kind, n.Subject}
		row, known := gathered[key]
		if !known {
			row = &tables.NotificationRow{Subject: n.Subject}
			row.ID, row.UserID, row.Kind = studycircle.NewID(n.At), n.UserID, n.Kind
			gathered[key], order = row, append(order, row)
		}
		row.Count++
		row.AssignmentID, row.Title, row.URL, row.CreatedAt = n.AssignmentID, n.Title, n.URL, n.At
		row.Actor.UserID = n.ActorID
	}
	inboxes, err := tx.openInboxes(ctx, order)
	if err != nil {
		return err
	}
	unread, err := tx.unreadAbout(ctx, order)
	if err != nil {
		return err
	}
	var fresh []*tables.NotificationRow
	for _, row := range order {
		box, there := inboxes[row.UserID]
		if !there {
			continue // the account is gone
		}
		before, gather := unread[about{row.UserID, row.Kind, row.Subject}]
		channel := box.preferences.Channels[row.Kind]
		if !channel.App && !channel.Mail {
			continue
		}
		if channel.App {
			box.last++
			row.No = box.last
		}
		tx.planMail(row, box, before, channel.Mail)
		if gather {
			err = tx.gather(ctx, before, row)
		} else {
			fresh = append(fresh, row)
		}
		if err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(inboxes)) {
		if box := inboxes[id]; !box.digest.IsZero() {
			if err := tx.Queries.SetDigest(ctx, db.SetDigestParams{ID: id, DigestAt: optionalMicros(box.digest).Int64}); err != nil {
				return tx.Classify(err)
			}
		}
	}
	return tx.insertNotifications(ctx, fresh)
}

// inbox is one whose row is locked.
type inbox struct {
	last        int64 // number given out
	preferences studycircle.Preferences
	refused     bool      // mails
	digest      time.Time // when one is wanted
}

// openInboxes locks the inboxes of those who live, in the order of their ids, and
// numbers what they get.
var openInboxes = engine.Statement{
	Head: "INSERT INTO inboxes (id, last_no) SELECT u.id, v.column2 FROM (VALUES ", Row: "(CAST(? AS TEXT), CAST(? AS BIGINT))",
	Tail: ") AS v JOIN users u ON u.id = v.column1 WHERE TRUE ORDER BY u.id ON CONFLICT (id) DO UPDATE SET last_no = inboxes.last_no + excluded.last_no" +
		" RETURNING id, last_no, time_zone, preferences, refused_at IS NOT NULL",
}

func (tx *Tx) openInboxes(ctx context.Context, rows []*tables.NotificationRow) (map[string]*inbox, error) {
	wanted := map[string]int64{}
	for _, row := range rows {
		wanted[row.UserID]++
	}
	var args [][]any
	for _, id := range slices.Sorted(maps.Keys(wanted)) {
		args = append(args, []any{id, wanted[id]})
	}
	inboxes := make(map[string]*inbox, len(wanted))
	err := engine.Run(ctx, tx.Tx, openInboxes, args, func(found *sql.Rows) (err error) {
		var id, zone, stored string
		box := &inbox{}
		if err := found.Scan(&id, &box.last, &zone, &stored, &box.refused); err != nil {
			return err
		}
		box.last -= wanted[id]
		box.preferences, err = preferencesOf(zone, stored)
		inboxes[id] = box
		return err
	})
	return inboxes, tx.Classify(err)
}

// findUnread finds what notices are gathered with.
var findUnread = engine.Statement{
	Head: "SELECT n.id, n.user_id, n.no, n.kind, n.subject, n.notices, n.mail, n.mail_at FROM (VALUES ",
	Row:  "(CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT))",
	Tail: ") AS v JOIN notifications n ON n.user_id = v.column1 AND n.kind = v.column2 AND n.subject = v.column3 AND n.read_at IS NULL",
}

func (tx *Tx) unreadAbout(ctx context.Context, rows []*tables.NotificationRow) (map[about]tables.NotificationRow, error) {
	args := make([][]any, len(rows))
	for i, row := range rows {
		args[i] = []any{row.UserID, string(row.Kind), row.Subject}
	}
	unread := map[about]tables.NotificationRow{}
	err := engine.Run(ctx, tx.Tx, findUnread, args, func(found *sql.Rows) error {
		var n tables.NotificationRow
		var no, mailAt sql.NullInt64
		if err := found.Scan(&n.ID, &n.UserID, &no, &n.Kind, &n.Subject, &n.Count, &n.Mail, &mailAt); err != nil {
			return err
		}
		n.No, n.MailAt = no.Int64, optionalInstant(mailAt)
		unread[about{n.UserID, n.Kind, n.Subject}] = n
		return nil
	})
	return unread, tx.Classify(err)
}

// gathered are the columns that change where a notification stands for more.
var gathered = tables.Notifications.Only("no", "title", "url", "actor_id", "notices", "created_at", "mail", "mail_at")

// gather adds to a notification that was not read, which becomes the newest.
func (tx *Tx) gather(ctx context.Context, before tables.NotificationRow, row *tables.NotificationRow) error {
	t, spell := tables.Notifications, tx.Engine.Placeholder
	row.Count += before.Count
	_, err := tx.DB.ExecContext(ctx, "UPDATE notifications SET "+t.Assign(gathered, 1, spell)+" WHERE id = "+spell(len(gathered)+1),
		append(t.Values(row, gathered), before.ID)...)
	if before.No != 0 {
		tx.Count(tables.UnreadScope(row.UserID), before.No, -1)
	}
	if row.No != 0 {
		tx.Count(tables.UnreadScope(row.UserID), row.No, 1)
	}
	return tx.Classify(err)
}

var insertNotifications = tables.Notifications.InsertAll(" RETURNING id")

func (tx *Tx) insertNotifications(ctx context.Context, rows []*tables.NotificationRow) error {
	args := make([][]any, len(rows))
	for i, row := range rows {
		args[i] = tables.Notifications.Values(row, tables.Notifications.Inserted)
		if row.No != 0 {
			tx.Count(tables.UnreadScope(row.UserID), row.No, 1)
		}
	}
	err := engine.Run(ctx, tx.Tx, insertNotifications, args, ignoreRow)
	return tx.orGone(err)
}

// ignoreRow is for statements whose rows say nothing.
func ignoreRow(*sql.Rows) error { return nil }

// pairs runs a query of two texts.
func pairs(ctx context.Context, on db.DBTX, query string, args ...any) (out [][2]string, err error) {
	rows, err := on.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var p [2]string
		if err := rows.Scan(&p[0], &p[1]); err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, rows.Err()
}

// readAll marks as read what is its user's and was not.
var readAll = engine.Statement{
	Head: "UPDATE notifications SET read_at = v.column3, mail = '', mail_at = NULL FROM (VALUES ",
	Row:  "(CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS BIGINT))",
	Tail: ") AS v WHERE notifications.id = v.column1 AND notifications.user_id = v.column2 AND notifications.read_at IS NULL RETURNING notifications.no",
}

// ReadNotifications marks notifications as read, those that are the user's, and
// returns how many were not; ErrNotFound where the account is gone. What was read is
// not mailed.
func (tx *Tx) ReadNotifications(ctx context.Context, userID string, ids []string, now time.Time) (n int64, err error) {
	if _, err := tx.lockInbox(ctx, userID); err != nil {
		return 0, err
	}
	args := make([][]any, len(ids))
	for i, id := range ids {
		args[i] = []any{id, userID, micros(now)}
	}
	var read []sql.NullInt64
	err = engine.Run(ctx, tx.Tx, readAll, args, func(rows *sql.Rows) error {
		var no sql.NullInt64
		err := rows.Scan(&no)
		read = append(read, no)
		return err
	})
	if err != nil {
		return 0, tx.Classify(err)
	}
	return tx.countRead(userID, read), nil
}

// ReadNotificationsUntil marks one of the user's notifications and all older ones as
// read, some thousands at most, and returns how many were not: none where all are.
func (tx *Tx) ReadNotificationsUntil(ctx context.Context, userID, id string, now time.Time) (n int64, err error) {
	if _, err := tx.lockInbox(ctx, userID); err != nil {
		return 0, err
	}
	until, err := tx.Queries.NotificationPlace(ctx, db.NotificationPlaceParams{ID: id, UserID: userID})
	if err != nil {
		if err = tx.Classify(err); studycircle.CodeOf(err) == studycircle.CodeNotFound {
			return 0, nil
		}
		return 0, err
	}
	read, err := tx.Queries.ReadNotificationsUntil(ctx, db.ReadNotificationsUntilParams{UserID: userID, Until: until.Int64, ReadAt: micros(now)})
	if err != nil {
		return 0, tx.Classify(err)
	}
	return tx.countRead(userID, read), nil
}

// countRead moves positions from what is unread to what was read.
func (tx *Tx) countRead(userID string, positions []sql.NullInt64) (n int64) {
	for _, no := range positions {
		if no.Valid {
			tx.Count(tables.UnreadScope(userID), no.Int64, -1)
			tx.Count(tables.ReadScope(userID), no.Int64, 1)
			n++
		}
	}
	if n > 0 {
		tx.Announce(studycircle.Event{Kind: studycircle.NotificationsChanged, Audience: studycircle.Audience(userID)})
	}
	return n
}

// forgetNotifications takes away notices and notifications of an assignment that is
// gone; where its title is to be seen no more, it also goes from those of what was
// handed in for it.
func (tx *Tx) forgetNotifications(ctx context.Context, assignmentID string, title bool) error {
	told := map[string]bool{}
	waiting, err := tx.Queries.DeleteNoticesOf(ctx, optionalText(assignmentID))
	if err != nil {
		return tx.Classify(err)
	}
	for _, userID := range waiting {
		told[userID] = true
	}
	// All inboxes at once, in the order of their ids.
	condition := "id IN (SELECT n.user_id FROM notifications n WHERE n.assignment_id = $1)"
	if title {
		if err := tx.retitleNotices(ctx, assignmentID); err != nil {
			return err
		}
		condition += " OR " + ofSubmitters
	}
	err = tx.Engine.LockRows(ctx, tx.Tx, "inboxes", condition, assignmentID)
	if err != nil {
		return tx.Classify(err)
	}
	if title {
		if err := tx.retitleNotifications(ctx, assignmentID); err != nil {
			return err
		}
	}
	gone, err := tx.Queries.DeleteNotificationsOf(ctx, optionalText(assignmentID))
	for _, n := range gone {
		scope := tables.UnreadScope(n.UserID)
		if n.ReadAt.Valid {
			scope = tables.ReadScope(n.UserID)
		}
		if n.No.Valid {
			tx.Count(scope, n.No.Int64, -1)
			told[n.UserID] = true
		}
	}
	tx.announceNotifications(slices.Collect(maps.Keys(told)))
	return tx.Classify(err)
}

// ofSubmitters are the inboxes of those who handed in for an assignment.
const ofSubmitters = "id IN (SELECT s.submitter_id FROM submissions s WHERE s.assignment_id = $1)"

// retitle gives what is told of work for an assignment the title that the work has by now.
func (tx *Tx) retitle(ctx context.Context, assignmentID string) error {
	if err := tx.retitleNotices(ctx, assignmentID); err != nil {
		return err
	}
	if err := tx.Engine.LockRows(ctx, tx.Tx, "inboxes", ofSubmitters, assignmentID); err != nil {
		return tx.Classify(err)
	}
	return tx.retitleNotifications(ctx, assignmentID)
}

func (tx *Tx) retitleNotices(ctx context.Context, assignmentID string) error {
	people, err := tx.Queries.RetitleNotices(ctx, optionalText(assignmentID))
	tx.announceNotifications(people)
	return tx.Classify(err)
}

func (tx *Tx) retitleNotifications(ctx context.Context, assignmentID string) error {
	people, err := tx.Queries.RetitleNotifications(ctx, optionalText(assignmentID))
	tx.announceNotifications(people)
	return tx.Classify(err)
}

// announceNotifications tells each of some people once that their notifications have
// changed.
func (tx *Tx) announceNotifications(people []string) {
	slices.Sort(people)
	for _, userID := range slices.Compact(people) {
		tx.Announce(studycircle.Event{Kind: studycircle.NotificationsChanged, Audience: studycircle.Audience(userID)})
	}
}

// forgetInbox takes away all that a user was told, for DeleteAccount: in the order in
// which others lock it, and before the user's own row.
func (tx *Tx) forgetInbox(ctx context.Context, userID string) error {
	for _, table := range []string{"notices", "notifications"} {
		if table == "notifications" {
			if err := tx.Engine.LockRows(ctx, tx.Tx, "inboxes", "id = $1", userID); err != nil {
				return tx.Classify(err)
			}
		}
		if _, err := tx.DB.ExecContext(ctx, "DELETE FROM "+table+" WHERE user_id = $1", userID); err != nil {
			return tx.Classify(err)
		}
	}
	return tx.Classify(tx.Engine.DropCounts(ctx, tx.Tx, tables.UnreadScope(userID), tables.ReadScope(userID)))
}
