package api

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/service"
)

// Debt is a member who owes something for an assignment.
type Debt struct {
	UserID       string  `json:"userId"`
	DisplayName  string  `json:"displayName"`
	PhotoURL     string  `json:"photoURL,omitempty"`
	Email        *string `json:"email" nullable:"true" doc:"null except to organizers."`
	Name         string  `json:"name,omitempty" doc:"As in the roster."`
	Label        string  `json:"label,omitempty"`
	HandedIn     bool    `json:"handedIn"`
	ReviewsGiven *int64  `json:"reviewsGiven,omitempty" doc:"Of those owed; absent if the member owes none. While a submission is open, those of today are left out."`
	ReviewsOwed  *int64  `json:"reviewsOwed,omitempty"`
}

// WaitingSubmission is a submission that waits.
type WaitingSubmission struct {
	ID            string `json:"_id"`
	SubmitterName string `json:"submitterName,omitempty" doc:"Absent if the account is gone."`
	Reason        string `json:"reason" enum:"unattended,appeal,reviews,grade" doc:"unattended and appeal are stuck, and wait for you: no reviewer came in time, or too few new ones after an appeal. The others wait for reviews or for their grade."`
	Reviews       int64  `json:"reviews,omitzero"`
	Wanted        int64  `json:"reviewsWanted,omitzero"`
}

// OwesMay lists what the viewer may do: the server accepts everything that is true here.
type OwesMay struct {
	Remind bool `json:"remind" doc:"Remind everyone who owes something; once a day."`
}

// Owes tells who owes what for an assignment.
type Owes struct {
	AssignmentID  string              `json:"assignmentId"`
	Title         string              `json:"title"`
	DueDate       string              `json:"dueDate"`
	ReviewDueDate string              `json:"reviewDueDate,omitempty"`
	People        int64               `json:"people" doc:"Members who are to hand in, 10,000 at most; of a public assignment, users who handed in or asked to be reminded. The next three numbers are of them."`
	HandedIn      int64               `json:"handedIn"`
	NotHandedIn   int64               `json:"notHandedIn"`
	OwingReviews  int64               `json:"owingReviews"`
	Waiting       int64               `json:"waiting" doc:"Submissions that wait for reviews or for a grade."`
	Stuck         int64               `json:"stuck" doc:"Submissions that wait for you to decide."`
	Submitters    *int64              `json:"tooFewSubmitters,omitempty" doc:"How many users handed in, if they are too few to give each other all reviews."`
	RemindedAt    *time.Time          `json:"remindedAt,omitempty"`
	May           OwesMay             `json:"may"`
	Submissions   []WaitingSubmission `json:"submissions" doc:"Those that are stuck first, then oldest first, 100 at most."`
	Data          []Debt              `json:"data" doc:"Who owes something: those who have not handed in first. Empty for a public assignment, which has no members."`
	Pagination    Pagination          `json:"pagination"`
}

// maxWaiting bounds Owes.Submissions.
const maxWaiting = 100

func owesOf(o service.Owed, p studycircle.Page) Owes {
	a := o.Assignment
	out := Owes{
		AssignmentID: a.ID, Title: a.Title, DueDate: a.Due.String(), ReviewDueDate: reviewDueOf(a), People: o.People,
		HandedIn: o.HandedIn, NotHandedIn: o.NotHandedIn,
		OwingReviews: o.OwingReviews, RemindedAt: optionalTime(o.RemindedAt), May: OwesMay{o.CanRemind},
		Submissions: []WaitingSubmission{}, Data: []Debt{},
	}
	if o.Submitters > 0 {
		out.Submitters = &o.Submitters
	}
	for _, w := range o.Waiting {
		if w.Reason.Stuck() {
			out.Stuck++
		} else {
			out.Waiting++
		}
		if len(out.Submissions) < maxWaiting {
			out.Submissions = append(out.Submissions, WaitingSubmission{
				w.ID, w.Submitter.DisplayName, string(w.Reason), w.Reviewing.Reviews, w.Reviewing.Wanted,
			})
		}
	}
	debts := o.Debts
	if a.CircleID == studycircle.Hall {
		debts = nil
	}
	n := int64(len(debts))
	for _, d := range debts[min(p.Skip(), n):min(p.Skip()+p.Limit, n)] {
		out.Data = append(out.Data, debtOf(d, o.Addresses))
	}
	out.Pagination = paginationOf(p, n)
	return out
}

func debtOf(d studycircle.Debt, addresses bool) Debt {
	out := Debt{
		UserID: d.UserID, DisplayName: d.Account.DisplayName, PhotoURL: d.Account.PhotoURL, Name: d.Name,
		Label: d.Label, HandedIn: d.HandedIn,
	}
	if addresses {
		out.Email = &d.Account.Email
	}
	if owed := d.Duty.Owed(); owed > 0 {
		out.ReviewsGiven, out.ReviewsOwed = &d.Duty.Given, &owed
	}
	return out
}

func (o *operations) registerOwes(r *router) {
	const tags = tag("Progress")
	operation(r, signedIn, tags.op("list-owes", "GET /api/assignment/{id}/owes",
		"Who owes what for your assignment", 401, 403, 404, 422),
		func(ctx context.Context, in *CirclePageInput) (*private[Owes], error) {
			found, err := o.Service.Owes(ctx, viewer(ctx).User, in.ID)
			return &private[Owes]{owesOf(found, in.page())}, err
		})
	operation(r, signedIn, tags.op("remind-owing", "POST /api/assignment/{id}/owes/remind",
		"Remind everyone who owes something for your assignment, once a day", 401, 403, 404, 409),
		func(ctx context.Context, in *byID) (*Modified, error) {
			n, err := o.Service.Remind(ctx, viewer(ctx).User, in.ID)
			return &Modified{n}, err
		})
}
