package api

import (
	"context"
	"html/template"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"studycircle"
)

// Report is a report as moderators see it, with the present state of its subject. It does
// not name the user who made it.
type Report struct {
	ID              string          `json:"_id"`
	Kind            string          `json:"kind" enum:"comment,assignment,review,submission"`
	SubjectID       string          `json:"subjectId,omitempty" doc:"Absent for reviews and submissions, whose authors are not shown."`
	Gone            bool            `json:"gone,omitzero" doc:"The reported thing has been deleted."`
	AssignmentID    string          `json:"assignmentId,omitempty" doc:"Absent if the reported thing is gone, and to moderators if it is in a circle."`
	AssignmentTitle string          `json:"assignmentTitle,omitempty"`
	Text            string          `json:"text,omitempty" doc:"Of the comment, the assignment's description, or the review's feedback."`
	HTML            template.HTML   `json:"html,omitempty" doc:"The text as safe HTML."`
	Partial         bool            `json:"partial,omitzero" doc:"In a page with very long texts: text is only its beginning, without html. A page of its own (limit=1) has all."`
	AuthorName      string          `json:"authorName,omitempty"`
	Levels          []ChosenLevel   `json:"levels,omitempty" doc:"The levels that the review chose in the rubric."`
	DocsLink        string          `json:"docsLink,omitempty" doc:"The submission's."`
	Note            string          `json:"note,omitempty" doc:"The submission's."`
	Question        *ReviewQuestion `json:"question,omitempty" doc:"Asked by the review's reviewer before the mark."`
	Answers         []AnswerText    `json:"answers,omitempty" doc:"The submitter's, to reviewers. Hiding the submission hides them."`
	Reason          string          `json:"reason"`
	CreatedAt       time.Time       `json:"createdAt" doc:"Of a review and a submission the day, UTC."`
	Count           int64           `json:"count" doc:"How many users have reported it; reason is the first one's."`
	MayDecide       bool            `json:"mayDecide" doc:"False for a moderator's content, about which the operator decides; in a circle for your own, and once it is archived."`
	MaySuspend      bool            `json:"maySuspend" doc:"Close the author's account. False in a circle."`
}

// ChosenLevel is a criterion and the level that a review chose.
type ChosenLevel struct {
	Criterion string `json:"criterion"`
	Level     string `json:"level"`
}

// Reports are a page of them.
type Reports struct {
	Data       []Report   `json:"data"`
	Pagination Pagination `json:"pagination"`
}

// ModeratorDecision is something that a moderator did.
type ModeratorDecision struct {
	Moderator       string    `json:"moderator" doc:"An address, or 'shell' for the operator's command."`
	Action          string    `json:"action" enum:"dismiss,hide,restore,suspend"`
	Kind            string    `json:"kind" enum:"comment,assignment,review,submission,user"`
	SubjectID       string    `json:"subjectId" doc:"For a review or a submission the id of the report, because its author is anonymous."`
	AssignmentID    string    `json:"assignmentId,omitempty"`
	AssignmentTitle string    `json:"assignmentTitle,omitempty"`
	Reason          string    `json:"reason,omitempty"`
	At              time.Time `json:"at"`
	Restorable      bool      `json:"restorable" doc:"You may show it again."`
}

// Decisions are a page of them.
type Decisions struct {
	Data       []ModeratorDecision `json:"data"`
	Pagination Pagination          `json:"pagination"`
}

func moderatorDecisionOf(d studycircle.ModeratorDecision) ModeratorDecision {
	return ModeratorDecision{
		Moderator: d.Moderator, Action: string(d.Action), Kind: string(d.Subject.Kind), SubjectID: d.Subject.ID,
		AssignmentID: d.Of.Assignment.ID, AssignmentTitle: d.Of.Assignment.Title, Reason: d.Reason, At: d.At,
		Restorable: d.Restorable,
	}
}

// HiddenAssignment is an assignment that a moderator has hidden, as its creator sees it.
type HiddenAssignment struct {
	Assignment
	Hidden Hidden `json:"hidden"`
}

func reportOf(r studycircle.ReportedThing) Report {
	out := Report{
		ID: r.ID, Kind: string(r.Subject.Kind), AssignmentID: r.Assignment.ID, AssignmentTitle: r.Assignment.Title,
		Reason: r.Reason, CreatedAt: r.CreatedAt,
		Count: r.Count, MayDecide: r.Decidable, MaySuspend: r.Suspendable, Gone: r.Gone(),
	}
	switch r.Subject.Kind {
	case studycircle.OfReview:
		if r.Review != nil {
			out.Text, out.HTML, out.Partial = r.Review.Feedback, rendered(r.Review.HTML), r.Review.Partial
			for _, l := range r.Review.Levels {
				out.Levels = append(out.Levels, ChosenLevel(l))
			}
			if q := r.Review.Question; q.Text != "" {
				out.Question = &ReviewQuestion{Text: q.Text, HTML: rendered(q.HTML)}
			}
		}
	case studycircle.OfSubmission:
		if r.Work != nil {
			out.DocsLink, out.Note, out.Partial = r.Work.DocsLink, r.Work.Note, r.Work.Partial
			for _, a := range r.Work.Answers {
				out.Answers = append(out.Answers, AnswerText{a.Text, rendered(a.HTML)})
			}
		}
	case studycircle.OfComment:
		out.SubjectID, out.Text, out.HTML, out.AuthorName = r.Subject.ID, r.Comment.Text, rendered(r.Comment.HTML),
			r.Comment.Author.DisplayName
		out.Partial = r.Comment.Partial
	case studycircle.OfAssignment, studycircle.OfUser:
		out.SubjectID, out.Text, out.HTML, out.AuthorName = r.Subject.ID, r.Assignment.Description,
			rendered(r.Assignment.HTML), r.Assignment.Creator.DisplayName
		out.Partial = r.Assignment.Partial
	}
	return out
}

type reportInput struct {
	ID   string `path:"id"`
	Body struct {
		Reason string   `json:"reason" doc:"1 to 500 characters."`
		To     reportTo `json:"to,omitempty" enum:"organizers,moderators" doc:"In a circle: who decides, its organizers if absent. About the words of an organizer the server's moderators always do."`
	}
}

type reportAnswer struct {
	status int
	Body   Inserted
}

// send implements sender.
func (a *reportAnswer) send(w http.ResponseWriter, _ *http.Request) error { //nolint:unparam // of the interface
	w.Header()["Content-Type"] = contentJSON
	w.WriteHeader(a.status)
	writeJSON(w, a.Body)
	return nil
}

// reportTo names those who decide on a report. Its zero value stands for the organizers.
type reportTo string

const toModerators reportTo = "moderators"

type listReportsInput struct {
	Circle string `query:"circle" doc:"The id of a circle that you organize; absent for the server's moderators."`
	Page   int64  `query:"page" default:"1" minimum:"1"`
	Limit  int64  `query:"limit" default:"20" minimum:"1" maximum:"100"`
}

type decideInput struct {
	ID   string `path:"id"`
	Body struct {
		Action string `json:"action" enum:"dismiss,hide,suspend" doc:"suspend hides it and closes its author's account; only the server's moderators do so. Of a review hide hides the feedback and the question, of a submission only its answers to reviewers: without one it is refused."`
		Reason string `json:"reason,omitempty" doc:"500 characters at most, for the author and the log; absent: the reporter's."`
	}
}

type restoreInput struct {
	Body struct {
		Kind string `json:"kind" enum:"comment,assignment,review,submission"`
		ID   string `json:"id" doc:"The decision's subjectId."`
	}
}

func (o *operations) registerModeration(r *router) {
	const tags = tag("Moderation")
	for kind, path := range map[studycircle.SubjectKind]string{
		studycircle.OfComment: "/api/comment/{id}/report", studycircle.OfAssignment: "/api/assignment/{id}/report",
		studycircle.OfReview: "/api/reviews/{id}/report", studycircle.OfSubmission: "/api/submissions/{id}/report",
	} {
		operation(r, signedIn, huma.Operation{
			OperationID: "report-" + string(kind), Method: http.MethodPost, Path: path,
			Summary: "Report this " + string(kind) + " to the moderators, in a circle to its organizers", Tags: tags.list(),
			DefaultStatus: http.StatusCreated, Errors: []int{401, 404, 409, 422, 429},
			Responses: map[string]*huma.Response{"200": {Description: "You have reported it before."}},
		}, func(ctx context.Context, in *reportInput) (*reportAnswer, error) {
			id, isNew, err := o.Service.Report(
				ctx, viewer(ctx).User, studycircle.Subject{Kind: kind, ID: in.ID}, in.Body.Reason, in.Body.To == toModerators,
			)
			out := &reportAnswer{http.StatusOK, Inserted{id}}
			if isNew {
				out.status = http.StatusCreated
			}
			return out, err
		})
	}
	operation(r, signedIn, tags.op("list-reports", "GET /api/reports",
		"List open reports, oldest first, for moderators, or for the organizers of a circle", 401, 403, 404, 422),
		func(ctx context.Context, in *listReportsInput) (*Reports, error) {
			p := studycircle.Page{Number: in.Page, Limit: in.Limit}
			found, total, err := o.Service.Reports(ctx, viewer(ctx).User, in.Circle, p)
			out := Reports{Data: make([]Report, len(found)), Pagination: paginationOf(p, total)}
			for i, one := range found {
				out.Data[i] = reportOf(one)
			}
			return &out, err
		})
	operation(r, signedIn, tags.op("decide-report", "POST /api/reports/{id}",
		"Decide on a report, as a moderator or as an organizer of its circle", 401, 403, 404, 409, 422),
		func(ctx context.Context, in *decideInput) (*Modified, error) {
			changed, err := o.Service.Decide(ctx, viewer(ctx).User, in.ID, studycircle.ModerationAction(in.Body.Action),
				studycircle.Reason{Words: in.Body.Reason})
			return &Modified{count(changed)}, err
		})
	operation(r, signedIn, tags.op("list-decisions", "GET /api/moderation",
		"List what moderators did, newest first, to moderators; in a circle what its organizers did, to them", 401, 403, 404,
		422),
		func(ctx context.Context, in *listReportsInput) (*Decisions, error) {
			p := studycircle.Page{Number: in.Page, Limit: in.Limit}
			found, total, err := o.Service.Decisions(ctx, viewer(ctx).User, in.Circle, p)
			out := Decisions{Data: make([]ModeratorDecision, len(found)), Pagination: paginationOf(p, total)}
			for i, one := range found {
				out.Data[i] = moderatorDecisionOf(one)
			}
			return &out, err
		})
	operation(r, signedIn, tags.op("restore-hidden", "POST /api/moderation/restore",
		"Show a hidden subject again, as a moderator or as an organizer of its circle", 401, 403, 404, 409, 422),
		func(ctx context.Context, in *restoreInput) (*Modified, error) {
			recorded := studycircle.Subject{Kind: studycircle.SubjectKind(in.Body.Kind), ID: in.Body.ID}
			changed, err := o.Service.Restore(ctx, viewer(ctx).User, recorded)
			return &Modified{count(changed)}, err
		}, anew)
}

// hidden returns an assignment that a moderator has hidden, to its creator. ErrNotFound.
func (o *operations) hidden(ctx context.Context, who studycircle.User, id string) (out HiddenAssignment, err error) {
	a, err := o.Service.HiddenAssignment(ctx, who, id)
	if err != nil {
		return out, err
	}
	circles, err := circlesOf(ctx, o.Service, who, []studycircle.Assignment{a}, circleOfAssignment)
	return HiddenAssignment{AssignmentOf(a, circles), Hidden{a.HiddenReason}}, err
}
