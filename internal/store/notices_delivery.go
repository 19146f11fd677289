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
			return err
		}
		var ahead []db.Fanout
		if wait.Fanouts {
			if ahead, err = s.engine.Queries().FanoutsFor(ctx, userID); err != nil {
				return err
			}
			if len(ahead) == 0 && !wait.Own {
				// Between the two queries a fan-out may have become a notice.
				if wait, err = s.engine.Queries().NoticesWait(ctx, userID); err != nil {
					return err
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
	defer s.operation(&err, "Store.DeliverNotices")
	waiting, err := s.engine.Queries().AnyNoticesWait(ctx)
	if err != nil || !waiting {
		return 0, err
	}
	// By turns, so that a long thread or a large circle does not delay other notices.
	for _, fanOut := range []func(*Tx, context.Context) (bool, error){(*Tx).fanOut, (*Tx).fanOutInCircle} {
		var more bool
		err = s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *Tx) (err error) {
			more, err = fanOut(tx, ctx)
			return err
		})
		if err != nil {
			return 0, err
		}
		if more {
			n++
		}
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
		return 0, err
	}
	slices.SortFunc(rows, func(a, b db.Notice) int { return cmp.Compare(a.ID, b.ID) })
	notices := make([]studycircle.Notice, len(rows))
	for i, r := range rows {
		notices[i] = studycircle.Notice{
			UserID: r.UserID, Kind: studycircle.NotificationKind(r.Kind), Subject: r.Subject,
			AssignmentID: r.AssignmentID.String, CircleID: r.CircleID,
			Title: tables.Shown(r.Title), URL: r.Url, ActorID: r.ActorID.String, At: instant(r.CreatedAt),
			Mailed: r.Mailed, No: r.No.Int64,
		}
	}
	return len(rows), tx.put(ctx, notices)
}

// about is the key by which notices are gathered.
type about struct {
	userID  string
	kind    studycircle.NotificationKind
	subject string
}

// gathering is a new notification, or what an unread one gains.
type gathering struct {
	tables.NotificationRow
	comments []string // of its notices
	mailed   bool     // all of its notices
	kept     int64    // its former place, 0 if it has a new notice
	latest   int      // the index of its last notice
}

// put turns notices into notifications and plans their emails. It drops notices of circles to users who are not
// members. It locks the users' inboxes in the order of the users' ids.
func (tx *Tx) put(ctx context.Context, notices []studycircle.Notice) error {
	notices, err := tx.toMembers(ctx, notices)
	if err != nil || len(notices) == 0 {
		return err
	}
	gathered := map[about]*gathering{}
	for i, n := range notices {
		key := about{n.UserID, n.Kind, n.Subject}
		row, known := gathered[key]
		if !known {
			row = &gathering{mailed: true, kept: n.No}
			row.ID, row.UserID, row.Kind, row.Subject = studycircle.NewID(n.At), n.UserID, n.Kind, n.Subject
			gathered[key] = row
		}
		row.Count++
		row.latest, row.mailed, row.kept = i, row.mailed && n.Mailed, min(row.kept, n.No)
		if id := studycircle.CommentIn(n.URL); id != "" && n.Kind.OfComments() {
			row.comments = append(row.comments, id)
		}
		if n.At.Before(row.CreatedAt) { // it was parked
			continue
		}
		row.AssignmentID, row.CircleID, row.Title, row.URL, row.CreatedAt = n.AssignmentID, n.CircleID, n.Title, n.URL, n.At
		row.Actor.UserID = n.ActorID
	}
	// A notification stands where its latest notice does, as when each notice is delivered by itself.
	order := slices.SortedFunc(maps.Values(gathered), func(a, b *gathering) int { return cmp.Compare(a.latest, b.latest) })
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
	var fresh, comments [][]any
	for _, row := range order {
		box, there := inboxes[row.UserID]
		if !there {
			continue // the account is gone
		}
		before, gather := unread[about{row.UserID, row.Kind, row.Subject}]
		channel := box.preferences.Channels[row.Kind]
		if row.Kind == studycircle.NotifyInvited {
			channel.Mail = false // see RosterMail
		}
		if !channel.App && !channel.Mail {
			continue
		}
		if channel.App {
			box.last++
			row.No = box.last
			if err := tx.keepPlace(ctx, before, row); err != nil {
				return err
			}
		}
		tx.planMail(row, box, before, channel.Mail)
		if gather {
			err = tx.gather(ctx, before, row)
		} else {
			fresh = append(fresh, tables.Notifications.Values(&row.NotificationRow, tables.Notifications.Inserted))
		}
		if err != nil {
			return err
		}
		for _, id := range row.comments {
			comments = append(comments, []any{row.ID, id, !row.mailed && mailPlanned(row.Mail)})
		}
	}
	for _, id := range slices.Sorted(maps.Keys(inboxes)) {
		if box := inboxes[id]; !box.digest.IsZero() {
			if err := tx.Later.SetDigest(ctx, db.SetDigestParams{
				ID: id, DigestAt: optionalMicros(box.digest).Int64,
			}); err != nil {
				return err
			}
		}
	}
	if err := engine.Run(ctx, tx.Tx, tables.InsertNotifications, fresh, ignoreRow); err != nil {
		return tx.orGone(err)
	}
	return engine.Run(ctx, tx.Tx, tables.AttachComments, comments, ignoreRow)
}

// keepPlace gives a notification whose comments are shown again its former place, or that of the unread one that it is
// added to.
func (tx *Tx) keepPlace(ctx context.Context, before tables.NotificationRow, row *gathering) error {
	if row.kept == 0 {
		return nil
	}
	if before.No != 0 {
		row.No = before.No
		return nil
	}
	taken, err := tx.Queries.IsPlaceTaken(ctx, db.IsPlaceTakenParams{UserID: row.UserID, No: row.kept})
	if !taken { // by the notification that it was part of, which was read meanwhile
		row.No = row.kept
	}
	return err
}

// inbox is a locked inbox.
type inbox struct {
	last        int64 // the last number given out
	preferences studycircle.Preferences
	refused     bool      // emails
	digest      time.Time // the time of the next digest, if one is due
}

// openInboxes locks the inboxes of existing users and numbers their new notifications.
func (tx *Tx) openInboxes(ctx context.Context, rows []*gathering) (map[string]*inbox, error) {
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
	return inboxes, err
}

// forgetActors removes from rows the actors whose accounts are gone.
func (tx *Tx) forgetActors(ctx context.Context, rows []*gathering) error {
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
	return err
}

// unreadAbout reads the notifications that notices are added to.
func (tx *Tx) unreadAbout(ctx context.Context, rows []*gathering) (map[about]tables.NotificationRow, error) {
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
	return unread, err
}

// gather adds a notice to an unread notification, which moves to the front of the list. It
// names the newest of what it stands for.
func (tx *Tx) gather(ctx context.Context, before tables.NotificationRow, row *gathering) error {
	if before.CreatedAt.After(row.CreatedAt) { // a notice that was parked
		row.URL, row.Actor, row.CreatedAt = before.URL, before.Actor, before.CreatedAt
	}
	row.ID = before.ID
	row.Count += before.Count
	if len(row.comments) > 0 && !mailPlanned(before.Mail) {
		if err := tx.Queries.CommentsMailed(ctx, before.ID); err != nil {
			return err
		}
	}
	_, err := tx.DB.ExecContext(ctx, tables.UpdateGathered.Text(1, tx.Engine.Placeholder),
		append(tables.Notifications.Values(&row.NotificationRow, tables.GatheredColumns), before.ID)...)
	return err
}

// ignoreRow is for statements whose rows carry no data.
func ignoreRow(*sql.Rows) error { return nil }
