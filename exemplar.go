package studycircle

import (
	"slices"
	"time"
)

// MaxExemplars is how many exemplars an assignment may have.
const MaxExemplars = 3

// Sample is the status of an exemplar. No list, count or figure asks for it, and it
// is no valid status of work.
const Sample Status = "exemplar"

// Exemplar is sample work of known mark, which an assignment's creator hands in. It
// comes to each reviewer first and blind, and teaches the grade model how they mark.
type Exemplar struct {
	ID           string
	AssignmentID string
	Label        string // what reviewers know it by: a random word
	Total        int64
	DocsLink     string
	Note         string
	ExemplarMark
}

// ExemplarMark is what an exemplar is known for.
type ExemplarMark struct {
	Mark   int64
	Reason string
	// Levels are the levels of the rubric that make the mark, counted from 0; nil where
	// the creator gave the mark alone.
	Levels []int64
}

// Equal reports whether m and o are the same.
func (m ExemplarMark) Equal(o ExemplarMark) bool {
	return m.Mark == o.Mark && m.Reason == o.Reason && slices.Equal(m.Levels, o.Levels)
}

// CheckUnder refuses a mark above the total, and levels that do not make the mark under a
// rubric; CodeInvalid.
func (m ExemplarMark) CheckUnder(r Rubric, total int64) error {
	var p problems
	if m.Mark > total {
		p.add("mark", "The mark must not be above the total of %d.", total)
	}
	if mark, ok := r.Mark(m.Levels); m.Levels != nil && (r.Empty() || !ok || mark != m.Mark) {
		p.add("levels", "There must be one level of each criterion, counted from 0, which make the mark.")
	}
	return p.err(CodeInvalid)
}

// Clean trims and checks m as far as that goes without the exemplar; CodeInvalid.
func (m ExemplarMark) Clean() (ExemplarMark, error) {
	var p problems
	m.clean(&p)
	return m, p.err(CodeInvalid)
}

func (m *ExemplarMark) clean(p *problems) {
	if m.Mark < 0 || m.Mark > MaxMarks {
		p.add("mark", "The mark must be a whole number from 0 to the total.")
	}
	m.Reason = p.text("reason", "The reason", m.Reason, 1, MaxReason, multiLine)
}

// ExemplarInput is what a creator hands in as an exemplar.
type ExemplarInput struct {
	SubmissionInput
	ExemplarMark
}

// Clean trims and checks in as far as that goes without the assignment; CodeInvalid.
func (in ExemplarInput) Clean() (ExemplarInput, error) {
	var p problems
	in.SubmissionInput.clean(&p)
	in.ExemplarMark.clean(&p)
	return in, p.err(CodeInvalid)
}

// MayAddExemplar lets an assignment's creator add one where several people review what
// is handed in. n is how many there are already.
func MayAddExemplar(viewer string, a Assignment, n int) error {
	switch {
	case MayChangeAssignment(viewer, a) != nil:
		return MayChangeAssignment(viewer, a)
	case n >= MaxExemplars:
		return Errorf(CodeTooManyExemplars, "An assignment has at most %d exemplars.", MaxExemplars)
	case a.Reviews == 0:
		return Errorf(CodeNoReviews, "Exemplars are for assignments with more than one review.")
	}
	return nil
}

// A reviewer is asked MaxReviewRequests times, ReviewRequestEvery apart, and no more
// once RequestReviewsFor has passed since the due date.
const (
	MaxReviewRequests  = 3
	ReviewRequestEvery = 48 * time.Hour
	RequestReviewsFor  = 14 * 24 * time.Hour
)

// ReviewRequest is whether somebody who handed in for an assignment is to be asked to
// review what others did.
type ReviewRequest struct {
	UserID       string
	AssignmentID string
	Title        string // the assignment's
	Due          DueDate
	Asked        int64 // how often they were
	Needed       int64 // how many reviews each gets
	Given        int64 // how many reviews they gave for it
	HandedIn     bool  // they did, and the assignment lives; always while it is hidden
	Work         bool  // there is something for them to review
}

// Plan tells whether to ask now, and when to look again; never where next is zero.
func (r ReviewRequest) Plan(now time.Time) (ask bool, next time.Time) {
	due := r.Due.Time()
	switch {
	case !r.HandedIn || r.Given >= r.Needed || r.Asked >= MaxReviewRequests || now.After(due.Add(RequestReviewsFor)):
		return false, time.Time{}
	case due.After(now): // it was moved
		return false, due
	case r.Work && r.Asked+1 == MaxReviewRequests:
		return true, time.Time{}
	}
	return r.Work, now.Add(ReviewRequestEvery)
}
