package nodetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// crowd is the number of concurrent clients.
const crowd = 32

// together runs f for 0 to n-1 concurrently and fails with all their errors.
func together(t *testing.T, n int, f func(i int) error) {
	t.Helper()
	start := make(chan struct{})
	failed := make([]error, n)
	var group sync.WaitGroup
	for i := range n {
		group.Go(func() {
			<-start
			failed[i] = f(i)
		})
	}
	close(start)
	group.Wait()
	require.NoError(t, errors.Join(failed...))
}

// oneWins requires exactly one answer with the status won, refusals with code from all
// others, and returns the winner.
func oneWins(t *testing.T, answers []*answer, won int, code studycircle.Code) int {
	t.Helper()
	winner := -1
	for i, a := range answers {
		a.soundness(t)
		if a.status == won {
			require.Negative(t, winner, "%d and %d won", winner, i)
			winner = i
			continue
		}
		a.refused(t, http.StatusConflict, code)
	}
	require.GreaterOrEqual(t, winner, 0, "no request succeeded")
	return winner
}

// persist is try with retries after a 503, as a busy machine answers it, until the test's
// time is over. A request that got a 503 has changed nothing.
func (c *client) persist(ctx context.Context, method, path string, body any, headers ...header) (*answer, error) {
	return untilServed(func() (*answer, error) { return c.try(ctx, method, path, body, headers...) })
}

func untilServed(ask func() (*answer, error)) (*answer, error) {
	for {
		a, err := ask()
		if err != nil || a.status != http.StatusServiceUnavailable {
			return a, err
		}
	}
}

// atOnce runs f, one request, for a crowd and counts the statuses. It retries after a
// 503.
func atOnce(t *testing.T, f func(i int) (*answer, error)) map[int]int {
	t.Helper()
	var mu sync.Mutex
	statuses := map[int]int{}
	together(t, crowd, func(i int) error {
		a, err := untilServed(func() (*answer, error) { return f(i) })
		if err != nil {
			return fmt.Errorf("client %d: %w", i, err)
		}
		mu.Lock()
		defer mu.Unlock()
		statuses[a.status]++
		return nil
	})
	return statuses
}

// expect returns an error if the answer has none of the statuses.
func (a *answer) expect(statuses ...int) error {
	if slices.Contains(statuses, a.status) {
		return nil
	}
	return fmt.Errorf("%s: %d %s", a.what, a.status, a.body)
}

// do is persist that returns an error for an answer with none of the statuses.
func (c *client) do(ctx context.Context, method, path string, body any, statuses ...int) (id string, err error) {
	a, err := c.persist(ctx, method, path, body)
	if err != nil {
		return "", err
	}
	var inserted struct{ InsertedID string }
	if a.status == http.StatusCreated {
		err = json.Unmarshal(a.body, &inserted)
	}
	if err == nil {
		err = a.expect(statuses...)
	}
	return inserted.InsertedID, err
}
