package studycircle

import (
	"slices"
	"time"
)

// ReviewContent is the part of a review that its reviewer may correct.
type ReviewContent struct {
	Mark     int64
	Levels   []int64
	Feedback string
	HTML     string
}

// Content returns the part of r that its reviewer may correct.
func (r Review) Content() ReviewContent { return ReviewContent{r.Mark, r.Levels, r.Feedback, r.HTML} }

// Equal reports whether c and other are what the same input gives. HTML follows from Feedback.
func (c ReviewContent) Equal(other ReviewContent) bool {
	return c.Mark == other.Mark && slices.Equal(c.Levels, other.Levels) && c.Feedback == other.Feedback
}

// ReviewVersion is what a review said until it was corrected.
type ReviewVersion struct {
	ReviewID string
	N        int64 // from 1
	Until    time.Time
	ReviewContent
}

// Correction replaces the content of a review.
type Correction struct {
	Review Review // with the new content
	Before ReviewContent
	At     time.Time
}

// CorrectableReview is a review with what its reviewer needs to correct it.
type CorrectableReview struct {
	Review
	Submission Submission
	Assignment Assignment
	Label      string // the submission's
}

// MayCorrect allows reviewers to correct their review until it is released: until the submission is settled, and of a
// later review, until it is settled again. In a circle it allows those whom MayReviewIn allows. Others get ErrNotFound.
func MayCorrect(viewer string, in OwnCircle, given Review, r Reviewing) error {
	if viewer == "" || given.Reviewer != viewer || given.SubmissionID != r.SubmissionID || r.Phase == "" {
		return ErrNotFound
	}
	if err := MayReviewIn(in, r.CircleID); err != nil {
		return err
	}
	if given.Label != "" || !r.Phase.TakesReviews() {
		return Errorf(CodeAlreadySettled, "This submission is settled, so the review can no longer change.")
	}
	return nil
}

// MayReadCorrections allows those who may read the assignment's results to read the earlier versions of reviews, once
// they are released. Others get ErrNotFound.
func MayReadCorrections(viewer string, in OwnCircle, a Assignment, settled bool) error {
	if !settled || MayReadResults(viewer, in, a) != nil {
		return ErrNotFound
	}
	return nil
}

// Review returns a review of the case by its id.
func (c *ReviewCase) Review(id string) (Review, bool) {
	i := slices.IndexFunc(c.Reviews, func(r Review) bool { return r.ID == id })
	if i < 0 {
		return Review{}, false
	}
	return c.Reviews[i], true
}

// Correct replaces the content of a review that MayCorrect allows to correct, and reports whether that changes it. A
// submission that had been short of one more review only because its reviews differed too much is settled if they no
// longer do. No correction asks for a further review: a submission that has all reviews it wants is settled already.
func (c *ReviewCase) Correct(id string, to ReviewContent, now time.Time, judge Judge) (changed bool, err error) {
	before, _ := c.Review(id)
	if before.Content().Equal(to) {
		return false, nil
	}
	c.begin()
	after := before
	after.Mark, after.Levels, after.Feedback, after.HTML = to.Mark, to.Levels, to.Feedback, to.HTML
	c.Reviews = slices.Clone(c.Reviews)
	for i := range c.Reviews {
		if c.Reviews[i].ID == id {
			c.Reviews[i] = after
		}
	}
	verdict, err := judge(c.Reviews)
	if err != nil {
		return false, err
	}
	c.Decided.Corrected = &Correction{Review: after, Before: before.Content(), At: now}
	if r := &c.Reviewing; r.Phase == ReviewOpen && r.Reviews >= r.Needed && !c.isWide(verdict) {
		r.Wanted = r.Reviews
		return true, c.settle(SettleEnough, now, judge)
	}
	c.Decided.Queue, c.Decided.Open = QueueUpdated, c.openShare(verdict)
	return true, nil
}

// isWide reports whether reviews may still move the mark so far that one more is asked for.
func (c *ReviewCase) isWide(v Verdict) bool { return v.Open > wideOpen*float64(c.Submission.Marks) }

// openShare returns how far reviews may still move the mark, in millionths of the total.
func (c *ReviewCase) openShare(v Verdict) int64 {
	return int64(v.Open / float64(c.Submission.Marks) * 1e6)
}
