package calendar_test

import (
	"bytes"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/emersion/go-ical"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"studycircle"
	"studycircle/internal/calendar"
)

var feed = calendar.Feed{Brand: "Study, Circle; “Übung”", Host: "study.example.org", Link: func(id string) string { return "https://study.example.org/assignment/" + id }}

// read parses a calendar with another library, after checking RFC 5545's rules for lines.
func read(t require.TestingT, written []byte) *ical.Calendar {
	require.True(t, bytes.HasSuffix(written, []byte("\r\n")))
	for line := range strings.SplitSeq(strings.TrimSuffix(string(written), "\r\n"), "\r\n") {
		require.NotContains(t, line, "\n")
		require.NotContains(t, line, "\r")
		require.LessOrEqual(t, len(line), 75, "octets of a line: %q", line)
		require.True(t, utf8.ValidString(line), "no character is cut: %q", line)
	}
	c, err := ical.NewDecoder(bytes.NewReader(written)).Decode()
	require.NoError(t, err)
	return c
}

func due(t require.TestingT, s string) studycircle.DueDate {
	d, err := studycircle.ParseDueDate(s)
	require.NoError(t, err)
	return d
}

func TestCalendar(t *testing.T) {
	t.Parallel()
	changed := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	events := []studycircle.CalendarEvent{
		{AssignmentID: "a", Title: "Tides", Due: due(t, "2026-12-10T23:59:59+05:45"), ChangedAt: changed},
		{AssignmentID: "b", Title: "Done; with, commas\\ and “marks”", Due: due(t, "2026-12-12"), ChangedAt: changed, HandedIn: true, Revision: 3},
	}
	written := feed.Write(events)
	require.Equal(t, written, feed.Write(events), "the same bytes for the same events")
	c := read(t, written)
	found := c.Events()
	require.Len(t, found, 2)
	text := func(e ical.Event, name string) string {
		s, err := e.Props.Text(name)
		require.NoError(t, err)
		return s
	}
	require.Equal(t, "a@study.example.org", text(found[0], ical.PropUID))
	require.Equal(t, "Tides", text(found[0], ical.PropSummary))
	require.Equal(t, "✓ Done; with, commas\\ and “marks”", text(found[1], ical.PropSummary))
	require.NotEqual(t, text(found[0], ical.PropStatus), text(found[1], ical.PropStatus))
	require.Equal(t, "0", found[0].Props.Get(ical.PropSequence).Value)
	require.Equal(t, "3", found[1].Props.Get(ical.PropSequence).Value)
	start, err := found[0].DateTimeStart(time.UTC)
	require.NoError(t, err)
	require.Equal(t, time.Date(2026, 12, 10, 18, 14, 59, 0, time.UTC), start)
	modified, err := found[0].Props.DateTime(ical.PropLastModified, time.UTC)
	require.NoError(t, err)
	require.Equal(t, changed, modified)
	require.Equal(t, "https://study.example.org/assignment/a", found[0].Props.Get(ical.PropURL).Value)
	read(t, feed.Write(nil))
}

// Titles of assignments survive writing and reading a calendar.
func TestCalendarOfEveryTitle(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		title := rapid.StringN(1, 200, -1).Draw(t, "title")
		if rapid.Bool().Draw(t, "special") {
			title = rapid.StringOfN(rapid.SampledFrom([]rune("a\\,;:\"'nN^%&潮🌊é\u2028\t =\u200f")), 1, 200, -1).Draw(t, "special title")
		}
		in, err := studycircle.AssignmentInput{
			Title: title, Description: "x", Thumbnail: "https://example.org/a.png", Marks: 1, DueDate: "2026-12-10",
		}.Clean()
		if err != nil {
			return // no assignment has it
		}
		events := []studycircle.CalendarEvent{{AssignmentID: "a", Title: in.Title, Due: due(t, "2026-12-10"), ChangedAt: time.Unix(0, 0)}}
		found := read(t, feed.Write(events)).Events()
		require.Len(t, found, 1)
		summary, err := found[0].Props.Text(ical.PropSummary)
		require.NoError(t, err)
		require.Equal(t, in.Title, summary)
	})
}
