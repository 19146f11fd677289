package store

import (
	"context"
	"database/sql"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// A notice becomes a notification soon, and before its user looks: see DeliverNotices.

// Notifications returns a page of a user's notifications, newest first, all or only unread ones, with their number
// and the number of unread ones. Those that lead to an assignment which v does not see as its author have no URL.
func (s *Store) Notifications(
	ctx context.Context, v studycircle.Viewer, unread bool, p studycircle.Page,
) (list []studycircle.Notification, total, unreadTotal int64, err error) {
	defer s.operation(&err, "Store.Notifications")
	userID := v.UserID()
	if err := s.deliverTo(ctx, userID); err != nil {
		return nil, 0, 0, err
	}
	l := tables.OwnNotifications
	if unread {
		l = tables.UnreadNotifications
	}
	rows, total, err := ownPage(ctx, s, v, tables.Notifications, l, []any{userID}, p)
	if err != nil {
		return nil, 0, 0, err
	}
	if unreadTotal = total; !unread {
		if unreadTotal, err = s.count(ctx, tables.UnreadNotifications, userID); err != nil {
			return nil, 0, 0, err
		}
	}
	if err := s.unlink(ctx, v.Author(), rows); err != nil {
		return nil, 0, 0, err
	}
	if err := s.fillDue(ctx, v, rows); err != nil {
		return nil, 0, 0, err
	}
	list = make([]studycircle.Notification, len(rows))
	for i := range rows {
		list[i] = rows[i].Notification
	}
	return list, total, unreadTotal, nil
}

// leadsTo returns the id of the assignment that a notification leads to, or to work on it; "" without one.
func leadsTo(n studycircle.Notification) string {
	if n.URL == studycircle.PendingURL {
		return n.AssignmentID
	}
	return studycircle.AssignmentIn(n.URL)
}

// unlink removes the URLs that lead to an assignment, or to work on one, which v does not see.
func (s *Store) unlink(ctx context.Context, v studycircle.Viewer, rows []tables.NotificationRow) error {
	var ids []any
	for _, n := range rows {
		if id := leadsTo(n.Notification); id != "" {
			ids = append(ids, id)
		}
	}
	found := tables.Heads.Collect(int64(len(ids)))
	if err := s.findAll(ctx, v, tables.HeadByID, ids, found); err != nil {
		return err
	}
	seen := map[string]bool{"": true}
	for _, a := range found.All {
		seen[a.ID] = true
	}
	for i := range rows {
		if !seen[leadsTo(rows[i].Notification)] {
			rows[i].URL = ""
		}
	}
	return nil
}

// NotificationDetails returns the details of a page of v's notifications, by their ids.
func (s *Store) NotificationDetails(
	ctx context.Context, v studycircle.Viewer, list []studycircle.Notification,
) (_ map[string]studycircle.NotificationDetail, err error) {
	defer s.operation(&err, "Store.NotificationDetails")
	details := map[string]studycircle.NotificationDetail{}
	var ids []string
	var keys []any
	for _, n := range list {
		details[n.ID] = studycircle.NotificationDetail{AssignmentID: leadsTo(n)}
		if n.Kind.TellsMark() {
			ids, keys = append(ids, n.Subject), append(keys, n.Subject)
		}
	}
	if len(ids) == 0 {
		return details, nil
	}
	found := tables.Submissions.Collect(int64(len(keys)))
	if err := s.engine.Find(ctx, v, tables.SubmissionByID, keys, found); err != nil {
		return nil, err
	}
	settlements := map[string][]studycircle.Settlement{}
	q, args := tables.SettlementsAmong.For(ids)
	err = ask(ctx, s, v, q, func(rows *sql.Rows) error {
		var id string
		var at int64
		var st studycircle.Settlement
		err := rows.Scan(&id, &at, &st.Mark, &st.Words)
		st.At = instant(at)
		settlements[id] = append(settlements[id], st)
		return err
	}, args...)
	own := map[string]studycircle.Submission{}
	for _, row := range found.All {
		if row.Submitter.UserID == v.UserID() {
			own[row.ID] = row.Submission
		}
	}
	for _, n := range list {
		if of, is := own[n.Subject]; is && n.Kind.TellsMark() {
			details[n.ID] = n.MarkDetail(of, settlements[of.ID])
		}
	}
	return details, err
}

// fillDue sets the due dates, as they apply to v, of the notifications that name one.
func (s *Store) fillDue(ctx context.Context, v studycircle.Viewer, rows []tables.NotificationRow) error {
	var ids []string
	var keys []any
	for _, n := range rows {
		if n.Kind.OfCircle() && n.AssignmentID != "" {
			ids, keys = append(ids, n.AssignmentID), append(keys, n.AssignmentID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	found := tables.Heads.Collect(int64(len(keys)))
	if err := s.findAll(ctx, v, tables.HeadByID, keys, found); err != nil {
		return err
	}
	own, err := s.OwnDueDates(ctx, v, ids)
	if err != nil {
		return err
	}
	dates := map[string]studycircle.DueDate{}
	for _, a := range found.All {
		dates[a.ID] = a.Due
		if due := own[a.ID]; due.Time().After(a.Due.Time()) {
			dates[a.ID] = due
		}
	}
	for i := range rows {
		if n := &rows[i]; n.Kind.OfCircle() {
			n.Due = dates[n.AssignmentID]
		}
	}
	return nil
}

// EachNotificationOf calls f with every notification of a user, oldest first.
func (s *Store) EachNotificationOf(
	ctx context.Context, userID string, f func(studycircle.Notification) error,
) (err error) {
	defer s.operation(&err, "Store.EachNotificationOf", userID)
	if err := s.deliverTo(ctx, userID); err != nil {
		return err
	}
	return each(ctx, s, studycircle.ViewerOf(userID), tables.Notifications, tables.ExportedNotifications, []any{userID},
		func(n tables.NotificationRow) int64 { return n.No },
		func(n tables.NotificationRow) error {
			rows := []tables.NotificationRow{n}
			if err := s.fillDue(ctx, studycircle.ViewerOf(userID), rows); err != nil {
				return err
			}
			return f(rows[0].Notification)
		})
}

// ReadNotifications marks those of the notifications that are the user's as read, and returns how many were unread;
// ErrNotFound if the account is gone. A read notification is not emailed.
func (tx *Tx) ReadNotifications(ctx context.Context, userID string, ids []string, now time.Time) (n int64, err error) {
	defer tx.operation(&err, "Tx.ReadNotifications", userID)
	if _, err := tx.lockInbox(ctx, userID); err != nil {
		return 0, err
	}
	args := make([][]any, len(ids))
	for i, id := range ids {
		args[i] = []any{id, userID, micros(now)}
	}
	var read []sql.NullInt64
	err = engine.Run(ctx, tx.Tx, tables.ReadAll, args, func(rows *sql.Rows) error {
		var no sql.NullInt64
		err := rows.Scan(&no)
		read = append(read, no)
		return err
	})
	if err != nil {
		return 0, err
	}
	return tx.wereRead(userID, read), nil
}

// ReadNotificationsUntil marks one of the user's notifications and all older ones as read, a few thousand at most,
// and returns how many were unread: 0 once all are read.
func (tx *Tx) ReadNotificationsUntil(ctx context.Context, userID, id string, now time.Time) (n int64, err error) {
	defer tx.operation(&err, "Tx.ReadNotificationsUntil", userID, id)
	if _, err := tx.lockInbox(ctx, userID); err != nil {
		return 0, err
	}
	until, err := tx.Queries.NotificationPlace(ctx, db.NotificationPlaceParams{ID: id, UserID: userID})
	if isMissing(err) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	read, err := tx.Queries.ReadNotificationsUntil(ctx, db.ReadNotificationsUntilParams{
		UserID: userID, Until: until.Int64, ReadAt: micros(now),
	})
	if err != nil {
		return 0, err
	}
	return tx.wereRead(userID, read), nil
}

// wereRead returns how many of the notifications at some positions were in the list, and announces the change.
func (tx *Tx) wereRead(userID string, positions []sql.NullInt64) (n int64) {
	for _, no := range positions {
		if no.Valid {
			n++
		}
	}
	if n > 0 {
		tx.announceNotifications([]string{userID})
	}
	return n
}
