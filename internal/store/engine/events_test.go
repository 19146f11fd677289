package engine

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestChangesAreReadAsWritten(t *testing.T) {
	t.Parallel()
	events := []studycircle.Event{
		{Kind: studycircle.AssignmentCreated, ID: "-", Audience: studycircle.Everybody},
		{Kind: studycircle.EventsReset, Audience: studycircle.Everybody},
		{Kind: studycircle.OwnSubmission, ID: "x", Audience: "someone"},
	}
	require.Equal(t, events, ParseEvents(EventLines(events)))
	require.Equal(t, events[1:], ParseEvents("not three\n\n"+EventLines(slices.Clone(events[1:]))), "unknown lines are skipped")
}
