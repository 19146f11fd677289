package admission

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// wait sends somebody into a line; who was let in tells their name.
func wait(t *testing.T, l *Line, let chan string, name string, c Claim) {
	t.Helper()
	go func() {
		if err := l.Enter(t.Context(), c); err != nil {
			name += ": " + err.Error()
		}
		let <- name
	}()
	synctest.Wait()
}

func TestEverybodysFirstComesBeforeAnybodysSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, let := NewLine(1, 100, time.Hour), make(chan string, 100)
		require.True(t, l.TryEnter())
		require.False(t, l.TryEnter())
		for n := range 3 {
			wait(t, l, let, fmt.Sprint("a", n), Claim{Key: "a"})
		}
		wait(t, l, let, "b", Claim{Key: "b"})
		wait(t, l, let, "c", Claim{Key: "c"})
		for _, name := range []string{"a0", "b", "c", "a1", "a2"} {
			l.Leave()
			require.Equal(t, name, <-let)
		}
		require.Zero(t, l.Waiting())
		l.Leave()
		require.NoError(t, l.Enter(t.Context(), Claim{Key: "a"}))
	})
}

// Strangers wait behind those who are signed in, but not for ever.
func TestWhoIsSignedInComesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, let := NewLine(1, 100, time.Hour), make(chan string, 100)
		require.True(t, l.TryEnter())
		for n := range 2 {
			wait(t, l, let, fmt.Sprint("stranger", n), Claim{Key: "a"})
		}
		for n := range 4 {
			wait(t, l, let, fmt.Sprint("user", n), Claim{Key: fmt.Sprint(n), Known: true})
		}
		for _, name := range []string{"user0", "user1", "stranger0", "user2", "user3", "stranger1"} {
			l.Leave()
			require.Equal(t, name, <-let)
		}
	})
}

// Where all the room to wait is taken, it is made by whoever has most of it.
func TestAFullLineHasRoomForTheModest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, let := NewLine(1, 4, time.Hour), make(chan string, 100)
		require.True(t, l.TryEnter())
		for n := range 4 {
			wait(t, l, let, fmt.Sprint("a", n), Claim{Key: "a"})
		}
		require.ErrorIs(t, l.Enter(t.Context(), Claim{Key: "a"}), ErrFull)
		wait(t, l, let, "b", Claim{Key: "b"})
		require.Equal(t, "a3: "+ErrFull.Error(), <-let)
		wait(t, l, let, "user", Claim{Key: "a", Known: true})
		require.Equal(t, "a2: "+ErrFull.Error(), <-let)
		for n := range 3 {
			wait(t, l, let, fmt.Sprint("user", n), Claim{Key: "u", Known: true})
		}
		for _, gone := range []string{"a1", "b", "a0"} {
			require.Equal(t, gone+": "+ErrFull.Error(), <-let, "strangers first, and of those with one each whose turn is last")
		}
		require.ErrorIs(t, l.Enter(t.Context(), Claim{Key: "c"}), ErrFull, "no stranger in a signed-in user's place")
		wait(t, l, let, "other", Claim{Key: "o", Known: true})
		require.Equal(t, "user2: "+ErrFull.Error(), <-let)
		require.Equal(t, 4, l.Waiting())
	})
}

func TestNobodyWaitsForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewLine(1, 10, time.Second)
		require.True(t, l.TryEnter())
		began := time.Now()
		require.ErrorIs(t, l.Enter(t.Context(), Claim{}), ErrFull)
		require.Equal(t, time.Second, time.Since(began))
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		require.ErrorIs(t, l.Enter(ctx, Claim{}), context.DeadlineExceeded)
		require.False(t, l.Return(ctx))
		l.Leave()
		require.True(t, l.TryEnter(), "who gave up has taken nothing along")
		require.Zero(t, l.Waiting())
	})
}

// Who left a place to wait for something else gets one before all who are new.
func TestWhoComesBackComesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, let := NewLine(1, 10, time.Hour), make(chan string, 10)
		require.NoError(t, l.Enter(t.Context(), Claim{}))
		place := l.Held(owner{Key: "mine"})
		ctx := With(t.Context(), &place)
		require.Equal(t, Claim{Key: "mine"}, ClaimOf(ctx))
		require.Equal(t, Claim{}, ClaimOf(t.Context()))
		answered := make(chan struct{})
		go func() {
			let <- Outside(ctx, func() error {
				<-answered
				return errors.New("back")
			}).Error()
		}()
		wait(t, l, let, "first", Claim{Key: "b", Known: true})
		require.Equal(t, "first", <-let, "the place is free meanwhile")
		wait(t, l, let, "second", Claim{Key: "b", Known: true})
		close(answered)
		synctest.Wait()
		l.Leave()
		require.Equal(t, "back", <-let)
		place.Leave()
		require.Equal(t, "second", <-let)
		place.Leave()
		require.False(t, l.TryEnter(), "a place is given back once")
	})
}

type owner Claim

// Claim implements Claimer.
func (o owner) Claim() Claim { return Claim(o) }

// Turns are of time: whose requests take long waits for those whose do not, until
// that is some seconds ago.
func TestWhoHasUsedLessComesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, let := NewLine(1, 100, time.Hour), make(chan string, 100)
		works := func(key string, d time.Duration) {
			require.True(t, l.TryEnter())
			p := l.Held(owner{Key: key})
			wait(t, l, let, "somebody", Claim{Key: "waits"})
			<-time.After(d)
			p.Leave()
			require.Equal(t, "somebody", <-let)
			l.Leave()
		}
		works("long", 100*time.Millisecond)
		works("short", 10*time.Millisecond)
		order := func(want ...string) {
			t.Helper()
			require.True(t, l.TryEnter())
			for _, key := range []string{"long", "long", "short", "new"} {
				wait(t, l, let, key, Claim{Key: key})
			}
			for _, name := range want {
				l.Leave()
				require.Equal(t, name, <-let)
			}
			l.Leave()
		}
		order("new", "short", "long", "long")
		for range 8 {
			<-time.After(usageHalves)
			works("other", time.Millisecond)
		}
		order("long", "short", "new", "long")
	})
}

// What is remembered of who used what has a bound.
func TestUsageIsRememberedOfABoundedNumber(t *testing.T) {
	u := newUsage()
	for n := range 2 * maxUsage {
		u.add(Claim{Key: fmt.Sprint(n)}, time.Second)
	}
	require.Len(t, u.by, maxUsage)
	require.Equal(t, 2*time.Second, u.add(Claim{Key: "1"}, time.Second))
	require.Zero(t, u.add(Claim{Key: "no more"}, time.Second))
}

func TestALimitRefusesAtOnce(t *testing.T) {
	l := NewLimit(1)
	require.NoError(t, l.Do(func() error {
		require.ErrorIs(t, l.Do(func() error { return nil }), ErrFull)
		return nil
	}))
	require.ErrorContains(t, l.Do(func() error { return errors.New("its own") }), "its own")
}
