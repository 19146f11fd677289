package studycircle

import "time"

// State says where a user stands with an assignment.
type State string

// The states. Pending and graded are those of the user's latest attempt.
const (
	StateMine    State = "mine"
	StateOpen    State = "open" // neither theirs nor handed in by them
	StatePending State = "pending"
	StateGraded  State = "graded"
)

// StateDueSoon is no state of a user's: it asks for what is due within DueSoon.
const StateDueSoon State = "due-soon"

// DueSoon is how far ahead of the present what is due soon lies.
const DueSoon = 14 * 24 * time.Hour

// States lists what assignments may be listed by.
var States = []State{StateMine, StateOpen, StatePending, StateGraded, StateDueSoon}

// Valid tells whether s is one of States.
func (s State) Valid() bool { return s.Personal() || s == StateDueSoon }

// Personal tells whether s is a user's own, so that a visitor has none.
func (s State) Personal() bool {
	return s == StateMine || s == StateOpen || s == StatePending || s == StateGraded
}

// Progress is where a user stands with one assignment.
type Progress struct {
	AssignmentID string
	State        State
	SubmissionID string // the latest attempt; "" where there is none
	Attempts     int64
	Best         *Obtained // of the best graded attempt; nil without one
	Remind       bool      // they asked to be reminded
	// Duty is about reviews; nil if one grade is the mark.
	Duty *Duty
}

// Obtained is a mark and the total it is of.
type Obtained struct{ Mark, Total int64 }

// Percent is 0 to 100 with one decimal, half up.
func (o Obtained) Percent() float64 { return float64(TenthsOf(o.Mark, o.Total)) / 10 }

// TenthsOf is a mark in tenths of a percent, half up.
func TenthsOf(mark, total int64) int64 { return (2000*mark + total) / (2 * total) }

// AskedReminder is that a user asked to be reminded of an assignment.
type AskedReminder struct {
	AssignmentID string
	AskedAt      time.Time
}

// PercentUnit is what counts as one percent where percents are summed up: a
// millionth of it is the finest that is told apart.
const PercentUnit = 1_000_000

// Average is the mean of some percents: how many there are, and their sum in
// PercentUnit.
type Average struct{ N, Sum int64 }

// Percent is the mean, 0 to 100 with one decimal, half up; false where
// there is nothing to average.
func (a Average) Percent() (percent float64, known bool) {
	if a.N == 0 {
		return 0, false
	}
	const tenth = PercentUnit / 10
	// First to a thousandth of a percent: what was lost in rounding each of them would
	// turn an even half down.
	const fine = tenth / 100
	thousandths := (2*a.Sum + fine*a.N) / (2 * fine * a.N)
	return float64((thousandths+50)/100) / 10, true
}

// CreatedFigures are of a user's live assignments and of what was handed in for them.
type CreatedFigures struct {
	Total, Pending int64
	Graded         Average
}

// TakenFigures are of what a user has handed in, whatever became of the assignments.
type TakenFigures struct {
	Pending int64
	Graded  Average
	Best    float64 // percent with one decimal; where there is a grade
	// ByLevel is by the assignment's present level. What was imported without an
	// assignment has none.
	ByLevel map[Level]Average
	Marks   []TakenMark // the latest 50, oldest first
}

// MaxTakenMarks bounds the marks of a dashboard.
const MaxTakenMarks = 50

// TakenMark is a mark that a user has got.
type TakenMark struct {
	SubmissionID    string
	AssignmentID    string // "" where there is no assignment
	AssignmentTitle string // the submission's
	Level           Level  // the assignment's; "" where there is none
	Obtained        Obtained
	MarkedAt        time.Time
}

// GivenFigures are of the grades that a user has given.
type GivenFigures struct {
	Reviews int64 // of several that make a mark, exemplars left out
	Graded  Average
	// MedianWait is how long half of what they graded had waited at most; where there
	// is any.
	MedianWait time.Duration
}

// Due is something that a user wants to be reminded of or has pending.
type Due struct {
	AssignmentID string
	Title        string
	DueDate      DueDate
	State        State
	Remind       bool
}

// MaxDue and MaxWaiting bound what of it a dashboard shows.
const (
	MaxDue     = 20
	MaxWaiting = 5
)

// Dashboard is how a user stands.
type Dashboard struct {
	Created CreatedFigures
	Taken   TakenFigures
	Given   GivenFigures
	Due     []Due // within DueSoon, soonest first
	// Waiting is what they may grade, longest waiting first; before it, of each
	// assignment with several reviews that has work for them, a row without an id.
	Waiting []Submission
	// Duties are about the assignments of the rows without an id.
	Duties    map[string]Duty
	Decisions []Decision // as Today has them
	Short     []Shortage
}
