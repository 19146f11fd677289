package jobs

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/riverqueue/river"

	"studycircle/internal/periodic"
	"studycircle/internal/store/engine"
)

// mailJob is a queued email. It names the user and the kind; the content, with its address and secret, is composed
// when it is sent.
type mailJob struct {
	User string `json:"user"`
	Mail string `json:"mail"`
}

// Kind implements river.JobArgs.
func (mailJob) Kind() string { return "mail" }

// InsertOpts implements river.JobArgsWithInsertOpts. An email's age decides how often it is tried.
func (mailJob) InsertOpts() river.InsertOpts { return river.InsertOpts{MaxAttempts: 1000} }

// Mail is an email to send now.
type Mail struct {
	UserID, Kind string
	CreatedAt    time.Time
	// Attempts includes this one.
	Attempts int
}

// ErrGiveUp ends the attempts to send an email.
var ErrGiveUp = errors.New("given up")

// Mailer sends queued emails.
type Mailer struct {
	// Send is called for each email, concurrently. After any error but ErrGiveUp the email is tried again.
	Send func(context.Context, Mail) error
	// Wait returns the time to wait after a number of attempts.
	Wait func(attempts int) time.Duration
}

// notificationQueue is the queue of emails about notifications.
const notificationQueue = "notifications"

// DigestMail is the kind of a digest.
const DigestMail = "digest"

// notificationPrefix begins the kind of an email about one notification; the notification's id follows.
const notificationPrefix = "notification:"

// NotificationMail returns the kind of an email about one notification.
func NotificationMail(id string) string { return notificationPrefix + id }

// NotificationOf reports whether a kind is about notifications, and returns the notification's id; "" for a digest.
func NotificationOf(kind string) (id string, is bool) {
	if kind == DigestMail {
		return "", true
	}
	return strings.CutPrefix(kind, notificationPrefix)
}

// invitationPrefix begins the kind of an email to the address of an invitation, which has no user; the invitation's id
// follows.
const invitationPrefix = "invitation:"

// InvitationMail returns the kind of an email to the address of an invitation.
func InvitationMail(id string) string { return invitationPrefix + id }

// InvitationOf reports whether a kind is of an email to the address of an invitation, and returns the invitation's id.
func InvitationOf(kind string) (id string, is bool) { return strings.CutPrefix(kind, invitationPrefix) }

// addressPrefix begins the kind of an email about a change of address; the number of the change follows. It goes to the
// address in the change, whatever the user's is.
const addressPrefix = "address:"

// AddressMail returns the kind of the email about a change of address.
func AddressMail(no int64) string { return addressPrefix + strconv.FormatInt(no, 10) }

// AddressOf reports whether a kind is of an email about a change of address, and returns the number of the change.
func AddressOf(kind string) (no int64, is bool) {
	text, is := strings.CutPrefix(kind, addressPrefix)
	no, err := strconv.ParseInt(text, 10, 64)
	return no, is && err == nil
}

// addressQueue is the queue of emails about changes of address, which the release before cannot compose.
const addressQueue = "addresses"

// Wanted is an email to queue.
type Wanted struct{ UserID, Kind string }

// QueueNotifications queues emails about notifications, and invitations, for sending once tx is committed.
func QueueNotifications(ctx context.Context, q Queue, tx *engine.Tx, wanted []Wanted) error {
	if len(wanted) == 0 {
		return nil
	}
	all := make([]river.InsertManyParams, len(wanted))
	for i, w := range wanted {
		all[i] = river.InsertManyParams{
			Args: mailJob{User: w.UserID, Mail: w.Kind}, InsertOpts: &river.InsertOpts{Queue: notificationQueue},
		}
	}
	return q.InsertMany(ctx, tx, all)
}

// noRecipientQueue holds emails to addresses without an account. No worker reads it, so that requests for many such
// emails delay no others. They cost the request the same as any other email.
const noRecipientQueue = "nobody"

// QueueMail queues an email for sending once tx is committed. For an unknown user it sends none, at the same cost.
func QueueMail(ctx context.Context, q Queue, tx *engine.Tx, userID, kind string) error {
	_, notifies := NotificationOf(kind)
	if _, invites := InvitationOf(kind); notifies || invites {
		return QueueNotifications(ctx, q, tx, []Wanted{{userID, kind}})
	}
	queue := river.QueueDefault
	if _, is := AddressOf(kind); is {
		queue = addressQueue
	}
	var known int
	if err := tx.DB.QueryRowContext(ctx, "SELECT COUNT(*) FROM users WHERE id = $1", userID).Scan(&known); err != nil {
		return err
	}
	if known == 0 {
		queue = noRecipientQueue
	}
	return q.Insert(ctx, tx, mailJob{User: userID, Mail: kind}, &river.InsertOpts{Queue: queue})
}

// DeleteMailsOf removes a user's emails of one kind from the queue.
func DeleteMailsOf(ctx context.Context, tx *engine.Tx, userID, kind string) error {
	_, err := tx.DB.ExecContext(ctx,
		`DELETE FROM river_job WHERE kind = 'mail' AND args->>'user' = $1 AND args->>'mail' = $2
		AND state IN ('available', 'retryable', 'scheduled')`, userID, kind)
	return err
}

// ForgetUser removes all of a user's jobs from the queue, in any state.
func ForgetUser(ctx context.Context, tx *engine.Tx, userID string) error {
	_, err := tx.DB.ExecContext(
		ctx, `DELETE FROM river_job WHERE kind = 'mail' AND args->>'user' = $1 AND state <> 'running'`, userID,
	)
	return err
}

const waitingMails = ` FROM river_job
WHERE kind = 'mail' AND queue IN ('default', 'notifications', 'addresses')
	AND state IN ('available', 'pending', 'retryable', 'running', 'scheduled')`

// MailsWaiting returns the number of emails queued or being sent.
func MailsWaiting(ctx context.Context, e engine.Engine) (n int64, err error) {
	err = e.Reads().QueryRowContext(ctx, "SELECT COUNT(*)"+waitingMails).Scan(&n)
	return n, err
}

// EachWaiting calls f with every email that is queued or being sent, as conn sees them.
func EachWaiting(ctx context.Context, conn *sql.Conn, f func(userID, kind string) error) (err error) {
	rows, err := conn.QueryContext(ctx, "SELECT args->>'user', args->>'mail'"+waitingMails)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var user, kind string
		if err := rows.Scan(&user, &kind); err != nil {
			return err
		}
		if err := f(user, kind); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Work is a node's background work.
type Work struct {
	// Mailer sends queued emails; if it is nil, they stay in the queue.
	Mailer *Mailer
	// Periodic lists the periodic jobs.
	Periodic []periodic.Job
	// Clock is the queue's clock; time.Now if nil.
	Clock func() time.Time
}

// Run runs w until ctx ends. One node sends an email, or another one if that node died: at least once, and twice only
// if a node died between sending and recording it.
func Run(ctx context.Context, e engine.Engine, q Queue, w Work) error {
	clock := w.Clock
	if clock == nil {
		clock = time.Now
	}
	c := jobConfig(river.NewWorkers(), w.Clock)
	all := w.Periodic
	if w.Mailer != nil {
		all = append(slices.Clip(all), mailUpkeep(e, q, clock)...)
		for name, n := range mailQueues {
			c.Queues[name] = river.QueueConfig{MaxWorkers: n}
		}
		if err := river.AddWorkerSafely(c.Workers, &mailWorker{mailer: *w.Mailer, clock: clock}); err != nil {
			return err
		}
	}
	ticking, err := addPeriodic(c, all, clock)
	if err != nil {
		return err
	}
	var beside sync.WaitGroup
	beside.Go(func() { tickAll(ctx, ticking) })
	defer beside.Wait()
	if len(c.Queues) == 0 {
		return nil
	}
	return q.Run(ctx, c)
}

// mailUpkeep lists the periodic jobs of the queue of emails.
func mailUpkeep(e engine.Engine, q Queue, clock func() time.Time) []periodic.Job {
	return []periodic.Job{
		{
			Name: "removing emails to unknown addresses", Every: 10 * time.Second, Timeout: 10 * time.Second,
			Meaning: "they fill the queue",
			Run:     func(ctx context.Context) error { return sweep(ctx, e) },
		},
		{
			Name: "adopting emails of the release before", Every: time.Minute, Timeout: 30 * time.Second,
			Meaning: "emails that only a program of the release before has queued are not sent",
			Run:     func(ctx context.Context) error { return adoptMails(ctx, e, q, clock()) },
		},
	}
}

func sweep(ctx context.Context, e engine.Engine) error {
	return e.Write(ctx, func(ctx context.Context, tx *engine.Tx) error {
		_, err := tx.DB.ExecContext(ctx, "DELETE FROM river_job WHERE state = 'available' AND queue = $1", noRecipientQueue)
		return err
	})
}

type mailWorker struct {
	river.WorkerDefaults[mailJob]
	mailer Mailer
	clock  func() time.Time
}

// Work implements river.Worker.
func (w *mailWorker) Work(ctx context.Context, job *river.Job[mailJob]) error {
	err := w.mailer.Send(ctx, Mail{
		UserID: job.Args.User, Kind: job.Args.Mail, CreatedAt: job.CreatedAt, Attempts: job.Attempt,
	})
	if errors.Is(err, ErrGiveUp) {
		return river.JobCancel(err)
	}
	return err
}

// NextRetry implements river.Worker.
func (w *mailWorker) NextRetry(job *river.Job[mailJob]) time.Time {
	return w.clock().Add(w.mailer.Wait(job.Attempt))
}

// adoptMails takes over emails that the release before queued in its own table. That release sends them itself while
// one of its nodes runs.
func adoptMails(ctx context.Context, e engine.Engine, q Queue, now time.Time) error {
	return e.Write(ctx, func(ctx context.Context, tx *engine.Tx) error {
		old, err := tx.Queries.TakeOldMails(ctx, now.UnixMicro())
		for _, m := range old {
			err = errors.Join(err, QueueMail(ctx, q, tx, m.UserID, m.Kind))
		}
		return err
	})
}
