package limit

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
)

var window = Window{Name: "test", Max: 3, Per: time.Minute, Message: "Too much. Please try again in %s."}

func TestWindowIsExact(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	var l Log
	for range 3 {
		require.Zero(t, window.Wait(l, now))
		l = window.With(l, now)
		now = now.Add(10 * time.Second)
	}
	assert.Equal(t, 30*time.Second, window.Wait(l, now), "until the first leaves")
	assert.Zero(t, window.Wait(l, now.Add(30*time.Second)))
	assert.Equal(t, l, Parse(l.String()))
	assert.Len(t, window.With(window.With(l, now), now), 3, "a log is bounded")
}

func TestWindowAfterTheClockWentBack(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	var l Log
	for range 3 {
		l = window.With(l, now)
	}
	assert.Zero(t, window.Wait(l, now.AddDate(0, 0, -1)), "no user is locked out for a day")
	assert.Zero(t, window.Wait(l, now.AddDate(10, 0, 0)))
	assert.Positive(t, window.Wait(l, now.Add(-time.Second)), "another node's clock may be a little behind")
}

func TestParseSkipsInvalidStamps(t *testing.T) {
	assert.Equal(t, Log{1, 36}, Parse(" 1 ü  10 99999999999999999999"))
	assert.Empty(t, Parse(""))
}

func TestRefusalSaysWhen(t *testing.T) {
	for wait, words := range map[time.Duration]string{
		time.Second: "a minute", time.Minute: "a minute", 61 * time.Second: "2 minutes", time.Hour: "60 minutes",
	} {
		err := window.Refuse(wait)
		assert.Equal(t, studycircle.CodeRateLimited, studycircle.CodeOf(err))
		assert.ErrorContains(t, err, "Too much. Please try again in "+words+".")
	}
}

func TestMemoryIsBounded(t *testing.T) {
	m := NewMemory(window)
	now := time.Unix(1_800_000_000, 0)
	for n := range maxKeys + 5_000 {
		require.NoError(t, m.Spend(fmt.Sprint(n), now))
	}
	assert.LessOrEqual(t, len(m.logs), maxKeys)
	require.NoError(t, m.Spend("late", now.Add(time.Hour)))
	for range 2 {
		require.NoError(t, m.Check("late", now.Add(time.Hour)))
		require.NoError(t, m.Spend("late", now.Add(time.Hour)))
	}
	require.Error(t, m.Check("late", now.Add(time.Hour)))
	require.Error(t, m.Spend("late", now.Add(time.Hour)))
	assert.Len(t, m.logs["late"], 3, "a refused use is not counted")
}
