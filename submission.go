package studycircle

import "time"

// Bounds of a submission's fields.
const (
	MaxNote     = 2_000
	MaxFeedback = 5_000
)

// Status says where a submission stands.
type Status string

// The statuses: handed in, and graded.
const (
	Pending   Status = "pending"
	Completed Status = "completed"
)

// Valid tells whether s is a known status.
func (s Status) Valid() bool { return s == Pending || s == Completed }

// Submission is a document handed in for an assignment. It keeps the title and
// the total it was made under, whatever happens to the assignment.
type Submission struct {
	ID              string
	AssignmentID    string
	AssignmentTitle string
	Marks           int64 // the total
	Submitter       Person
	DocsLink        string
	Note            string
	Status          Status
	SubmittedAt     time.Time
	Late            bool // handed in after the due date
	// Reviews is how many reviews it is to get, 0 where one grade is the mark. It
	// keeps the number that it was made under, but for an appeal against a grade.
	Reviews int64
	Grade   *Grade
	// Reviewing is where its reviews stand, and Progress what its submitter is told of
	// that; nil where it has a grade only, or where nobody asked.
	Reviewing *Reviewing
	Progress  *ReviewProgress
	// May is what its submitter may do with it; nil where it was not asked for.
	May *SubmitterMay
	// Link is what was found at DocsLink; zero where nobody asked.
	Link LinkHealth
}

// PendingSubmission is a row of the pending list: a pending submission as those who
// may grade it find it, or an assignment of which some are open to review.
type PendingSubmission struct {
	Submission
	Due DueDate // the assignment's at present; zero where it is gone
	// Reviewable is the viewer's Duty.Available in a row that stands for an assignment of
	// which submissions are open to review, and names none; nil in the row of a submission.
	Reviewable *int64
}

// Gradable is what of a submission a grade is decided by.
type Gradable struct {
	ID          string
	SubmitterID string // "" when the submitter's account is gone
	Marks       int64  // the total
	Status      Status
	Reviews     int64 // see Submission
}

// Grade is the result of a submission.
type Grade struct {
	GraderID string // "" when the grader's account is gone
	Mark     int64  // obtained, 0 to the submission's total
	Feedback string
	// HTML is what Feedback shows as, where that is Markdown; "" where it is plain.
	HTML string
	// Partial says that a page had no room for it: Feedback is its Beginning, and HTML is
	// Unrendered where that is Markdown.
	Partial  bool
	MarkedAt time.Time
}

// SubmissionInput is what a submitter hands in.
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

// GradeInput is what a grader gives.
type GradeInput struct {
	Mark     int64
	Feedback string
}

// Clean trims and checks in as far as that goes without the submission; CodeInvalid.
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
