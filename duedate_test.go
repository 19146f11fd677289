package studycircle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"studycircle"
)

func TestParseDueDate(t *testing.T) {
	t.Parallel()
	for sent, kept := range map[string]string{
		"2030-02-28":                          "2030-02-28T23:59:59Z",
		"2028-02-29":                          "2028-02-29T23:59:59Z",
		"1970-01-01":                          "1970-01-01T23:59:59Z",
		"9998-12-31":                          "9998-12-31T23:59:59Z",
		"2030-02-28T23:59:59Z":                "2030-02-28T23:59:59Z",
		"2030-02-28T23:59:59+00:00":           "2030-02-28T23:59:59Z",
		"2030-02-28T23:59:59-00:00":           "2030-02-28T23:59:59Z",
		"2030-02-28T23:59:59+23:59":           "2030-02-28T23:59:59+23:59",
		"2030-02-28T23:59:59-00:30":           "2030-02-28T23:59:59-00:30",
		"2030-02-28T23:59:59.1234567+05:45":   "2030-02-28T23:59:59.123456+05:45",
		"2030-02-28T23:59:59.000000999+05:45": "2030-02-28T23:59:59+05:45",
	} {
		d, err := studycircle.ParseDueDate(sent)
		require.NoError(t, err, sent)
		require.Equal(t, kept, d.String(), sent)
	}
	for _, bad := range []string{
		"", "today", "2030", "2030-2-3", "2030/02/03", "2029-02-29", "2030-00-01", "2030-01-32", "2030-02-03T", "2030-02-03T10:00", "2030-02-03T10:00:00", "2030-02-03 10:00:00Z",
		"2030-02-03T1:00:00Z", "2030-02-03T24:00:00Z", "2030-02-03T10:60:00Z", "2030-02-03T23:59:60Z", "2030-02-03T10:00:00,5Z", "2030-02-03T10:00:00.Z", "2030-02-03T10:00:00+24:00",
		"2030-02-03T10:00:00+01:60", "2030-02-03T10:00:00+1:00", "2030-02-03T10:00:00+0100", " 2030-02-03", "2030-02-03 ", "2030-02-03\n", "02030-02-03", "-2030-02-03", "9999-01-01",
		"1969-12-31", "1970-01-01T00:00:00+01:00", "٢٠٣٠-٠٢-٠٣",
	} {
		_, err := studycircle.ParseDueDate(bad)
		require.Error(t, err, "%q", bad)
	}
}

// A stored instant and offset give back the same due date and the same text.
func TestDueDateRoundTrips(t *testing.T) {
	t.Parallel()
	last := time.Date(9998, 12, 31, 23, 59, 59, 0, time.UTC).UnixMicro()
	rapid.Check(t, func(t *rapid.T) {
		d := studycircle.DueDateAt(rapid.Int64Range(0, last).Draw(t, "micros"), rapid.IntRange(-23*60-59, 23*60+59).Draw(t, "offset"))
		require.True(t, d.Equal(studycircle.DueDateAt(d.Micros(), d.OffsetMinutes())))
		if y := d.Time().Year(); y < 1970 || y > 9998 {
			return // the calendar's own edge, shown in an offset
		}
		parsed, err := studycircle.ParseDueDate(d.String())
		require.NoError(t, err, d.String())
		require.True(t, d.Equal(parsed), "%s became %s", d, parsed)
		require.Equal(t, d.String(), parsed.String())
	})
}

func TestDueDateEqualMindsTheOffset(t *testing.T) {
	t.Parallel()
	require.True(t, studycircle.DueDateAt(5, 60).Equal(studycircle.DueDateAt(5, 60)))
	require.False(t, studycircle.DueDateAt(5, 60).Equal(studycircle.DueDateAt(5, 0)), "another calendar day may be shown")
	require.False(t, studycircle.DueDateAt(5, 60).Equal(studycircle.DueDateAt(6, 60)))
}
