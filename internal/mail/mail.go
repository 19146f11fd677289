// Package mail sends mails: through an SMTP server, or into a folder where none
// is configured, and says which are worth another try and when. It knows nothing
// of accounts, of the queue where mails wait, nor why they are sent.
//
// No address, text or server's sentence gets into a log or into an error's
// text: servers repeat addresses in what they say.
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

// Message is a mail.
type Message struct {
	To, Subject, Text string
	// HTML says the same as Text; "" for a mail in plain text alone.
	HTML string
	// Unsubscribe, where given, is the address that ends mails of this kind when it is
	// posted to (RFC 8058).
	Unsubscribe string
}

// Sender delivers one message, or says why not. An error that a further try
// cannot mend is a Permanent.
type Sender interface {
	Send(ctx context.Context, m Message) error
}

// Permanent is why a mail can never be delivered.
type Permanent struct{ Reason string }

// Error implements error.
func (p Permanent) Error() string { return "not deliverable: " + p.Reason }

// From is who mails come from: address where it is given, an address at the
// public host otherwise.
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
		host = "localhost" // no mail domain
	}
	return &mail.Address{Name: brand, Address: "no-reply@" + host}, nil
}

// build makes the message that goes over the wire.
func build(from *mail.Address, m Message) (*gomail.Msg, error) {
	// Plain ASCII goes as it is, so that links stay whole in every reader. The
	// library's "7bit" would say so and write quoted-printable.
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
	// RFC 3834: no out-of-office message answers this.
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
