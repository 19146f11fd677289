package mail

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/mail"
	"net/url"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	gomail "github.com/wneessen/go-mail"
)

// sendTimeout bounds one session with the email server.
const sendTimeout = 20 * time.Second

type smtpSender struct {
	from    *mail.Address
	host    string
	options []gomail.Option
	// away is set while the server cannot be used.
	away atomic.Bool
}

var errSMTPURL = errors.New("--smtp-url must look like smtp://user:password@host:587 or smtps://host:465")

// SMTP returns a Sender through the server at address, smtp:// or smtps://. It uses STARTTLS if the server offers it,
// and requires it to send a password over a network. The error never repeats address, which may contain a password.
func SMTP(address string, from *mail.Address) (Sender, error) {
	u, err := url.Parse(address)
	if err != nil || (u.Scheme != "smtp" && u.Scheme != "smtps") || u.Hostname() == "" {
		return nil, errSMTPURL
	}
	s := &smtpSender{from: from, host: u.Hostname(), options: []gomail.Option{gomail.WithoutNoop()}}
	policy := gomail.TLSOpportunistic
	if u.User != nil {
		password, _ := u.User.Password()
		auth := gomail.SMTPAuthPlain
		if ip := net.ParseIP(s.host); s.host == "localhost" || ip.IsLoopback() {
			auth = gomail.SMTPAuthPlainNoEnc
		} else {
			policy = gomail.TLSMandatory
		}
		s.options = append(
			s.options, gomail.WithSMTPAuth(auth), gomail.WithUsername(u.User.Username()), gomail.WithPassword(password),
		)
	}
	if u.Scheme == "smtps" {
		s.options = append(s.options, gomail.WithSSLPort(false))
	} else {
		s.options = append(s.options, gomail.WithTLSPortPolicy(policy))
	}
	if u.Port() != "" {
		port, err := strconv.Atoi(u.Port())
		if err != nil {
			return nil, errSMTPURL
		}
		s.options = append(s.options, gomail.WithPort(port))
	}
	if _, err := gomail.NewClient(s.host, s.options...); err != nil {
		return nil, errSMTPURL
	}
	return s, nil
}

// Check connects to the email server and signs in, and sends nothing.
func (s *smtpSender) Check(ctx context.Context) error {
	return s.with(ctx, func(ctx context.Context, client *gomail.Client) error {
		if err := client.DialWithContext(ctx); err != nil {
			return err
		}
		return client.Close()
	})
}

// Send implements Sender with its own connection: emails are few.
func (s *smtpSender) Send(ctx context.Context, m Message) error {
	msg, err := build(s.from, m)
	if err != nil {
		return err
	}
	err = s.with(
		ctx, func(ctx context.Context, client *gomail.Client) error { return client.DialAndSendWithContext(ctx, msg) },
	)
	if a, is := errors.AsType[away](err); is {
		a.again = s.away.Swap(true)
		return a
	}
	if s.away.Swap(false) {
		slog.InfoContext(ctx, "the email server can be used again")
	}
	return err
}

// with calls f with a client for one session.
func (s *smtpSender) with(ctx context.Context, f func(context.Context, *gomail.Client) error) error {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	deadline, _ := ctx.Deadline()
	// The library observes ctx while it dials, and then its own limit.
	client, err := gomail.NewClient(s.host, append(slices.Clone(s.options), gomail.WithTimeout(time.Until(deadline)))...)
	if err != nil {
		return errors.New("no email client") // its settings were tried before
	}
	return inOurWords(f(ctx, client))
}

// Advice is what to do about an email server that cannot be used.
const Advice = "Start the email server, let this machine reach it, or correct --smtp-url. Then try studycircle " +
	"testmail."

// away is the reason why an email server cannot be used.
type away struct {
	reason string
	// again is set if the email before met the same.
	again bool
}

// Error implements error.
func (a away) Error() string { return a.reason }

// inOurWords returns an error without an address in it.
func inOurWords(err error) error {
	if err == nil {
		return nil
	}
	refused, ok := errors.AsType[*gomail.SendError](err)
	if !ok {
		if network, ok := errors.AsType[net.Error](err); ok && network.Timeout() {
			return away{reason: "the email server did not answer in time"}
		}
		return away{reason: "the email server could not be used: connection, TLS or password"}
	}
	reason := fmt.Sprintf("%s (SMTP %d)", refused.Reason, refused.ErrorCode())
	if code := refused.ErrorCode(); code >= 500 && code < 600 && !refused.IsTemp() &&
		refused.Reason != gomail.ErrSMTPMailFrom {
		return Permanent{reason}
	}
	return errors.New(reason)
}
