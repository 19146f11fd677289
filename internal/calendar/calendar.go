// Package calendar writes reminders as a calendar (RFC 5545). It knows neither the
// calendar's owner nor how it is served.
package calendar

import (
	"strings"
	"time"

	ical "github.com/arran4/golang-ical"

	"studycircle"
)

// done is the prefix of an event's title once the user has handed in.
const done = "✓ "

// Feed is a calendar.
type Feed struct {
	Brand string
	// Host makes the events' ids unique.
	Host string
	// Link returns the address of an assignment's page.
	Link func(assignmentID string) string
}

// Write writes events. Equal events give equal bytes, so that an unchanged calendar need
// not be sent again.
func (f Feed) Write(events []studycircle.CalendarEvent) []byte {
	c := ical.NewCalendarFor(f.Brand)
	c.SetMethod(ical.MethodPublish)
	c.SetXWRCalName(f.Brand)
	c.SetRefreshInterval("PT1H")
	for _, e := range events {
		v := c.AddEvent(e.AssignmentID + "@" + f.Host)
		v.SetDtStampTime(e.ChangedAt)
		v.SetLastModifiedAt(e.ChangedAt)
		v.SetSequence(int(e.Revision))
		v.SetStartAt(e.Due.Time().UTC().Truncate(time.Second))
		v.SetURL(f.Link(e.AssignmentID))
		v.SetTimeTransparency(ical.TransparencyTransparent)
		title, status := e.Title, ical.ObjectStatusTentative
		if e.HandedIn {
			title, status = done+title, ical.ObjectStatusConfirmed
		}
		v.SetSummary(strings.ToValidUTF8(title, ""))
		v.SetStatus(status)
	}
	return []byte(c.Serialize(ical.WithNewLineWindows))
}
