package studycircle

import (
	"slices"
	"time"
)

// MaxExemplars is the most exemplars that an assignment may have.
const MaxExemplars = 3

// Sample is the status of an exemplar. Lists, counts and figures leave it out, and it is no valid status of a
// submission.
const Sample Status = "exemplar"

// Exemplar is sample work of known mark, handed in by an assignment's creator. Each reviewer gets it first and blind;
// from the reviews the grade model learns how each reviewer marks.
type Exemplar struct {
	ID           string
	AssignmentID string
	CircleID     string // the assignment's
	Label        string // the random word by which reviewers know it; the store chooses it
	Total        int64
	DocsLink     string
	Note         string
	ExemplarMark
}

// ExemplarMark is the known mark of an exemplar.
type ExemplarMark struct {
	Mark   int64
	Reason string
	// Levels are the levels of the rubric that make the mark, counted from 0; nil if the creator gave the mark alone.
	Levels []int64
}

// Equal reports whether m and o are the same.
func (m ExemplarMark) Equal(o ExemplarMark) bool {
	return m.Mark == o.Mark && m.Reason == o.Reason && slices.Equal(m.Levels, o.Levels)
}

// CheckUnder refuses a mark above the total, and levels that do not make the mark under a rubric; CodeInvalid.
func (m ExemplarMark) CheckUnder(r Rubric, total int64) error {
	var p problems
	if m.Mark > total {
		p.add("mark", "The mark must not be above the total of %d.", total)
	}
	if mark, ok := r.Mark(m.Levels); m.Levels != nil && (r.Empty() || !ok || mark != m.Mark) {
		p.add("levels", "There must be one level of each criterion, counted from 0, and they must add up to the mark.")
	}
	return p.err(CodeInvalid)
}

// Clean trims and checks m as far as possible without the exemplar; CodeInvalid.
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

// ExemplarInput is the input of a creator who hands in an exemplar.
type ExemplarInput struct {
	SubmissionInput
	ExemplarMark
}

// Clean trims and checks in as far as possible without the assignment; CodeInvalid.
func (in ExemplarInput) Clean() (ExemplarInput, error) {
	var p problems
	in.SubmissionInput.clean(&p)
	in.ExemplarMark.clean(&p)
	return in, p.err(CodeInvalid)
}

// MayAddExemplar lets those whom MayDecideAbout allows add an exemplar to an assignment with several reviews. n is the
// present number of exemplars.
func MayAddExemplar(viewer string, in OwnCircle, a Assignment, n int) error {
	if err := MayDecideAbout(viewer, in, a); err != nil {
		return err
	}
	switch {
	case n >= MaxExemplars:
		return Errorf(CodeTooManyExemplars, "An assignment has at most %d exemplars.", MaxExemplars)
	case a.Reviews == 0:
		return Errorf(CodeNoReviews, "Exemplars are for assignments with more than one review.")
	}
	return nil
}

// A reviewer gets at most MaxReviewRequests requests, ReviewRequestEvery apart, and none once RequestReviewsFor has
// passed since the due date.
const (
	MaxReviewRequests  = 3
	ReviewRequestEvery = 48 * time.Hour
	RequestReviewsFor  = 14 * 24 * time.Hour
)

// ReviewRequest holds the facts that decide whether a submitter is asked to review other submissions for the
// assignment.
type ReviewRequest struct {
	UserID       string
	AssignmentID string
	Title        string // the assignment's
	CircleID     string // the assignment's
	Due          DueDate
	Asked        int64 // the number of requests so far
	Owed         int64 // reviews that the user owes in all
	Given        int64 // reviews that the user gave for the assignment
	HandedIn     bool  // the user handed in, and the assignment lives; always while it is hidden
	Work         bool  // the user owes a review that they can give
}

// ReviewNotice asks a user to review other submissions for an assignment.
func ReviewNotice(userID, assignmentID, circleID, title string, now time.Time) Notice {
	return Notice{
		UserID: userID, Kind: NotifyReview, Subject: assignmentID, AssignmentID: assignmentID, CircleID: circleID,
		Title: title, URL: PendingURL, At: now,
	}
}

// Plan reports whether to ask now, and returns the next time to check; zero means never.
func (r ReviewRequest) Plan(now time.Time) (ask bool, next time.Time) {
	due := r.Due.Time()
	switch {
	case !r.HandedIn || r.Given >= r.Owed || r.Asked >= MaxReviewRequests || now.After(due.Add(RequestReviewsFor)):
		return false, time.Time{}
	case due.After(now): // the creator moved it
		return false, due
	case r.Work && r.Asked+1 == MaxReviewRequests:
		return true, time.Time{}
	}
	return r.Work, now.Add(ReviewRequestEvery)
}
