package identity

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
)

func of(userID string) func(context.Context, string) (studycircle.Session, error) {
	return func(_ context.Context, id string) (studycircle.Session, error) {
		return studycircle.Session{ID: id, User: studycircle.User{ID: userID}}, nil
	}
}

func TestSessionCacheIsBounded(t *testing.T) {
	c := newSessionCache()
	for n := range maxCachedSessions + 1_000 {
		_, err := c.get(t.Context(), fmt.Sprint(n), of("u"))
		require.NoError(t, err)
	}
	assert.LessOrEqual(t, len(c.entries), maxCachedSessions)
}

func TestSessionReadBeforeItEndedIsNotKept(t *testing.T) {
	c := newSessionCache()
	_, err := c.get(t.Context(), "s", func(ctx context.Context, id string) (studycircle.Session, error) {
		c.dropUser("u") // signed out during the read
		return of("u")(ctx, id)
	})
	require.NoError(t, err)
	assert.Empty(t, c.entries)
}

func TestDropRemovesOneUserOnly(t *testing.T) {
	c := newSessionCache()
	for id, user := range map[string]string{"1": "ada", "2": "ada", "3": "bo"} {
		_, err := c.get(t.Context(), id, of(user))
		require.NoError(t, err)
	}
	c.dropUser("ada")
	assert.Len(t, c.entries, 1)
	c.drop("3")
	assert.Empty(t, c.entries)
}

func TestLastSeenIsBoundedAndTakenOnce(t *testing.T) {
	l := newLastSeen()
	now := time.Unix(1_800_000_000, 0)
	for n := range maxSeen + 1_000 {
		l.note(fmt.Sprint(n), now)
	}
	assert.Len(t, l.noted, maxSeen)
	assert.Len(t, l.take(now), maxSeen)
	assert.Empty(t, l.take(now.Add(seenGrain)))
	assert.Empty(t, l.noted)
	l.note("s", now.AddDate(1, 0, 0))
	l.note("s", now) // the clock went back
	assert.Equal(t, now, l.at("s"))
}
