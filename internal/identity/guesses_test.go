package identity

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
)

// Concurrent guesses count as if they came one after the other: failures that are counted
// while a password is being checked refuse the right one too.
func TestFailuresCountedMeanwhileRefuseTheRightPassword(t *testing.T) {
	i := with(t, time.Now)
	_, err := i.Login(t.Context(), "ada@example.org", right, Visit{})
	require.NoError(t, err)
	release := i.takeHashes()
	ended := make(chan error, 1)
	go func() { _, err := i.Login(t.Context(), "ada@example.org", right, Visit{}); ended <- err }()
	i.hashesWait(t, 1)
	i.exhaust(t, pairFailures, i.attempt("ada@example.org", "", Visit{}).pair)
	release()
	assert.Equal(t, studycircle.CodeRateLimited, studycircle.CodeOf(<-ended))
}

// An address without an account costs a hash like any other, in the same queue.
func TestUnknownAddressCostsAHash(t *testing.T) {
	i := with(t, time.Now)
	release := i.takeHashes()
	ended := make(chan error, 2)
	for n, email := range []string{"ada@example.org", "nobody@example.org"} {
		go func() { _, err := i.Login(t.Context(), email, "Wrong1Horse", Visit{}); ended <- err }()
		i.hashesWait(t, n+1)
	}
	release()
	for range 2 {
		assert.Equal(t, studycircle.CodeInvalidCredential, studycircle.CodeOf(<-ended))
	}
}

// A browser is known exactly as long as its cookie lives.
func TestDevicesExpire(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	i := with(t, func() time.Time { return now })
	cookie := i.withDevice("", "ada", "")
	require.NotEmpty(t, i.knownDevice(cookie, "ada"))
	now = now.Add(DeviceLifetime)
	require.NotEmpty(t, i.knownDevice(cookie, "ada"))
	now = now.Add(time.Second)
	require.Empty(t, i.knownDevice(cookie, "ada"))
	require.NotEmpty(t, i.knownDevice(i.withDevice(cookie, "ada", ""), "ada"), "a sign-in makes it known anew")
}

// A used ticket is remembered for as long as it would be valid.
func TestUsedTicketsAreRememberedUntilTheyExpire(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	i := with(t, func() time.Time { return now })
	ticket, err := i.seal(linkTicket, LinkLifetime, "x")
	require.NoError(t, err)
	var value string
	opened, ok := i.open(linkTicket, ticket, &value)
	require.True(t, ok)
	require.NoError(t, i.write(t.Context(), func(ctx context.Context, tx *store.Tx) error { return use(ctx, tx, errState, opened) }))
	now = now.Add(LinkLifetime - time.Second)
	require.NoError(t, i.removeExpired(t.Context()))
	again, ok := i.open(linkTicket, ticket, &value)
	require.True(t, ok, "good still")
	require.Equal(t, errState, i.unused(t.Context(), errState, again))
	now = now.Add(time.Second)
	_, ok = i.open(linkTicket, ticket, &value)
	require.False(t, ok)
	now = now.Add(time.Second)
	require.NoError(t, i.removeExpired(t.Context()))
	remembered, err := i.store.TicketUsed(t.Context(), again.hash)
	require.NoError(t, err)
	require.False(t, remembered)
}
