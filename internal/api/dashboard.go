package api

import (
	"time"

	"studycircle"
)

// Dashboard is the viewer's figures. Percentages are 0 to 100 with one decimal; without
// anything to average they are absent.
type Dashboard struct {
	Created   CreatedFigures `json:"created" doc:"Your assignments, without deleted ones, and the submissions for them."`
	Taken     TakenFigures   `json:"taken" doc:"Your submissions, also for deleted assignments."`
	Given     GivenFigures   `json:"given" doc:"The grades you gave."`
	Due       []Due          `json:"due" doc:"Assignments due within 14 days with a reminder or a pending submission of yours, soonest first, 20 at most."`
	Waiting   []Waiting      `json:"waiting" doc:"The five longest-waiting submissions that you may grade."`
	Decisions []Decision     `json:"decisions,omitempty" doc:"As in GET /api/today; absent for none."`
	Short     []Shortage     `json:"short,omitempty" doc:"As in GET /api/today; absent for none."`
}

// CreatedFigures are the figures of the viewer's assignments.
type CreatedFigures struct {
	Total          int64    `json:"total"`
	Submissions    int64    `json:"submissions"`
	Pending        int64    `json:"pending"`
	Graded         int64    `json:"graded"`
	AveragePercent *float64 `json:"averagePercent,omitempty"`
}

// TakenFigures are the figures of the viewer's submissions.
type TakenFigures struct {
	Total          int64       `json:"total"`
	Pending        int64       `json:"pending"`
	Graded         int64       `json:"graded"`
	AveragePercent *float64    `json:"averagePercent,omitempty"`
	BestPercent    *float64    `json:"bestPercent,omitempty"`
	ByLevel        ByLevel     `json:"byLevel" doc:"By the assignments' present levels."`
	Marks          []TakenMark `json:"marks" doc:"The latest 50, oldest first."`
}

// ByLevel are the figures of each level.
type ByLevel struct {
	Easy   LevelFigures `json:"easy"`
	Medium LevelFigures `json:"medium"`
	Hard   LevelFigures `json:"hard"`
}

// LevelFigures are the figures of one level.
type LevelFigures struct {
	Graded         int64    `json:"graded"`
	AveragePercent *float64 `json:"averagePercent,omitempty"`
}

// TakenMark is a mark of the viewer's.
type TakenMark struct {
	AssignmentID    string    `json:"assignmentId,omitempty" doc:"Absent for imported work whose assignment was not imported."`
	AssignmentTitle string    `json:"assignmentTitle"`
	Level           string    `json:"level,omitempty" enum:"easy,medium,hard" doc:"The assignment's at present; absent if there is none."`
	Percent         float64   `json:"percent"`
	MarkedAt        time.Time `json:"markedAt"`
}

// GivenFigures are the figures of the viewer's grades.
type GivenFigures struct {
	Total           int64    `json:"total"`
	Reviews         int64    `json:"reviews,omitzero" doc:"The reviews you gave, of several that make a mark; absent for none."`
	AveragePercent  *float64 `json:"averagePercent,omitempty"`
	MedianWaitHours *float64 `json:"medianWaitHours,omitempty" doc:"The median time that submissions you graded had waited, with two decimals."`
}

// Due is an assignment that is due soon.
type Due struct {
	Place
	AssignmentID string `json:"assignmentId"`
	Title        string `json:"title"`
	DueDate      string `json:"dueDate" doc:"RFC 3339 with the offset it was given in."`
	State        string `json:"state" enum:"open,pending,graded"`
	Remind       bool   `json:"remind"`
}

// Waiting is a submission that the viewer may grade.
type Waiting struct {
	Place
	SubmissionID    string     `json:"submissionId,omitempty" doc:"Absent if an assignment's submissions get several reviews: they are one row."`
	AssignmentTitle string     `json:"assignmentTitle"`
	SubmittedAt     *time.Time `json:"submittedAt,omitempty" doc:"Absent like submissionId."`
	Marks           int64      `json:"marks" doc:"The total."`
	Late            bool       `json:"late" doc:"Handed in after the due date."`
	AssignmentID    string     `json:"assignmentId,omitempty" doc:"In the row of an assignment with several reviews."`
	ReviewDuty
}

// DashboardOf maps the figures of a user, the member of some circles.
func DashboardOf(d studycircle.Dashboard, circles studycircle.OwnCircles, now time.Time) Dashboard {
	out := Dashboard{
		Created: CreatedFigures{
			Total: d.Created.Total, Submissions: d.Created.Pending + d.Created.Graded.N, Pending: d.Created.Pending,
			Graded: d.Created.Graded.N, AveragePercent: percentOf(d.Created.Graded),
		},
		Taken: TakenFigures{
			Total: d.Taken.Pending + d.Taken.Graded.N, Pending: d.Taken.Pending,
			Graded: d.Taken.Graded.N, AveragePercent: percentOf(d.Taken.Graded),
			ByLevel: ByLevel{
				levelFigures(d, studycircle.Easy), levelFigures(d, studycircle.Medium), levelFigures(d, studycircle.Hard),
			},
			Marks: make([]TakenMark, len(d.Taken.Marks)),
		},
		Given: GivenFigures{Total: d.Given.Graded.N, Reviews: d.Given.Reviews, AveragePercent: percentOf(d.Given.Graded)},
		Due:   make([]Due, len(d.Due)), Waiting: make([]Waiting, len(d.Waiting)),
		Decisions: decisionsOf(d.Decisions, circles), Short: shortagesOf(d.Short, circles),
	}
	if d.Taken.Graded.N > 0 {
		out.Taken.BestPercent = &d.Taken.Best
	}
	if d.Given.Graded.N > 0 {
		hours := d.Given.MedianWait.Round(time.Hour / 100).Hours()
		out.Given.MedianWaitHours = &hours
	}
	for i, m := range d.Taken.Marks {
		out.Taken.Marks[i] = TakenMark{
			AssignmentID: linked(m.AssignmentID, m.CircleID, circles), AssignmentTitle: m.AssignmentTitle,
			Level: string(m.Level), Percent: m.Obtained.Percent(), MarkedAt: m.MarkedAt,
		}
	}
	for i, due := range d.Due {
		out.Due[i] = dueOf(due, circles)
	}
	for i := range d.Waiting {
		w := &d.Waiting[i]
		out.Waiting[i] = Waiting{
			Place: placeOf(w.CircleID, circles), SubmissionID: w.ID, AssignmentTitle: w.AssignmentTitle,
			Marks: w.Marks, Late: w.Late,
		}
		if w.ID != "" {
			out.Waiting[i].SubmittedAt = &w.SubmittedAt
		} else if duty, known := d.Duties[w.AssignmentID]; known {
			out.Waiting[i].AssignmentID, out.Waiting[i].ReviewDuty = w.AssignmentID, reviewDutyOf(duty, now)
		}
	}
	return out
}

func dueOf(due studycircle.Due, circles studycircle.OwnCircles) Due {
	return Due{
		Place: placeOf(due.CircleID, circles), AssignmentID: due.AssignmentID, Title: due.Title,
		DueDate: due.DueDate.String(), State: string(due.State), Remind: due.Remind,
	}
}

func levelFigures(d studycircle.Dashboard, l studycircle.Level) LevelFigures {
	a := d.Taken.ByLevel[l]
	return LevelFigures{Graded: a.N, AveragePercent: percentOf(a)}
}

func percentOf(a studycircle.Average) *float64 {
	if percent, known := a.Percent(); known {
		return &percent
	}
	return nil
}
