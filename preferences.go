package studycircle

import (
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // time zones, if the machine has none
)

// Bounds of preferences.
const (
	MaxReminders  = 5  // before one due date
	MaxDaysBefore = 30 // before the due date
	maxZone       = 64 // bytes of a time zone's name
)

// Digest is how emails are sent.
type Digest string

// The ways: each at once, or together once a day.
const (
	NoDigest    Digest = "none"
	DailyDigest Digest = "daily"
)

// Channel says where a user receives notifications of one kind.
type Channel struct{ App, Mail bool }

// Preferences are a user's settings of reminders and notifications.
type Preferences struct {
	// TimeZone is a name of the IANA database; "" means UTC, because the user has not chosen one.
	TimeZone string
	// DaysBefore are the days before a due date on which reminders go out, largest first.
	DaysBefore []int
	// At is the local time at which reminders and digests go out, HH:MM.
	At string
	// Channels has an entry for every kind.
	Channels map[NotificationKind]Channel
	Digest   Digest
}

// mailedKinds are sent by email unless the user chooses otherwise.
var mailedKinds = []NotificationKind{
	NotifyGraded, NotifyReturned, NotifyUnopened, NotifyReply, NotifyMention, NotifyJoined, NotifyPublished, NotifyMoved,
	NotifyDue, NotifyOwed, NotifyQuestion, NotifyAnswer, NotifyHidden, NotifyRestored, NotifyDecided,
	NotifyInvited,
}

// DefaultPreferences returns the preferences of a user who has changed none.
func DefaultPreferences() Preferences {
	p := Preferences{DaysBefore: []int{3, 1}, At: "09:00", Channels: map[NotificationKind]Channel{}, Digest: NoDigest}
	for _, kind := range NotificationKinds {
		mailed := slices.Contains(mailedKinds, kind)
		p.Channels[kind] = Channel{App: true, Mail: mailed}
	}
	return p
}

// Clean checks and sorts; CodeInvalid. Kinds that p leaves out keep their channel of before.
func (p Preferences) Clean(before Preferences) (Preferences, error) {
	var wrong problems
	if !ValidZone(p.TimeZone) {
		wrong.add("timeZone", "This time zone is not known. Names look like Europe/Berlin.")
	}
	days := slices.Clone(p.DaysBefore)
	slices.SortFunc(days, func(a, b int) int { return b - a })
	p.DaysBefore = slices.Compact(days)
	if len(p.DaysBefore) != len(days) || len(days) > MaxReminders ||
		slices.ContainsFunc(days, func(d int) bool { return d < 0 || d > MaxDaysBefore }) {
		wrong.add(
			"reminders.daysBefore", "Reminders go out on up to %d different days, 0 to %d before the due day.",
			MaxReminders, MaxDaysBefore,
		)
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

// ValidZone reports whether name is a time zone of the IANA database.
func ValidZone(name string) bool {
	if name == "" || name == "Local" || len(name) > maxZone || strings.ContainsAny(name, `\. `) {
		return false
	}
	_, err := time.LoadLocation(name)
	return err == nil
}

// Zone returns the time zone of the user's days.
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

// on returns At on a day in the user's zone.
func (p Preferences) on(year int, month time.Month, day int) time.Time {
	hour, minute, _ := clockTime(p.At)
	return wallTime(year, month, day, hour, minute, p.Zone())
}

// wallTime returns the instant at which clocks in zone show a time: the first of two, or the moment of the jump that
// skips the time.
func wallTime(year int, month time.Month, day, hour, minute int, zone *time.Location) time.Time {
	t := time.Date(year, month, day, hour, minute, 0, 0, zone)
	shown := time.Date(year, month, day, hour, minute, 0, 0, time.UTC)
	since, until := t.ZoneBounds()
	if wall(t) != shown.Unix() {
		// time.Date chose one side of the jump.
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

// wall returns the time that clocks show, read as UTC, in seconds since 1970.
func wall(t time.Time) int64 {
	_, offset := t.Zone()
	return t.Unix() + int64(offset)
}

// Next returns the first At of a day of the user's after t.
func (p Preferences) Next(t time.Time) time.Time {
	local := t.In(p.Zone())
	for day := local.Day(); ; day++ {
		if at := p.on(local.Year(), local.Month(), day); at.After(t) {
			return at.UTC()
		}
	}
}

// Day returns the number, from 1970 on, of the user's day that contains t.
func (p Preferences) Day(t time.Time) int64 {
	const seconds = 24 * 60 * 60
	at := wall(t.In(p.Zone()))
	return (at - ((at%seconds)+seconds)%seconds) / seconds
}

// Reminder is a reminder before a due date.
type Reminder struct {
	DaysBefore int
	At         time.Time // UTC
}

// Reminders returns the reminders before a due date, earliest first. They count from the calendar day that the
// creator chose, which all users see. A reminder at or after the due time is left out.
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

// ReminderPatience is the most that a reminder may be late; later ones are dropped.
const ReminderPatience = 24 * time.Hour

// ReminderPlan is the work of one user's reminders of one assignment.
type ReminderPlan struct {
	Send    []Reminder // now, as one notification
	Dropped []Reminder // more than ReminderPatience late
	Next    time.Time  // the next time to check; zero if none remain
}

// PlanReminders returns the reminders to send or drop at now, of those due since the user asked, without the days
// before that are done. A due date that moves takes unsent reminders along, and a reminder that a change makes due in
// the recent past goes out late rather than never.
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
