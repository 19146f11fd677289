package studycircle_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestProfileOfANewcomer(t *testing.T) {
	long := strings.Repeat("ä", studycircle.MaxName+1)
	for name, c := range map[string]struct{ name, picture, wantName, wantPicture string }{
		"as given":        {"Ada Lovelace", "https://example.org/a.png", "Ada Lovelace", "https://example.org/a.png"},
		"nothing given":   {"", "", "ada", ""},
		"nothing visible": {"\u200b \u3164", "", "ada", ""},
		"line break":      {"Ada\nLovelace\x00", "", "Ada Lovelace", ""},
		"too long":        {long, "https://example.org/" + strings.Repeat("a", 2048), strings.Repeat("ä", studycircle.MaxName), ""},
		"script":          {"Ada", "javascript:alert(1)", "Ada", ""},
		"password in it":  {"Ada", "https://a:b@example.org/", "Ada", ""},
		"broken":          {"A\xffda", "https://exa mple.org/", "Ada", ""},
	} {
		got := studycircle.ProviderPerson{Email: "ada@example.org", Name: c.name, Picture: c.picture}.Profile()
		assert.Equal(t, studycircle.Profile{DisplayName: c.wantName, PhotoURL: c.wantPicture}, got, name)
		_, err := got.Clean()
		require.NoError(t, err, name)
	}
	assert.Equal(t, "User", studycircle.ProviderPerson{}.Profile().DisplayName)
}

func TestPasskeyNames(t *testing.T) {
	for in, want := range map[string]string{" Phone ": "Phone", "": "", "   ": "", "a\nb": "", strings.Repeat("a", 101): ""} {
		got, err := studycircle.CleanPasskeyName(in)
		if want == "" {
			assert.Equal(t, studycircle.CodeInvalid, studycircle.CodeOf(err), "%q", in)
			continue
		}
		require.NoError(t, err)
		assert.Equal(t, want, got)
	}
}

func TestLastWayToSignIn(t *testing.T) {
	provider, passkey := studycircle.WaysToSignIn{Providers: 1}, studycircle.WaysToSignIn{Passkeys: 1}
	for name, c := range map[string]struct {
		has, taken studycircle.WaysToSignIn
		may        bool
	}{
		"provider, password left":       {studycircle.WaysToSignIn{Password: true, Providers: 1}, provider, true},
		"provider, passkey left":        {studycircle.WaysToSignIn{Passkeys: 1, Providers: 1}, provider, true},
		"provider, another left":        {studycircle.WaysToSignIn{Providers: 2}, provider, true},
		"provider, the last":            {provider, provider, false},
		"passkey, another left":         {studycircle.WaysToSignIn{Passkeys: 2}, passkey, true},
		"passkey, the last":             {passkey, passkey, false},
		"what opens nothing, the rest":  {studycircle.WaysToSignIn{Passkeys: 1}, studycircle.WaysToSignIn{}, true},
		"what opens nothing, no others": {studycircle.WaysToSignIn{}, studycircle.WaysToSignIn{}, false},
	} {
		err := c.has.MayRemove(c.taken)
		if c.may {
			require.NoError(t, err, name)
		} else {
			assert.Equal(t, studycircle.CodeLastSignInMethod, studycircle.CodeOf(err), name)
		}
	}
}

func TestHowAProvidersPersonMayEnter(t *testing.T) {
	now := time.Now()
	person := studycircle.ProviderPerson{Issuer: "i", Subject: "s", Email: "ada@example.org", EmailVerified: true}
	account := studycircle.Account{User: studycircle.User{ID: "1", Email: "ada@example.org"}}
	unverified, verified := account, account
	unverified.PasswordHash = "hash"
	verified.EmailVerifiedAt = now
	contested, suspended := account, verified
	contested.ContestedAt, suspended.SuspendedAt = now, now
	links := func(issuer, subject string) []studycircle.ProviderLink {
		return []studycircle.ProviderLink{{Issuer: issuer, Subject: subject}}
	}
	with := func(change func(*studycircle.ProviderPerson)) studycircle.ProviderPerson {
		p := person
		change(&p)
		return p
	}
	for name, c := range map[string]struct {
		person studycircle.ProviderPerson
		known  studycircle.KnownAccount
		want   studycircle.Entrance
		code   studycircle.Code
	}{
		"a newcomer":                           {person, studycircle.KnownAccount{}, studycircle.EnterNew, ""},
		"a newcomer, address not verified":     {with(func(p *studycircle.ProviderPerson) { p.EmailVerified = false }), studycircle.KnownAccount{}, studycircle.EnterNew, ""},
		"no address":                           {with(func(p *studycircle.ProviderPerson) { p.Email = "" }), studycircle.KnownAccount{}, 0, studycircle.CodeNoEmail},
		"address not verified by the provider": {with(func(p *studycircle.ProviderPerson) { p.EmailVerified = false }), studycircle.KnownAccount{Account: verified}, 0, studycircle.CodeAccountExists},
		"verified on both sides":               {person, studycircle.KnownAccount{Account: verified}, studycircle.EnterJoin, ""},
		"linked elsewhere too":                 {person, studycircle.KnownAccount{Account: verified, Links: links("other", "s")}, studycircle.EnterJoin, ""},
		"another subject of the issuer":        {person, studycircle.KnownAccount{Account: verified, Links: links("i", "other")}, 0, studycircle.CodeAccountExists},
		"linked a moment ago":                  {person, studycircle.KnownAccount{Account: verified, Links: links("i", "s")}, studycircle.EnterLinked, ""},
		"suspended":                            {person, studycircle.KnownAccount{Account: suspended}, 0, studycircle.CodeUserDisabled},
		"imported, never entered":              {person, studycircle.KnownAccount{Account: account}, studycircle.EnterClaim, ""},
		"registered with a password":           {person, studycircle.KnownAccount{Account: unverified}, studycircle.EnterAsk, ""},
		"entered by a passkey":                 {person, studycircle.KnownAccount{Account: account, Passkeys: 1}, studycircle.EnterAsk, ""},
		"entered by another subject, unproven": {person, studycircle.KnownAccount{Account: account, Links: links("i", "other")}, studycircle.EnterAsk, ""},
		"asked before and not answered":        {person, studycircle.KnownAccount{Account: contested}, studycircle.EnterAsk, ""},
		"an account with another address":      {with(func(p *studycircle.ProviderPerson) { p.Email = "bo@example.org" }), studycircle.KnownAccount{Account: verified}, 0, studycircle.CodeAccountExists},
	} {
		got, err := studycircle.EntranceOf(c.person, c.known)
		assert.Equal(t, c.want, got, name)
		assert.Equal(t, c.code, studycircle.CodeOf(err), name)
	}
}
