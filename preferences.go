package studycircle

import (
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // zones, where the machine has none
)

// Bounds of what people want to be told and when.
const (
	MaxReminders  = 5  // before one due date
	MaxDaysBefore = 30 // that a reminder goes out
	maxZone       = 64 // bytes of a time zone's name
)

// Digest says how mails go out.
type Digest string

// The ways: each by itself, or once a day.
const (
	NoDigest    Digest = "none"
	DailyDigest Digest = "daily"
)

// Channel says where somebody is told of one kind.
type Channel struct{ App, Mail bool }

// Preferences are when and where a user wants to be told.
type Preferences struct {
	// TimeZone is a name of the IANA database; "" is UTC, as nobody has said which.
	TimeZone string
	// DaysBefore are the days before a due day on which reminders go out, most first.
	DaysBefore []int
	// At is when on the user's day reminders and digests go out, HH:MM.
	At string
	// Channels has every kind.
	Channels map[NotificationKind]Channel
	Digest   Digest
}

// DefaultPreferences are those of somebody who has said nothing.
func DefaultPreferences() Preferences {
	p := Preferences{DaysBefore: []int{3, 1}, At: "09:00", Channels: map[NotificationKind]Channel{}, Digest: NoDigest}
	for _, kind := range NotificationKinds {
		mailed := kind == NotifyGraded || kind == NotifyReply || kind == NotifyMention || kind == NotifyDue
		p.Channels[kind] = Channel{App: true, Mail: mailed}
	}
	return p
}

// Clean checks and sorts; CodeInvalid. Kinds that p does not say stay as before has them.
func (p Preferences) Clean(before Preferences) (Preferences, error) {
	var wrong problems
	if !ValidZone(p.TimeZone) {
		wrong.add("timeZone", "This time zone is not known. Names look like Europe/Berlin.")
	}
	days := slices.Clone(p.DaysBefore)
	slices.SortFunc(days, func(a, b int) int { return b - a })
	p.DaysBefore = slices.Compact(days)
	if len(p.DaysBefore) != len(days) || len(days) > MaxReminders || slices.ContainsFunc(days, func(d int) bool { return d < 0 || d > MaxDaysBefore }) {
		wrong.add("reminders.daysBefore", "Reminders go out on up to %d different days, 0 to %d before the due day.", MaxReminders, MaxDaysBefore)
	}
	if _, _, ok := clockTime(p.At); !ok {
		wrong.add("reminders.at", "The time must look like 09:00.")
	}
	channels := map[NotificationKind]Channel{}
	for _, kind := range NotificationKinds {
		channels[kind] = before.Channels[kind]
	}
	for kind, c := range p.Channels {
		if !kind.Valid() {
			wrong.add("channels", "There is no such kind of notification.")
			break
		}
		channels[kind] = c
	}
	p.Channels = channels
	if p.Digest != NoDigest && p.Digest != DailyDigest {
		wrong.add("digest", "The digest is none or daily.")
	}
	return p, wrong.err(CodeInvalid)
}

// ValidZone tells whether a time zone's name is of the IANA database.
func ValidZone(name string) bool {
	if name == "" || name == "Local" || len(name) > maxZone || strings.ContainsAny(name, `\. `) {
		return false
	}
	_, err := time.LoadLocation(name)
	return err == nil
}

// Zone is where the user's days begin and end.
func (p Preferences) Zone() *time.Location {
	zone, err := time.LoadLocation(p.TimeZone)
	if err != nil {
		return time.UTC // a name that an older time zone database knew
	}
	return zone
}

// clockTime reads HH:MM.
func clockTime(s string) (hour, minute int, ok bool) {
	t, err := time.Parse("15:04", s)
	return t.Hour(), t.Minute(), err == nil && len(s) == len("15:04")
}

// on is At on a day of the user's.
func (p Preferences) on(year int, month time.Month, day int) time.Time {
	hour, minute, _ := clockTime(p.At)
	return wallTime(year, month, day, hour, minute, p.Zone())
}

// wallTime is when clocks show a time: the first moment where they do so twice, and
// the moment they jump where they never do.
func wallTime(year int, month time.Month, day, hour, minute int, zone *time.Location) time.Time {
	t := time.Date(year, month, day, hour, minute, 0, 0, zone)
	shown := time.Date(year, month, day, hour, minute, 0, 0, time.UTC)
	since, until := t.ZoneBounds()
	if wall(t) != shown.Unix() {
		// time.Date chose one of the sides of the jump.
		if wall(t) < shown.Unix() {
			return until.In(zone)
		}
		return since.In(zone)
	}
	if !since.IsZero() {
		_, before := since.Add(-time.Second).In(zone).Zone()
		if earlier := shown.Add(-time.Duration(before) * time.Second); earlier.Before(since) {
			return earlier.In(zone)
		}
	}
	return t
}

// wall is what clocks show, as if that were UTC, in seconds since 1970.
func wall(t time.Time) int64 {
	_, offset := t.Zone()
	return t.Unix() + int64(offset)
}

// Next is the first At of a day of the user's after t.
func (p Preferences) Next(t time.Time) time.Time {
	local := t.In(p.Zone())
	for day := local.Day(); ; day++ {
		if at := p.on(local.Year(), local.Month(), day); at.After(t) {
			return at.UTC()
		}
	}
}

// Day numbers the user's day that t lies in, from 1970 on.
func (p Preferences) Day(t time.Time) int64 {
	const seconds = 24 * 60 * 60
	at := wall(t.In(p.Zone()))
	return (at - ((at%seconds)+seconds)%seconds) / seconds
}

// Reminder is one that goes out before a due date.
type Reminder struct {
	DaysBefore int
	At         time.Time // UTC
}

// Reminders are those before a due date, earliest first. They count from the
// calendar day that the creator meant, which is the one that everybody sees; one
// that would come when it is due, or later, is none.
func (p Preferences) Reminders(due DueDate) []Reminder {
	var out []Reminder
	year, month, day := due.Time().Date()
	for _, n := range p.DaysBefore {
		if at := p.on(year, month, day-n); at.Before(due.Time()) {
			out = append(out, Reminder{DaysBefore: n, At: at.UTC()})
		}
	}
	return out
}

// ReminderPatience is how late a reminder may go out; later ones are dropped.
const ReminderPatience = 24 * time.Hour

// ReminderPlan is what is to be done about one user's reminders of one assignment.
type ReminderPlan struct {
	Send    []Reminder // now: one notification tells of all
	Dropped []Reminder // more than ReminderPatience late
	Next    time.Time  // when to look again; zero where nothing is to come
}

// PlanReminders tells what is to be done at now about what was to go out since the
// reminder was asked for, but for the days before that are done: a due date that has
// moved takes along what was not sent, and what a change makes due a little while ago
// goes out late rather than never.
func (p Preferences) PlanReminders(due DueDate, since, now time.Time, done []int) (plan ReminderPlan) {
	for _, r := range p.Reminders(due) {
		switch {
		case !r.At.After(since) || slices.Contains(done, r.DaysBefore):
		case r.At.After(now):
			if plan.Next.IsZero() || r.At.Before(plan.Next) {
				plan.Next = r.At
			}
		case now.Sub(r.At) > ReminderPatience:
			plan.Dropped = append(plan.Dropped, r)
		default:
			plan.Send = append(plan.Send, r)
		}
	}
	return plan
}
