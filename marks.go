package studycircle

import (
	"slices"
	"time"
)

// MaxMarkColumns bounds the assignments of a page of a circle's marks: the newest. A file has all.
const MaxMarkColumns = 100

// MarkColumn is an assignment of a circle's marks.
type MarkColumn struct {
	Assignment
	// Open reports that a submission with several reviews is not settled.
	Open bool
	// Works is the number of submissions with several reviews, counted as far as a duty to review needs.
	Works int64
}

// MarkCell is where a member stands with an assignment.
type MarkCell struct {
	State    State // StateOpen without a submission
	Attempts int64
	Best     *Obtained // the mark that counts, of the best graded attempt; nil without one
	Late     bool      // the attempt of Best, without one the latest, was handed in after the due date
	// Duty has the reviews that the member owes and gave. It is complete for nothing else.
	Duty Duty
}

// MarkRow is a member of a circle with a cell for each column. Without a role, it is a user who has left the circle.
type MarkRow struct {
	Member
	Accuracy Accuracy // zero unless the viewer organizes a circle that counts it
	Cells    []MarkCell
}

// Marked reports whether there is a mark in the row.
func (r MarkRow) Marked() bool {
	return slices.ContainsFunc(r.Cells, func(c MarkCell) bool { return c.Best != nil })
}

// GivenReviews counts a user's reviews for an assignment, without those of exemplars.
type GivenReviews struct {
	All         int64
	BeforeToday int64 // today begins at midnight UTC
}

// Shown returns how many of the reviews others see, at most owed. While a submission is open, reviews of today are
// left out: together with the number of reviews of a submission, they would reveal whose reviews these are.
func (g GivenReviews) Shown(open bool, owed int64) int64 {
	given := g.All
	if open {
		given = g.BeforeToday
	}
	return min(given, owed)
}

// DutyOf returns a submitter's duty to review for the column, as others see it. more is how many reviews the submitter
// could give besides those that others see.
func (c MarkColumn) DutyOf(handedIn time.Time, given GivenReviews, more int64, in OwnCircle) Duty {
	return Duty{
		AssignmentID: c.ID, CircleID: c.CircleID, Due: c.Due, ReviewDue: c.ReviewDue, Needed: c.Reviews, Each: c.OwedEach(),
		HandedInAt: handedIn, Exempt: MayReviewIn(in, c.CircleID) != nil, Given: given.Shown(c.Open, c.OwedEach()),
		Givable: max(0, more),
	}
}

// RecordOf returns a submitter's duty for the marks of a circle, which keep what was owed: as many reviews as other
// users handed in work.
func (c MarkColumn) RecordOf(handedIn time.Time, attempts int64, given GivenReviews, in OwnCircle) Duty {
	return c.DutyOf(handedIn, given, c.Works-attempts-given.Shown(c.Open, c.OwedEach()), in)
}

// MarksFor returns whose assignments the marks of a circle contain for a member: those of all creators, "", for
// organizers, and the member's own for others. Users who are not members get ErrNotFound.
func MarksFor(in OwnCircle) (creatorID string, err error) {
	if err := MaySeeCircle(in.Mine, in.Circle); err != nil {
		return "", err
	}
	if in.Mine.Role.Organizes() {
		return "", nil
	}
	return in.Mine.UserID, nil
}

// ReleasedReview is a review of a settled submission, as the grade model takes it.
type ReleasedReview struct {
	AssignmentID string
	SubmissionID string
	Reviewer     string
	Mark, Total  int64
}
