package api

import (
	"time"

	"studycircle"
)

// Today is the viewer's present duties and the marks that have come back.
type Today struct {
	Turns       []Turn         `json:"turns" doc:"What you owe reviews of or hold a reservation for, the most urgent first, at most 20."`
	Due         []Due          `json:"due" doc:"As in GET /api/dashboard."`
	Back        []Back         `json:"back" doc:"Your latest marks of the last seven days, latest first, at most 5."`
	Decisions   []Decision     `json:"decisions" doc:"Submissions for your assignments whose marks wait for you, longest waiting first, at most 20."`
	Short       []Shortage     `json:"short" doc:"Your assignments, due within a day or since, that have work to review and too few submitters to give each other all reviews, newest first, at most 20."`
	Invitations []MyInvitation `json:"invitations,omitempty" doc:"As in GET /api/circles/invited; absent for none."`
	Needs       []Need         `json:"needs,omitempty" doc:"What else waits for you, at most 20 of each kind; absent for nothing."`
}

// Need is what waits for the viewer. The server accepts what it asks for.
type Need struct {
	Place
	Kind            string     `json:"kind" enum:"hand-in,appeal,finalize,answer,reports,requests" doc:"hand-in: for an assignment of a circle, due within 14 days or since; appeal: new reviewers are asked, and you can decide at once; finalize: submissions have the reviews asked for at first, or the review due date is over; answer: questions of reviewers; reports: decide on them; requests: of users to join a circle."`
	AssignmentID    string     `json:"assignmentId,omitempty"`
	AssignmentTitle string     `json:"assignmentTitle,omitempty"`
	SubmissionID    string     `json:"submissionId,omitempty" doc:"Of an appeal or an answer."`
	Count           int64      `json:"count,omitzero" doc:"How many submissions, questions, reports or users wait; absent for one assignment or appeal. Reports are counted to 100."`
	By              *time.Time `json:"by,omitempty" doc:"When the assignment is due, when new reviewers are no longer asked, or when the server settles the first submission; absent for reports and requests."`
	Since           *time.Time `json:"since,omitempty" doc:"When the first report or request came."`
	URL             string     `json:"url" doc:"The path of the page on which you do it."`
}

// Turn is an assignment for which the viewer owes reviews.
type Turn struct {
	Place
	AssignmentID    string     `json:"assignmentId"`
	AssignmentTitle string     `json:"assignmentTitle"`
	Given           int64      `json:"given" doc:"How many reviews you gave for it, without those of exemplars."`
	Owed            int64      `json:"owed" doc:"How many more you owe."`
	Available       int64      `json:"available" maximum:"100" doc:"How many POST /api/reviews/next gives you now; 100 stands for 100 and more."`
	By              *time.Time `json:"by,omitempty" doc:"Until when you are to give them, as in GET /api/progress; absent if you have not handed in."`
	HeldUntil       *time.Time `json:"heldUntil,omitempty" doc:"When your reservation of one of them ends."`
}

// Back is a submission of the viewer's that has got its mark.
type Back struct {
	Place
	SubmissionID    string    `json:"submissionId"`
	AssignmentID    string    `json:"assignmentId,omitempty" doc:"Absent for imported work whose assignment was not imported."`
	AssignmentTitle string    `json:"assignmentTitle"`
	GivenMark       int64     `json:"givenMark"`
	Marks           int64     `json:"marks" doc:"The total."`
	MarkedAt        time.Time `json:"markedAt" doc:"The beginning of the day, in UTC, if several users reviewed it."`
}

// Decision is a submission that waits for the viewer to decide its mark.
type Decision struct {
	Place
	SubmissionID    string `json:"submissionId"`
	AssignmentID    string `json:"assignmentId"`
	AssignmentTitle string `json:"assignmentTitle"`
	Reason          string `json:"reason" enum:"appeal,unattended" doc:"appeal: its submitter appealed, and too few new reviewers came; unattended: no reviewer came."`
}

// Shortage is an assignment of the viewer's with too few submitters.
type Shortage struct {
	Place
	AssignmentID    string `json:"assignmentId"`
	AssignmentTitle string `json:"assignmentTitle"`
	ReviewsNeeded   int64  `json:"reviewsNeeded" doc:"By each submission."`
	Submitters      int64  `json:"submitters" doc:"How many users have handed in."`
}

// TodayOf maps the Today of a user, the member of some circles.
func TodayOf(t studycircle.Today, circles studycircle.OwnCircles, now time.Time) Today {
	out := Today{
		Turns: make([]Turn, len(t.Turns)), Due: make([]Due, len(t.Due)), Back: make([]Back, len(t.Back)),
		Decisions: decisionsOf(t.Decisions, circles), Short: shortagesOf(t.Short, circles),
	}
	for _, n := range t.Needs {
		out.Needs = append(out.Needs, Need{
			Place: placeOf(n.CircleID, circles), Kind: string(n.Kind), AssignmentID: n.AssignmentID,
			AssignmentTitle: n.Title, SubmissionID: n.SubmissionID, Count: n.Count, By: optionalTime(n.By),
			Since: optionalTime(n.Since), URL: n.URL(),
		})
	}
	if len(t.Invitations) > 0 {
		out.Invitations = myInvitations(t.Invitations)
	}
	for i, d := range t.Turns {
		out.Turns[i] = Turn{
			Place: placeOf(d.CircleID, circles), AssignmentID: d.AssignmentID, AssignmentTitle: d.Title, Given: d.Given,
			Owed: d.Left(now), Available: d.Available, By: optionalTime(d.By()), HeldUntil: optionalTime(d.HeldUntil),
		}
	}
	for i, due := range t.Due {
		out.Due[i] = dueOf(due, circles)
	}
	for i, m := range t.Back {
		out.Back[i] = Back{
			Place: placeOf(m.CircleID, circles), SubmissionID: m.SubmissionID,
			AssignmentID: linked(m.AssignmentID, m.CircleID, circles), AssignmentTitle: m.AssignmentTitle,
			GivenMark: m.Obtained.Mark, Marks: m.Obtained.Total, MarkedAt: m.MarkedAt,
		}
	}
	return out
}

func decisionsOf(decisions []studycircle.Decision, circles studycircle.OwnCircles) []Decision {
	out := make([]Decision, len(decisions))
	for i, d := range decisions {
		reason := "appeal"
		if d.Unattended {
			reason = "unattended"
		}
		out[i] = Decision{
			Place: placeOf(d.CircleID, circles), SubmissionID: d.SubmissionID, AssignmentID: d.AssignmentID,
			AssignmentTitle: d.Title, Reason: reason,
		}
	}
	return out
}

func shortagesOf(short []studycircle.Shortage, circles studycircle.OwnCircles) []Shortage {
	out := make([]Shortage, len(short))
	for i, s := range short {
		out[i] = Shortage{
			Place: placeOf(s.CircleID, circles), AssignmentID: s.AssignmentID, AssignmentTitle: s.Title,
			ReviewsNeeded: s.Needed, Submitters: s.Submitters,
		}
	}
	return out
}

func optionalTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
