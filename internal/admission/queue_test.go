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

// wait starts a request; it sends its name once it has a slot.
func wait(t *testing.T, l *Queue, let chan string, name string, c Claim) {
	t.Helper()
	go func() {
		if err := l.Acquire(t.Context(), c); err != nil {
			name += ": " + err.Error()
		}
		let <- name
	}()
	synctest.Wait()
}

func TestFirstRequestsGoBeforeSecondOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, let := NewQueue(1, 100, time.Hour), make(chan string, 100)
		require.True(t, l.TryAcquire())
		require.False(t, l.TryAcquire())
		for n := range 3 {
			wait(t, l, let, fmt.Sprint("a", n), Claim{Key: "a"})
		}
		wait(t, l, let, "b", Claim{Key: "b"})
		wait(t, l, let, "c", Claim{Key: "c"})
		for _, name := range []string{"a0", "b", "c", "a1", "a2"} {
			l.Release()
			require.Equal(t, name, <-let)
		}
		require.Zero(t, l.Waiting())
		l.Release()
		require.NoError(t, l.Acquire(t.Context(), Claim{Key: "a"}))
	})
}

// Visitors wait behind users, but not forever.
func TestUsersGoBeforeVisitors(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, let := NewQueue(1, 100, time.Hour), make(chan string, 100)
		require.True(t, l.TryAcquire())
		for n := range 2 {
			wait(t, l, let, fmt.Sprint("visitor", n), Claim{Key: "a"})
		}
		for n := range 4 {
			wait(t, l, let, fmt.Sprint("user", n), Claim{Key: fmt.Sprint(n), SignedIn: true})
		}
		for _, name := range []string{"user0", "user1", "visitor0", "user2", "user3", "visitor1"} {
			l.Release()
			require.Equal(t, name, <-let)
		}
	})
}

// In a full queue the key with most requests makes room.
func TestAFullQueueRefusesTheGreediestKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, let := NewQueue(1, 4, time.Hour), make(chan string, 100)
		require.True(t, l.TryAcquire())
		for n := range 4 {
			wait(t, l, let, fmt.Sprint("a", n), Claim{Key: "a"})
		}
		require.ErrorIs(t, l.Acquire(t.Context(), Claim{Key: "a"}), ErrFull)
		wait(t, l, let, "b", Claim{Key: "b"})
		require.Equal(t, "a3: "+ErrFull.Error(), <-let)
		wait(t, l, let, "user", Claim{Key: "a", SignedIn: true})
		require.Equal(t, "a2: "+ErrFull.Error(), <-let)
		for n := range 3 {
			wait(t, l, let, fmt.Sprint("user", n), Claim{Key: "u", SignedIn: true})
		}
		for _, gone := range []string{"a1", "b", "a0"} {
			require.Equal(t, gone+": "+ErrFull.Error(), <-let, "visitors first; of keys with one request each, the one whose turn is last")
		}
		require.ErrorIs(t, l.Acquire(t.Context(), Claim{Key: "c"}), ErrFull, "a visitor does not displace a user")
		wait(t, l, let, "other", Claim{Key: "o", SignedIn: true})
		require.Equal(t, "user2: "+ErrFull.Error(), <-let)
		require.Equal(t, 4, l.Waiting())
	})
	synctest.Test(t, func(t *testing.T) {
		l, let := NewQueue(1, 3, time.Hour), make(chan string, 100)
		require.True(t, l.TryAcquire())
		for _, key := range []string{"a", "a", "b"} {
			wait(t, l, let, key, Claim{Key: key})
		}
		require.ErrorIs(t, l.Acquire(t.Context(), Claim{Key: "b"}), ErrFull, "it would have as many as the greediest")
		require.Equal(t, 3, l.Waiting())
	})
}

// A request whose context ends just before it gets a slot uses the slot or passes it on,
// whether it waits for the first time or returns.
func TestNoSlotIsLostAsARequestLeaves(t *testing.T) {
	for name, acquire := range map[string]func(*Queue, context.Context) bool{
		"first":     func(l *Queue, ctx context.Context) bool { return l.Acquire(ctx, Claim{}) == nil },
		"returning": func(l *Queue, ctx context.Context) bool { return l.Reacquire(ctx) },
	} {
		t.Run(name, func(t *testing.T) {
			for range 100 { // as the scheduler has it
				synctest.Test(t, func(t *testing.T) {
					l, got := NewQueue(1, 10, time.Hour), make(chan bool, 1)
					require.True(t, l.TryAcquire())
					ctx, cancel := context.WithCancel(t.Context())
					go func() { got <- acquire(l, ctx) }()
					synctest.Wait()
					cancel()
					l.Release()
					if <-got {
						l.Release()
					}
					require.True(t, l.TryAcquire())
				})
			}
		})
	}
}

// Of the requests that return, the one that has waited longest goes first.
func TestReturningRequestsTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, got := NewQueue(1, 10, time.Hour), make(chan int, 3)
		require.True(t, l.TryAcquire())
		for n := range 3 {
			go func() {
				if l.Reacquire(t.Context()) {
					got <- n
				}
			}()
			synctest.Wait()
		}
		for n := range 3 {
			l.Release()
			require.Equal(t, n, <-got)
		}
	})
}

func TestWaitingIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := NewQueue(1, 10, time.Second)
		require.True(t, l.TryAcquire())
		began := time.Now()
		require.ErrorIs(t, l.Acquire(t.Context(), Claim{}), ErrFull)
		require.Equal(t, time.Second, time.Since(began))
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		require.ErrorIs(t, l.Acquire(ctx, Claim{}), context.DeadlineExceeded)
		require.False(t, l.Reacquire(ctx))
		l.Release()
		require.True(t, l.TryAcquire(), "a request that gave up holds no slot")
		require.Zero(t, l.Waiting())
	})
}

// A request that released its slot while it waited for something else gets one before new requests.
func TestReturningRequestsGoFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, let := NewQueue(1, 10, time.Hour), make(chan string, 10)
		require.NoError(t, l.Acquire(t.Context(), Claim{}))
		slot := l.Hold(owner{Key: "mine"})
		ctx := With(t.Context(), &slot)
		require.Equal(t, Claim{Key: "mine"}, ClaimOf(ctx))
		require.Equal(t, Claim{}, ClaimOf(t.Context()))
		answered := make(chan struct{})
		go func() {
			let <- WithoutSlot(ctx, func() error {
				<-answered
				return errors.New("back")
			}).Error()
		}()
		wait(t, l, let, "first", Claim{Key: "b", SignedIn: true})
		require.Equal(t, "first", <-let, "the slot is free meanwhile")
		wait(t, l, let, "second", Claim{Key: "b", SignedIn: true})
		close(answered)
		synctest.Wait()
		l.Release()
		require.Equal(t, "back", <-let)
		slot.Release()
		require.Equal(t, "second", <-let)
		slot.Release()
		require.False(t, l.TryAcquire(), "a slot is given back once")
	})
}

// Work without the slot may contain more work without it, and the slot stays one.
func TestNestedWorkWithoutASlotTakesOne(t *testing.T) {
	l := NewQueue(2, 0, time.Hour)
	require.True(t, l.TryAcquire())
	slot := l.Hold(owner{Key: "mine"})
	ctx := With(t.Context(), &slot)
	require.NoError(t, WithoutSlot(ctx, func() error {
		return WithoutSlot(ctx, func() error { return nil })
	}))
	slot.Release()
	for _, free := range []bool{true, true, false} {
		require.Equal(t, free, l.TryAcquire())
	}
}

type owner Claim

// Claim implements Claimer.
func (o owner) Claim() Claim { return Claim(o) }

// Turns are of time: keys whose requests took long wait for the others, until that is some
// seconds ago.
func TestTheKeyThatUsedLessGoesFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l, let := NewQueue(1, 100, time.Hour), make(chan string, 100)
		works := func(key string, d time.Duration) {
			require.True(t, l.TryAcquire())
			p := l.Hold(owner{Key: key})
			wait(t, l, let, "other", Claim{Key: "waits"})
			<-time.After(d)
			p.Release()
			require.Equal(t, "other", <-let)
			l.Release()
		}
		works("long", 100*time.Millisecond)
		works("short", 10*time.Millisecond)
		order := func(want ...string) {
			t.Helper()
			require.True(t, l.TryAcquire())
			for _, key := range []string{"long", "long", "short", "new"} {
				wait(t, l, let, key, Claim{Key: key})
			}
			for _, name := range want {
				l.Release()
				require.Equal(t, name, <-let)
			}
			l.Release()
		}
		order("new", "short", "long", "long")
		for range 8 {
			<-time.After(usageHalves)
			works("other", time.Millisecond)
		}
		order("long", "short", "new", "long")
	})
}

// The use of a slot counts for requests of the same key that wait already. The time
// without the slot does not count.
func TestTimeWithoutASlotIsNotUse(t *testing.T) {
	for name, c := range map[string]struct {
		released bool
		want     []string
	}{"working": {false, []string{"short", "long"}}, "waiting without the slot": {true, []string{"long", "short"}}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l, let := NewQueue(1, 100, time.Hour), make(chan string, 100)
				works := func(key string, began func(), work func(ctx context.Context)) {
					require.True(t, l.TryAcquire())
					p := l.Hold(owner{Key: key})
					ctx := With(t.Context(), &p)
					began()
					work(ctx)
					p.Release()
				}
				others := func() {
					for _, key := range []string{"first", "long", "short"} {
						wait(t, l, let, key, Claim{Key: key})
					}
				}
				works("short", func() { wait(t, l, let, "first", Claim{Key: "first"}) }, func(context.Context) { <-time.After(10 * time.Millisecond) })
				require.Equal(t, "first", <-let)
				l.Release()
				works("long", func() {}, func(ctx context.Context) {
					if !c.released {
						others()
						<-time.After(100 * time.Millisecond)
						return
					}
					require.NoError(t, WithoutSlot(ctx, func() error {
						<-time.After(100 * time.Millisecond)
						return nil
					}))
					others()
				})
				require.Equal(t, "first", <-let)
				for _, want := range c.want {
					l.Release()
					require.Equal(t, want, <-let)
				}
			})
		})
	}
}

// The number of keys whose use is recorded is bounded.
func TestRecordedUseIsBounded(t *testing.T) {
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
