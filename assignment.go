package studycircle

import "time"

// Bounds of an assignment's fields.
const (
	MaxTitle       = 200
	MaxDescription = 10_000
	MaxMarks       = 1_000
)

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

// Sorts lists every order, the default first.
var Sorts = []Sort{SortNewest, SortOldest}

// Valid tells whether l is one of Levels.
func (l Level) Valid() bool { return l == Easy || l == Medium || l == Hard }

// Assignment is a piece of study published by its creator for all others.
type Assignment struct {
	// Seq orders assignments by publication, oldest first, whatever the clock says.
	Seq         int64
	ID          string
	Creator     Person
	Title       string
	Description string
	// HTML is what Description shows as, where that is Markdown; "" where it is plain, and
	// Unrendered in pages of lists.
	HTML string
	// Partial says that a page had no room for it: Description is its Beginning, and the
	// rubric is left out.
	Partial   bool
	Thumbnail string
	Marks     int64
	Level     Level
	Due       DueDate
	// Reviews is how many reviews each submission is to get, from 2 on: its mark is
	// settled of them, see Reviewing. 0 where one grade is the mark.
	Reviews   int64
	Rubric    Rubric // empty where there is none
	CreatedAt time.Time
	UpdatedAt time.Time
	// HiddenReason is why a moderator has hidden it; "" otherwise.
	HiddenReason string
}

// Format says what people wrote.
type Format string

// The formats: text as it was typed, and Markdown.
const (
	Plain    Format = "plain"
	Markdown Format = "markdown"
)

// FormatOf is the format of a text that shows as html; "" is a plain one's.
func FormatOf(html string) Format {
	if html == "" {
		return Plain
	}
	return Markdown
}

// Person is how a user appears beside something they made. The zero Person is
// somebody whose account is gone, or who never had one.
type Person struct {
	UserID      string
	Email       string
	DisplayName string
	PhotoURL    string // may be empty
}

// AssignmentInput is what a creator says of an assignment.
type AssignmentInput struct {
	Title       string
	Description string
	// HTML is what Description shows as; "" where it is plain.
	HTML      string
	Thumbnail string
	Marks     int64
	Level     Level // "" is Easy
	DueDate   string
	Reviews   *int64  // nil is as it was; 1 is a grade, as it is at first
	Rubric    *Rubric // nil is as it was, none at first
	NoRubric  bool    // what there was goes

	due DueDate
}

// Clean trims and checks in; CodeInvalid. It does not compare the due date with
// the clock: see CheckDue.
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
	if in.Rubric != nil {
		cleaned := in.Rubric.clean(&p)
		in.Rubric = &cleaned
	}
	return in, p.err(CodeInvalid)
}

// CleanDescription is a description as Clean leaves it; CodeInvalid, by the field text.
func CleanDescription(text string) (string, error) {
	var p problems
	text = p.text("text", "The text", text, 1, MaxDescription, multiLine)
	return text, p.err(CodeInvalid)
}

// Due is the parsed due date of a cleaned input.
func (in AssignmentInput) Due() DueDate { return in.due }

// CheckDue refuses a due date that lies too far in the past; CodeInvalid.
func (in AssignmentInput) CheckDue(now time.Time) error {
	var p problems
	if in.due.Time().Before(now.Add(-PastDueTolerance)) {
		p.add("dueDate", "The due date must not lie in the past.")
	}
	return p.err(CodeInvalid)
}

// Apply returns a with everything in says, and whether that changes anything. A
// description that is the same shows as it did. A rubric goes where one grade
// becomes the mark.
func (a Assignment) Apply(in AssignmentInput) (Assignment, bool) {
	b := a
	b.Title, b.Description, b.Thumbnail = in.Title, in.Description, in.Thumbnail
	b.Marks, b.Level, b.Due = in.Marks, in.Level, in.due
	if a.Description != b.Description {
		b.HTML = in.HTML
	}
	if in.Reviews != nil {
		if b.Reviews = *in.Reviews; b.Reviews == 1 {
			b.Reviews, b.Rubric = 0, Rubric{}
		}
	}
	if in.NoRubric {
		b.Rubric = Rubric{}
	}
	if in.Rubric != nil {
		b.Rubric = *in.Rubric
	}
	same := a.Title == b.Title && a.Description == b.Description && a.Thumbnail == b.Thumbnail &&
		a.Marks == b.Marks && a.Level == b.Level && a.Due.Equal(b.Due) && !a.ChangesReviewing(b)
	return b, !same
}

// Concealed returns what reviewers and submitters may know of an assignment that a
// moderator has hidden: the fields named here, and nothing that its creator wrote.
func (a Assignment) Concealed() Assignment {
	return Assignment{
		Seq: a.Seq, ID: a.ID, Creator: a.Creator, Title: HiddenTitle, Marks: a.Marks, Level: a.Level, Due: a.Due,
		Reviews: a.Reviews, Rubric: a.Rubric.Concealed(), CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt,
	}
}

// ChangesReviewing tells whether b differs from a in what is fixed once something
// was handed in: how many reviews, the rubric, and with a rubric the total.
func (a Assignment) ChangesReviewing(b Assignment) bool {
	rubric := a.Rubric.String()
	return a.Reviews != b.Reviews || rubric != b.Rubric.String() || (rubric != "" && a.Marks != b.Marks)
}

// CheckRubric refuses a rubric that does not fit the rest; CodeInvalid.
func (a Assignment) CheckRubric() error {
	var p problems
	switch {
	case a.Rubric.Empty():
	case a.Reviews == 0:
		p.add("rubric", "A rubric needs an assignment with two reviews or more.")
	case a.Rubric.Total() != a.Marks:
		p.add("rubric", "The highest levels add up to %d; they must add up to the marks, %d.", a.Rubric.Total(), a.Marks)
	}
	return p.err(CodeInvalid)
}
