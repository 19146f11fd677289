// Package notify tells people what they want to be told, when they want to be told:
// it sends reminders, fills inboxes, and writes the mails of notifications. Whoever
// changes something says in its own transaction whom to tell (studycircle.Notice);
// this is what comes after. It knows neither SQL nor HTTP.
package notify

import (
	"context"
	"net/url"
	"time"

	"studycircle"
	"studycircle/internal/mail"
	"studycircle/internal/periodic"
)

// Store is what people are to be told, and what they were.
type Store interface {
	// SendReminders, DeliverNotices and QueueMails do some of what is to be done and
	// return how much that was: none if nothing is left. Any number of nodes may.
	SendReminders(ctx context.Context, now time.Time) (int, error)
	DeliverNotices(ctx context.Context) (int, error)
	QueueMails(ctx context.Context, now time.Time) (int, error)

	// TakeMail, MailDone and RefuseMails are said in package store.
	TakeMail(ctx context.Context, userID, id string, again bool, now time.Time) (Mail, error)
	MailDone(ctx context.Context, userID, id string) error
	RefuseMails(ctx context.Context, userID string, now time.Time) error
}

// Mail is a mail to be written: of one notification, or of several, which More
// others follow, in a digest.
type Mail struct {
	User          studycircle.User
	Preferences   studycircle.Preferences
	Notifications []studycircle.Notification
	More          int64
	// Due is of the assignment that a single reminder is about.
	Due studycircle.DueDate
}

// Config is what a Notifier needs to know.
type Config struct {
	Store Store
	Now   func() time.Time
	// Brand and PublicURL are what mails call the product and where their links lead.
	Brand     string
	PublicURL *url.URL
	// Token is what ends a user's mails of a kind: see identity.UnsubscribeToken.
	Token func(userID, kind string) string
	// DigestKind stands for a digest in Token.
	DigestKind string
}

// Notifier tells people. It is safe for concurrent use.
type Notifier struct{ Config }

// New makes a Notifier.
func New(c Config) *Notifier { return &Notifier{c} }

func (n *Notifier) clock() time.Time { return n.Now().UTC().Truncate(time.Microsecond) }

// Periodic is the delivery of notifications and reminders. An idle run writes nothing.
// emails says whether any can be sent.
func (n *Notifier) Periodic(emails bool) periodic.Job {
	return periodic.Job{
		Name: "notification delivery", Every: time.Second, Timeout: time.Minute,
		Meaning: "notifications, reminders and their emails are late",
		Run:     func(ctx context.Context) error { return n.Deliver(ctx, emails) },
	}
}

// Deliver does all that is due now: it sends reminders, fills inboxes and, if emails is
// set, queues emails. Each step is a transaction of its own: a node that dies loses nothing
// and does nothing twice.
func (n *Notifier) Deliver(ctx context.Context, emails bool) error {
	steps := []func(context.Context) (int, error){
		func(ctx context.Context) (int, error) { return n.Store.SendReminders(ctx, n.clock()) },
		n.Store.DeliverNotices,
	}
	if emails {
		steps = append(steps, func(ctx context.Context) (int, error) { return n.Store.QueueMails(ctx, n.clock()) })
	}
	for _, step := range steps {
		for more := true; more; {
			done, err := step(ctx)
			if err != nil {
				return err
			}
			more = done > 0
		}
	}
	return ctx.Err()
}

// WriteMail makes a queued mail when it goes out; an empty one where it is not to be
// sent any more. id is the notification's, "" for a digest; again says that it was
// written before.
func (n *Notifier) WriteMail(ctx context.Context, userID, id string, again bool) (mail.Message, error) {
	m, err := n.Store.TakeMail(ctx, userID, id, again, n.clock())
	if err != nil || len(m.Notifications) == 0 {
		return mail.Message{}, err
	}
	return n.compose(m, id == "")
}

// Sent ends what WriteMail began: the mail went out, or never will, permanently where the
// address refused it.
func (n *Notifier) Sent(ctx context.Context, userID, id string) error {
	return n.Store.MailDone(ctx, userID, id)
}

// Refused notes that a user's address takes no mails: nothing more is sent there
// until its owner has confirmed it again.
func (n *Notifier) Refused(ctx context.Context, userID string) error {
	return n.Store.RefuseMails(ctx, userID, n.clock())
}
