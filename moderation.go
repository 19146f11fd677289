package studycircle

import "time"

// Moderators is the set of the moderators' verified email addresses.
type Moderators map[string]bool

// ModeratorsOf returns the set of these addresses, normalized.
func ModeratorsOf(emails []string) Moderators {
	m := Moderators{}
	for _, email := range emails {
		m[NormalizeEmail(email)] = true
	}
	return m
}

// Include reports whether u is a moderator. An address that its user has not verified does not count.
func (m Moderators) Include(u User) bool { return !u.EmailVerifiedAt.IsZero() && m[u.Email] }

// SubjectKind is the kind of a thing that can be reported and hidden.
type SubjectKind string

// The kinds. OfUser stands for an account that a moderator suspended or restored. Moderators do not learn the author
// of a review or a submission.
const (
	OfComment    SubjectKind = "comment"
	OfAssignment SubjectKind = "assignment"
	OfReview     SubjectKind = "review"
	OfSubmission SubjectKind = "submission"
	OfUser       SubjectKind = "user"
)

// Blind reports whether moderators decide on the kind without learning the author.
func (k SubjectKind) Blind() bool { return k == OfReview || k == OfSubmission }

// CheckAction refuses to hide a submission; CodeInvalid. Its reviewers have read it already, and hiding it from the
// others would take the submitter's mark.
func (k SubjectKind) CheckAction(a ModerationAction) error {
	var p problems
	if k == OfSubmission && a == Hide {
		p.add("action", "A submission cannot be hidden. Dismiss the report, or suspend who made it.")
	}
	return p.err(CodeInvalid)
}

// Subject is the subject of a report or of a moderator's decision.
type Subject struct {
	Kind SubjectKind
	ID   string
}

// Report is a user's request that moderators look at a subject. Moderators do not learn the reporter.
type Report struct {
	ID        string
	Subject   Subject
	Reason    string
	CreatedAt time.Time
	// Count is the number of open reports of the same subject, of which this is the first.
	Count int64
}

// ReportedThing is a report with the present state of its subject.
type ReportedThing struct {
	Report
	// AuthorID is the user who made the subject; "" if the account or the subject is gone. It is not shown to
	// moderators.
	AuthorID string
	// Decidable reports whether the reading moderator may decide on the report.
	Decidable bool
	// Comment is zero if the subject is no comment, or is gone. So is Assignment, which for a comment is its
	// assignment.
	Comment    Comment
	Assignment Assignment
	// Review is nil if the subject is no review, or is gone. So is Work.
	Review *ReportedReview
	Work   *SubmissionInput
}

// ReportedReview is the content of a review, without reviewer and submitter.
type ReportedReview struct {
	Feedback string
	HTML     string        // the rendered Feedback if that is Markdown
	Partial  bool          // Feedback is cut to its Beginning
	Levels   []ChosenLevel // of the rubric, if there is one
}

// ModerationAction is an action of a moderator.
type ModerationAction string

// The actions. Dismiss, Hide and Suspend may answer a report.
const (
	Dismiss ModerationAction = "dismiss"
	Hide    ModerationAction = "hide"
	Restore ModerationAction = "restore"
	Suspend ModerationAction = "suspend"
)

// Moderation is one recorded action of a moderator.
type Moderation struct {
	Moderator string // an address, or ByShell
	Action    ModerationAction
	Subject   Subject
	// ReportID is the report that the action answers; "" if there is none. For a subject that is Blind, the record
	// names the report instead of the subject, whose id would link several records.
	ReportID string
	Reason   string
	At       time.Time
	// KeepAccount reports that the author of a Blind subject is a moderator, whose account only the operator
	// suspends. The record still names the moderator's decision.
	KeepAccount bool
}

// ModeratorDecision is a recorded action as moderators read it later.
type ModeratorDecision struct {
	Moderation
	// Of is the present state of its subject.
	Of ReportedThing
	// Hides reports whether the decision still hides its subject.
	Hides bool
	// Restorable reports whether the reader may show the subject again.
	Restorable bool
}

// Recorded returns the subject that the record names.
func (m Moderation) Recorded() Subject {
	if m.Subject.Kind.Blind() {
		return Subject{Kind: m.Subject.Kind, ID: m.ReportID}
	}
	return m.Subject
}

// ByShell is the moderator of actions by the program's commands.
const ByShell = "shell"

// HiddenTitle replaces the title of a hidden assignment and the feedback of a hidden review.
const HiddenTitle = "Hidden by a moderator"
