package identity

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/openid"
)

// An attempt that a limit refuses costs no write.
func TestRefusedAttemptsWriteNothing(t *testing.T) {
	i := with(t, time.Now, openid.Entry{ID: "school", Issuer: "http://127.0.0.1:1"})
	known := Visit{Address: "192.0.2.1", Device: i.withDevice("", i.ada.ID, "")}
	device := i.knownDevice(known.Device, i.ada.ID)
	require.NotEmpty(t, device)
	session := studycircle.Session{User: i.ada}
	i.exhaust(t, pairFailures, i.attempt(i.ada.Email, "", Visit{}).pair)
	i.exhaust(t, pairFailures, i.attempt(i.ada.Email, "", known).pair)
	for _, browser := range []string{device, "session"} {
		i.exhaust(t, deviceBurst, i.attempt(i.ada.Email, browser, known).device)
	}
	i.exhaust(t, resetMails, i.subject(i.ada.Email))
	i.admit = func() { t.Error("a refused attempt was written") }
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
	_, err := i.Register(t.Context(), studycircle.Registration{
		Name: "Ada", Email: "ada@example.org", PhotoURL: "https://example.org/a", Password: "Aa1234",
	}, "", known)
	assert.Equal(t, studycircle.CodeRateLimited, studycircle.CodeOf(err))
}
