package studycircle

import (
	"cmp"
	"slices"
	"strings"
	"time"
)

// MaxAvailable bounds Duty.Available. A user who can review more has this many.
const MaxAvailable = 100

// Duty is what a user can review of an assignment now, and how many reviews the user owes.
type Duty struct {
	AssignmentID string
	CircleID     string // the assignment's
	Title        string // the assignment's
	Due          DueDate
	// Exempt reports that the user may not review in the place: Owed, Left, Available and Givable are 0.
	Exempt bool
	// Needed is how many reviews each submission gets; 0 if one grade is the mark.
	Needed int64
	// Each is how many reviews the creator asks of each submitter: Assignment.OwedEach. Owed is never more than there
	// are to give.
	Each int64
	// ReviewDue is the review due date; zero without one.
	ReviewDue DueDate
	// Given is how many reviews the user has given for the assignment, without those of
	// exemplars.
	Given int64
	// Available is how many submissions and exemplars of the assignment
	// POST /api/reviews/next gives the user now, one after the other; MaxAvailable at most.
	Available int64
	// Givable is Available without exemplars.
	Givable int64
	// HandedInAt is the time of the user's latest submission; zero without one.
	HandedInAt time.Time
	// HeldUntil is the end of the user's lease; zero without one.
	HeldUntil time.Time
}

// Owed returns how many reviews the user owes in all, once the user has handed in: Each, or as many as the user gave
// and can give. Every page, file, reminder and email about reviews owed follows it.
func (d Duty) Owed() int64 {
	if d.Needed == 0 || d.HandedInAt.IsZero() || d.Exempt {
		return 0
	}
	return min(d.Each, d.Given+d.Givable)
}

// SettledBy returns the time at which the server settles the submissions that the user owes reviews of: SettleAfter
// after the later of hand-in and due date. It is zero if the user owes none.
func (d Duty) SettledBy() time.Time {
	if d.Owed() == 0 {
		return time.Time{}
	}
	return SettlesBy(d.HandedInAt, d.Due)
}

// By returns the time by which the user is to give the reviews: the review due date, or SettledBy if that is earlier,
// if there is no review due date, or if the user handed in after it. It is zero if the user owes none.
func (d Duty) By() time.Time {
	by := d.SettledBy()
	if due := d.ReviewDue.Time(); due.After(d.HandedInAt) && due.Before(by) {
		return due
	}
	return by
}

// Left returns how many more reviews the user owes, until the server settles the submissions. Reviews are welcome
// after the review due date.
func (d Duty) Left(now time.Time) int64 {
	if !d.SettledBy().After(now) {
		return 0
	}
	return max(0, d.Owed()-d.Given)
}

// Pressing reports whether d belongs on a list of what a user is to do now.
func (d Duty) Pressing(now time.Time) bool { return d.Left(now) > 0 || !d.HeldUntil.IsZero() }

// ByUrgency sorts duties: held leases first, then the earliest to be settled.
func ByUrgency(duties []Duty) {
	slices.SortStableFunc(duties, func(a, b Duty) int {
		return cmp.Or(
			last(a.HeldUntil.IsZero(), b.HeldUntil.IsZero()),
			a.By().Compare(b.By()),
			strings.Compare(a.AssignmentID, b.AssignmentID),
		)
	})
}

// SettlesBy returns the time at which the server settles a submission on the reviews that it has.
func SettlesBy(handedIn time.Time, due DueDate) time.Time {
	if at := due.Time(); at.After(handedIn) {
		handedIn = at
	}
	return handedIn.Add(SettleAfter)
}

// TooFew reports whether an assignment has too few submitters to give each other the
// reviews that each submission needs. Without a submission it is false.
func TooFew(needed, submitters int64) bool { return submitters > 0 && needed > submitters-1 }

// ShortWithin is how long before an assignment's due date its creator is warned of a Shortage: before that, more
// hand-ins are to be expected.
const ShortWithin = 24 * time.Hour

// ShortFrom returns when the creator is first warned of a Shortage.
func (a Assignment) ShortFrom() time.Time { return a.Due.Time().Add(-ShortWithin) }

// Shortage is an assignment with too few submitters: see TooFew.
type Shortage struct {
	AssignmentID string
	CircleID     string
	Title        string
	Needed       int64
	Submitters   int64
}

// Decision is a submission that waits for its assignment's creator to decide its mark.
type Decision struct {
	SubmissionID string
	AssignmentID string
	CircleID     string
	Title        string // the assignment's
	// Unattended reports that no reviewer came in time; otherwise the submitter appealed,
	// and too few new reviewers came.
	Unattended bool
}

// Bounds of what Today lists.
const (
	MaxTurns     = 20
	MaxBack      = 5
	MaxDecisions = 20
	MaxShortages = 20
	BackFor      = 7 * 24 * time.Hour
)

// Today lists a user's present duties and the marks that have come back.
type Today struct {
	Turns     []Duty // what the user owes or holds a lease of, the most urgent first
	Due       []Due  // as on the Dashboard
	Back      []TakenMark
	Decisions []Decision // longest waiting first
	Short     []Shortage
	Needs     []Need // by kind; of each kind the most urgent first
	// Invitations are those by rosters that wait for the user's answer, newest first.
	Invitations []InvitedTo
}
