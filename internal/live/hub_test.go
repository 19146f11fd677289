package live

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// numbers is a log whose cursors are numbers.
type numbers struct {
	mu     sync.Mutex
	events []studycircle.Event
	down   bool
	// removed reports that no user is a member of any circle.
	removed bool
	heard   func()
}

func (l *numbers) News(_ context.Context, since, until string) (news studycircle.News, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.down {
		return news, errors.New("away")
	}
	end, err := strconv.Atoi(until)
	if err != nil {
		end = len(l.events)
	}
	news.Now = strconv.Itoa(end)
	if since == "" {
		return news, nil
	}
	from, err := strconv.Atoi(since)
	if err != nil || from > end {
		news.Gone = true
		return news, nil
	}
	for ; from < end; from++ {
		if len(news.Events) == 100 {
			news.More, news.Now = true, strconv.Itoa(from)
			break
		}
		news.Events = append(news.Events, studycircle.PlacedEvent{Event: l.events[from], Token: strconv.Itoa(from + 1)})
	}
	return news, nil
}

// RoleIn implements Log: a user is a member of the circle "book" and of one with the user's own name.
func (l *numbers) RoleIn(_ context.Context, userID, circleID string) (studycircle.CircleRole, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.down {
		return "", errors.New("away")
	}
	if l.removed || (circleID != "book" && circleID != userID) {
		return "", nil
	}
	return studycircle.CircleMember, nil
}

func (l *numbers) OnNews(ctx context.Context, heard func()) {
	l.mu.Lock()
	l.heard = heard
	l.mu.Unlock()
	<-ctx.Done()
}

// tell adds n events for an audience and announces them.
func (l *numbers) tell(n int, audience studycircle.Audience) {
	l.mu.Lock()
	for range n {
		l.events = append(l.events, studycircle.Event{Kind: studycircle.AssignmentCreated, ID: strconv.Itoa(len(l.events)), Audience: audience})
	}
	heard := l.heard
	l.mu.Unlock()
	if heard != nil {
		heard()
	}
}

func running(t *testing.T) (*Hub, *numbers) {
	t.Helper()
	log := &numbers{}
	h := NewHub(Config{Log: log})
	ctx, stop := context.WithCancel(t.Context())
	var run sync.WaitGroup
	run.Go(func() { h.Run(ctx) })
	t.Cleanup(func() { stop(); run.Wait() })
	return h, log
}

// hear takes events until it has n.
func hear(t *testing.T, l *Listener, n int) []studycircle.PlacedEvent {
	t.Helper()
	var all []studycircle.PlacedEvent
	for {
		events, _, more, ok := l.Take(t.Context())
		require.True(t, ok)
		if all = append(all, events...); len(all) >= n {
			require.Len(t, all, n)
			return all
		}
		<-more
	}
}

func TestListenersReceiveEventsInOrder(t *testing.T) {
	t.Parallel()
	h, log := running(t)
	log.tell(5, studycircle.Everybody)
	l, err := h.Listen(t.Context(), Viewer{}, "2")
	require.NoError(t, err)
	defer l.Leave()
	log.tell(3, studycircle.AllUsers)
	log.tell(2, studycircle.Everybody)
	for i, e := range hear(t, l, 5) {
		require.Equal(t, []string{"2", "3", "4", "8", "9"}[i], e.ID)
	}
}

func TestTooMuchIsAReset(t *testing.T) {
	t.Parallel()
	h, log := running(t)
	late, err := h.Listen(t.Context(), Viewer{}, "")
	require.NoError(t, err)
	defer late.Leave()
	log.tell(maxAtOnce+1, studycircle.Everybody)
	require.NoError(t, h.fresh(t.Context()))
	require.Equal(t, []studycircle.PlacedEvent{reset(strconv.Itoa(maxAtOnce + 1))}, hear(t, late, 1))
	again, err := h.Listen(t.Context(), Viewer{}, "0")
	require.NoError(t, err)
	defer again.Leave()
	require.Equal(t, []studycircle.PlacedEvent{reset(strconv.Itoa(maxAtOnce + 1))}, hear(t, again, 1))

	// A listener that takes nothing until events are dropped is no longer served.
	log.tell(2*kept, studycircle.AllUsers)
	require.NoError(t, h.fresh(t.Context()))
	_, _, _, ok := late.Take(t.Context())
	require.False(t, ok)
	fresh, err := h.Listen(t.Context(), Viewer{}, "1")
	require.NoError(t, err)
	defer fresh.Leave()
	require.Equal(t, studycircle.EventsReset, hear(t, fresh, 1)[0].Kind)
}

func TestListenersAreBounded(t *testing.T) {
	t.Parallel()
	h, _ := running(t)
	visitor := func(n int) Viewer { return Viewer{Network: fmt.Sprint("192.0.2.", n/maxOfNetwork)} }
	user := func(n int) Viewer { return Viewer{User: fmt.Sprint("user", n/maxOfUser)} }
	for n := range maxVisitors {
		require.NoError(t, h.enter(visitor(n)))
	}
	require.Equal(t, errFull, h.enter(Viewer{Network: "198.51.100.1"}))
	for n := range maxListeners - maxVisitors {
		require.NoError(t, h.enter(user(n)))
	}
	_, err := h.Listen(t.Context(), Viewer{User: "ada"}, "")
	require.Equal(t, errFull, err)
	(&Listener{hub: h, viewer: user(0)}).Leave()
	_, err = h.Listen(t.Context(), Viewer{}, "")
	require.Equal(t, errFull, err)
	_, err = h.Listen(t.Context(), Viewer{User: "ada"}, "")
	require.NoError(t, err)
}

// A viewer who opens any number of streams blocks no other viewer.
func TestOneViewerCannotTakeAllListeners(t *testing.T) {
	t.Parallel()
	h, _ := running(t)
	refused := 0
	h.Refused = func() { refused++ }
	greedy := Viewer{User: "ada", Network: "192.0.2.1"}
	var all []*Listener
	for range maxOfUser {
		l, err := h.Listen(t.Context(), greedy, "")
		require.NoError(t, err)
		all = append(all, l)
	}
	_, err := h.Listen(t.Context(), Viewer{User: "ada", Network: "192.0.2.2"}, "")
	require.Equal(t, errGreedy, err, "wherever they are")
	_, err = h.Listen(t.Context(), Viewer{User: "bo", Network: "192.0.2.1"}, "")
	require.NoError(t, err)
	for range maxOfNetwork {
		_, err = h.Listen(t.Context(), Viewer{Network: "192.0.2.1"}, "")
		require.NoError(t, err)
	}
	_, err = h.Listen(t.Context(), Viewer{Network: "192.0.2.1"}, "")
	require.Equal(t, errGreedy, err)
	_, err = h.Listen(t.Context(), Viewer{Network: "192.0.2.2"}, "")
	require.NoError(t, err)
	require.Equal(t, 2, refused)
	require.Equal(t, maxOfUser+1+maxOfNetwork+1, h.Listeners())
	for _, l := range all {
		l.Leave()
	}
	require.NotContains(t, h.of, Viewer{User: "ada"}, "who has left is forgotten")
	_, err = h.Listen(t.Context(), greedy, "")
	require.NoError(t, err)
}

// Each listener receives each event once, even if the older half of the kept events is dropped meanwhile.
func TestEachEventIsReceivedOnceWhileOldOnesAreDropped(t *testing.T) {
	t.Parallel()
	h, log := running(t)
	l, err := h.Listen(t.Context(), Viewer{User: "ada"}, "")
	require.NoError(t, err)
	defer l.Leave()
	want := 0
	for range (3*kept + kept/2) / maxAtOnce {
		log.tell(maxAtOnce, studycircle.AllUsers)
		require.NoError(t, h.fresh(t.Context()))
		events, _, _, ok := l.Take(t.Context())
		require.True(t, ok)
		for _, e := range events {
			require.Equal(t, strconv.Itoa(want), e.ID)
			want++
		}
	}
	require.Greater(t, want, 3*kept)
	require.Positive(t, h.first, "some are forgotten")
}

func TestListeningFailsWithoutTheStore(t *testing.T) {
	t.Parallel()
	h, log := running(t)
	l, err := h.Listen(t.Context(), Viewer{}, "")
	require.NoError(t, err)
	defer l.Leave()
	cursor, err := h.Cursor(t.Context())
	require.NoError(t, err)
	require.Equal(t, "0", cursor)
	log.mu.Lock()
	log.down = true
	log.mu.Unlock()
	_, err = h.Listen(t.Context(), Viewer{}, "")
	require.ErrorContains(t, err, "away")
	log.mu.Lock()
	log.down = false
	log.mu.Unlock()
	log.tell(1, studycircle.Everybody)
	require.Equal(t, "0", hear(t, l, 1)[0].ID, "who listened already goes on")
	h.Close()
	h.Close()
	_, _, _, ok := l.Take(t.Context())
	require.False(t, ok)
	_, err = h.Listen(t.Context(), Viewer{}, "")
	require.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(err))
}

func TestEventsOfACircleReachItsMembersAtDelivery(t *testing.T) {
	t.Parallel()
	h, log := running(t)
	listeners := map[string]*Listener{}
	for _, user := range []string{"", "ada", "bo"} {
		l, err := h.Listen(t.Context(), Viewer{User: user}, "")
		require.NoError(t, err)
		t.Cleanup(l.Leave)
		listeners[user] = l
	}
	log.tell(1, studycircle.Everybody.In("ada"))
	log.tell(1, studycircle.AllUsers.In("book"))
	log.tell(1, studycircle.Audience("bo").In("book"))
	log.tell(1, studycircle.Audience("bo").In("ada"))
	log.tell(1, studycircle.Everybody)
	require.NoError(t, h.fresh(t.Context()))
	takes := func(user string) (ids []string) {
		events, _, _, ok := listeners[user].Take(t.Context())
		require.True(t, ok)
		for _, e := range events {
			ids = append(ids, e.ID)
		}
		return ids
	}
	require.Equal(t, []string{"4"}, takes(""))
	require.Equal(t, []string{"0", "1", "4"}, takes("ada"))
	require.Equal(t, []string{"1", "2", "4"}, takes("bo"))

	// What was announced before a removal is not delivered after it.
	log.tell(1, studycircle.AllUsers.In("book"))
	log.mu.Lock()
	log.removed = true
	log.mu.Unlock()
	require.NoError(t, h.fresh(t.Context()))
	require.Empty(t, takes("ada"))

	// A listener whose circles are unknown ends, and resumes after its last event.
	log.tell(1, studycircle.AllUsers.In("book"))
	require.NoError(t, h.fresh(t.Context()))
	log.mu.Lock()
	log.down = true
	log.mu.Unlock()
	_, _, _, ok := listeners["bo"].Take(t.Context())
	require.False(t, ok)
}
