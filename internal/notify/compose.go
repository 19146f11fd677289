package notify

import (
	_ "embed"
	"fmt"
	"html/template"
	"strings"

	"studycircle"
	"studycircle/internal/mail"
	"studycircle/internal/store"
)

//go:embed mail.html
var mailHTML string

var htmlTemplate = template.Must(template.New("mail").Parse(mailHTML))

// letter is the content of both forms of an email.
type letter struct {
	Brand, Subject string
	// First is the event, the first line.
	First string
	Items []item
	More  int64
	// Ends is the kind of emails that Unsubscribe ends.
	Ends, Unsubscribe, Settings string
	Digest                      bool
}

type item struct{ Happened, Action, URL string }

func (n *Notifier) compose(m store.MailOut, digest bool) (mail.Message, error) {
	news := digest && m.OfCircles()
	if news && len(m.Notifications) == 1 && m.More == 0 {
		digest = false
	}
	l := letter{
		Brand: n.Brand, Digest: digest, More: m.More, Settings: n.PublicURL.JoinPath("profile").String() + "#notifications",
	}
	for _, one := range m.Notifications {
		happened, action := words(one)
		l.Items = append(l.Items, item{happened, action, n.absolute(one.URL)})
	}
	kind := n.DigestKind
	l.Ends = "all emails about notifications"
	switch {
	case digest && news:
		l.Subject = fmt.Sprintf("%d things are new in your circles", int64(len(l.Items))+m.More)
		l.First = l.Subject + "."
	case digest:
		l.First = "This is your day on " + n.Brand + ": " + amount(int64(len(l.Items))+m.More) + "."
		l.Subject = "Your day on " + n.Brand
	default:
		kind = string(m.Notifications[0].Kind)
		l.First = l.Items[0].Happened
		l.Subject, l.Ends = strings.TrimSuffix(l.First, "."), "emails about "+calls(m.Notifications[0].Kind)
	}
	l.Unsubscribe = n.PublicURL.JoinPath("unsubscribe", n.Token(m.User.ID, kind)).String()
	var html strings.Builder
	if err := htmlTemplate.Execute(&html, l); err != nil {
		return mail.Message{}, fmt.Errorf("write an email: %w", err)
	}
	return mail.Message{
		To: m.User.Email, Subject: plain(l.Subject), Text: l.text(), HTML: html.String(), Unsubscribe: l.Unsubscribe,
	}, nil
}

// absolute returns the URL of a path of this app, which may have a fragment.
func (n *Notifier) absolute(path string) string {
	return strings.TrimSuffix(n.PublicURL.String(), "/") + path
}

func amount(n int64) string {
	if n == 1 {
		return "one thing is new"
	}
	return fmt.Sprintf("%d things are new", n)
}

// dueDay returns the calendar day that all users see.
func dueDay(due studycircle.DueDate) string {
	if due.IsZero() {
		return ""
	}
	return "on " + due.Time().Format("Monday, 2006/01/02")
}

// plain removes direction isolates from a text: subjects are shown alone.
func plain(s string) string { return strings.NewReplacer("\u2068", "", "\u2069", "").Replace(s) }

// text returns the letter as plain text.
func (l letter) text() string {
	var b strings.Builder
	b.WriteString(l.First + "\n")
	for _, i := range l.Items {
		if l.Digest {
			b.WriteString("\n" + i.Happened + "\n" + i.URL + "\n")
		} else {
			b.WriteString("\n" + i.Action + ":\n" + i.URL + "\n")
		}
	}
	if l.More > 0 {
		fmt.Fprintf(&b, "\nand %d more, on the page of all notifications.\n", l.More)
	}
	fmt.Fprintf(
		&b, "\n--\n%s\n\nStop %s:\n%s\n\nAll notification settings:\n%s\n", l.Brand, l.Ends, l.Unsubscribe, l.Settings,
	)
	return b.String()
}
