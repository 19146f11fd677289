package api

import (
	"cmp"
	"context"
	"errors"
	"html/template"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"studycircle"
)

// PendingSubmission is a pending submission as graders see it, with the link and the note,
// which they need.
type PendingSubmission struct {
	ID              string    `json:"_id"`
	AssignmentID    string    `json:"assignmentId,omitempty" doc:"Absent for imported work whose assignment was not imported."`
	AssignmentTitle string    `json:"assignmentTitle"`
	SubmittedBy     *string   `json:"submittedBy" nullable:"true" doc:"Email address; in a circle null, except to its organizers."`
	Mine            bool      `json:"mine,omitzero" doc:"In a circle: you handed it in."`
	SubmitterName   string    `json:"submitterName,omitempty" doc:"Display name; absent if the account is gone."`
	SubmitterPhoto  string    `json:"submitterPhoto,omitempty" doc:"Address of a picture; absent if there is none."`
	DocsLink        string    `json:"docsLink"`
	Note            string    `json:"note,omitempty"`
	Status          string    `json:"status" enum:"pending"`
	SubmittedAt     time.Time `json:"submittedAt"`
	DueDate         string    `json:"dueDate,omitempty" doc:"The assignment's at present, RFC 3339 with the offset it was given in; absent if it is gone."`
	Late            bool      `json:"late" doc:"After the due date that applies to its submitter."`
	LinkLate
	Marks int64 `json:"marks" doc:"The total."`
}

// OwnSubmission is a submission as its submitter sees it, without the grader.
type OwnSubmission struct {
	ID              string `json:"_id"`
	AssignmentID    string `json:"assignmentId,omitempty" doc:"Absent for imported work whose assignment was not imported."`
	AssignmentTitle string `json:"assignmentTitle"`
	Place
	SubmittedBy *string    `json:"submittedBy" nullable:"true" doc:"Email address; in a circle null, except to its organizers."`
	DocsLink    string     `json:"docsLink"`
	Note        string     `json:"note,omitempty"`
	Status      string     `json:"status" enum:"pending,completed,withdrawn,sent-back" doc:"withdrawn after a review, and sent-back, are of attempts that ended without a mark: hand in again."`
	EndedAt     *time.Time `json:"endedAt,omitempty" doc:"Of an attempt that ended without a mark."`
	EndReason   string     `json:"endReason,omitempty" doc:"Why it was sent back."`
	SubmittedAt time.Time  `json:"submittedAt"`
	Late        bool       `json:"late" doc:"After the due date that applies to you."`
	LinkLate
	Marks     int64  `json:"marks" doc:"The total."`
	GivenMark *int64 `json:"givenMark,omitempty" doc:"The obtained mark; absent until graded."`
	ShownFeedback
	MarkedAt *time.Time `json:"markedAt,omitempty"`
	Link     *OwnLink   `json:"link,omitempty" doc:"The problem of the document's link, until the submission is marked; absent if there is none."`
	ReviewProgress
	May *SubmitterMay `json:"may,omitempty" doc:"Absent in an export."`
}

// LinkLate tells of a link that was changed after the due date.
type LinkLate struct {
	LinkChangedAt *time.Time `json:"linkChangedAt,omitempty" doc:"When the link was last changed, if that was after the due date that applies. The submission is late then if the assignment says so (lateLinks)."`
}

func linkLateOf(s studycircle.Submission) (out LinkLate) {
	if s.LinkLate {
		out.LinkChangedAt = &s.LinkChangedAt
	}
	return out
}

// ShownFeedback is feedback on a submission; zero if there is none.
type ShownFeedback struct {
	Feedback string        `json:"feedback,omitempty"`
	Format   string        `json:"format,omitempty" enum:"plain,markdown" doc:"Of the feedback; absent if there is none."`
	HTML     template.HTML `json:"html,omitempty" doc:"The feedback as safe HTML, if it is Markdown."`
	Partial  bool          `json:"partial,omitzero" doc:"In a page with very long texts: feedback is only its beginning, without html. A page of its own (limit=1) has all."`
}

func shownFeedback(text, html string, partial bool) ShownFeedback {
	if text == "" {
		return ShownFeedback{}
	}
	return ShownFeedback{text, string(studycircle.FormatOf(html)), rendered(html), partial}
}

// ReviewProgress is the progress of a submission's reviews, for its submitter and the
// assignment's creator; zero if one grade is the mark.
type ReviewProgress struct {
	ReviewsNeeded int64  `json:"reviewsNeeded,omitzero" doc:"The number of reviews it needs; absent if one grade is the mark."`
	Reviews       *int64 `json:"reviews,omitempty" doc:"How many it has; for its submitter, how many it had at the end of yesterday (UTC)."`
	OneMore       bool   `json:"oneMore,omitzero" doc:"The reviews lie far apart: one more was asked for."`
	Appeal        string `json:"appeal,omitempty" enum:"open" doc:"An appeal is under way."`
	Reopened      bool   `json:"reopened,omitzero" doc:"The creator has asked for more reviews."`
	Unattended    bool   `json:"unattended,omitzero" doc:"No reviewer came in time: the first review settles it, or the creator sets the mark."`
}

// ReviewableAssignment stands for all submissions of an assignment that are open to
// review. It names no submitter: see POST /api/reviews/next.
type ReviewableAssignment struct {
	AssignmentID    string  `json:"assignmentId"`
	AssignmentTitle string  `json:"assignmentTitle"`
	Marks           int64   `json:"marks" doc:"The total."`
	Status          string  `json:"status" enum:"pending"`
	SubmittedBy     *string `json:"submittedBy" doc:"null: the submitter is anonymous."`
	Reviewable      int64   `json:"reviewable" maximum:"100" doc:"How many of them and of its exemplars POST /api/reviews/next gives you now; 100 stands for 100 and more."`
}

// BlindSubmission is a submission that no reviewer took in time. The first review settles
// it. It does not name the submitter.
type BlindSubmission struct {
	ID              string  `json:"_id"`
	AssignmentID    string  `json:"assignmentId"`
	AssignmentTitle string  `json:"assignmentTitle"`
	Marks           int64   `json:"marks" doc:"The total."`
	Status          string  `json:"status" enum:"pending"`
	SubmittedBy     *string `json:"submittedBy" doc:"null: the submitter is anonymous."`
	DocsLink        string  `json:"docsLink"`
	Note            string  `json:"note,omitempty"`
}

// pendingRowOf maps a row of the pending list, by its kind.
func pendingRowOf(s studycircle.PendingSubmission, circles studycircle.OwnCircles) any {
	switch {
	case s.Reviewable != nil:
		return ReviewableAssignment{
			AssignmentID: s.AssignmentID, AssignmentTitle: s.AssignmentTitle, Marks: s.Marks, Status: string(s.Status),
			Reviewable: *s.Reviewable,
		}
	case s.Reviews > 0:
		return BlindSubmission{
			ID: s.ID, AssignmentID: s.AssignmentID, AssignmentTitle: s.AssignmentTitle, Marks: s.Marks, Status: string(s.Status),
			DocsLink: s.DocsLink, Note: s.Note,
		}
	default:
		return PendingSubmissionOf(s, circles)
	}
}

// PendingSubmissionOf maps a pending submission for the member of some circles.
func PendingSubmissionOf(s studycircle.PendingSubmission, circles studycircle.OwnCircles) PendingSubmission {
	pending := PendingSubmission{
		ID: s.ID, AssignmentID: s.AssignmentID, AssignmentTitle: s.AssignmentTitle,
		SubmittedBy:   address(s.Submitter.Email, s.CircleID, circles),
		SubmitterName: s.Submitter.DisplayName, SubmitterPhoto: s.Submitter.PhotoURL,
		DocsLink: s.DocsLink, Note: s.Note, Status: string(s.Status), SubmittedAt: s.SubmittedAt, Late: s.Late,
		LinkLate: linkLateOf(s.Submission), Marks: s.Marks,
	}
	if in := circles[s.CircleID]; in.ID != "" {
		pending.Mine = s.Submitter.UserID == in.Mine.UserID
	}
	if !s.Due.IsZero() {
		pending.DueDate = s.Due.String()
	}
	return pending
}

// OwnSubmissionOf maps a submission for its submitter, the member of some circles.
func OwnSubmissionOf(s studycircle.Submission, circles studycircle.OwnCircles) OwnSubmission {
	own := OwnSubmission{
		ID: s.ID, AssignmentID: linked(cmp.Or(s.AssignmentID, s.PastOf), s.CircleID, circles),
		EndedAt: optionalTime(s.EndedAt), EndReason: s.EndReason, AssignmentTitle: s.AssignmentTitle,
		Place: placeOf(s.CircleID, circles), SubmittedBy: address(s.Submitter.Email, s.CircleID, circles),
		DocsLink: s.DocsLink, Note: s.Note, Status: string(s.Status), SubmittedAt: s.SubmittedAt, Late: s.Late,
		LinkLate: linkLateOf(s), Marks: s.Marks, Link: ownLinkOf(s.Link),
	}
	if s.Grade != nil {
		own.GivenMark, own.ShownFeedback, own.MarkedAt = &s.Grade.Mark,
			shownFeedback(s.Grade.Feedback, s.Grade.HTML, s.Grade.Partial), &s.Grade.MarkedAt
	}
	own.ReviewProgress = reviewProgressOf(s.Progress)
	if s.May != nil {
		may := submitterMayOf(*s.May)
		own.May = &may
	}
	return own
}

func reviewProgressOf(r *studycircle.ReviewProgress) (out ReviewProgress) {
	if r == nil {
		return out
	}
	out.ReviewsNeeded, out.Reviews, out.OneMore, out.Reopened = r.Needed, &r.Reviews, r.OneMore,
		r.Phase == studycircle.ReviewReopened
	if r.Phase == studycircle.ReviewAppealed {
		out.Appeal = "open"
	}
	out.Unattended = r.Phase == studycircle.ReviewUnattended
	return out
}

// SubmissionFields are the fields that a submitter sends.
type SubmissionFields struct {
	DocsLink string `json:"docsLink" doc:"An http or https address, up to 2,048 characters."`
	Note     string `json:"note,omitempty" absent:"empty" doc:"Up to 2,000 characters."`
	ServerOwned
}

type submitInput struct {
	Body struct {
		AssignmentID string `json:"assignmentId"`
		SubmissionFields
	}
}

type changeSubmissionInput struct {
	ID   string `path:"id"`
	Body SubmissionFields
}

type sendBackInput struct {
	ID   string `path:"id"`
	Body struct {
		Reason string `json:"reason" doc:"The submitter reads it: 1 to 500 characters."`
	}
}

type gradeInput struct {
	ID   string `path:"id"`
	Body struct {
		Marks    *whole  `json:"marks,omitempty" doc:"The mark, 0 to the total; required unless levels are present."`
		Levels   []whole `json:"levels,omitempty" absent:"empty" doc:"With a rubric: one level for each criterion, counted from 0."`
		Feedback string  `json:"feedback,omitempty" absent:"empty" doc:"Markdown, up to 5,000 characters."`
		ServerOwned
	}
}

func (o *operations) registerSubmissions(r *router) {
	const tags = tag("Submissions")
	operation(r, signedIn, huma.Operation{
		OperationID: "list-submissions", Method: http.MethodGet, Path: "/api/submissions",
		Summary: "List pending submissions or your own", Tags: tags.list(), Errors: []int{401, 403, 404, 422},
		Responses: map[string]*huma.Response{"304": {Description: http.StatusText(http.StatusNotModified)}, "200": {
			Description: "PendingSubmission, ReviewableAssignment and BlindSubmission for all pending submissions, " +
				"OwnSubmission for your own.",
			Content: media(contentTypeJSON, &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{AnyOf: r.schemasOf(
				PendingSubmission{}, ReviewableAssignment{}, BlindSubmission{}, OwnSubmission{},
			)}}),
			Headers: headersOf("X-Total-Count", "Link", "ETag", "Cache-Control", "Vary", "Content-Type"),
		}},
	}, o.listSubmissions)
	operation(r, signedIn, created(tags.op("submit", "POST /api/submissions",
		"Hand in a document for an assignment", 401, 403, 404, 409, 422, 429)),
		o.submit)
	operation(r, signedIn, tags.op("change-submission", "PUT /api/submissions/{id}/own",
		"Update your pending submission", 401, 403, 404, 409, 422, 429),
		func(ctx context.Context, in *changeSubmissionInput) (*Modified, error) {
			changed, err := o.Service.ChangeSubmission(ctx, viewer(ctx).User, in.ID, in.Body.input())
			return &Modified{ModifiedCount: count(changed)}, err
		})
	operation(r, signedIn, tags.op("withdraw-submission", "DELETE /api/submissions/{id}/own",
		"Withdraw your pending submission", 401, 403, 404, 409),
		func(ctx context.Context, in *byID) (*Deleted, error) {
			return &Deleted{DeletedCount: 1}, o.Service.WithdrawSubmission(ctx, viewer(ctx).User, in.ID)
		})
	operation(r, signedIn, tags.op("send-back", "POST /api/submissions/{id}/send-back",
		"Ask the submitter of a pending submission to hand in again, as its assignment's creator or a grader",
		401, 403, 404, 409, 422, 429),
		func(ctx context.Context, in *sendBackInput) (*Modified, error) {
			why := studycircle.Reason{Words: in.Body.Reason}
			return &Modified{1}, o.Service.SendBack(ctx, viewer(ctx).User, in.ID, why)
		})
	operation(r, signedIn, tags.op("grade", "PATCH /api/submissions/{id}",
		"Grade another user's pending submission", 401, 403, 404, 409, 422, 429),
		o.grade, sent)
}

func (o *operations) submit(ctx context.Context, in *submitInput) (*insertedAnswer, error) {
	id, err := o.Service.Submit(ctx, viewer(ctx).User, in.Body.AssignmentID, in.Body.input())
	return inserted("/api/submissions/", id), err
}

// GradeAnswer answers a grade or a review.
type GradeAnswer struct {
	Modified
	Exemplar *KnownExemplar `json:"exemplar,omitempty" doc:"Present if the work was an exemplar."`
}

func (o *operations) grade(ctx context.Context, in *gradeInput) (*GradeAnswer, error) {
	known, err := o.Service.Grade(ctx, viewer(ctx).User, in.ID, in.review())
	return &GradeAnswer{Modified{ModifiedCount: 1}, knownOf(known)}, err
}

func (in *gradeInput) review() studycircle.ReviewInput {
	return studycircle.ReviewInput{
		Mark: (*int64)(in.Body.Marks), Levels: levelsOf(in.Body.Levels), Feedback: in.Body.Feedback,
	}
}

func (f SubmissionFields) input() studycircle.SubmissionInput {
	return studycircle.SubmissionInput{DocsLink: f.DocsLink, Note: f.Note}
}

// errPersonal marks a page whose rows depend on the viewer, so that it is not shared.
var errPersonal = errors.New("rows are personal")
