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

// The kinds; OfUser is what a moderator did to an account.
const (
	OfComment    SubjectKind = "comment"
	OfAssignment SubjectKind = "assignment"
	OfUser       SubjectKind = "user"
)

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
}

// ReportedThing is a report and what it is about, as it is now.
type ReportedThing struct {
	Report
	// Comment is zero where that is not what it is about, or it is gone; so is
	// Assignment, which else is the one that the comment stands under.
	Comment    Comment
	Assignment Assignment
}

// AuthorID is who made what was reported; "" where they are gone.
func (r ReportedThing) AuthorID() string {
	if r.Subject.Kind == OfComment {
		return r.Comment.Author.UserID
	}
	return r.Assignment.Creator.UserID
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
	Reason    string
	At        time.Time
}

// ByShell is who moderates by the program's own commands.
const ByShell = "shell"

// HiddenTitle stands where the title of a hidden assignment stood.
const HiddenTitle = "Hidden by a moderator"
