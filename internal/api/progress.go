package api

import (
	"context"
	"time"

	"studycircle"
)

// Progress is the viewer's state with one assignment.
type Progress struct {
	AssignmentID string `json:"assignmentId"`
	State        string `json:"state" enum:"mine,open,pending,graded" doc:"The latest attempt's; open where nothing was handed in."`
	SubmissionID string `json:"submissionId,omitempty" doc:"The latest attempt; absent without one."`
	GivenMark    *int64 `json:"givenMark,omitempty" doc:"Of the best graded attempt; absent without one."`
	Marks        *int64 `json:"marks,omitempty" doc:"The total of the best graded attempt; absent without one."`
	Attempts     int64  `json:"attempts"`
	Remind       bool   `json:"remind" doc:"You asked to be reminded."`
	ReviewDuty
}

// ReviewDuty is what the viewer can review of an assignment with several reviews, and owes.
type ReviewDuty struct {
	ReviewsGiven     *int64     `json:"reviewsGiven,omitempty" doc:"How many reviews you gave for it, without those of exemplars. This and the following are absent if one grade is the mark."`
	ReviewsOwed      *int64     `json:"reviewsOwed,omitempty" doc:"How many you owe in all since you handed in, the given ones included."`
	ReviewsLeft      *int64     `json:"reviewsLeft,omitempty" doc:"How many more you owe now; 0 once the server has settled what you owe reviews of."`
	ReviewsAvailable *int64     `json:"reviewsAvailable,omitempty" maximum:"100" doc:"How many submissions and exemplars POST /api/reviews/next gives you now, one after the other; 100 stands for 100 and more."`
	ReviewBy         *time.Time `json:"reviewBy,omitempty" doc:"Until when you are to give them: the review due date; without one, or if it is earlier, when the server settles them: seven days after the later of your hand-in and the due date."`
}

func reviewDutyOf(d studycircle.Duty, now time.Time) ReviewDuty {
	owed, left := d.Owed(), d.Left(now)
	return ReviewDuty{
		ReviewsGiven: &d.Given, ReviewsOwed: &owed, ReviewsLeft: &left,
		ReviewsAvailable: &d.Available, ReviewBy: optionalTime(d.By()),
	}
}

// ProgressList has the requested assignments, in the order of the request.
type ProgressList struct {
	Data []Progress `json:"data"`
}

func progressOf(p studycircle.Progress, now time.Time) Progress {
	out := Progress{
		AssignmentID: p.AssignmentID, State: string(p.State), SubmissionID: p.SubmissionID, Attempts: p.Attempts,
		Remind: p.Remind,
	}
	if p.Best != nil {
		out.GivenMark, out.Marks = &p.Best.Mark, &p.Best.Total
	}
	if p.Duty != nil {
		out.ReviewDuty = reviewDutyOf(*p.Duty, now)
	}
	return out
}

type reminderInput struct {
	ID   string `path:"id"`
	Body struct {
		Remind bool `json:"remind"`
	}
}

type progressInput struct {
	Assignments []string `query:"assignments" required:"true" minItems:"1" maxItems:"100" doc:"Ids, separated by commas. Unknown ones are left out."`
}

// private answers are for the viewer alone and must not be stored.
type private[T any] struct {
	Body T
}

func (o *operations) registerProgress(r *router) {
	const tags = tag("Progress")
	operation(r, signedIn, tags.op("get-progress", "GET /api/progress",
		"Get your progress on some assignments", 401, 422),
		o.progress)
	operation(r, signedIn, tags.op("get-dashboard", "GET /api/dashboard", "Get your dashboard", 401),
		func(ctx context.Context, _ *struct{}) (*private[Dashboard], error) {
			found, err := o.Service.Dashboard(ctx, viewer(ctx).User)
			if err != nil {
				return nil, err
			}
			circles, err := o.Service.OwnCircles(ctx, viewer(ctx).User)
			return &private[Dashboard]{DashboardOf(found, circles, o.Service.Now())}, err
		})
	operation(r, signedIn, tags.op("get-today", "GET /api/today",
		"Your present duties and the marks that have come back", 401),
		func(ctx context.Context, _ *struct{}) (*private[Today], error) {
			found, err := o.Service.Today(ctx, viewer(ctx).User)
			if err != nil {
				return nil, err
			}
			circles, err := o.Service.OwnCircles(ctx, viewer(ctx).User)
			return &private[Today]{TodayOf(found, circles, o.Service.Now())}, err
		})
	operation(r, signedIn, tags.op("set-reminder", "PUT /api/assignment/{id}/reminder",
		"Turn the reminder of an assignment on or off", 401, 403, 404, 409, 422),
		func(ctx context.Context, in *reminderInput) (*Modified, error) {
			changed, err := o.Service.SetReminder(ctx, viewer(ctx).User, in.ID, in.Body.Remind)
			return &Modified{ModifiedCount: count(changed)}, err
		})
}

func (o *operations) progress(ctx context.Context, in *progressInput) (*private[ProgressList], error) {
	found, err := o.Service.Progress(ctx, viewer(ctx).User, in.Assignments)
	out := ProgressList{Data: make([]Progress, len(found))}
	for i, p := range found {
		out.Data[i] = progressOf(p, o.Service.Now())
	}
	return &private[ProgressList]{out}, err
}
