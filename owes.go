package studycircle

import (
	"cmp"
	"slices"
	"time"
)

// MaxOwing bounds the people of whom Owes tells: the first to join.
const MaxOwing = 10_000

// RemindEvery is the least time between two reminders of an assignment that a creator or an organizer sends.
const RemindEvery = 24 * time.Hour

// OweFacts are the facts about a member of the circle or, in the hall, a user who handed in or asked to be reminded.
type OweFacts struct {
	Member
	HandedInAt time.Time // of the latest submission; zero without one
	Given      GivenReviews
	// Givable is Duty.Givable. GivableToday is the same as others see it: as it was when the day began.
	Givable, GivableToday int64
}

// Debt is what a user owes for an assignment: a submission, or reviews.
type Debt struct {
	Member
	HandedIn bool
	Duty     Duty // as others see it
	// Spared reports that the user owes no review any more, which others see tomorrow.
	Spared bool
}

// FewestSpared is how many users have to be done with their reviews for others to see that on the same day: of fewer,
// the time would reveal who gave the last review.
const FewestSpared = 3

// Owes tells who owes what for an assignment.
type Owes struct {
	People, HandedIn, NotHandedIn, OwingReviews int64
	Debts                                       []Debt // those who have not handed in first, then by reviews left
	Waiting                                     []WaitingWork
	// Submitters is how many users handed in, if they are too few to give each other all reviews: see TooFew.
	Submitters int64
}

// WaitReason says what a submission waits for.
type WaitReason string

// The reasons. The first two are stuck: the creator decides.
const (
	WaitsUnattended WaitReason = "unattended" // no reviewer came in time
	WaitsAppeal     WaitReason = "appeal"     // too few new reviewers came
	WaitsReviews    WaitReason = "reviews"
	WaitsGrade      WaitReason = "grade"
)

// Stuck reports whether nothing happens until the creator decides.
func (w WaitReason) Stuck() bool { return w == WaitsUnattended || w == WaitsAppeal }

// WaitingWork is a submission that waits.
type WaitingWork struct {
	ResultFacts
	Reason WaitReason
}

// OwesOf returns who owes what for the column, by the facts about people and submissions.
func (c MarkColumn) OwesOf(people []OweFacts, in Circle, results []ResultFacts, now time.Time) (o Owes) {
	var spared int
	done := true // no user owes a review, and no review that is left would reveal who gave the last one
	for _, f := range people {
		own := OwnCircle{Circle: in, Mine: f.Membership}
		if f.UserID == c.Creator.UserID || !f.HandsIn(c.Assignment) && f.HandedInAt.IsZero() {
			continue
		}
		o.People++
		debt := Debt{Member: f.Member, HandedIn: !f.HandedInAt.IsZero()}
		debt.Duty = c.DutyOf(f.HandedInAt, f.Given, f.GivableToday, own)
		present := debt.Duty
		present.Given, present.Givable = f.Given.All, f.Givable
		debt.Spared = debt.HandedIn && present.Left(now) == 0
		count(&o.HandedIn, debt.HandedIn)
		count(&o.NotHandedIn, !debt.HandedIn)
		if owes := debt.Duty.Left(now) > 0; owes {
			o.OwingReviews++
			done = done && debt.Spared
			if debt.Spared && f.Givable > 0 {
				spared++
			}
		}
		if !debt.HandedIn || debt.Duty.Left(now) > 0 {
			o.Debts = append(o.Debts, debt)
		}
	}
	if done && (spared == 0 || o.OwingReviews >= FewestSpared) {
		o.OwingReviews = 0
		o.Debts = slices.DeleteFunc(o.Debts, func(d Debt) bool { return d.HandedIn })
	}
	slices.SortStableFunc(o.Debts, func(a, b Debt) int {
		return cmp.Or(last(a.HandedIn, b.HandedIn), cmp.Compare(b.Duty.Left(now), a.Duty.Left(now)))
	})
	submitters := map[string]bool{}
	for _, f := range results {
		if f.Submitter.UserID != "" {
			submitters[f.Submitter.UserID] = true
		}
		if reason := f.waitsFor(); reason != "" && in.ArchivedAt.IsZero() {
			o.Waiting = append(o.Waiting, WaitingWork{f, reason})
		}
	}
	slices.SortStableFunc(o.Waiting, func(a, b WaitingWork) int {
		return cmp.Or(last(!a.Reason.Stuck(), !b.Reason.Stuck()), cmp.Compare(a.Seq, b.Seq))
	})
	if n := int64(len(submitters)); c.Open && TooFew(c.Reviews, n) {
		o.Submitters = n
	}
	return o
}

func (f ResultFacts) waitsFor() WaitReason {
	switch {
	case f.Reviewing.Phase == ReviewUnattended:
		return WaitsUnattended
	case f.Reviewing.WaitsForCreator():
		return WaitsAppeal
	case f.Reviewing.Phase != "" && f.Reviewing.Phase != ReviewSettled:
		return WaitsReviews
	case f.Reviewing.Phase == "" && f.Status == Pending:
		return WaitsGrade
	default:
		return ""
	}
}

// Notices returns the notices that remind those who owe something.
func (o Owes) Notices(a Assignment, by string, now time.Time) (notices []Notice) {
	for _, d := range o.Debts {
		kind := NotifyDue
		if d.HandedIn {
			kind = NotifyOwed
		}
		if !d.Spared {
			notices = append(notices, Notice{
				UserID: d.UserID, Kind: kind, Subject: a.ID, AssignmentID: a.ID, CircleID: a.CircleID, Title: a.Title,
				URL: "/assignment/" + a.ID, ActorID: by, At: now,
			})
		}
	}
	return notices
}

// CanRemind reports whether viewer may remind the users who owe something: MayDecideAbout allows it, and RemindEvery
// has passed since the last time, at.
func CanRemind(viewer string, in OwnCircle, a Assignment, at, now time.Time) bool {
	return MayDecideAbout(viewer, in, a) == nil && !at.Add(RemindEvery).After(now)
}
