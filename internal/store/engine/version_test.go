package engine

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"
)

func TestSharedAnswersAreAskedAfterTheCall(t *testing.T) {
	t.Parallel()
	var clock, asked atomic.Int64
	s := NewShared(func() (int64, error) {
		asked.Add(1)
		return clock.Load(), nil
	})
	var all errgroup.Group
	for range 64 {
		all.Go(func() error {
			for range 200 {
				before := clock.Add(1)
				answer, err := s.Get(t.Context())
				if err != nil {
					return err
				}
				if answer < before {
					return errors.New("an answer from before the question")
				}
			}
			return nil
		})
	}
	require.NoError(t, all.Wait())
	s.Wait()
	require.LessOrEqual(t, asked.Load(), int64(64*200))
}

func TestSharedLetsGoOfThoseWhoLeave(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	s := NewShared(func() (int, error) {
		<-release
		return 1, nil
	})
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := s.Get(gone)
	require.ErrorIs(t, err, context.Canceled)
	close(release)
	n, err := s.Get(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
}
