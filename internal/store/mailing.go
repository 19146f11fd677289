package store

import (
	"context"
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/jobs"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// The states of a notification's email. It goes from mailDue by mailQueued and mailCounted to none, or by mailDigest
// and mailDigesting; reading the notification ends it.
const (
	mailDue       = "due"       // at mail_at
	mailQueued    = "queued"    // a job is queued
	mailCounted   = "counted"   // counted against the day's limit and being sent
	mailDigest    = "digest"    // waiting for the next digest
	mailDigesting = "digesting" // in a digest that is being sent
)

// MailGrace is the time for a user to read a notification before it is emailed. Reminders, which have their own time,
// skip it.
const MailGrace = 5 * time.Second

// CircleGrace is the time for which what is new in a user's circles is gathered into one email.
const CircleGrace = 5 * time.Minute

// MaxMails is the most emails that a user gets on one of their days; the rest waits for a digest.
const MaxMails = 20

// maxDigest is the most notifications that a digest names.
const maxDigest = 50

// planMail decides when a notification, which gathers with before, is emailed.
func (*Tx) planMail(row *gathering, box *inbox, before tables.NotificationRow, wanted bool) {
	switch {
	case row.mailed:
		row.Mail, row.MailAt = before.Mail, before.MailAt
	case !wanted || box.refused:
	case before.Mail == mailDue || before.Mail == mailDigest:
		row.Mail, row.MailAt = before.Mail, before.MailAt
	case box.preferences.Digest == studycircle.DailyDigest:
		row.Mail, box.digest = mailDigest, box.preferences.Next(row.CreatedAt)
	case row.Kind.OfCircle():
		row.Mail, box.digest = mailDigest, row.CreatedAt.Add(CircleGrace)
	default:
		row.Mail, row.MailAt = mailDue, row.CreatedAt
		if row.Kind != studycircle.NotifyDue && row.Kind != studycircle.NotifyOwed {
			row.MailAt = row.CreatedAt.Add(MailGrace)
		}
	}
}

// mailPlanned reports whether an email in a state is planned and not being sent.
func mailPlanned(state string) bool {
	return state == mailDue || state == mailQueued || state == mailDigest
}

// queuedMails is the number of emails queued in one transaction.
const queuedMails = 64

// QueueMails queues emails, digests and invitations that are due and not held by other nodes, and returns their number;
// there may be more. Any number of nodes may run it.
func (s *Store) QueueMails(ctx context.Context, now time.Time) (n int, err error) {
	defer s.operation(&err, "Store.QueueMails")
	due, err := s.engine.Queries().MailsDue(ctx, optionalMicros(now))
	if err != nil || !due.Mails && !due.Digests && !due.Invitations {
		return 0, err
	}
	err = s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *Tx) error {
		mails, err := tx.Queries.QueueMails(ctx, db.QueueMailsParams{MailAt: optionalMicros(now), Most: queuedMails})
		if err != nil {
			return err
		}
		digests, err := tx.Queries.QueueDigests(ctx, db.QueueDigestsParams{DigestAt: optionalMicros(now), Most: queuedMails})
		if err != nil {
			return err
		}
		invited, err := tx.Queries.QueueInvitations(ctx, db.QueueInvitationsParams{
			MailAt: optionalMicros(now), Most: queuedMails,
		})
		if err != nil {
			return err
		}
		wanted := make([]jobs.Wanted, 0, len(mails)+len(digests)+len(invited))
		for _, m := range mails {
			wanted = append(wanted, jobs.Wanted{UserID: m.UserID, Kind: jobs.NotificationMail(m.ID)})
		}
		for _, userID := range digests {
			wanted = append(wanted, jobs.Wanted{UserID: userID, Kind: jobs.DigestMail})
		}
		for _, id := range invited {
			wanted = append(wanted, jobs.Wanted{Kind: jobs.InvitationMail(id)})
		}
		n = len(wanted)
		return jobs.QueueNotifications(ctx, tx.store.queue, tx.Tx, wanted)
	})
	return n, err
}

// MailOut is an email to write: about one notification, or a digest of several, which More others follow.
type MailOut struct {
	User          studycircle.User
	Preferences   studycircle.Preferences
	Notifications []studycircle.Notification
	More          int64
}

// OfCircles reports whether a digest has only what is new in circles, for a user who has not asked for a digest.
func (m MailOut) OfCircles() bool {
	return m.Preferences.Digest == studycircle.NoDigest &&
		!slices.ContainsFunc(m.Notifications, func(n studycircle.Notification) bool { return !n.Kind.OfCircle() })
}

// TakeMail counts a queued email against the day's limit and returns its content. It returns nothing if the email is
// not to be sent: the notification was read, the user has turned the kind off, or the day's limit is reached and it
// waits for a digest. A digest's id is "". again reports that the email was taken before and not sent.
func (s *Store) TakeMail(ctx context.Context, userID, id string, again bool, now time.Time) (out MailOut, err error) {
	defer s.operation(&err, "Store.TakeMail", userID, id)
	err = s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *Tx) error {
		out = MailOut{}
		user, err := tx.User(ctx, userID)
		if isMissing(err) {
			return nil
		}
		if err != nil {
			return err
		}
		box, err := tx.lockInbox(ctx, userID)
		if err != nil {
			return err
		}
		preferences, err := preferencesOf(box.TimeZone, box.Preferences)
		if err != nil {
			return err
		}
		if user.EmailVerifiedAt.IsZero() || !user.SuspendedAt.IsZero() || box.RefusedAt.Valid {
			return tx.Queries.ForgetMails(ctx, userID)
		}
		taken := mailOf{tx: tx, user: user, box: box, preferences: preferences, now: now}
		if id == "" {
			out, err = taken.digest(ctx, again)
		} else {
			out, err = taken.single(ctx, id, again)
		}
		return err
	})
	return out, err
}

// mailOf is an email that was taken.
type mailOf struct {
	tx          *Tx
	user        studycircle.User
	box         db.Inbox
	preferences studycircle.Preferences
	now         time.Time
}

// today returns the number of emails of the user's present day.
func (m mailOf) today() int64 {
	if m.box.MailDay != m.preferences.Day(m.now) {
		return 0
	}
	return m.box.MailCount
}

func (m mailOf) count(ctx context.Context) error {
	return m.tx.Queries.CountMail(ctx, db.CountMailParams{
		ID: m.user.ID, MailDay: m.preferences.Day(m.now), MailCount: m.today() + 1,
	})
}

func (m mailOf) single(ctx context.Context, id string, again bool) (out MailOut, err error) {
	n, err := findIn(ctx, m.tx, m.tx.viewer, tables.Notifications, tables.NotificationByID, id)
	if isMissing(err) {
		return out, nil
	}
	// A comment that was hidden and is shown again may have two jobs: the first counts.
	wanted := n.Mail == mailQueued || n.Mail == mailCounted && again
	if err != nil || n.UserID != m.user.ID || n.Count == 0 || !wanted {
		return out, err
	}
	still, err := m.tx.toMembers(ctx, []studycircle.Notice{{
		UserID: n.UserID, AssignmentID: n.AssignmentID, CircleID: n.CircleID,
	}})
	if err != nil {
		return out, err
	}
	state := mailCounted
	switch {
	case len(still) == 0:
		state = ""
	case !m.preferences.Channels[n.Kind].Mail:
		state = ""
	case n.Mail == mailQueued && m.today() >= MaxMails:
		state, err = mailDigest, m.postpone(ctx)
	case n.Mail == mailQueued:
		err = m.count(ctx)
	}
	if err != nil {
		return out, err
	}
	if state == mailCounted {
		if n.Kind == studycircle.NotifyDue || n.Kind == studycircle.NotifyOwed {
			if err := m.fillDue(ctx, &n); err != nil {
				return out, err
			}
		}
		out = MailOut{User: m.user, Preferences: m.preferences, Notifications: []studycircle.Notification{n.Notification}}
	}
	return out, m.tx.Queries.SetMailState(ctx, db.SetMailStateParams{ID: id, State: state})
}

// postpone plans a digest for the next day, because this one has reached its limit.
func (m mailOf) postpone(ctx context.Context) error {
	digest := m.preferences.Next(m.now)
	for m.preferences.Day(digest) == m.preferences.Day(m.now) {
		digest = m.preferences.Next(digest)
	}
	return m.tx.Queries.SetDigest(ctx, db.SetDigestParams{ID: m.user.ID, DigestAt: micros(digest)})
}

// fillDue sets the due date, or review due date, of a notification.
func (m mailOf) fillDue(ctx context.Context, n *tables.NotificationRow) error {
	a, err := m.tx.AssignmentAs(ctx, studycircle.ViewerOf(m.user.ID), n.AssignmentID)
	if err != nil {
		return err
	}
	n.Due = a.ReviewDue
	if n.Kind != studycircle.NotifyOwed {
		n.Due, err = m.tx.DueFor(ctx, a, m.user.ID)
	}
	return err
}

// fillCircle sets the circle's name and the due date of a notification of what is new in a circle.
func (m mailOf) fillCircle(ctx context.Context, n *tables.NotificationRow) error {
	c, err := m.tx.Queries.GetCircle(ctx, n.CircleID)
	if err != nil {
		return err
	}
	n.CircleName = c.Name
	if n.AssignmentID == "" {
		return nil
	}
	return m.fillDue(ctx, n)
}

func (m mailOf) digest(ctx context.Context, again bool) (out MailOut, err error) {
	if err := m.tx.Queries.ForgetMailsFromOutside(ctx, m.user.ID); err != nil {
		return out, err
	}
	for kind, channel := range m.preferences.Channels {
		if channel.Mail {
			continue
		}
		if err := m.tx.Queries.ForgetDigestOf(ctx, db.ForgetDigestOfParams{
			UserID: m.user.ID, Kind: string(kind),
		}); err != nil {
			return out, err
		}
	}
	if !again && m.preferences.Digest == studycircle.NoDigest && m.today() >= MaxMails {
		return out, m.postpone(ctx)
	}
	if sending, err := m.tx.Queries.CountDigest(ctx, m.user.ID); err != nil {
		return out, err
	} else if sending > 0 && !again && m.box.MailDay == m.preferences.Day(m.now) {
		// Another job of the day still sends these notifications: this one would send them twice.
		return out, m.tx.Queries.SetDigest(ctx, db.SetDigestParams{
			ID: m.user.ID, DigestAt: micros(m.preferences.Next(m.now)),
		})
	}
	if err := m.tx.Queries.BeginDigest(ctx, m.user.ID); err != nil {
		return out, err
	}
	found := tables.Notifications.Collect(maxDigest)
	err = engine.Select(ctx, m.tx.DB, found, tables.DigestOf, m.user.ID, int64(maxDigest))
	if err != nil {
		return out, err
	}
	all, err := m.tx.Queries.CountDigest(ctx, m.user.ID)
	if err != nil || all == 0 {
		return out, err
	}
	out = MailOut{User: m.user, Preferences: m.preferences, More: all - int64(len(found.All))}
	for _, n := range found.All {
		if n.Kind.OfCircle() {
			if err := m.fillCircle(ctx, &n); err != nil {
				return MailOut{}, err
			}
		}
		out.Notifications = append(out.Notifications, n.Notification)
	}
	if again {
		return out, nil
	}
	return out, m.count(ctx)
}

// MailDone completes TakeMail: the email was sent, or never will be.
func (s *Store) MailDone(ctx context.Context, userID, id string) (err error) {
	defer s.operation(&err, "Store.MailDone", userID, id)
	return s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *Tx) error {
		if id == "" {
			return tx.Queries.DigestDone(ctx, userID)
		}
		return tx.Queries.MailDone(ctx, db.MailDoneParams{ID: id, UserID: userID})
	})
}

// RefuseMails records that an address refuses emails: no more are sent to it until AcceptMails.
func (s *Store) RefuseMails(ctx context.Context, userID string, now time.Time) (err error) {
	defer s.operation(&err, "Store.RefuseMails", userID)
	return s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *Tx) error {
		if _, err := tx.lockInbox(ctx, userID); err != nil {
			return err
		}
		if err := tx.Queries.RefuseMails(ctx, db.RefuseMailsParams{ID: userID, RefusedAt: micros(now)}); err != nil {
			return err
		}
		return tx.Queries.ForgetMails(ctx, userID)
	})
}
