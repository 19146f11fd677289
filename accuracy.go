package studycircle

import "time"

// Accuracy says how close a member's reviews of the exemplars of a circle come to the known marks. A circle may count
// it as credit.
type Accuracy struct {
	Reviews int64 // of exemplars by those who organize the circle: members could give each other credit with theirs
	// Distance is the sum of the distances between mark and known mark, each in percent of the total.
	Distance float64
}

// Percent returns 100 less the average distance, from 0 to 100, as RoundPercent does.
func (a Accuracy) Percent() float64 { return RoundPercent(100 - a.Distance/float64(a.Reviews)) }

// AccuracyFrom returns the earliest end of a lease whose review counts. It leaves out reviews that were begun before
// the circle told reviewers that it counts them, also those whose lease a question prolonged.
func (c Circle) AccuracyFrom() time.Time { return c.AccuracySince.Add(LeaseTime + QuestionTime) }

// Set replaces the settings of c at a time.
func (c *Circle) Set(in CircleInput, now time.Time) {
	switch {
	case !in.CountsAccuracy:
		c.AccuracySince = time.Time{}
	case !c.CountsAccuracy:
		c.AccuracySince = now
	}
	c.CircleInput = in
}
