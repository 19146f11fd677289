package studycircle

import "time"

// LinkResult says what somebody without an account finds at a document's link.
type LinkResult string

// The results.
const (
	LinkReachable LinkResult = "reachable"
	LinkSignIn    LinkResult = "sign-in"
	LinkGone      LinkResult = "gone"
	// LinkUnknown is also of what nobody has looked at yet.
	LinkUnknown LinkResult = "unknown"
)

// LinkHealth is what was found at a submission's document link.
type LinkHealth struct {
	Result    LinkResult
	CheckedAt time.Time // zero where nobody has looked yet
	// Names tells that the page has the submitter's name or e-mail address in it, of a
	// submission that several people review.
	Names bool
}

// Warns tells whether there is something for the submitter to do.
func (h LinkHealth) Warns() bool {
	return h.Result == LinkSignIn || h.Result == LinkGone || h.Names
}

// LinkFacts are what decides who may ask after a submission's link.
type LinkFacts struct {
	SubmitterID string    // "" where the account is gone
	CreatorID   string    // the assignment's; "" where the account is gone
	LeasedUntil time.Time // to whoever asks; zero for nobody's
	Several     bool      // several people review it
}

// LookBeforeDue is how long before an assignment is due the links of what was handed
// in for it are looked at once more.
const LookBeforeDue = 24 * time.Hour

// NextLook is when a link is to be looked at again that was not to be at now; zero for
// never. due is the assignment's, zero where that is gone.
func NextLook(due, now time.Time) time.Time {
	if at := due.Add(-LookBeforeDue); !due.IsZero() && at.After(now) {
		return at
	}
	return time.Time{}
}

// SecondLook tells whether at now, shortly before it is due, a link is to be looked at
// that was looked at before.
func SecondLook(due, checked, now time.Time) bool {
	from := due.Add(-LookBeforeDue)
	return !due.IsZero() && checked.Before(from) && !now.Before(from) && now.Before(due)
}

// LinkToCheck is a link whose time to be looked at has come, of one node until its
// lease ends.
type LinkToCheck struct {
	SubmissionID string
	DocsLink     string
	Submitter    Person
	Open         bool      // somebody is to read it: nobody has marked it yet, or it is an exemplar
	Several      bool      // several people review it
	Due          time.Time // the assignment's; zero where that is gone
	Before       LinkHealth
	Lease        time.Time
}
