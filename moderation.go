package studycircle

import (
	"slices"
	"time"
)

// Moderators is the set of the moderators whom the settings name. The operator's commands appoint others.
type Moderators Addresses

// ModeratorsOf returns the set of these addresses.
func ModeratorsOf(emails []string) Moderators { return Moderators(AddressesOf(emails)) }

// Include reports whether u is a moderator, by the settings or appointed.
func (m Moderators) Include(u User) bool {
	return !u.ModeratorSince.IsZero() || Addresses(m).Include(u)
}

// MayBeModerator allows the operator to appoint a user who has verified the address; CodeInvalid.
func MayBeModerator(u User) error {
	if u.EmailVerifiedAt.IsZero() {
		return Errorf(CodeInvalid, "This user has not verified the address.")
	}
	return nil
}

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

// CheckHidingAnswers refuses to hide the answers to questions about a submission if there are none; CodeInvalid. The
// submission itself is not hidden: its reviewers have read it already, and hiding it from the others would take the
// submitter's mark.
func CheckHidingAnswers(all []Question) error {
	var p problems
	if !slices.ContainsFunc(all, Question.Answered) {
		p.add("action", "A submission cannot be hidden. Dismiss the report, or suspend its author.")
	}
	return p.err(CodeInvalid)
}

// Subject is the subject of a report or of a moderator's decision.
type Subject struct {
	Kind SubjectKind
	ID   string
}

// Report is a user's request that its recipients look at a subject: the server's moderators, or the organizers of a
// circle. They do not learn the reporter.
type Report struct {
	ID      string
	Subject Subject
	// CircleID is the circle whose organizers decide on it; "" if the server's moderators do.
	CircleID  string
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
	// Decidable reports whether the reader may decide on the report, and Suspendable whether the reader may suspend the
	// author.
	Decidable, Suspendable bool
	// Comment is zero if the subject is no comment, or is gone. So is Assignment, which for a comment is its
	// assignment.
	Comment    Comment
	Assignment Assignment
	// Review is nil if the subject is no review, or is gone. So is Work.
	Review *ReportedReview
	Work   *ReportedWork
}

// Gone reports whether the subject has been deleted.
func (r ReportedThing) Gone() bool {
	switch r.Subject.Kind {
	case OfComment:
		return r.Comment.ID == ""
	case OfReview:
		return r.Review == nil
	case OfSubmission:
		return r.Work == nil
	default:
		return r.Assignment.Title == ""
	}
}

// Bare returns the text that r is about, without its author, its assignment and its circle. It is what the server's
// moderators see of a circle.
func (r ReportedThing) Bare() ReportedThing {
	r.Comment = Comment{ID: r.Comment.ID, Text: r.Comment.Text, HTML: r.Comment.HTML, Partial: r.Comment.Partial}
	text := r.Assignment
	r.Assignment = Assignment{}
	if r.Subject.Kind == OfAssignment {
		r.Assignment.Title, r.Assignment.Description, r.Assignment.HTML, r.Assignment.Partial = text.Title, text.Description,
			text.HTML, text.Partial
	}
	return r
}

// ReportTo returns the circle whose organizers decide on a report of something in circleID; "" if the server's
// moderators do. They do so in the hall, if the reporter asks for them, and about the words of an organizer. author is
// the membership of the user who wrote the subject.
func ReportTo(circleID string, moderators bool, author Membership) string {
	if moderators || author.Role.Organizes() {
		return Hall
	}
	return circleID
}

// ReportsURL is the address of the page on which the organizers of a circle, or the moderators, decide on reports.
func ReportsURL(circleID string) string {
	if circleID == Hall {
		return "/moderation"
	}
	return "/circle/" + circleID + "?tab=reports"
}

// ReportedIn stands for the title of an assignment in notices that tell moderators of a report from a circle.
const ReportedIn = "a private circle"

// ReportedReview is the content of a review, without reviewer and submitter.
type ReportedReview struct {
	Feedback string
	HTML     string        // the rendered Feedback if that is Markdown
	Partial  bool          // Feedback is cut to its Beginning
	Levels   []ChosenLevel // of the rubric, if there is one
	// Question is the reviewer's question to the submitter; the zero value without one.
	Question QuestionText
}

// ReportedWork is the content of a submission, without its submitter.
type ReportedWork struct {
	DocsLink, Note string
	Answers        []QuestionText // to reviewers, in an order that reveals nothing
	Partial        bool           // an answer is cut to its Beginning
}

// ModerationAction is an action of a moderator, or of an organizer in their circle.
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
	CircleID  string // the circle whose organizer decided; "" for the server's moderators
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
