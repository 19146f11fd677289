package studycircle

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// wideOpen is the share of the total by which reviews may still move a mark before one more review is asked for.
const wideOpen = .12

// ReviewCase is a submission with all facts that decide its reviewing. A store loads it locked; the methods decide,
// without reading or writing anything; the store saves the case with its decision.
type ReviewCase struct {
	Submission Submission
	Seq, No    int64     // the submission's positions: among all, and among its submitter's
	Reviewing  Reviewing // the zero value if one grade is the mark
	Reviews    []Review  // in the order of their labels
	// Assignment is the submission's, deleted ones included. Live reports whether it is
	// neither deleted nor hidden.
	Assignment Assignment
	Live       bool
	SettledAt  time.Time // the time of the present mark
	Leases     int64
	// Turn and Room are the viewer's: see ReviewerFacts.
	Turn Turn
	Room bool
	// Shuffle permutes n reviews before they get their labels; nil leaves their order.
	Shuffle func(n int, swap func(i, j int))

	Decided ReviewDecision
}

// ReviewDecision is the decision of a case's methods, for a store to save.
type ReviewDecision struct {
	Before     Reviewing
	Graded     *Settlement // the grade that became the first review of the case
	Given      *Review     // the review that has arrived
	Took       bool        // Given takes a slot that no lease had reserved
	Corrected  *Correction // the review that its reviewer has corrected
	Labeled    []Review    // reviews that are released now
	Settlement *Settlement
	Reopening  *Reopening // an appeal or a reopening
	AskedAt    time.Time  // when the creator was asked to decide; zero if not
	Queue      QueueChange
	Open       int64 // how far reviews may still move the mark, in millionths of the total
	Notices    []Notice
	// Announce reports that submitter and creator must fetch the case again.
	Announce bool
}

// QueueChange is the change of a submission in the review queue.
type QueueChange int

// The changes of the queue.
const (
	QueueKept    QueueChange = iota
	QueueUpdated             // it stays, with one more or a corrected review
	QueueLeft                // its leases end
	QueueEntered
	QueueEnteredAgain // it leaves, and enters with a new number of wanted reviews
)

// Verdict is the grade model's result for some reviews.
type Verdict struct {
	Mark  int64
	Open  float64 // how far one more review may move the mark
	Model string  // the model's input, for the record
}

// Judge asks the grade model about reviews, in their order.
type Judge func(reviews []Review) (Verdict, error)

// Facts returns the facts that MayReview decides by.
func (c *ReviewCase) Facts() ReviewerFacts {
	return ReviewerFacts{Reviewing: c.Reviewing, CreatorID: c.Assignment.Creator.UserID, Turn: c.Turn, Room: c.Room}
}

// Reviewed reports whether the submission has several reviewers.
func (c *ReviewCase) Reviewed() bool { return c.Reviewing.Phase != "" }

// Arrive adds a review by a user who may give it. The last one asked for settles the submission, unless the reviews
// differ so much that one more is asked for.
func (c *ReviewCase) Arrive(given Review, judge Judge) error {
	c.begin()
	c.Reviews = append(slices.Clone(c.Reviews), given)
	verdict, err := judge(c.Reviews)
	if err != nil {
		return err
	}
	c.Decided.Given, c.Decided.Took = &given, c.Turn != TurnLeased
	r := &c.Reviewing
	if day := Day(given.GivenAt); day > r.LastDay {
		r.LastDay, r.BeforeLastDay = day, r.Reviews
	}
	r.Reviews++
	if r.Phase == ReviewOpen && r.Reviews >= r.Wanted && r.Reviews < r.Most() && c.isWide(verdict) {
		r.Wanted = r.Reviews + 1
	}
	if reason, now := r.settlesNow(); now {
		return c.settle(reason, given.GivenAt, judge)
	}
	c.Decided.Queue, c.Decided.Open = QueueUpdated, c.openShare(verdict)
	return nil
}

// settlesNow reports whether a review that has just arrived settles the submission, and
// the reason.
func (r Reviewing) settlesNow() (SettleReason, bool) {
	switch r.Phase {
	case ReviewUnattended:
		return SettleTime, true
	case ReviewAppealed:
		return SettleAppeal, r.Reviews >= r.Wanted
	case ReviewReopened:
		return SettleReopen, r.Reviews >= r.Wanted
	default:
		return SettleEnough, r.Reviews >= r.Wanted
	}
}

// ByHand returns the reason of a settlement by the creator. Settling a submission that has all reviews it needs is
// not early, even if one more was asked for.
func (r Reviewing) ByHand() SettleReason {
	if r.Phase == ReviewOpen && r.Reviews >= r.Needed {
		return SettleEnough
	}
	return SettleEarly
}

// Settle releases the present reviews and makes their mark the submission's.
func (c *ReviewCase) Settle(reason SettleReason, now time.Time, judge Judge) error {
	c.begin()
	return c.settle(reason, now, judge)
}

func (c *ReviewCase) settle(reason SettleReason, now time.Time, judge Judge) error {
	c.release()
	verdict, err := judge(c.Reviews)
	if err != nil {
		return err
	}
	c.settled(Settlement{At: now, By: SettledByModel, Reason: reason, Mark: verdict.Mark, Model: verdict.Model})
	return nil
}

// SetMark makes the mark chosen by the assignment's creator the submission's.
func (c *ReviewCase) SetMark(in ReopenInput, now time.Time) {
	c.begin()
	c.release()
	c.settled(in.settlement(SettleSetMark, now))
}

// DecidedBy names the user who finalized the submission or set its mark, if the decision does either.
func (c *ReviewCase) DecidedBy(userID string) {
	if c.Decided.Settlement != nil {
		c.Decided.Settlement.DeciderID = userID
	}
}

func (c *ReviewCase) settled(st Settlement) {
	c.Reviewing.Phase = ReviewSettled
	c.Decided.Settlement, c.Decided.Queue = &st, QueueLeft
}

// Appeal asks for more reviews on the submitter's request. The mark stands until they arrive. If fewer than
// AppealReviews users are free to review the submission, the creator is asked to decide at once.
func (c *ReviewCase) Appeal(why Reason, free int64, now time.Time) {
	c.begin()
	c.Reviewing.Appeal = why.Words
	c.moreReviews(Reopening{Phase: ReviewAppealed, At: now, Words: why.Words}, AppealPatience)
	if free < AppealReviews && c.hasCreator() {
		c.askCreator(now)
	}
	c.tellCreator(NotifyAppeal, c.Submission.Submitter.UserID, now)
}

// hasCreator reports whether a user can be asked to decide.
func (c *ReviewCase) hasCreator() bool { return c.Live && c.Assignment.Creator.UserID != "" }

func (c *ReviewCase) askCreator(now time.Time) {
	r := &c.Reviewing
	r.Asked, r.SettleAt, c.Decided.AskedAt, c.Decided.Announce = true, now.Add(DecideWithin), now, true
}

// Reopen asks for more reviews on the creator's request.
func (c *ReviewCase) Reopen(why Reason, now time.Time) {
	c.begin()
	c.moreReviews(Reopening{Phase: ReviewReopened, At: now, Words: why.Words}, SettleAfter)
}

func (c *ReviewCase) moreReviews(why Reopening, within time.Duration) {
	c.Decided.Queue, c.Decided.Announce, c.Decided.Reopening = QueueEntered, true, &why
	if was := c.Reviewing.Phase; was == ReviewAppealed || was == ReviewReopened {
		c.Decided.Queue = QueueEnteredAgain
	}
	c.Reviewing.Phase, c.Reviewing.SettleAt, c.Reviewing.Wanted = why.Phase, why.At.Add(within),
		c.Reviewing.Reviews+AppealReviews
}

// PassTime performs the transition that is due: it settles on the present reviews, asks the creator to decide an
// appeal, or opens a submission without reviewers to all users.
func (c *ReviewCase) PassTime(now time.Time, judge Judge) error {
	c.begin()
	r := &c.Reviewing
	switch {
	case r.SettleAt.After(now) || !r.Phase.TakesReviews() || r.Phase == ReviewUnattended:
		return nil // another node did it
	case r.Reviews == 0:
		r.Phase, c.Decided.Queue = ReviewUnattended, QueueLeft
		c.tellCreator(NotifyUnreviewed, "", now)
		return nil
	case r.Phase == ReviewAppealed && !r.Asked && c.hasCreator():
		c.askCreator(now)
		c.tellCreator(NotifyAppeal, "", now)
		return nil
	case r.Phase == ReviewAppealed:
		return c.settle(SettleAppeal, now, judge)
	default:
		return c.settle(SettleTime, now, judge)
	}
}

// begin remembers the initial state. A grade becomes the first review, and its submission a settled one with several
// reviews.
func (c *ReviewCase) begin() {
	if c.Reviewed() {
		c.Decided = ReviewDecision{Before: c.Reviewing}
		return
	}
	g := c.Submission.Grade
	c.Decided = ReviewDecision{Graded: &Settlement{At: g.MarkedAt, By: SettledByGrader, Reason: SettleGrade, Mark: g.Mark}}
	c.Reviews = []Review{{
		ID: NewBlindID(), SubmissionID: c.Submission.ID, Reviewer: g.GraderID, Label: "A", Mark: g.Mark, Feedback: g.Feedback,
		HTML: g.HTML, GivenAt: g.MarkedAt,
	}}
	if g.GraderID == "" { // the account is deleted
		c.Reviews[0].Reviewer = NewBlindID()
	}
	c.Reviewing = Reviewing{
		SubmissionID: c.Submission.ID, Seq: c.Seq, AssignmentID: c.Assignment.ID, CircleID: c.Submission.CircleID,
		SubmitterID: c.Submission.Submitter.UserID,
		Phase:       ReviewSettled, Needed: 1, Wanted: 1, Reviews: 1, LastDay: Day(g.MarkedAt), SettleAt: g.MarkedAt,
	}
	c.Decided.Before = c.Reviewing
}

// tellCreator notifies the creator of a live assignment that the submission waits for them.
func (c *ReviewCase) tellCreator(kind NotificationKind, actorID string, now time.Time) {
	if c.Live {
		c.Decided.Notices = append(c.Decided.Notices, Notice{
			UserID: c.Assignment.Creator.UserID, Kind: kind, Subject: c.Submission.ID, AssignmentID: c.Assignment.ID,
			CircleID: c.Submission.CircleID,
			Title:    c.Assignment.Title, URL: ResultURL(c.Assignment.ID, c.Submission.ID), ActorID: actorID, At: now,
		})
	}
}

// release labels the reviews that have no letter yet, in random order: neither letters nor their order reveal which
// came first. It sorts the reviews by their letters.
func (c *ReviewCase) release() {
	c.Reviews = slices.Clone(c.Reviews)
	var unlabeled []int
	last := ""
	for i, r := range c.Reviews {
		if r.Label == "" {
			unlabeled = append(unlabeled, i)
		} else if compareLabels(r.Label, last) > 0 {
			last = r.Label
		}
	}
	if c.Shuffle != nil {
		c.Shuffle(len(unlabeled), func(i, j int) { unlabeled[i], unlabeled[j] = unlabeled[j], unlabeled[i] })
	}
	for _, i := range unlabeled {
		last = labelAfter(last)
		c.Reviews[i].Label = last
		c.Decided.Labeled = append(c.Decided.Labeled, c.Reviews[i])
	}
	slices.SortFunc(c.Reviews, func(a, b Review) int { return compareLabels(a.Label, b.Label) })
}

// labelAfter returns the label that follows another: A after "", AA after Z.
func labelAfter(label string) string {
	letters := []byte(label)
	for i := len(letters) - 1; i >= 0; i-- {
		if letters[i] < 'Z' {
			letters[i]++
			return string(letters)
		}
		letters[i] = 'A'
	}
	return "A" + string(letters)
}

// compareLabels compares labels of reviews by the order in which they are given: Z stands
// before AA.
func compareLabels(a, b string) int {
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}
