// Package calendar writes what somebody wants to be reminded of as RFC 5545 has it.
// It knows nothing of whose calendar it is, nor how it is served.
package calendar

import (
	"strings"
	"time"

	ical "github.com/arran4/golang-ical"

	"studycircle"
)

// done begins the title of what was handed in.
const done = "✓ "

// Feed is a calendar to be written.
type Feed struct {
	Brand string
	// Host makes ids that nobody else gives out.
	Host string
	// Link is the address of an assignment's page.
	Link func(assignmentID string) string
}

// Write writes events. The same events give the same bytes, so that a calendar that
// has not changed need not be sent again.
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
