package main

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/app"
	"studycircle/internal/store"
)

func TestUserIsSuspendedAndRestored(t *testing.T) {
	config := store.Config{Dir: t.TempDir()}
	s, err := store.Open(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	now := time.Now()
	ada := studycircle.User{ID: studycircle.NewID(now), Email: "ada@example.org", DisplayName: "Ada", CreatedAt: now}
	require.NoError(t, s.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		if err := tx.InsertAccount(ctx, studycircle.Account{User: ada}); err != nil {
			return err
		}
		return tx.InsertSession(ctx, store.NewSession{ID: "one", UserID: ada.ID, SecretHash: "x", CreatedAt: now, ExpiresAt: now.Add(time.Hour)})
	}))
	suspended := func() bool {
		a, err := s.AccountByEmail(t.Context(), ada.Email)
		require.NoError(t, err)
		return !a.SuspendedAt.IsZero()
	}
	flags := databaseFlags{Data: config.Dir}
	require.NoError(t, suspendCommand{operatorFlags{databaseFlags: flags}, " Ada@Example.org "}.Run(t.Context()))
	assert.True(t, suspended())
	_, err = s.Session(t.Context(), "one")
	assert.Equal(t, studycircle.CodeNotFound, studycircle.CodeOf(err))
	require.NoError(t, unsuspend{operatorFlags{databaseFlags: flags}, ada.Email}.Run(t.Context()))
	assert.False(t, suspended())
	require.ErrorContains(t, suspendCommand{operatorFlags{databaseFlags: flags}, "nobody@example.org"}.Run(t.Context()), "no account")
}

func TestAccountFlags(t *testing.T) {
	public := &url.URL{Scheme: "http", Host: "localhost:8080"}
	var c serveCommand
	c.Brand, c.Data, c.RateLimits = "StudyCircle", t.TempDir(), "on"
	c.TrustedProxies = []string{"10.1.2.3/8", "::1", "192.0.2.1"}
	config := app.Config{PublicURL: public}
	require.NoError(t, c.accounts(t.Context(), &config))
	assert.True(t, config.Limits)
	assert.NotNil(t, config.Mail)
	assert.Equal(t, "[10.0.0.0/8 ::1/128 192.0.2.1/32]", fmt.Sprint(config.TrustedProxies))

	c.EnrolDomains = []string{"School.example", "x.org"}
	require.NoError(t, c.accounts(t.Context(), &config))
	assert.Equal(t, studycircle.Domains{"school.example": true, "x.org": true}, config.EnrolDomains)
	c.EnrolDomains = []string{"x y"}
	require.ErrorContains(t, c.accounts(t.Context(), &config), `--enrol-domains: "x y" is no domain`)
	c.EnrolDomains = nil

	c.GoogleClientID, c.GoogleClientSecret = "id", "secret"
	require.NoError(t, c.accounts(t.Context(), &config))
	require.Len(t, config.Providers, 1)
	assert.Equal(t, "google", config.Providers[0].ID)
	c.OIDC = filepath.Join(t.TempDir(), "missing.json")
	require.ErrorContains(t, c.accounts(t.Context(), &config), "--oidc "+c.OIDC+": no such file")
	c.OIDC = ""

	c.RateLimits = "off"
	require.NoError(t, c.accounts(t.Context(), &config))
	assert.False(t, config.Limits)
	for _, spoil := range []func(*serveCommand){
		func(c *serveCommand) { c.TrustedProxies = []string{"everybody"} },
		func(c *serveCommand) { c.SMTPURL = "mail.example.org" },
		func(c *serveCommand) { c.MailFrom = "nobody" },
		func(c *serveCommand) { c.EnrolDomains = []string{"school.example", "*"} },
	} {
		bad := c
		spoil(&bad)
		require.Error(t, bad.accounts(t.Context(), &config))
	}
}

func TestLimitsStayOnWhereOthersCanReach(t *testing.T) {
	c := serveCommand{listenFlags: listenFlags{Addr: "0.0.0.0:0"}}
	c.Brand, c.Data, c.RateLimits = "StudyCircle", filepath.Join(t.TempDir(), "data"), "off"
	require.ErrorContains(t, c.Run(t.Context()), "--rate-limits=off")
	assert.NoDirExists(t, c.Data, "refused before anything is touched")
}
