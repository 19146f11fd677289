package doctor_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/backups"
	"studycircle/internal/doctor"
	"studycircle/internal/mail"
	"studycircle/internal/store"
	"studycircle/internal/testpg"
	"studycircle/internal/teststore"
)

func TestMain(m *testing.M) {
	os.Exit(testpg.Main(m, teststore.Migrate))
}

var now = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

// sender is an email server that answers Check.
type sender struct{ err error }

func (sender) Send(context.Context, mail.Message) error { return nil }
func (s sender) Check(context.Context) error            { return s.err }

// found returns the findings by their checks.
func found(t *testing.T, c doctor.Config) map[string]doctor.Finding {
	t.Helper()
	out := map[string]doctor.Finding{}
	doctor.Examine(t.Context(), c, func(f doctor.Finding) {
		require.NotContains(t, out, f.Check)
		require.NotEmpty(t, f.Says, f.Check)
		require.Equal(t, f.State == doctor.OK, f.Do == "", "%+v: what to do is said if and only if something is wrong", f)
		out[f.Check] = f
	})
	return out
}

func states(all map[string]doctor.Finding) map[string]doctor.State {
	out := map[string]doctor.State{}
	for name, f := range all {
		out[name] = f.State
	}
	return out
}

// healthy is a server on which all is well.
func healthy(t *testing.T) doctor.Config {
	t.Helper()
	return healthyIn(t, teststore.Dir(t))
}

// healthyIn is healthy with the embedded database in data.
func healthyIn(t *testing.T, data string) doctor.Config {
	t.Helper()
	s, err := store.Open(t.Context(), store.Config{Dir: data})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	kept := backups.Config{Data: data, Dir: t.TempDir(), Every: time.Hour, Keep: 2}
	require.NoError(t, kept.Job(func() time.Time { return now.Add(-30 * time.Minute) }).Run(t.Context()))
	served := httptest.NewServer(http.NotFoundHandler())
	served.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/livez" {
			w.WriteHeader(http.StatusNotFound)
		}
	})
	t.Cleanup(served.Close)
	public, err := url.Parse(served.URL)
	require.NoError(t, err)
	return doctor.Config{Database: store.Config{Dir: data}, Data: data, PublicURL: public, Mail: sender{}, Backups: kept, Now: func() time.Time { return now }}
}

var allOK = map[string]doctor.State{"database": doctor.OK, "disk": doctor.OK, "clock": doctor.OK, "mail": doctor.OK, "public address": doctor.OK, "backup": doctor.OK}

func TestAHealthyServer(t *testing.T) {
	t.Parallel()
	require.Equal(t, allOK, states(found(t, healthy(t))))
}

func TestAHealthyServerOnPostgres(t *testing.T) {
	t.Parallel()
	c := healthyIn(t, teststore.DirBeside(t))
	c.Database, c.Backups = store.Config{URL: testpg.DB(t)}, backups.Config{}
	c.Now = time.Now
	require.Equal(t, allOK, states(found(t, c)))
	c.Now = func() time.Time { return time.Now().Add(time.Hour) }
	require.Equal(t, doctor.Failed, found(t, c)["clock"].State)
	c.Database.URL = "postgres://nobody:secret@127.0.0.1:1/none"
	all := found(t, c)
	require.Equal(t, doctor.Failed, all["database"].State)
	require.NotContains(t, all["database"].Says, "secret")
}

// Each fault is found by its check, and by no other.
func TestFaultsAreFound(t *testing.T) {
	t.Parallel()
	for _, f := range []struct {
		check string
		state doctor.State
		plant func(t *testing.T, c *doctor.Config)
	}{
		{"database", doctor.Warning, func(t *testing.T, c *doctor.Config) { t.Helper(); c.Database.Dir = t.TempDir() }},
		{"database", doctor.Failed, func(t *testing.T, c *doctor.Config) {
			t.Helper()
			c.Database.Dir = t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(c.Database.Dir, "studycircle.db"), []byte("not a database"), 0o600))
		}},
		{"disk", doctor.Failed, func(t *testing.T, c *doctor.Config) {
			t.Helper()
			file := filepath.Join(t.TempDir(), "file")
			require.NoError(t, os.WriteFile(file, nil, 0o600))
			c.Data = filepath.Join(file, "data")
		}},
		{"mail", doctor.Failed, func(_ *testing.T, c *doctor.Config) { c.Mail = sender{errors.New("no answer")} }},
		{"public address", doctor.Failed, func(_ *testing.T, c *doctor.Config) { c.PublicURL = c.PublicURL.JoinPath("elsewhere") }},
		{"backup", doctor.Warning, func(_ *testing.T, c *doctor.Config) { c.Backups = backups.Config{} }},
		{"backup", doctor.Warning, func(t *testing.T, c *doctor.Config) { t.Helper(); c.Backups.Dir = t.TempDir() }},
		{"backup", doctor.Failed, func(_ *testing.T, c *doctor.Config) { c.Backups.Every = 10 * time.Minute }},
	} {
		c := healthy(t)
		f.plant(t, &c)
		want := maps.Clone(allOK)
		want[f.check] = f.state
		require.Equal(t, want, states(found(t, c)), "%s %s", f.check, f.state)
	}
}

// Emails that are written into a folder reach no one.
func TestEmailsInAFolder(t *testing.T) {
	t.Parallel()
	c := healthy(t)
	c.Mail = mail.Folder(t.TempDir(), nil)
	require.Equal(t, doctor.Warning, found(t, c)["mail"].State)
}
