package mail

import (
	"context"
	"io"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var from = &mail.Address{Name: "Круг", Address: "no-reply@example.org"}

const link = "https://study.example.org/auth/reset?token=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"

func TestFolderWritesOneFileForEachMail(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "mail")
	s := Folder(dir, from)
	for range 2 {
		require.NoError(t, s.Send(t.Context(), Message{To: "ada@example.org", Subject: "Grüße", Text: "Hello,\n\n" + link + "\n"}))
	}
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	require.Len(t, files, 2)
	assert.Equal(t, ".eml", filepath.Ext(files[0]))
	info, err := os.Stat(files[0])
	require.NoError(t, err)
	assert.Zero(t, info.Mode()&0o077, "only the operator reads it")
	raw, err := os.ReadFile(files[0])
	require.NoError(t, err)
	m, err := mail.ReadMessage(strings.NewReader(string(raw)))
	require.NoError(t, err)
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	require.NoError(t, err)
	assert.Equal(t, "Grüße", subject)
	text, err := io.ReadAll(m.Body)
	require.NoError(t, err)
	assert.Contains(t, string(text), link, "in one line, as it is")
}

func TestFolderForgetsMailsAfterADay(t *testing.T) {
	dir := t.TempDir()
	s := Folder(dir, from)
	require.NoError(t, s.Send(t.Context(), Message{To: "ada@example.org", Subject: "x", Text: "y"}))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o600))
	left := func() int {
		t.Helper()
		files, err := os.ReadDir(dir)
		require.NoError(t, err)
		return len(files)
	}
	sweeper, is := s.(Sweeper)
	require.True(t, is)
	require.NoError(t, sweeper.Sweep(time.Now().Add(23*time.Hour)))
	assert.Equal(t, 2, left())
	require.NoError(t, sweeper.Sweep(time.Now().Add(25*time.Hour)))
	assert.Equal(t, 1, left(), "what is no mail of ours stays")
}

func TestTextBeyondASCIIIsQuotedPrintable(t *testing.T) {
	msg, err := build(from, Message{To: "ada@example.org", Subject: "x", Text: "Добро пожаловать\n\n" + link + "\n"})
	require.NoError(t, err)
	var raw strings.Builder
	_, err = msg.WriteTo(&raw)
	require.NoError(t, err)
	m, err := mail.ReadMessage(strings.NewReader(raw.String()))
	require.NoError(t, err)
	require.Equal(t, "quoted-printable", m.Header.Get("Content-Transfer-Encoding"))
	text, err := io.ReadAll(quotedprintable.NewReader(m.Body))
	require.NoError(t, err)
	assert.Contains(t, string(text), link)
	assert.Contains(t, string(text), "Добро")
}

func TestHeadersCannotBeInjected(t *testing.T) {
	_, err := build(from, Message{To: "ada@example.org\r\nBcc: eve@example.org", Subject: "x", Text: "y"})
	require.ErrorAs(t, err, &Permanent{})
	_, err = build(&mail.Address{Name: "A\r\nBcc: eve@example.org", Address: from.Address}, Message{To: "ada@example.org"})
	require.ErrorAs(t, err, &Permanent{})
	msg, err := build(from, Message{To: "ada@example.org", Subject: "x\r\nBcc: eve@example.org", Text: "y"})
	require.NoError(t, err)
	var raw strings.Builder
	_, err = msg.WriteTo(&raw)
	require.NoError(t, err)
	assert.NotContains(t, raw.String(), "\nBcc:")
}

func TestFrom(t *testing.T) {
	public := func(s string) *url.URL { u, err := url.Parse(s); require.NoError(t, err); return u }
	for at, want := range map[string]string{
		"https://study.example.org": "no-reply@study.example.org", "http://127.0.0.1:8080": "no-reply@localhost", "http://[::1]:8080": "no-reply@localhost",
	} {
		a, err := From("StudyCircle", "", public(at))
		require.NoError(t, err)
		assert.Equal(t, mail.Address{Name: "StudyCircle", Address: want}, *a)
	}
	a, err := From("StudyCircle", "School <office@example.org>", public("http://localhost"))
	require.NoError(t, err)
	assert.Equal(t, mail.Address{Name: "School", Address: "office@example.org"}, *a)
	_, err = From("StudyCircle", "no address", public("http://localhost"))
	require.Error(t, err)
}

func TestSMTPAddressesAreCheckedAndNeverRepeated(t *testing.T) {
	for _, bad := range []string{"", "localhost:25", "http://u:geheim@host", "smtp://", "smtp://u:geheim@:25", "smtp://u:geheim@host:99999", "smtp://u:geheim@host:x"} {
		_, err := SMTP(bad, from)
		require.Error(t, err, bad)
		assert.NotContains(t, err.Error(), "geheim")
	}
	for _, good := range []string{"smtp://localhost", "smtp://u:p@mail.example.org:587", "smtps://u:p@mail.example.org"} {
		_, err := SMTP(good, from)
		require.NoError(t, err, good)
	}
}

func TestServerThatIsAwayOrSilent(t *testing.T) {
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s, err := SMTP("smtp://"+listener.Addr().String(), from)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	message := Message{To: "ada@example.org", Subject: "x", Text: "y"}
	err = s.Send(ctx, message) // no server accepts
	require.Error(t, err)
	assert.NotContains(t, err.Error(), "ada")
	require.NoError(t, listener.Close())
	err = s.Send(t.Context(), message)
	require.Error(t, err)
	require.NotErrorAs(t, err, &Permanent{}, "it may come back")
}

func TestBackoffGrowsToABound(t *testing.T) {
	for attempts, want := range map[int]time.Duration{1: firstWait, 2: 2 * firstWait, 5: 16 * firstWait, 8: 128 * firstWait, 9: maxWait, 60: maxWait, 1000: maxWait} {
		got := Backoff(attempts)
		assert.GreaterOrEqual(t, got, want)
		assert.LessOrEqual(t, got, want*5/4)
	}
}
