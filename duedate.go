package studycircle

import (
	"errors"
	"regexp"
	"time"
)

// PastDueTolerance is how far in the past a new due date may lie: a calendar day
// that has just ended somewhere is still a day that somebody may mean.
const PastDueTolerance = 24 * time.Hour

var (
	errDueForm  = errors.New("must be a date and time like 2026-12-01T23:59:59+01:00")
	errDueRange = errors.New("must lie between the years 1970 and 9998")
)

// rfc3339 refuses what time.Parse takes beyond it and a browser could not read
// back: hours of one digit, a comma, offsets of a day and more.
var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)

// DueDate is an instant together with the offset from UTC it was given in, so
// that everybody sees the calendar day that the creator meant.
type DueDate struct{ t time.Time }

// ParseDueDate reads an RFC 3339 time, or a plain YYYY-MM-DD, which is the end
// of that day in UTC. What is finer than a microsecond is dropped.
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

// DueDateAt makes a due date from microseconds since 1970 UTC and an offset in
// minutes east of UTC.
func DueDateAt(micros int64, offsetMinutes int) DueDate {
	zone := time.UTC
	if offsetMinutes != 0 {
		zone = time.FixedZone("", offsetMinutes*60)
	}
	return DueDate{time.UnixMicro(micros).In(zone)}
}

// IsZero tells whether d is no due date.
func (d DueDate) IsZero() bool { return d.t.IsZero() }

// Time is the instant, in the zone it was given in.
func (d DueDate) Time() time.Time { return d.t }

// Micros is the instant in microseconds since 1970 UTC.
func (d DueDate) Micros() int64 { return d.t.UnixMicro() }

// OffsetMinutes is the offset the date was given in, in minutes east of UTC.
func (d DueDate) OffsetMinutes() int {
	_, offset := d.t.Zone()
	return offset / 60
}

// String is the RFC 3339 form with the offset it was given in.
func (d DueDate) String() string { return d.t.Format(time.RFC3339Nano) }

// Equal tells whether both are the same instant in the same offset.
func (d DueDate) Equal(other DueDate) bool {
	return d.Micros() == other.Micros() && d.OffsetMinutes() == other.OffsetMinutes()
}
