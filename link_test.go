package studycircle

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestNextLook(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	require.Equal(t, now.Add(time.Hour), NextLook(now.Add(25*time.Hour), now))
	require.Zero(t, NextLook(now.Add(24*time.Hour), now), "it is looked at now")
	require.Zero(t, NextLook(now.Add(-time.Hour), now))
	require.Zero(t, NextLook(time.Time{}, now))
}

func TestSecondLook(t *testing.T) {
	t.Parallel()
	due := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	from, long := due.Add(-LookBeforeDue), due.Add(-time.Hour*100)
	require.True(t, SecondLook(due, long, from))
	require.True(t, SecondLook(due, long, due.Add(-time.Second)))
	require.False(t, SecondLook(due, long, from.Add(-time.Second)), "later")
	require.False(t, SecondLook(due, long, due), "too late")
	require.False(t, SecondLook(due, from, due.Add(-time.Hour)), "it was looked at since")
	require.False(t, SecondLook(time.Time{}, long, due))
}

func TestWhichLinksWarn(t *testing.T) {
	t.Parallel()
	for result, want := range map[LinkResult]bool{LinkReachable: false, LinkSignIn: true, LinkGone: true, LinkUnknown: false, "": false} {
		require.Equal(t, want, LinkHealth{Result: result}.Warns(), result)
		require.True(t, LinkHealth{Result: result, Names: true}.Warns(), result)
	}
	require.True(t, LinkHealth{Result: LinkUnknown, CheckedAt: time.Now()}.Warns(), "the submitter can look")
}

func TestMayReadLink(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	f := LinkFacts{SubmitterID: "submitter", CreatorID: "creator"}
	leased := f
	leased.LeasedUntil = now.Add(time.Second)
	lapsed := f
	lapsed.LeasedUntil = now
	for _, c := range []struct {
		viewer string
		facts  LinkFacts
		may    bool
	}{
		{"submitter", f, true}, {"creator", f, true}, {"other", f, false}, {"other", leased, true}, {"other", lapsed, false},
		{"", f, false}, {"", LinkFacts{}, false}, {"", leased, false},
	} {
		if err := MayReadLink(c.viewer, OwnCircle{}, c.facts, now); c.may {
			require.NoError(t, err, c.viewer)
		} else {
			require.ErrorIs(t, err, ErrNotFound, c.viewer)
		}
	}
}
