package store

import (
	"cmp"
	"context"
	"database/sql"
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
			_, err := tx.deliver(ctx, func(most int64) ([]db.Notice, error) {
				return tx.Queries.TakeNoticesTo(ctx, db.TakeNoticesToParams{UserID: userID, Most: most})
			})
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
	waiting, err := s.engine.Queries().AnyNoticesWait(ctx)
	if err != nil || !waiting {
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
		put, err = tx.deliver(ctx, func(most int64) ([]db.Notice, error) { return tx.Queries.TakeNotices(ctx, most) })
		return err
	})
	return n + put, err
}

// delivered is the number of notices that one transaction delivers: it blocks other writers for some milliseconds.
const delivered = 128

// deliver puts the notices that take has locked and deleted into inboxes and returns their number.
func (tx *Tx) deliver(ctx context.Context, take func(most int64) ([]db.Notice, error)) (int, error) {
	rows, err := take(delivered)
	if err != nil || len(rows) == 0 {
		return 0, tx.Classify(err)
	}
	slices.SortFunc(rows, func(a, b db.Notice) int { return cmp.Compare(a.ID, b.ID) })
	notices := make([]studycircle.Notice, len(rows))
	for i, r := range rows {
		notices[i] = studycircle.Notice{
			UserID: r.UserID, Kind: studycircle.NotificationKind(r.Kind), Subject: r.Subject, AssignmentID: r.AssignmentID.String, CircleID: r.CircleID,
			Title: r.Title, URL: r.Url, ActorID: r.ActorID.String, At: instant(r.CreatedAt),
		}
	}
	return len(rows), tx.put(ctx, notices, true)
}

// about is the key by which notices are gathered.
type about struct {
	userID  string
	kind    studycircle.NotificationKind
	subject string
}

// put turns notices into notifications and, if mailed is set, plans their emails. It drops notices of circles to users
// who are not members. It locks the users' inboxes in the order of the users' ids.
func (tx *Tx) put(ctx context.Context, notices []studycircle.Notice, mailed bool) error {
	notices, err := tx.toMembers(ctx, notices)
	if err != nil || len(notices) == 0 {
		return err
	}
	gathered, latest := map[about]*tables.NotificationRow{}, map[*tables.NotificationRow]int{}
	var order []*tables.NotificationRow
	for i, n := range notices {
		key := about{n.UserID, n.Kind, n.Subject}
		row, known := gathered[key]
		if !known {
			row = &tables.NotificationRow{Subject: n.Subject}
			row.ID, row.UserID, row.Kind = studycircle.NewID(n.At), n.UserID, n.Kind
			gathered[key], order = row, append(order, row)
		}
		row.Count++
		latest[row] = i
		addRef(row, n)
		row.AssignmentID, row.CircleID, row.Title, row.URL, row.CreatedAt = n.AssignmentID, n.CircleID, n.Title, n.URL, n.At
		row.Actor.UserID = n.ActorID
	}
	// A notification stands where its latest notice does, as when each notice is delivered by itself.
	slices.SortFunc(order, func(a, b *tables.NotificationRow) int { return cmp.Compare(latest[a], latest[b]) })
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
		mergeRefs(&before, row, mailed)
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

// openInboxes locks the inboxes of existing users and numbers their new notifications.
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
	err := engine.Run(ctx, tx.Tx, tables.OpenInboxes, args, func(found *sql.Rows) (err error) {
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

// forgetActors removes from rows the actors whose accounts are gone.
func (tx *Tx) forgetActors(ctx context.Context, rows []*tables.NotificationRow) error {
	lives := map[string]bool{}
	for _, row := range rows {
		if row.Actor.UserID != "" {
			lives[row.Actor.UserID] = false
		}
	}
	var ids []any
	for id := range lives {
		ids = append(ids, id)
	}
	found := tables.Names.Collect(int64(len(ids)))
	err := tx.FindAll(ctx, studycircle.System(), tables.NameByID, ids, found)
	for _, p := range found.All {
		lives[p.UserID] = true
	}
	for _, row := range rows {
		if !lives[row.Actor.UserID] {
			row.Actor.UserID = ""
		}
	}
	return tx.Classify(err)
}

// unreadAbout reads the notifications that notices are added to.
func (tx *Tx) unreadAbout(ctx context.Context, rows []*tables.NotificationRow) (map[about]tables.NotificationRow, error) {
	args := make([][]any, len(rows))
	for i, row := range rows {
		args[i] = []any{row.UserID, string(row.Kind), row.Subject}
	}
	found := tables.Notifications.Collect(int64(len(rows)))
	err := engine.RunInto(ctx, tx.Tx, tables.FindUnread, args, found)
	unread := make(map[about]tables.NotificationRow, len(found.All))
	for _, n := range found.All {
		unread[about{n.UserID, n.Kind, n.Subject}] = n
	}
	return unread, tx.Classify(err)
}

// gather adds a notice to an unread notification, which moves to the front of the list. It
// names the newest of what it stands for.
func (tx *Tx) gather(ctx context.Context, before tables.NotificationRow, row *tables.NotificationRow) error {
	if before.Count > 0 && before.CreatedAt.After(row.CreatedAt) { // a notice that was parked
		row.URL, row.Actor, row.CreatedAt = before.URL, before.Actor, before.CreatedAt
	}
	row.Count += before.Count
	_, err := tx.DB.ExecContext(ctx, tables.UpdateGathered.Text(1, tx.Engine.Placeholder),
		append(tables.Notifications.Values(row, tables.GatheredColumns), before.ID)...)
	if before.No != 0 {
		tx.Count(tables.UnreadScope(row.UserID), before.No, -1)
	}
	if row.No != 0 {
		tx.Count(tables.UnreadScope(row.UserID), row.No, 1)
	}
	return tx.Classify(err)
}

func (tx *Tx) insertNotifications(ctx context.Context, rows []*tables.NotificationRow) error {
	args := make([][]any, len(rows))
	for i, row := range rows {
		args[i] = tables.Notifications.Values(row, tables.Notifications.Inserted)
		if row.No != 0 {
			tx.Count(tables.UnreadScope(row.UserID), row.No, 1)
		}
	}
	err := engine.Run(ctx, tx.Tx, tables.InsertNotifications, args, ignoreRow)
	return tx.orGone(err)
}

// ignoreRow is for statements whose rows carry no data.
func ignoreRow(*sql.Rows) error { return nil }
