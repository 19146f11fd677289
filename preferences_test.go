package studycircle_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// shownFirst checks every minute of three days for the first at which clocks in zone show a time, or have passed it.
func shownFirst(day time.Time, clock string, zone *time.Location) time.Time {
	wanted := day.Format(time.DateOnly) + " " + clock
	for t := day.Add(-15 * time.Hour); ; t = t.Add(time.Minute) {
		if shown := t.In(zone).Format("2006-01-02 15:04"); shown >= wanted {
			return t.UTC()
		}
	}
}

// At every time of every day, also where clocks jump, a reminder goes out when clocks first show its time.
func TestRemindersAcrossClockChanges(t *testing.T) {
	t.Parallel()
	for _, zone := range []string{
		"Australia/Lord_Howe", "Pacific/Chatham", "Asia/Kathmandu", "Europe/Berlin", "America/St_Johns", "Pacific/Apia", "Africa/Casablanca", "UTC",
	} {
		t.Run(zone, func(t *testing.T) {
			t.Parallel()
			location, err := time.LoadLocation(zone)
			require.NoError(t, err)
			from := time.Date(2025, 12, 30, 0, 0, 0, 0, time.UTC)
			if zone == "Pacific/Apia" {
				from = time.Date(2011, 12, 20, 0, 0, 0, 0, time.UTC) // which has no 30th
			}
			for _, at := range []string{"00:00", "01:30", "01:45", "02:00", "02:15", "02:30", "03:00", "09:00", "23:59"} {
				p := studycircle.DefaultPreferences()
				p.TimeZone, p.At, p.DaysBefore = zone, at, []int{2}
				days := 370
				if zone == "Pacific/Apia" {
					days = 20
				}
				for n := range days {
					day := from.AddDate(0, 0, n)
					due := studycircle.DueDateAt(day.AddDate(0, 0, 3).Add(-time.Second).UnixMicro(), 0)
					reminders := p.Reminders(due)
					require.Len(t, reminders, 1)
					require.Equal(t, shownFirst(day, at, location), reminders[0].At, "%s %s", day.Format(time.DateOnly), at)
				}
			}
		})
	}
}

func TestReminders(t *testing.T) {
	t.Parallel()
	p := studycircle.DefaultPreferences()
	p.TimeZone, p.DaysBefore = "Asia/Kathmandu", []int{3, 1, 0}
	due, err := studycircle.ParseDueDate("2026-12-10T23:59:59-05:00")
	require.NoError(t, err)
	at := func(s string) time.Time {
		parsed, err := time.Parse(time.RFC3339, s)
		require.NoError(t, err)
		return parsed.UTC()
	}
	require.Equal(t, []studycircle.Reminder{
		{DaysBefore: 3, At: at("2026-12-07T09:00:00+05:45")}, {DaysBefore: 1, At: at("2026-12-09T09:00:00+05:45")}, {DaysBefore: 0, At: at("2026-12-10T09:00:00+05:45")},
	}, p.Reminders(due), "the creator's calendar day, the reader's clock")
	p.TimeZone = "Pacific/Honolulu"
	early, err := studycircle.ParseDueDate("2026-12-10T09:00:00+13:00")
	require.NoError(t, err)
	require.Equal(t, []studycircle.Reminder{
		{DaysBefore: 3, At: at("2026-12-07T09:00:00-10:00")}, {DaysBefore: 1, At: at("2026-12-09T09:00:00-10:00")},
	}, p.Reminders(early), "a reminder on the day itself would come after the due time")
}

func TestNextAndDay(t *testing.T) {
	t.Parallel()
	p := studycircle.DefaultPreferences()
	p.TimeZone, p.At = "Pacific/Chatham", "02:50" // which clocks skip in spring
	location, err := time.LoadLocation(p.TimeZone)
	require.NoError(t, err)
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for range 800 {
		next := p.Next(at)
		require.Equal(t, p.Day(next), p.Day(next.Add(-time.Microsecond)), next)
		require.True(t, next.After(at))
		require.LessOrEqual(t, next.Sub(at), 25*time.Hour)
		midnight := time.Date(next.In(location).Year(), next.In(location).Month(), next.In(location).Day(), 0, 0, 0, 0, location)
		require.Equal(t, shownFirst(time.Date(midnight.Year(), midnight.Month(), midnight.Day(), 0, 0, 0, 0, time.UTC), p.At, location), next)
		at = next
	}
	require.EqualValues(t, -1, p.Day(time.Date(1969, 12, 30, 12, 0, 0, 0, time.UTC)))
}

func TestPreferencesClean(t *testing.T) {
	t.Parallel()
	before := studycircle.DefaultPreferences()
	good := func() studycircle.Preferences {
		p := studycircle.DefaultPreferences()
		p.TimeZone = "Europe/Berlin"
		return p
	}
	p := good()
	p.DaysBefore, p.Channels = []int{1, 30, 0}, map[studycircle.NotificationKind]studycircle.Channel{studycircle.NotifyTaken: {Mail: true}}
	cleaned, err := p.Clean(before)
	require.NoError(t, err)
	require.Equal(t, []int{30, 1, 0}, cleaned.DaysBefore)
	require.Equal(t, studycircle.Channel{Mail: true}, cleaned.Channels[studycircle.NotifyTaken])
	require.Equal(t, before.Channels[studycircle.NotifyGraded], cleaned.Channels[studycircle.NotifyGraded])
	for name, spoil := range map[string]func(*studycircle.Preferences){
		"zone":         func(p *studycircle.Preferences) { p.TimeZone = "Mars/Olympus" },
		"no zone":      func(p *studycircle.Preferences) { p.TimeZone = "" },
		"this machine": func(p *studycircle.Preferences) { p.TimeZone = "Local" },
		"a path":       func(p *studycircle.Preferences) { p.TimeZone = "../../etc/passwd" },
		"too many":     func(p *studycircle.Preferences) { p.DaysBefore = []int{1, 2, 3, 4, 5, 6} },
		"twice":        func(p *studycircle.Preferences) { p.DaysBefore = []int{1, 1} },
		"too early":    func(p *studycircle.Preferences) { p.DaysBefore = []int{31} },
		"afterwards":   func(p *studycircle.Preferences) { p.DaysBefore = []int{-1} },
		"no time":      func(p *studycircle.Preferences) { p.At = "24:00" },
		"short time":   func(p *studycircle.Preferences) { p.At = "9:00" },
		"digest":       func(p *studycircle.Preferences) { p.Digest = "weekly" },
		"kind":         func(p *studycircle.Preferences) { p.Channels["letter"] = studycircle.Channel{} },
	} {
		p := good()
		spoil(&p)
		_, err := p.Clean(before)
		require.Equal(t, studycircle.CodeInvalid, studycircle.CodeOf(err), fmt.Sprint(name, err))
	}
}
