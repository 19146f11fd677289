// Package mail sends emails through an SMTP server, or into a folder if none is configured. It decides which failed
// emails to retry, and when. It knows nothing of accounts, the queue, or the purpose of an email.
//
// Logs and error texts contain no address, no text of an email and no answer of a server, because servers repeat
// addresses in their answers.
package mail

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/mail"
	"net/url"

	gomail "github.com/wneessen/go-mail"
)

// Message is an email.
type Message struct {
	To, Subject, Text string
	// HTML is the HTML form of Text; "" for an email in plain text only.
	HTML string
	// Unsubscribe, if given, is the address to POST to in order to end emails of this kind (RFC 8058).
	Unsubscribe string
}

// Sender delivers one message. It returns a Permanent if a retry cannot succeed.
type Sender interface {
	Send(ctx context.Context, m Message) error
}

// Checker is a Sender that can report whether it would be able to send.
type Checker interface {
	Check(ctx context.Context) error
}

// Permanent is the reason why an email can never be delivered.
type Permanent struct{ Reason string }

// Error implements error.
func (p Permanent) Error() string { return "not deliverable: " + p.Reason }

// From returns the sender of emails: address if given, otherwise an address at the public host.
func From(brand, address string, public *url.URL) (*mail.Address, error) {
	if address != "" {
		from, err := mail.ParseAddress(address)
		if err != nil {
			return nil, fmt.Errorf("the sender's address %q cannot be read", address)
		}
		if from.Name == "" {
			from.Name = brand
		}
		return from, nil
	}
	host := public.Hostname()
	if net.ParseIP(host) != nil {
		host = "localhost" // not an email domain
	}
	return &mail.Address{Name: brand, Address: "no-reply@" + host}, nil
}

// build returns the message to transmit.
func build(from *mail.Address, m Message) (*gomail.Msg, error) {
	// Plain ASCII is sent unchanged, so that links stay whole in every reader. The library's "7bit" declares that and
	// writes quoted-printable.
	encoding := gomail.NoEncoding
	if !ascii(m.Text) {
		encoding = gomail.EncodingQP
	}
	msg := gomail.NewMsg(gomail.WithEncoding(encoding), gomail.WithNoDefaultUserAgent())
	if err := msg.FromFormat(from.Name, from.Address); err != nil {
		return nil, Permanent{"the sender's address is not valid"}
	}
	if err := msg.To(m.To); err != nil {
		return nil, Permanent{"the address is not valid"}
	}
	msg.Subject(m.Subject)
	msg.SetDate()
	msg.SetMessageID()
	// RFC 3834: no automatic reply answers it.
	msg.SetGenHeader("Auto-Submitted", "auto-generated")
	if m.Unsubscribe != "" {
		msg.SetGenHeader("List-Unsubscribe", "<"+m.Unsubscribe+">")
		msg.SetGenHeader("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
	}
	msg.SetBodyString(gomail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		msg.AddAlternativeString(gomail.TypeTextHTML, m.HTML, gomail.WithPartEncoding(gomail.EncodingQP))
	}
	return msg, nil
}

func ascii(s string) bool {
	return bytes.IndexFunc([]byte(s), func(r rune) bool { return r > 126 }) < 0
}
