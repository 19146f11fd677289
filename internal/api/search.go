package api

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/service"
)

// SearchResults is what a search of all that the viewer may see finds.
type SearchResults struct {
	Assignments      []FoundAssignment `json:"assignments" doc:"Public ones and those of your circles, matches in titles first and each group newest first, at most 8."`
	PublicTotal      int64             `json:"publicTotal" doc:"How many public assignments there are. The search stops counting at 10,000."`
	Circles          []FoundCircle     `json:"circles" doc:"Yours, by name, at most 8."`
	Submissions      []FoundSubmission `json:"submissions" doc:"Yours, newest first, at most 8."`
	SubmissionsTotal int64             `json:"submissionsTotal" doc:"How many there are, among your latest 10,000."`
}

// FoundAssignment is an assignment as a search finds it.
type FoundAssignment struct {
	Place
	ID    string `json:"_id"`
	Title string `json:"title"`
}

// FoundCircle is a circle of the viewer's as a search finds it.
type FoundCircle struct {
	ID   string `json:"_id"`
	Name string `json:"name"`
}

// FoundSubmission is a submission of the viewer's as a search finds it.
type FoundSubmission struct {
	Place
	ID              string    `json:"_id"`
	AssignmentTitle string    `json:"assignmentTitle"`
	Status          string    `json:"status" enum:"pending,completed,withdrawn,sent-back" doc:"As in GET /api/submissions."`
	SubmittedAt     time.Time `json:"submittedAt"`
}

type searchInput struct {
	Search string `query:"search" doc:"Words, the last one as a prefix: of the title, the description and the creator's name of an assignment, of the name of a circle, and of the title of a submission. At most 200 characters; without any, nothing is found."`
}

// check implements checked.
func (in *searchInput) check(wrong *faults) { checkSearch(in.Search, wrong) }

func (o *operations) registerSearch(r *router) {
	operation(r, signedIn, tag("Search").op("search", "GET /api/search",
		"Search public assignments, your circles and their assignments, and your submissions", 401, 422),
		func(ctx context.Context, in *searchInput) (*private[SearchResults], error) {
			found, err := o.Service.Search(ctx, viewer(ctx).User, in.Search)
			if err != nil {
				return nil, err
			}
			circles, err := o.Service.OwnCircles(ctx, viewer(ctx).User)
			return &private[SearchResults]{searchResultsOf(found, circles)}, err
		})
}

func searchResultsOf(found service.Found, circles studycircle.OwnCircles) SearchResults {
	out := SearchResults{
		Assignments: make([]FoundAssignment, len(found.Assignments)), PublicTotal: found.Public,
		Circles:     make([]FoundCircle, len(found.Circles)),
		Submissions: make([]FoundSubmission, len(found.Submissions)), SubmissionsTotal: found.Submitted,
	}
	for i, a := range found.Assignments {
		out.Assignments[i] = FoundAssignment{placeOf(a.CircleID, circles), a.ID, a.Title}
	}
	for i, c := range found.Circles {
		out.Circles[i] = FoundCircle{c.ID, c.Name}
	}
	for i, s := range found.Submissions {
		out.Submissions[i] = FoundSubmission{
			placeOf(s.CircleID, circles), s.ID, s.AssignmentTitle, string(s.Status), s.SubmittedAt,
		}
	}
	return out
}
