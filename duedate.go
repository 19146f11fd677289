package studycircle

import (
	"errors"
	"regexp"
	"time"
)

// PastDueTolerance is how far in the past a new due date may lie: a day that has ended in one time zone still lasts
// in another.
const PastDueTolerance = 24 * time.Hour

var (
	errDueForm  = errors.New("must be a date and time like 2026-12-01T23:59:59+01:00")
	errDueRange = errors.New("must lie between the years 1970 and 9998")
)

// rfc3339 refuses values that time.Parse accepts and browsers do not: hours of one digit, a comma, offsets of a day
// and more.
var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// DueDate is an instant with the offset from UTC that the creator chose, so that all users see the same calendar day.
type DueDate struct{ t time.Time }

// ParseDueDate reads an RFC 3339 time, or YYYY-MM-DD, which is the end of that day in UTC. It truncates to
// microseconds.
func ParseDueDate(s string) (DueDate, error) {
	if day, err := time.Parse(time.DateOnly, s); err == nil {
		return newDueDate(day.Add(24*time.Hour - time.Second))
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil || !rfc3339.MatchString(s) {
		return DueDate{}, errDueForm
	}
	return newDueDate(t)
}

func newDueDate(t time.Time) (DueDate, error) {
	if y := t.UTC().Year(); y < 1970 || y > 9998 {
		return DueDate{}, errDueRange
	}
	_, offset := t.Zone()
	return DueDateAt(t.UnixMicro(), offset/60), nil
}

// DueDateAt returns the due date of microseconds since 1970 UTC and an offset in minutes east of UTC.
func DueDateAt(micros int64, offsetMinutes int) DueDate {
	zone := time.UTC
	if offsetMinutes != 0 {
		zone = time.FixedZone("", offsetMinutes*60)
	}
	return DueDate{time.UnixMicro(micros).In(zone)}
}

// IsZero reports whether d is no due date.
func (d DueDate) IsZero() bool { return d.t.IsZero() }

// Time returns the instant, in the zone of the due date's offset.
func (d DueDate) Time() time.Time { return d.t }

// Micros returns the instant in microseconds since 1970 UTC.
func (d DueDate) Micros() int64 { return d.t.UnixMicro() }

// OffsetMinutes returns the offset of the due date, in minutes east of UTC.
func (d DueDate) OffsetMinutes() int {
	_, offset := d.t.Zone()
	return offset / 60
}

// String returns the RFC 3339 form with the due date's offset.
func (d DueDate) String() string { return d.t.Format(time.RFC3339Nano) }

// Equal reports whether both are the same instant in the same offset.
func (d DueDate) Equal(other DueDate) bool {
	return d.Micros() == other.Micros() && d.OffsetMinutes() == other.OffsetMinutes()
}

// AddDays returns d moved by n calendar days at the same time of day: in zone if its offset there is d's, otherwise in
// d's offset. A day is 23 or 25 hours long when clocks change; a time that does not exist is moved to the next that
// does.
func (d DueDate) AddDays(n int, zone *time.Location) DueDate {
	local := d.t
	if zone != nil {
		_, own := d.t.Zone()
		if in := d.t.In(zone); offsetOf(in) == own {
			local = in
		}
	}
	moved := local.AddDate(0, 0, n)
	wanted := time.Date(
		local.Year(), local.Month(), local.Day()+n,
		local.Hour(), local.Minute(), local.Second(), local.Nanosecond(), time.UTC,
	)
	if missing := wanted.Sub(wallClock(moved)); missing > 0 {
		moved = moved.Add(missing)
	}
	return DueDateAt(moved.UnixMicro(), offsetOf(moved)/60)
}

// along returns d, a time after from, as far after to on the clock on the wall, in to's offset: the same number of days
// later, at the same time of day.
func (d DueDate) along(from, to DueDate) (DueDate, error) {
	after := wallClock(d.t).UnixMicro() - wallClock(from.t).UnixMicro()
	if after <= 0 { // in offsets that lie far apart
		after = d.Micros() - from.Micros()
	}
	return newDueDate(time.UnixMicro(to.Micros() + after).In(to.t.Location()))
}

func offsetOf(t time.Time) int {
	_, offset := t.Zone()
	return offset
}

// wallClock returns what a clock in t's zone shows, as if it were UTC.
func wallClock(t time.Time) time.Time { return t.UTC().Add(time.Duration(offsetOf(t)) * time.Second) }
