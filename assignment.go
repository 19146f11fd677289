package studycircle

import (
	"cmp"
	"time"
)

// Bounds of an assignment's fields.
const (
	MaxTitle       = 200
	MaxDescription = 10_000
	MaxMarks       = 1_000
	MaxReviewsOwed = 20
)

// Hall stands for the id of a circle where there is none: what belongs to the hall is public.
const Hall = ""

// Level says how hard an assignment is.
type Level string

// The levels.
const (
	Easy   Level = "easy"
	Medium Level = "medium"
	Hard   Level = "hard"
)

// Levels lists every level, easiest first.
var Levels = []Level{Easy, Medium, Hard}

// Sort is the order of a list of assignments.
type Sort string

// The orders of the list of all assignments.
const (
	SortNewest Sort = "newest"
	SortOldest Sort = "oldest"
)

// Valid reports whether l is one of Levels.
func (l Level) Valid() bool { return l == Easy || l == Medium || l == Hard }

// Assignment is a piece of study published by its creator for all others.
type Assignment struct {
	// Seq orders assignments by publication, oldest first, whatever the clock says.
	Seq         int64
	ID          string
	Creator     Person
	Title       string
	Description string
	// HTML is the rendered Description if that is Markdown, "" if it is plain text, and Unrendered on the pages of a
	// list.
	HTML string
	// Partial reports that a page had no room for the texts: Description is cut to its Beginning, and the rubric is
	// left out.
	Partial   bool
	Thumbnail string
	Marks     int64
	Level     Level
	Due       DueDate
	// Reviews is the number of reviews that each submission gets, 2 or more: its mark is settled from them (see
	// Reviewing). 0 if one grade is the mark.
	Reviews int64
	Rubric  Rubric // empty if there is none
	// MarkBy is the way from several reviews to the mark, and Model the version of the grade model, which the creation
	// sets for good.
	MarkBy MarkBy
	Model  string
	// ReviewDue is the day by which submitters are to give their reviews; zero if the creator set none.
	ReviewDue DueDate
	// ReviewsOwed is the number of reviews that the creator asks of each submitter; 0 for as many as each submission
	// gets. OwedEach returns the number that applies.
	ReviewsOwed int64
	CreatedAt   time.Time
	UpdatedAt   time.Time
	// CircleID is the circle that the assignment belongs to, "" for the hall. It never changes.
	CircleID string
	// HiddenReason is a moderator's reason for hiding the assignment; "" if it is not hidden.
	HiddenReason string
	// LateLinks reports that a submission whose link is changed after the due date is late.
	LateLinks bool
	// SomeExtended reports that some users have due dates of their own; only those users' reads depend on it. Extended
	// reports that Due is the reader's own.
	SomeExtended, Extended bool
}

// MarkBy is the way from the reviews of a submission to its mark. It means nothing for an assignment with one review.
type MarkBy string

// The ways to a mark, the default first.
const (
	MarkByModel   MarkBy = "model"
	MarkByAverage MarkBy = "average"
	MarkByMedian  MarkBy = "median"
)

// Valid reports whether m is one of the ways.
func (m MarkBy) Valid() bool { return m == MarkByModel || m == MarkByAverage || m == MarkByMedian }

// Format is the format of a text that a user wrote.
type Format string

// The formats: plain text and Markdown.
const (
	Plain    Format = "plain"
	Markdown Format = "markdown"
)

// FormatOf returns the format of a text rendered as html, which is "" for plain text.
func FormatOf(html string) Format {
	if html == "" {
		return Plain
	}
	return Markdown
}

// Person is a user as shown beside their work. The zero Person stands for a deleted account, or for imported work
// without one.
type Person struct {
	UserID      string
	Email       string
	DisplayName string
	PhotoURL    string // may be empty
}

// AssignmentInput is the input of a creator who creates or updates an assignment.
type AssignmentInput struct {
	Title       string
	Description string
	// HTML is the rendered Description; "" if it is plain text.
	HTML      string
	Thumbnail string
	Marks     int64
	Level     Level // "" is Easy
	DueDate   string
	Reviews   *int64  // nil keeps the present number; 1, the default, is a single grade
	Rubric    *Rubric // nil keeps the present rubric
	NoRubric  bool    // removes the rubric
	MarkBy    *MarkBy // nil keeps the present way; at first it is the model
	// ReviewDueDate is nil to keep the present review due date, "" to remove it.
	ReviewDueDate *string
	ReviewsOwed   *int64 // nil keeps the present number
	LateLinks     *bool  // nil keeps the present choice

	due, reviewDue DueDate
}

// Clean trims and checks in; CodeInvalid. CheckDue compares the due date with the clock.
func (in AssignmentInput) Clean() (AssignmentInput, error) {
	var p problems
	in.Title = p.text("title", "The title", in.Title, 1, MaxTitle, singleLine)
	in.Description = p.text("description", "The description", in.Description, 1, MaxDescription, multiLine)
	p.link("thumbnail", "The thumbnail", in.Thumbnail)
	if in.Marks < 1 || in.Marks > MaxMarks {
		p.add("marks", "Marks must be a whole number from 1 to %d.", MaxMarks)
	}
	if in.Level == "" {
		in.Level = Easy
	}
	if !in.Level.Valid() {
		p.add("level", "The level must be easy, medium or hard.")
	}
	var err error
	if in.due, err = ParseDueDate(in.DueDate); err != nil {
		p.add("dueDate", "The due date %v.", err)
	}
	if in.Reviews != nil && (*in.Reviews < 1 || *in.Reviews > MaxReviews) {
		p.add("reviewsNeeded", "Reviews needed must be a whole number from 1 to %d.", MaxReviews)
	}
	if in.MarkBy != nil && !in.MarkBy.Valid() {
		p.add("markBy", "The mark is calculated by model, average or median.")
	}
	if in.Rubric != nil {
		cleaned := in.Rubric.clean(&p, "rubric")
		in.Rubric = &cleaned
	}
	if in.ReviewDueDate != nil && *in.ReviewDueDate != "" {
		if in.reviewDue, err = ParseDueDate(*in.ReviewDueDate); err != nil {
			p.add("reviewDueDate", "The review due date %v.", err)
		}
	}
	if in.ReviewsOwed != nil && (*in.ReviewsOwed < 1 || *in.ReviewsOwed > MaxReviewsOwed) {
		p.add("reviewsOwed", "Reviews owed must be a whole number from 1 to %d.", MaxReviewsOwed)
	}
	return in, p.err(CodeInvalid)
}

// CleanDescription returns text as Clean leaves a description; CodeInvalid, with the field text.
func CleanDescription(text string) (string, error) {
	var p problems
	text = p.text("text", "The text", text, 1, MaxDescription, multiLine)
	return text, p.err(CodeInvalid)
}

// Due returns the parsed due date of a cleaned input.
func (in AssignmentInput) Due() DueDate { return in.due }

// CheckDue refuses a due date that lies too far in the past; CodeInvalid.
func (in AssignmentInput) CheckDue(now time.Time) error { return checkDue(in.due, now) }

func checkDue(due DueDate, now time.Time) error {
	var p problems
	if due.Time().Before(now.Add(-PastDueTolerance)) {
		p.add("dueDate", "The due date must not be in the past.")
	}
	return p.err(CodeInvalid)
}

// CopyInput is the input of a user who publishes an assignment again.
type CopyInput struct {
	DueDate   string
	CircleID  string // where to; "" for the hall
	Exemplars bool   // with the exemplars

	due DueDate
}

// Clean checks in; CodeInvalid.
func (in CopyInput) Clean(now time.Time) (CopyInput, error) {
	var err error
	if in.due, err = ParseDueDate(in.DueDate); err != nil {
		var p problems
		p.add("dueDate", "The due date %v.", err)
		return in, p.err(CodeInvalid)
	}
	return in, checkDue(in.due, now)
}

// Again returns what creates a copy of a with the due date of a cleaned input. A review due date moves along: it stays
// as many days behind the due date, at its time of day. CodeInvalid if it cannot.
func (a Assignment) Again(in CopyInput) (AssignmentInput, error) {
	again := AssignmentInput{
		Title: a.Title, Description: a.Description, HTML: a.HTML, Thumbnail: a.Thumbnail, Marks: a.Marks, Level: a.Level,
		Reviews: new(cmp.Or(a.Reviews, 1)), Rubric: &a.Rubric, MarkBy: &a.MarkBy, ReviewsOwed: &a.ReviewsOwed,
		LateLinks: &a.LateLinks, DueDate: in.DueDate, due: in.due,
	}
	if a.ReviewDue.IsZero() {
		return again, nil
	}
	reviewDue, err := a.ReviewDue.along(a.Due, in.due)
	if err != nil {
		var p problems
		p.add("dueDate", "The review due date, which moves along, %v.", err)
		return again, p.err(CodeInvalid)
	}
	again.ReviewDueDate, again.reviewDue = new(reviewDue.String()), reviewDue
	return again, nil
}

// Apply returns a changed to in, and reports whether anything changed. An unchanged description keeps its HTML. When a
// single grade becomes the mark, the rubric and the duty to review are removed, and several reviews would be combined
// by the model again.
func (a Assignment) Apply(in AssignmentInput) (Assignment, bool) {
	b := a
	b.Title, b.Description, b.Thumbnail = in.Title, in.Description, in.Thumbnail
	b.Marks, b.Level, b.Due = in.Marks, in.Level, in.due
	if a.Description != b.Description {
		b.HTML = in.HTML
	}
	if in.Reviews != nil {
		if b.Reviews = *in.Reviews; b.Reviews == 1 {
			b.Reviews, b.Rubric, b.MarkBy = 0, Rubric{}, MarkByModel
			b.ReviewDue, b.ReviewsOwed = DueDate{}, 0
		}
	}
	if in.ReviewDueDate != nil {
		b.ReviewDue = in.reviewDue
	}
	if in.ReviewsOwed != nil {
		b.ReviewsOwed = *in.ReviewsOwed
	}
	if in.MarkBy != nil {
		b.MarkBy = *in.MarkBy
	}
	if in.LateLinks != nil {
		b.LateLinks = *in.LateLinks
	}
	b.MarkBy = cmp.Or(b.MarkBy, MarkByModel)
	if in.NoRubric {
		b.Rubric = Rubric{}
	}
	if in.Rubric != nil {
		b.Rubric = *in.Rubric
	}
	same := a.Title == b.Title && a.Description == b.Description && a.Thumbnail == b.Thumbnail &&
		a.Marks == b.Marks && a.Level == b.Level && a.Due.Equal(b.Due) && !a.ChangesReviewing(b) &&
		!a.ChangesDuty(b) && a.LateLinks == b.LateLinks
	return b, !same
}

// Concealed returns the fields of an assignment hidden by a moderator that reviewers and submitters may read: those
// named here, and none of its creator's text.
func (a Assignment) Concealed() Assignment {
	return Assignment{
		Seq: a.Seq, ID: a.ID, Creator: a.Creator, Title: HiddenTitle, Marks: a.Marks, Level: a.Level, Due: a.Due,
		Reviews: a.Reviews, Rubric: a.Rubric.Concealed(), ReviewDue: a.ReviewDue, ReviewsOwed: a.ReviewsOwed,
		MarkBy: a.MarkBy, Model: a.Model, CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt, CircleID: a.CircleID,
		LateLinks: a.LateLinks, SomeExtended: a.SomeExtended,
	}
}

// ChangesReviewing reports whether b differs from a in the fields that are fixed after the first submission: the
// number of reviews, the way to the mark, the rubric and, with a rubric, the total.
func (a Assignment) ChangesReviewing(b Assignment) bool {
	rubric := a.Rubric.String()
	return a.Reviews != b.Reviews || a.MarkBy != b.MarkBy || rubric != b.Rubric.String() ||
		(rubric != "" && a.Marks != b.Marks)
}

// ChangesDuty reports whether b asks for other reviews than a, or by another day.
func (a Assignment) ChangesDuty(b Assignment) bool {
	return !a.ReviewDue.Equal(b.ReviewDue) || a.ReviewsOwed != b.ReviewsOwed
}

// OwedEach returns how many reviews each submitter owes; 0 if one grade is the mark.
func (a Assignment) OwedEach() int64 { return cmp.Or(a.ReviewsOwed, a.Reviews) }

// CheckReviewing refuses a rubric, a way to the mark and a duty to review that do not fit the other fields;
// CodeInvalid.
func (a Assignment) CheckReviewing() error {
	var p problems
	if a.Reviews == 0 && !a.ReviewDue.IsZero() {
		p.add("reviewDueDate", "A review due date needs an assignment with two reviews or more.")
	}
	if a.Reviews > 0 && !a.ReviewDue.IsZero() && !a.ReviewDue.Time().After(a.Due.Time()) {
		p.add("reviewDueDate", "The review due date must be after the due date.")
	}
	if a.Reviews == 0 && a.ReviewsOwed > 0 {
		p.add("reviewsOwed", "Reviews can be owed only for an assignment with two reviews or more.")
	}
	if a.Reviews == 0 && a.MarkBy != MarkByModel {
		p.add("markBy", "An average or a median needs an assignment with two reviews or more.")
	}
	switch {
	case a.Rubric.Empty():
	case a.Reviews == 0:
		p.add("rubric", "A rubric needs an assignment with two reviews or more.")
	case a.Rubric.Total() != a.Marks:
		p.add("rubric", "The highest levels add up to %d; they must add up to the marks, %d.", a.Rubric.Total(), a.Marks)
	}
	return p.err(CodeInvalid)
}
