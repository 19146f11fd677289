package api

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// A figure of 0 % is a figure; without a grade there is none.
func TestDashboardTellsZeroFromNothing(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	none := DashboardOf(studycircle.Dashboard{}, nil, now)
	require.Nil(t, none.Taken.BestPercent)
	require.Nil(t, none.Taken.AveragePercent)
	require.Nil(t, none.Given.MedianWaitHours)
	var d studycircle.Dashboard
	d.Taken.Graded.N, d.Given.Graded.N = 1, 1
	zero, got := 0., DashboardOf(d, nil, now)
	require.Equal(t, []*float64{&zero, &zero, &zero}, []*float64{got.Taken.BestPercent, got.Taken.AveragePercent, got.Given.MedianWaitHours})
}
