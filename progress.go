package studycircle

import "time"

// State is a user's state in an assignment.
type State string

// The states. Pending and graded are those of the user's latest attempt.
const (
	StateMine    State = "mine"
	StateOpen    State = "open" // neither the user's own nor handed in by the user
	StatePending State = "pending"
	StateGraded  State = "graded"
)

// StateDueSoon is no user's state: it filters assignments due within DueSoon.
const StateDueSoon State = "due-soon"

// DueSoon is the time ahead that counts as due soon.
const DueSoon = 14 * 24 * time.Hour

// States lists every state that the list of assignments filters by.
var States = []State{StateMine, StateOpen, StatePending, StateGraded, StateDueSoon}

// Valid reports whether s is one of States.
func (s State) Valid() bool { return s.Personal() || s == StateDueSoon }

// Personal reports whether s is a state of a user, which visitors do not have.
func (s State) Personal() bool {
	return s == StateMine || s == StateOpen || s == StatePending || s == StateGraded
}

// Progress is a user's state in one assignment, with its details.
type Progress struct {
	AssignmentID string
	State        State
	SubmissionID string // the latest attempt; "" without one
	Attempts     int64
	Best         *Obtained // of the best graded attempt; nil without one
	Remind       bool      // the user asked for reminders
	// Duty is about reviews; nil if one grade is the mark.
	Duty *Duty
}

// Obtained is a mark with its total.
type Obtained struct{ Mark, Total int64 }

// Percent returns 0 to 100, as RoundPercent does.
func (o Obtained) Percent() float64 { return RoundPercent(percentOf(o.Mark, o.Total)) }

// AskedReminder is a user's request to be reminded of an assignment.
type AskedReminder struct {
	AssignmentID string
	AskedAt      time.Time
}

// PercentUnit is one percent in sums of percentages, which are exact to a millionth of it.
const PercentUnit = 1_000_000

// Average is a mean of percentages: their number, and their sum in PercentUnit.
type Average struct{ N, Sum int64 }

// Percent returns the mean, 0 to 100, as RoundPercent does; known is false if N is 0.
func (a Average) Percent() (percent float64, known bool) {
	if a.N == 0 {
		return 0, false
	}
	return RoundPercent(float64(a.Sum) / float64(a.N) / PercentUnit), true
}

// CreatedFigures summarize a user's live assignments and the submissions for them.
type CreatedFigures struct {
	Total, Pending int64
	Graded         Average
}

// TakenFigures summarize a user's submissions, also those of deleted assignments.
type TakenFigures struct {
	Pending int64
	Graded  Average
	Best    float64 // percent with one decimal; set if there is a grade
	// ByLevel is by the assignment's present level. Submissions imported without an assignment are left out.
	ByLevel map[Level]Average
	Marks   []TakenMark // the latest 50, oldest first
}

// MaxTakenMarks bounds the marks of a dashboard.
const MaxTakenMarks = 50

// TakenMark is a mark of one of the user's submissions.
type TakenMark struct {
	SubmissionID    string
	AssignmentID    string // "" if there is no assignment
	AssignmentTitle string // the submission's
	CircleID        string
	Level           Level // the assignment's; "" if there is none
	Obtained        Obtained
	MarkedAt        time.Time
}

// GivenFigures summarize the grades that a user has given.
type GivenFigures struct {
	Reviews int64 // reviews of submissions with several, without exemplars
	Graded  Average
	// MedianWait is the median waiting time of the submissions that the user graded; set if there are any.
	MedianWait time.Duration
}

// Due is an assignment that a user wants to be reminded of, or has a pending submission for.
type Due struct {
	AssignmentID string
	CircleID     string
	Title        string
	DueDate      DueDate
	State        State
	Remind       bool
}

// MaxDue and MaxWaiting bound the lists of a dashboard.
const (
	MaxDue     = 20
	MaxWaiting = 5
)

// Dashboard is a user's overview.
type Dashboard struct {
	Created CreatedFigures
	Taken   TakenFigures
	Given   GivenFigures
	Due     []Due // within DueSoon, soonest first
	// Waiting is what the user may grade, longest waiting first. Before it, each assignment with several reviews that
	// has work for the user has a row without an id.
	Waiting []Submission
	// Duties are those of the rows without an id.
	Duties    map[string]Duty
	Decisions []Decision // as in Today
	Short     []Shortage
}
