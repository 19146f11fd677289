package nodetest

import (
	"io"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/require"
)

// catcher is a mail server that keeps what it receives.
type catcher struct {
	address string
	mu      sync.Mutex
	mails   []caught
	// refuse, if set, returns an error for a recipient.
	refuse func(to string) error
}

type caught struct {
	to      string
	header  mail.Header
	text    string
	arrived time.Time
}

func catch(tb testing.TB) *catcher {
	tb.Helper()
	listener, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	c := &catcher{address: listener.Addr().String()}
	server := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) { return &conversation{catcher: c}, nil }))
	go func() { _ = server.Serve(listener) }() // returns an error when closed
	tb.Cleanup(func() { _ = server.Close() })  // every email has arrived
	return c
}

type conversation struct {
	catcher *catcher
	to      string
}

func (*conversation) Reset()                               {}
func (*conversation) Logout() error                        { return nil }
func (*conversation) Mail(string, *smtp.MailOptions) error { return nil }

func (c *conversation) Rcpt(to string, _ *smtp.RcptOptions) error {
	c.to = to
	c.catcher.mu.Lock()
	defer c.catcher.mu.Unlock()
	if c.catcher.refuse != nil {
		return c.catcher.refuse(to)
	}
	return nil
}

func (c *conversation) Data(r io.Reader) error {
	message, err := mail.ReadMessage(r)
	if err != nil {
		return err
	}
	body := message.Body
	if strings.EqualFold(message.Header.Get("Content-Transfer-Encoding"), "quoted-printable") {
		body = quotedprintable.NewReader(body)
	}
	text, err := io.ReadAll(body)
	if err != nil {
		return err
	}
	c.catcher.mu.Lock()
	defer c.catcher.mu.Unlock()
	c.catcher.mails = append(c.catcher.mails, caught{to: c.to, header: message.Header, text: string(text), arrived: time.Now()})
	return nil
}

func (c *catcher) refuseWith(f func(to string) error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.refuse = f
}

// to returns the emails to an address whose link leads to path.
func (c *catcher) to(address, path string) []caught {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []caught
	for _, m := range c.mails {
		if m.to == address && strings.Contains(m.text, path+"?token=") {
			out = append(out, m)
		}
	}
	return out
}

var linkPattern = regexp.MustCompile(`(?m)^(https?://\S+)\r?$`)

// waitFor returns the n-th email to an address with a link to path, and the token in it.
func (c *catcher) waitFor(tb testing.TB, n int, address, path string) (m caught, token string) {
	tb.Helper()
	require.Eventually(tb, func() bool { return len(c.to(address, path)) >= n }, time.Minute, 20*time.Millisecond, "no email to %s", address)
	m = c.to(address, path)[n-1]
	link := linkPattern.FindStringSubmatch(m.text)
	require.NotNil(tb, link, m.text)
	u, err := url.Parse(link[1])
	require.NoError(tb, err)
	require.Equal(tb, path, u.Path)
	return m, u.Query().Get("token")
}

// sendsAllMails waits until every queued email is sent, dropped or given up.
func (n *node) sendsAllMails(tb testing.TB) {
	tb.Helper()
	require.Eventually(tb, func() bool {
		waiting, err := n.app.Store.MailsWaiting(tb.Context())
		return err == nil && waiting == 0
	}, time.Minute, 20*time.Millisecond)
}
