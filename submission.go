package studycircle

import "time"

// Bounds of a submission's fields.
const (
	MaxNote     = 2_000
	MaxFeedback = 5_000
)

// Status is the state of a submission.
type Status string

// The statuses: handed in, and graded; and of attempts that ended without a mark and stay in their submitters' history:
// withdrawn after a review, and sent back by the creator or a grader.
const (
	Pending   Status = "pending"
	Completed Status = "completed"
	Withdrawn Status = "withdrawn"
	SentBack  Status = "sent-back"
)

// Valid reports whether s is a known status.
func (s Status) Valid() bool { return s == Pending || s == Completed || s.Ended() }

// Ended reports whether an attempt ended without a mark.
func (s Status) Ended() bool { return s == Withdrawn || s == SentBack }

// Submission is a document handed in for an assignment. It keeps the title and total of the time of hand-in.
type Submission struct {
	ID              string
	AssignmentID    string
	AssignmentTitle string
	CircleID        string // the assignment's
	Marks           int64  // the total
	Submitter       Person
	DocsLink        string
	Note            string
	Status          Status
	SubmittedAt     time.Time
	Late            bool // after the due date that applies to its submitter: see Assignment.Late
	// LinkChangedAt is when DocsLink was last changed; zero if it never was. LinkLate reports that this was after the due
	// date that applies.
	LinkChangedAt time.Time
	LinkLate      bool
	// PastOf is the assignment of an attempt that ended without a mark, which has no AssignmentID; EndedAt says when, and
	// EndReason why it was sent back. PastLabel is the word by which its reviewers know it.
	PastOf, PastLabel string
	EndedAt           time.Time
	EndReason         string
	// Reviews is the number of reviews that it gets, 0 if one grade is the mark. It keeps the number of the time of
	// hand-in, except after an appeal against a grade.
	Reviews int64
	Grade   *Grade
	// Reviewing is the state of its reviews, and Progress the part that its submitter sees; nil if it has only a
	// grade, or if the caller did not ask.
	Reviewing *Reviewing
	Progress  *ReviewProgress
	// May is what its submitter may do with it; nil if the caller did not ask.
	May *SubmitterMay
	// Link is the result of checking DocsLink; zero if the caller did not ask.
	Link LinkHealth
}

// PendingSubmission is a row of the pending list: a pending submission as shown to its possible graders, or an
// assignment with submissions open to review.
type PendingSubmission struct {
	Submission
	Due DueDate // the assignment's at present; zero if it is gone
	// Reviewable is the viewer's Duty.Available in a row that stands for an assignment with submissions open to
	// review; such a row names no submission. It is nil in the row of a submission.
	Reviewable *int64
}

// Grade is the grade of a submission.
type Grade struct {
	GraderID string // "" when the grader's account is gone
	Mark     int64  // obtained, 0 to the submission's total
	Feedback string
	// HTML is the rendered Feedback if that is Markdown; "" if it is plain text.
	HTML string
	// Partial reports that a page had no room for the texts: Feedback is cut to its Beginning, and HTML is Unrendered
	// if Feedback is Markdown.
	Partial  bool
	MarkedAt time.Time
}

// SubmissionInput is the input of a user who hands in.
type SubmissionInput struct {
	DocsLink string
	Note     string
}

// Clean trims and checks in; CodeInvalid.
func (in SubmissionInput) Clean() (SubmissionInput, error) {
	var p problems
	in.clean(&p)
	return in, p.err(CodeInvalid)
}

func (in *SubmissionInput) clean(p *problems) {
	if !visible(in.DocsLink) {
		p.add("docsLink", "Google Docs link is required")
	} else {
		p.link("docsLink", "The document link", in.DocsLink)
	}
	in.Note = p.text("note", "The note", in.Note, 0, MaxNote, multiLine)
}

// GradeInput is the input of a grader.
type GradeInput struct {
	Mark     int64
	Feedback string
}

// Clean trims and checks in as far as possible without the submission; CodeInvalid.
func (in GradeInput) Clean() (GradeInput, error) {
	var p problems
	if in.Mark < 0 || in.Mark > MaxMarks {
		p.add("marks", "The mark must be a whole number from 0 to the total.")
	}
	in.Feedback = p.text("feedback", "The feedback", in.Feedback, 0, MaxFeedback, multiLine)
	return in, p.err(CodeInvalid)
}

// CheckTotal refuses a mark above the total; CodeInvalid.
func (in GradeInput) CheckTotal(total int64) error {
	var p problems
	if in.Mark > total {
		p.add("marks", "The mark must not be above the total of %d.", total)
	}
	return p.err(CodeInvalid)
}

// EarlierAttempt is an attempt that ended without a mark.
type EarlierAttempt struct {
	Status              Status
	HandedInAt, EndedAt time.Time
	Reason              string
	Reviews             int64
}

// ReturnedNotice notifies a submitter that work was sent back.
func ReturnedNotice(s Submission, by string, now time.Time) Notice {
	return Notice{
		UserID: s.Submitter.UserID, Kind: NotifyReturned, Subject: s.ID, AssignmentID: s.AssignmentID, CircleID: s.CircleID,
		Title: s.AssignmentTitle, URL: "/assignment/" + s.AssignmentID, ActorID: by, At: now,
	}
}

// UnopenedNotice notifies a submitter that a reviewer gave the work back after reporting it.
func UnopenedNotice(s Submission, now time.Time) Notice {
	return Notice{
		UserID: s.Submitter.UserID, Kind: NotifyUnopened, Subject: s.ID, AssignmentID: s.AssignmentID, CircleID: s.CircleID,
		Title: s.AssignmentTitle, URL: "/attemded-assignments", At: now,
	}
}
