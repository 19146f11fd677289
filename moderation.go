package studycircle

import "time"

// Moderators are those who keep discussions decent, by their verified addresses.
type Moderators map[string]bool

// ModeratorsOf are the users with these addresses, however they are spelled.
func ModeratorsOf(emails []string) Moderators {
	m := Moderators{}
	for _, email := range emails {
		m[NormalizeEmail(email)] = true
	}
	return m
}

// Include tells whether u is a moderator. An address that nobody has verified may
// be anybody's.
func (m Moderators) Include(u User) bool { return !u.EmailVerifiedAt.IsZero() && m[u.Email] }

// SubjectKind says what can be reported and hidden.
type SubjectKind string

// The kinds; OfUser is what a moderator did to an account. Who made a review or a
// submission no moderator learns.
const (
	OfComment    SubjectKind = "comment"
	OfAssignment SubjectKind = "assignment"
	OfReview     SubjectKind = "review"
	OfSubmission SubjectKind = "submission"
	OfUser       SubjectKind = "user"
)

// Blind tells whether moderators decide on it without learning who made it.
func (k SubjectKind) Blind() bool { return k == OfReview || k == OfSubmission }

// CheckAction refuses to hide a submission; CodeInvalid. Its reviewers have read it
// already, and taking it from the others would take its mark from whoever made it.
func (k SubjectKind) CheckAction(a ModerationAction) error {
	var p problems
	if k == OfSubmission && a == Hide {
		p.add("action", "A submission cannot be hidden. Dismiss the report, or suspend who made it.")
	}
	return p.err(CodeInvalid)
}

// Subject is what somebody reported, or a moderator decided on.
type Subject struct {
	Kind SubjectKind
	ID   string
}

// Report says why somebody thinks that moderators should look at something. Who
// that was is nobody's business.
type Report struct {
	ID        string
	Subject   Subject
	Reason    string
	CreatedAt time.Time
	// Count is the number of open reports of the same subject, of which this is the first.
	Count int64
}

// ReportedThing is a report and what it is about, as it is now.
type ReportedThing struct {
	Report
	// AuthorID is the user who made the subject; "" where the account or the subject is
	// gone. Moderators do not see it.
	AuthorID string
	// Decidable says that the moderator who reads it may decide on it.
	Decidable bool
	// Comment is zero where that is not what it is about, or it is gone; so is
	// Assignment, which else is the one that the comment stands under.
	Comment    Comment
	Assignment Assignment
	// Review is nil where that is not what it is about, or it is gone; so is Work.
	Review *ReportedReview
	Work   *SubmissionInput
}

// ReportedReview is what a review says, without who gave it to whom.
type ReportedReview struct {
	Feedback string
	HTML     string        // what Feedback shows as, where that is Markdown
	Partial  bool          // Feedback is its Beginning
	Levels   []ChosenLevel // of the rubric, where there is one
}

// ModerationAction is what a moderator does.
type ModerationAction string

// The actions; Dismiss, Hide and Suspend may answer a report.
const (
	Dismiss ModerationAction = "dismiss"
	Hide    ModerationAction = "hide"
	Restore ModerationAction = "restore"
	Suspend ModerationAction = "suspend"
)

// Moderation is one thing that a moderator did.
type Moderation struct {
	Moderator string // an address, or ByShell
	Action    ModerationAction
	Subject   Subject
	// ReportID is the report that it answers; "" where there is none. It is what the
	// record names in place of a subject that is Blind, whose id others could join.
	ReportID string
	Reason   string
	At       time.Time
	// KeepAccount says that the author of a Blind subject is a moderator, whose account
	// only the operator closes. The record still names what the moderator decided.
	KeepAccount bool
}

// ModeratorDecision is something that a moderator did, as moderators read it later.
type ModeratorDecision struct {
	Moderation
	// Of is the present state of its subject.
	Of ReportedThing
	// Hides reports whether the decision still hides its subject.
	Hides bool
	// Restorable reports whether the reader may show the subject again.
	Restorable bool
}

// Recorded is what the record of it names.
func (m Moderation) Recorded() Subject {
	if m.Subject.Kind.Blind() {
		return Subject{Kind: m.Subject.Kind, ID: m.ReportID}
	}
	return m.Subject
}

// ByShell is who moderates by the program's own commands.
const ByShell = "shell"

// HiddenTitle stands where the title of a hidden assignment stood, or the feedback of
// a hidden review.
const HiddenTitle = "Hidden by a moderator"
