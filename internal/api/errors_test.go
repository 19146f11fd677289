package api

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// A client that leaves, and a rightly refused request, are normal: warnings about them would hide faults.
func TestWarningsAreOfFaultsOnly(t *testing.T) {
	var logged bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&logged, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })

	here := t.Context()
	gone, leave := context.WithCancel(here)
	leave()
	late, stop := context.WithDeadline(here, time.Now().Add(-time.Second))
	defer stop()
	interrupted := &studycircle.Error{Code: studycircle.CodeUnavailable, Message: "Away.", Err: errors.New("interrupted")}
	for _, c := range []struct {
		name   string
		ctx    context.Context
		err    error
		status int
		warns  bool
	}{
		{"a client that left", gone, context.Canceled, 503, false},
		{"a client that left, in the database's words", gone, interrupted, 503, false},
		{"a client that left, with an unknown error", gone, errors.New("strange"), 503, false},
		{"a refusal", here, &studycircle.Error{Code: studycircle.CodeUnavailable, Message: "Too many."}, 503, false},
		{"the database away", here, interrupted, 503, true},
		{"a request that took too long", late, context.DeadlineExceeded, 503, true},
		{"an answer that took too long", here, errors.Join(errors.New("strange"), context.DeadlineExceeded), 503, true},
		{"a fault", here, errors.New("strange"), 500, true},
		{"a provider that is away", here, &studycircle.Error{Code: studycircle.CodeProviderAway, Message: "Away."}, 503, false},
	} {
		logged.Reset()
		require.Equal(t, c.status, problemOf(c.ctx, c.err).Status, c.name)
		require.Equal(t, c.warns, logged.Len() > 0, "%s: %s", c.name, logged.String())
	}
}

// The same mistakes get the same answer, whatever the order of finding them, and a thousand mistakes get a short one.
func TestFaultsStandInOrderAndAreFew(t *testing.T) {
	var wrong faults
	for _, name := range []string{"c", "a", "d", "b"} {
		wrong.add("body."+name, "There is no such field.")
	}
	var at []string
	for _, f := range problemOf(t.Context(), wrong.err()).Errors {
		at = append(at, f.Location)
	}
	require.Equal(t, []string{"body.a", "body.b", "body.c", "body.d"}, at)
	for range 1000 {
		wrong.add("body.e", "There is no such field.")
	}
	require.Len(t, problemOf(t.Context(), wrong.err()).Errors, maxFaults)
}
