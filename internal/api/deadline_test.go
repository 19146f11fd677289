package api

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// A deadline counts from its creation, not from the first wait for it.
func TestADeadlineIsKeptThoughItsTimerIsMadeLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		d := withDeadline(t.Context())
		defer d.end()
		<-time.After(answerWithin / 2)
		require.NoError(t, d.Err())
		at, bounded := d.Deadline()
		require.True(t, bounded)
		require.Equal(t, began.Add(answerWithin), at)
		<-d.Done()
		require.Equal(t, answerWithin, time.Since(began))
		require.ErrorIs(t, d.Err(), context.DeadlineExceeded)
	})
}

// A deadline ends with its client, and with its own end: no timer remains.
func TestADeadlineEndsWithItsRequest(t *testing.T) {
	gone, leave := context.WithCancel(t.Context())
	d := withDeadline(gone)
	leave()
	<-d.Done()
	require.ErrorIs(t, d.Err(), context.Canceled)
	d.end()

	over := withDeadline(t.Context())
	over.end()
	waited := withDeadline(t.Context())
	done := waited.Done()
	waited.end()
	<-done
	require.ErrorIs(t, waited.Err(), context.Canceled)
}
