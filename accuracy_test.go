package studycircle_test

import (
	"testing"
	"time"

	"studycircle"
)

func TestAccuracyIsAHundredLessTheAverageDistance(t *testing.T) {
	for _, c := range []struct {
		a    studycircle.Accuracy
		want float64
	}{
		{studycircle.Accuracy{Reviews: 1}, 100},
		{studycircle.Accuracy{Reviews: 4, Distance: 50}, 87.5},
		{studycircle.Accuracy{Reviews: 2, Distance: 200}, 0},
	} {
		if got := c.a.Percent(); got != c.want {
			t.Errorf("%+v: %v, want %v", c.a, got, c.want)
		}
	}
}

func TestReviewsCountOnceReviewersAreTold(t *testing.T) {
	on, later := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), time.Date(2026, 2, 2, 3, 4, 5, 0, time.UTC)
	c := studycircle.Circle{}
	in := studycircle.NewCircle
	if c.Set(in, on); !c.AccuracySince.IsZero() {
		t.Errorf("a new circle counts from %v", c.AccuracySince)
	}
	in.CountsAccuracy = true
	if c.Set(in, on); !c.AccuracySince.Equal(on) || !c.CountsAccuracy {
		t.Errorf("turned on: %+v", c)
	}
	in.Name = "Renamed"
	if c.Set(in, later); !c.AccuracySince.Equal(on) || c.Name != "Renamed" {
		t.Errorf("another setting: %+v", c)
	}
	before := studycircle.Lease{Until: on.Add(-time.Microsecond).Add(studycircle.LeaseTime)}
	if !before.UntilAfterQuestion().Before(c.AccuracyFrom()) {
		t.Error("a lease that was taken before counts once a question prolongs it")
	}
	in.CountsAccuracy = false
	if c.Set(in, later); !c.AccuracySince.IsZero() {
		t.Errorf("turned off: %v", c.AccuracySince)
	}
	in.CountsAccuracy = true
	if c.Set(in, later); !c.AccuracySince.Equal(later) {
		t.Errorf("turned on again: %v", c.AccuracySince)
	}
}
