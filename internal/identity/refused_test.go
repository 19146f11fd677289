package identity

import (
	"context"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/openid"
)

// full is a store in which every limit is used up and nothing may be written.
type full struct {
	Store
	t *testing.T
}

func (full) SettingOr(_ context.Context, _, fallback string) (string, error) { return fallback, nil }

func (full) AccountByEmail(context.Context, string) (studycircle.Account, error) {
	return studycircle.Account{User: studycircle.User{ID: "ada", Email: "ada@example.org"}}, nil
}

func (f full) Account(ctx context.Context, _ string) (studycircle.Account, error) {
	return f.AccountByEmail(ctx, "")
}

func (full) LimitWait(context.Context, limit.Window, string, time.Time) (time.Duration, error) {
	return time.Minute, nil
}

func (f full) Write(context.Context, func(context.Context, Tx) error) error {
	f.t.Error("a refused attempt was written")
	return nil
}

func TestRefusedAttemptsWriteNothing(t *testing.T) {
	s := full{t: t}
	i, err := New(t.Context(), Store{AccountStore: s, SessionStore: s, CodeStore: s}, Config{
		Registration: studycircle.RegistrationOpen,
		Now:          time.Now, Limits: true, Brand: "StudyCircle", PublicURL: &url.URL{Scheme: "http", Host: "localhost:8080", Path: "/"},
		Providers: []openid.Entry{{ID: "school", Issuer: "http://127.0.0.1:1"}},
	})
	require.NoError(t, err)
	known := Visit{Address: "192.0.2.1", Device: i.withDevice("", "ada", "")}
	require.NotEmpty(t, i.knownDevice(known.Device, "ada"))
	session := studycircle.Session{User: studycircle.User{ID: "ada"}}
	for name, attempt := range map[string]func() error{
		"login": func() error { _, err := i.Login(t.Context(), "ada@example.org", "Aa1234", Visit{}); return err },
		"login from a known browser": func() error {
			_, err := i.Login(t.Context(), "ada@example.org", "Aa1234", known)
			return err
		},
		"reset mail":      func() error { return i.ForgotPassword(t.Context(), "ada@example.org") },
		"password change": func() error { return i.ChangePassword(t.Context(), session, "Aa1234", "Bb1234", known) },
	} {
		assert.Equal(t, studycircle.CodeRateLimited, studycircle.CodeOf(attempt()), name)
	}
	for range addressFailures.Max {
		require.NoError(t, i.failures.Spend("192.0.2.1", time.Now()))
	}
	for name, attempt := range map[string]func() error{
		"passkey": func() error { _, err := i.LoginByPasskey(t.Context(), "", nil, known); return err },
		"provider": func() error {
			_, err := i.BeginProvider(t.Context(), "school", "a", "", "", known)
			return err
		},
	} {
		assert.Equal(t, studycircle.CodeRateLimited, studycircle.CodeOf(attempt()), name)
	}
	for range addressRegistrations.Max {
		require.NoError(t, i.registrations.Spend("192.0.2.1", time.Now()))
	}
	_, err = i.Register(t.Context(), studycircle.Registration{
		Name: "Ada", Email: "ada@example.org", PhotoURL: "https://example.org/a", Password: "Aa1234",
	}, "", known)
	assert.Equal(t, studycircle.CodeRateLimited, studycircle.CodeOf(err))
}
