// Package notify delivers notifications: it sends reminders, fills inboxes, and writes the emails of notifications. A
// use case records notices in its own transaction (studycircle.Notice); this package does the rest. It knows neither
// SQL nor HTTP.
package notify

import (
	"context"
	"net/url"
	"time"

	"studycircle/internal/mail"
	"studycircle/internal/periodic"
	"studycircle/internal/store"
)

// Config is the configuration of a Notifier.
type Config struct {
	Store *store.Store
	Now   func() time.Time
	// Brand is the product's name in emails, and PublicURL the base of their links.
	Brand     string
	PublicURL *url.URL
	// Token returns the token that ends a user's emails of a kind: see identity.UnsubscribeToken.
	Token func(userID, kind string) string
	// DigestKind stands for a digest in Token.
	DigestKind string
}

// Notifier delivers notifications. It is safe for concurrent use.
type Notifier struct{ Config }

// New returns a Notifier.
func New(c Config) *Notifier { return &Notifier{c} }

func (n *Notifier) clock() time.Time { return n.Now().UTC().Truncate(time.Microsecond) }

// Periodic returns the job that delivers notifications and reminders. An idle run writes nothing. emails reports
// whether emails can be sent.
func (n *Notifier) Periodic(emails bool) periodic.Job {
	return periodic.Job{
		Name: "notification delivery", Every: time.Second, Timeout: time.Minute,
		Meaning: "notifications, reminders and their emails are late",
		Run:     func(ctx context.Context) error { return n.Deliver(ctx, emails) },
	}
}

// Deliver performs all deliveries that are due: it sends reminders, fills inboxes and, if emails is set, queues
// emails. Each step has its own transaction, so a node that dies loses nothing and repeats nothing.
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

// WriteMail composes a queued email when it is sent; an empty one if it is no longer wanted. id is the
// notification's, "" for a digest; again reports that the email was composed before.
func (n *Notifier) WriteMail(ctx context.Context, userID, id string, again bool) (mail.Message, error) {
	m, err := n.Store.TakeMail(ctx, userID, id, again, n.clock())
	if err != nil || len(m.Notifications) == 0 {
		return mail.Message{}, err
	}
	return n.compose(m, id == "")
}

// Sent completes WriteMail: the email was sent, or never will be; permanently if the address refused it.
func (n *Notifier) Sent(ctx context.Context, userID, id string) error {
	return n.Store.MailDone(ctx, userID, id)
}

// Refused records that a user's address refuses emails: no more are sent to it until its owner has confirmed it
// again.
func (n *Notifier) Refused(ctx context.Context, userID string) error {
	return n.Store.RefuseMails(ctx, userID, n.clock())
}
