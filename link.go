package studycircle

import "time"

// LinkResult is the result of opening a document's link without an account.
type LinkResult string

// The results.
const (
	LinkReachable LinkResult = "reachable"
	LinkSignIn    LinkResult = "sign-in"
	LinkGone      LinkResult = "gone"
	// LinkUnknown also stands for a link that is not checked yet.
	LinkUnknown LinkResult = "unknown"
)

// LinkHealth is the result of the latest check of a submission's document link.
type LinkHealth struct {
	Result    LinkResult
	CheckedAt time.Time // zero before the first check
	// Names reports that the page contains the submitter's name or email address, for a submission with several
	// reviewers.
	Names bool
}

// Warns reports whether the submitter has something to do; for a link that could not be checked, to look at it.
func (h LinkHealth) Warns() bool {
	return h.Result == LinkSignIn || h.Result == LinkGone || h.Names ||
		h.Result == LinkUnknown && !h.CheckedAt.IsZero()
}

// LinkFacts are the facts that decide who may read the state of a submission's link.
type LinkFacts struct {
	SubmitterID string    // "" if the account is gone
	CreatorID   string    // the assignment's; "" if the account is gone
	CircleID    string    // the assignment's
	LeasedUntil time.Time // the end of the viewer's lease; zero without one
	Several     bool      // the submission has several reviewers
}

// LookBeforeDue is the time before an assignment's due date at which its submissions' links are checked once more.
const LookBeforeDue = 24 * time.Hour

// NextLook returns the time of the next check of a link that is not to be checked at now; zero for never. due is the
// assignment's, zero if that is gone.
func NextLook(due, now time.Time) time.Time {
	if at := due.Add(-LookBeforeDue); !due.IsZero() && at.After(now) {
		return at
	}
	return time.Time{}
}

// SecondLook reports whether a link that was checked before is due for the check shortly before the due date.
func SecondLook(due, checked, now time.Time) bool {
	from := due.Add(-LookBeforeDue)
	return !due.IsZero() && checked.Before(from) && !now.Before(from) && now.Before(due)
}

// LinkToCheck is a link that is due for a check, leased by one node.
type LinkToCheck struct {
	SubmissionID string
	DocsLink     string
	Submitter    Person
	Open         bool      // a user is to read it: it has no mark yet, or it is an exemplar
	Several      bool      // the submission has several reviewers
	Due          time.Time // the assignment's; zero if that is gone
	Before       LinkHealth
	Lease        time.Time
}
