package identity

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
)

// Concurrent guesses count as if they came one after the other: failures that are counted
// while a password is being checked refuse the right one too.
func TestFailuresCountedMeanwhileRefuseTheRightPassword(t *testing.T) {
	f := &fake{}
	i := with(t, f, time.Now)
	_, err := i.Login(t.Context(), "ada@example.org", right, Visit{})
	require.NoError(t, err)
	f.waitsInside = time.Minute
	_, err = i.Login(t.Context(), "ada@example.org", right, Visit{})
	assert.Equal(t, studycircle.CodeRateLimited, studycircle.CodeOf(err))
}

// An address without an account costs a hash like any other, in the same queue.
func TestUnknownAddressCostsAHash(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		i := with(t, &fake{}, time.Now)
		taken := 0
		for i.hasher.waiting.TryAcquire() {
			taken++
		}
		ended := make(chan error, 2)
		for n, email := range []string{"ada@example.org", "nobody@example.org"} {
			go func() { _, err := i.Login(t.Context(), email, "Wrong1Horse", Visit{}); ended <- err }()
			synctest.Wait()
			require.Equal(t, n+1, i.hasher.waiting.Waiting(), email)
		}
		for range taken {
			i.hasher.waiting.Release()
		}
		for range 2 {
			assert.Equal(t, studycircle.CodeInvalidCredential, studycircle.CodeOf(<-ended))
		}
	})
}

// A browser is known exactly as long as its cookie lives.
func TestDevicesExpire(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	i := with(t, &fake{}, func() time.Time { return now })
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
	f := &fake{}
	i := with(t, f, func() time.Time { return now })
	ticket, err := i.seal(linkTicket, LinkLifetime, "x")
	require.NoError(t, err)
	var value string
	opened, ok := i.open(linkTicket, ticket, &value)
	require.True(t, ok)
	require.NoError(t, f.Write(t.Context(), func(ctx context.Context, tx Tx) error { return use(ctx, tx, errState, opened) }))
	now = now.Add(LinkLifetime - time.Second)
	require.NoError(t, i.removeExpired(t.Context()))
	again, ok := i.open(linkTicket, ticket, &value)
	require.True(t, ok, "good still")
	require.Equal(t, errState, i.unused(t.Context(), errState, again))
	now = now.Add(time.Second)
	_, ok = i.open(linkTicket, ticket, &value)
	require.False(t, ok)
	require.NoError(t, i.removeExpired(t.Context()))
	require.Empty(t, f.tickets)
}
