package studycircle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// Extra days keep the time of day over days of 23 and 25 hours, in zones of half hours, and where a midnight does not
// exist. The cases are those that users of other products reported.
func TestExtraDaysKeepTheTimeOfDay(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		due  string
		days int
		zone string
		want string
	}{
		"a-plus 1287: seven days over the end of summer time":     {"2026-10-21T18:00:00+03:00", 7, "Europe/Helsinki", "2026-10-28T18:00:00+02:00"},
		"Autolab 932: one day of 25 hours":                        {"2017-11-04T20:00:00-04:00", 1, "America/New_York", "2017-11-05T20:00:00-05:00"},
		"Submitty 10014: one day of 23 hours":                     {"2024-03-09T23:59:59-05:00", 1, "America/New_York", "2024-03-10T23:59:59-04:00"},
		"Submitty 3316: prepared before the change, due after it": {"2019-03-10T23:59:59-04:00", 1, "America/New_York", "2019-03-11T23:59:59-04:00"},
		"Runestone 669: a due date in winter, read in summer":     {"2025-02-24T23:59:00-05:00", 14, "America/New_York", "2025-03-10T23:59:00-04:00"},
		"a zone whose clocks change by half an hour":              {"2027-04-03T23:59:59+11:00", 1, "Australia/Lord_Howe", "2027-04-04T23:59:59+10:30"},
		"a zone of half hours":                                    {"2027-03-01T23:59:59+05:30", 60, "Asia/Kolkata", "2027-04-30T23:59:59+05:30"},
		"a zone of quarters of an hour":                           {"2027-03-01T23:59:59+05:45", 1, "Asia/Kathmandu", "2027-03-02T23:59:59+05:45"},
		"a midnight that does not exist":                          {"2026-09-05T00:00:00-04:00", 1, "America/Santiago", "2026-09-06T01:00:00-03:00"},
		"a midnight that comes twice":                             {"2026-10-31T00:30:00-04:00", 1, "America/Havana", "2026-11-01T00:30:00-04:00"},
		"a day that does not exist":                               {"2011-12-29T23:59:59-10:00", 1, "Pacific/Apia", "2011-12-31T23:59:59+14:00"},
		"another offset than the creator's zone has":              {"2026-10-21T18:00:00+05:00", 7, "Europe/Helsinki", "2026-10-28T18:00:00+05:00"},
		"no zone is known":                                        {"2026-10-21T18:00:00+03:00", 7, "", "2026-10-28T18:00:00+03:00"},
		"the leap day":                                            {"2028-02-28T23:59:59Z", 1, "UTC", "2028-02-29T23:59:59Z"},
		"the end of the year":                                     {"2026-12-31T23:59:59+01:00", 1, "Europe/Berlin", "2027-01-01T23:59:59+01:00"},
	} {
		var zone *time.Location
		if c.zone != "" {
			found, err := time.LoadLocation(c.zone)
			require.NoError(t, err)
			zone = found
		}
		due, err := studycircle.ParseDueDate(c.due)
		require.NoError(t, err)
		require.Equal(t, c.want, due.AddDays(c.days, zone).String(), name)
	}
}

// The due date that applies is never earlier than the assignment's.
func TestExtendedDue(t *testing.T) {
	t.Parallel()
	at := func(text string) studycircle.DueDate {
		due, err := studycircle.ParseDueDate(text)
		require.NoError(t, err)
		return due
	}
	none := studycircle.DueDate{}
	for name, c := range map[string]struct {
		given studycircle.DueDate
		days  int64
		want  string
	}{
		"no extra time": {none, 0, "2026-11-19T23:59:59Z"},
		"autograder.io 29: an extension that the moved due date has passed": {at("2026-11-18T23:59:59Z"), 0, "2026-11-19T23:59:59Z"},
		"okpy 710: an extension of one student":                             {at("2026-11-22T23:59:59Z"), 0, "2026-11-22T23:59:59Z"},
		"Submitty 4483: an extension and extra days, the later one":         {at("2026-11-20T23:59:59Z"), 3, "2026-11-22T23:59:59Z"},
		"an extension later than the extra days":                            {at("2026-11-30T23:59:59Z"), 3, "2026-11-30T23:59:59Z"},
	} {
		require.Equal(t, c.want, studycircle.ExtendedDue(at("2026-11-19T23:59:59Z"), c.given, c.days, nil).String(), name)
	}
	require.Error(t, studycircle.CheckExtension(at("2026-11-19T23:59:59Z"), at("2026-11-19T23:59:59Z")))
	require.NoError(t, studycircle.CheckExtension(at("2026-11-19T23:59:59Z"), at("2026-11-20")))
}
