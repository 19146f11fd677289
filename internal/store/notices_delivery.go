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
	"studycircle/internal/store/tables"
)

// deliverTo delivers a user's notices to the user's inbox. While the database takes no writes, delivered ones stay
// readable.
func (s *Store) deliverTo(ctx context.Context, userID string) error {
	for {
		wait, err := s.engine.Queries().NoticesWait(ctx, userID)
		if err != nil {
			return s.classify(err)
		}
		var ahead []db.Fanout
		if wait.Fanouts {
			if ahead, err = s.engine.Queries().FanoutsFor(ctx, userID); err != nil {
				return s.classify(err)
			}
			if len(ahead) == 0 && !wait.Own {
				// Between the two queries a fan-out may have become a notice.
				if wait, err = s.engine.Queries().NoticesWait(ctx, userID); err != nil {
					return s.classify(err)
				}
			}
		}
		if !wait.Own && len(ahead) == 0 {
			return nil
		}
		err = s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *Tx) error {
			if len(ahead) > 0 {
				return tx.tellAhead(ctx, userID, ahead)
			}
			_, err := tx.deliver(ctx, "t.user_id = $1 AND", tx.Engine.WaitLocked(), userID)
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

// DeliverNotices delivers notices that no other node holds, and writes more notices of fan-outs. It returns 0 if none
// remain. Any number of nodes may run it.
func (s *Store) DeliverNotices(ctx context.Context) (n int, err error) {
	defer operation(&err, "Store.DeliverNotices")
	var waiting int
	err = s.engine.Reads().QueryRowContext(ctx,
		"SELECT COUNT(*) FROM (SELECT 1 FROM notices WHERE NOT parked UNION ALL SELECT 1 FROM fanouts WHERE NOT parked LIMIT 1) AS n").Scan(&waiting)
	if err != nil || waiting == 0 {
		return 0, s.classify(err)
	}
	// By turns, so that a long thread does not delay other notices.
	err = s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *Tx) error {
		more, err := tx.fanOut(ctx)
		if n = 0; more {
			n = 1
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	var put int
	err = s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *Tx) (err error) {
		put, err = tx.deliver(ctx, "", tx.Engine.SkipLocked())
		return err
	})
	return n + put, err
}

// delivered is the number of notices that one transaction delivers: it blocks other writers for some milliseconds.
const delivered = 128

var deleteNotices = engine.Statement{Head: "DELETE FROM notices WHERE id IN (", Row: "?", Tail: ") RETURNING id"}

// deliver takes notices that a condition picks, and that it locks as lock says, and puts
// them into inboxes. It deletes none that it has not locked, lest it meet another delivery
// of the same user's that locks them in another order.
func (tx *Tx) deliver(ctx context.Context, condition, lock string, args ...any) (int, error) {
	found := tables.Notices.Collect(delivered)
	n := len(args)
	err := engine.Select(ctx, tx.DB, found, "SELECT "+tables.Notices.Selected("t", false)+" FROM notices t WHERE "+condition+" NOT t.parked AND t.id > "+
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
	return len(found.All), tx.put(ctx, notices, true)
}

// about is the key by which notices are gathered.
type about struct {
	userID  string
	kind    studycircle.NotificationKind
	subject string
}

// put turns notices into notifications, in users' inboxes that it locks in the order of their ids, and plans their
// emails if mailed is set.
func (tx *Tx) put(ctx context.Context, notices []studycircle.Notice, mailed bool) error {
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
		addTold(row, n)
		row.AssignmentID, row.Title, row.URL, row.CreatedAt = n.AssignmentID, n.Title, n.URL, n.At
		row.Actor.UserID = n.ActorID
	}
	inboxes, err := tx.openInboxes(ctx, order)
	if err != nil {
		return err
	}
	if err := tx.forgetActors(ctx, order); err != nil {
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
		if mailed {
			tx.planMail(row, box, before, channel.Mail)
		} else {
			row.Mail, row.MailAt = before.Mail, before.MailAt
		}
		gatherTold(&before, row, mailed)
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

// inbox is a locked inbox.
type inbox struct {
	last        int64 // the last number given out
	preferences studycircle.Preferences
	refused     bool      // emails
	digest      time.Time // the time of the next digest, if one is due
}

// openInboxes locks the inboxes of existing users, in the order of their ids, and numbers their new notifications.
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

// findUsers finds the users who still have an account.
var findUsers = engine.Statement{Head: "SELECT u.id FROM (VALUES ", Row: "(CAST(? AS TEXT))", Tail: ") AS v JOIN users u ON u.id = v.column1"}

// forgetActors removes from rows the actors whose accounts are gone.
func (tx *Tx) forgetActors(ctx context.Context, rows []*tables.NotificationRow) error {
	lives := map[string]bool{}
	for _, row := range rows {
		if row.Actor.UserID != "" {
			lives[row.Actor.UserID] = false
		}
	}
	var args [][]any
	for id := range lives {
		args = append(args, []any{id})
	}
	err := engine.Run(ctx, tx.Tx, findUsers, args, func(found *sql.Rows) error {
		var id string
		err := found.Scan(&id)
		lives[id] = true
		return err
	})
	for _, row := range rows {
		if !lives[row.Actor.UserID] {
			row.Actor.UserID = ""
		}
	}
	return tx.Classify(err)
}

// findUnread finds the notifications that notices are added to.
var findUnread = engine.Statement{
	Head: "SELECT n.id, n.user_id, n.no, n.kind, n.subject, n.notices, n.mail, n.mail_at, n.comments, n.url, n.created_at," +
		" COALESCE(n.actor_id, '') FROM (VALUES ",
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
		var createdAt int64
		err := found.Scan(&n.ID, &n.UserID, &no, &n.Kind, &n.Subject, &n.Count, &n.Mail, &mailAt, &n.Comments, &n.URL, &createdAt, &n.Actor.UserID)
		if err != nil {
			return err
		}
		n.No, n.MailAt, n.CreatedAt = no.Int64, optionalInstant(mailAt), instant(createdAt)
		unread[about{n.UserID, n.Kind, n.Subject}] = n
		return nil
	})
	return unread, tx.Classify(err)
}

// gathered are the columns that change when a notification gathers another notice.
var gathered = tables.Notifications.Only("no", "title", "url", "actor_id", "notices", "created_at", "mail", "mail_at", "comments", "kept_no")

// gather adds a notice to an unread notification, which moves to the front of the list. It
// names the newest of what it stands for.
func (tx *Tx) gather(ctx context.Context, before tables.NotificationRow, row *tables.NotificationRow) error {
	t, spell := tables.Notifications, tx.Engine.Placeholder
	if before.Count > 0 && before.CreatedAt.After(row.CreatedAt) { // a notice that was parked
		row.URL, row.Actor, row.CreatedAt = before.URL, before.Actor, before.CreatedAt
	}
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

// ignoreRow is for statements whose rows carry no data.
func ignoreRow(*sql.Rows) error { return nil }

// pairs runs a query with two text columns.
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
