package api

import (
	"context"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"studycircle"
)

// WorkToReview is a submission as its reviewers see it. It does not name the submitter.
type WorkToReview struct {
	SubmissionID    string              `json:"submissionId"`
	AssignmentID    string              `json:"assignmentId"`
	AssignmentTitle string              `json:"assignmentTitle"`
	Description     string              `json:"description" doc:"The assignment's."`
	Label           string              `json:"label" doc:"A word to know it by; it means nothing."`
	DocsLink        string              `json:"docsLink"`
	Note            string              `json:"note,omitempty"`
	Marks           int64               `json:"marks" doc:"The total."`
	Rubric          *studycircle.Rubric `json:"rubric,omitempty"`
}

func workToReviewOf(s studycircle.Submission, a studycircle.Assignment, label string) WorkToReview {
	return WorkToReview{
		SubmissionID: s.ID, AssignmentID: a.ID, AssignmentTitle: s.AssignmentTitle, Description: a.Description, Label: label,
		DocsLink: s.DocsLink, Note: s.Note, Marks: s.Marks, Rubric: rubricOf(a.Rubric),
	}
}

// ReviewTask is a submission that is reserved for the viewer.
type ReviewTask struct {
	WorkToReview
	Until          time.Time `json:"until" doc:"When the reservation ends."`
	CountsAccuracy bool      `json:"countsAccuracy,omitzero" doc:"Its circle counts how accurate the viewer's reviews of exemplars are. It does not depend on whether this is one."`
}

// ReservedReview names the submission that is reserved for the viewer.
type ReservedReview struct {
	SubmissionID    string    `json:"submissionId"`
	AssignmentID    string    `json:"assignmentId"`
	AssignmentTitle string    `json:"assignmentTitle"`
	Until           time.Time `json:"until" doc:"The end of the reservation."`
}

// ReceivedReview is a review as the submitter and the assignment's creator see it.
type ReceivedReview struct {
	ID     string  `json:"_id"`
	Label  string  `json:"label" doc:"A letter, which means nothing."`
	Mark   int64   `json:"mark"`
	Levels []int64 `json:"levels,omitempty" doc:"The chosen levels of the rubric, counted from 0."`
	ShownFeedback
	Day     string `json:"day" doc:"YYYY-MM-DD, UTC."`
	Helpful *bool  `json:"helpful,omitempty" doc:"The submitter's answer."`
	Reply   string `json:"reply,omitempty"`
	// Question is the reviewer's, with the submitter's answer.
	Question *ReviewQuestion `json:"question,omitempty"`
}

// ReceivedReviews are all reviews of a submission.
type ReceivedReviews struct {
	Data   []ReceivedReview    `json:"data"`
	Rubric *studycircle.Rubric `json:"rubric,omitempty" doc:"The assignment's, of which the levels are."`
	// CircleID names where a report goes.
	CircleID string          `json:"circleId,omitempty" doc:"Absent for public work, and for work in a circle that you have left."`
	MayReply bool            `json:"mayReply" doc:"Reply to the reviews and report them, as their submitter. False in a circle that you have left or that is archived."`
	Self     *SelfAssessment `json:"selfAssessment,omitempty" doc:"How the submitter judged the work before it was settled; it does not affect the mark."`
}

// GivenReview is a review as its reviewer sees it.
type GivenReview struct {
	OwnReview
	May ReviewMay `json:"may"`
}

// OwnReview is the facts of a review that its reviewer knows.
type OwnReview struct {
	ID string `json:"_id"`
	Place
	SubmissionLabel string `json:"submissionLabel"`
	AssignmentTitle string `json:"assignmentTitle"`
	Mark            int64  `json:"mark"`
	SettledMark     *int64 `json:"settledMark,omitempty" doc:"Absent until it is settled."`
	Helpful         *bool  `json:"helpful,omitempty"`
	Reply           string `json:"reply,omitempty"`
	Day             string `json:"day" doc:"YYYY-MM-DD, UTC."`
}

// ReviewMay lists what reviewers may do with their review: the server accepts everything that is true here.
type ReviewMay struct {
	Correct bool `json:"correct"`
}

func ownReviewOf(r studycircle.GivenReview, circles studycircle.OwnCircles) OwnReview {
	if r.CircleID != circles[r.CircleID].ID { // the submitter's answer and the mark belong to the circle
		r.SettledMark, r.Helpful, r.Reply = nil, nil, ""
	}
	return OwnReview{
		ID: r.ID, Place: placeOf(r.CircleID, circles),
		SubmissionLabel: r.SubmissionLabel, AssignmentTitle: titled(r.AssignmentTitle, r.CircleID, circles), Mark: r.Mark,
		SettledMark: r.SettledMark, Helpful: r.Helpful, Reply: r.Reply, Day: day(r.GivenAt),
	}
}

// GivenReviews is a page of them.
type GivenReviews struct {
	Data       []GivenReview `json:"data"`
	Pagination Pagination    `json:"pagination"`
	Habit      *ReviewHabit  `json:"howYouReview,omitempty" doc:"From five reviews of exemplars and settled submissions on. No other user sees it."`
}

// ReviewHabit says how the viewer reviews.
type ReviewHabit struct {
	Reviews    int64   `json:"reviews" doc:"That it rests on: the latest ones of exemplars and settled submissions."`
	Strictness float64 `json:"strictness" doc:"How far your marks lie above the known or settled ones on average, in percent of the total; below 0 if you are strict."`
	Distance   float64 `json:"distance" doc:"How far they typically lie from those otherwise, in percent of the total."`
	Follows    string  `json:"follows" enum:"closely,mostly,hardly,unknown" doc:"How well they follow the work: correlated with the known or settled marks from .8, from .5, less; unknown while those hardly differ."`
}

func reviewHabitOf(h *studycircle.ReviewHabit) *ReviewHabit {
	if h == nil {
		return nil
	}
	return &ReviewHabit{
		Reviews: h.Reviews, Strictness: studycircle.RoundPercent(h.Strictness),
		Distance: studycircle.RoundPercent(h.Distance), Follows: string(h.Follows),
	}
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

func receivedOf(r studycircle.Review) ReceivedReview {
	return ReceivedReview{
		ID: r.ID, Label: r.Label, Mark: r.Mark, Levels: r.Levels, ShownFeedback: shownFeedback(r.Feedback, r.HTML, r.Partial),
		Day: day(r.GivenAt), Helpful: r.Helpful, Reply: r.Reply,
	}
}

type nextReviewInput struct {
	Body struct {
		AssignmentID string `json:"assignmentId,omitempty" doc:"Absent for any."`
		Circle       string `json:"circle,omitempty" doc:"The id of a circle of yours, whose assignments are meant; absent for the public ones. assignmentId implies it."`
	}
}

// maybe is an answer with a body, or 204 without one.
type maybe[T any] struct{ Body *T }

// send implements sender.
func (a *maybe[T]) send(w http.ResponseWriter, _ *http.Request) error { //nolint:unparam // of the interface
	if a.Body == nil {
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	w.Header()["Content-Type"] = contentJSON
	writeJSON(w, a.Body)
	return nil
}

// Appealed answers an appeal.
type Appealed struct {
	Inserted
	CreatorDecides bool `json:"creatorDecides,omitzero" doc:"Too few members are free to review it: its creator decides."`
}

type appealInput struct {
	ID   string `path:"id"`
	Body struct {
		Reason string `json:"reason" doc:"1 to 500 characters."`
	}
}

type reopenInput struct {
	ID   string `path:"id"`
	Body struct {
		Reason string  `json:"reason" doc:"1 to 500 characters."`
		Action string  `json:"action" enum:"new-reviewers,set-mark"`
		Mark   *whole  `json:"mark,omitempty" doc:"With set-mark: 0 to the total."`
		Levels []whole `json:"levels,omitempty" doc:"With set-mark and a rubric, optional: one level for each criterion, counted from 0, which make the mark."`
	}
}

// ReopenedWork is the work that a creator decides about.
type ReopenedWork struct {
	DocsLink string `json:"docsLink"`
	Note     string `json:"note,omitempty"`
}

type bySubmission struct {
	ID string `path:"submissionId"`
}

type replyInput struct {
	ID   string `path:"id"`
	Body struct {
		Helpful bool   `json:"helpful"`
		Reply   string `json:"reply,omitempty" absent:"empty" doc:"Up to 2,000 characters."`
	}
}

type listReviewsInput struct {
	Page  int64 `query:"page" default:"1" minimum:"1"`
	Limit int64 `query:"limit" default:"20" minimum:"1" maximum:"100"`
}

func (o *operations) registerReviews(r *router) {
	const tags = tag("Reviews")
	operation(r, signedIn, huma.Operation{
		OperationID: "next-review", Method: http.MethodPost, Path: "/api/reviews/next",
		Summary: "Reserve the next submission to review", Tags: tags.list(), Errors: []int{401, 403, 404, 409, 422},
		Responses: map[string]*huma.Response{"204": {Description: "No submission is available for you to review."}},
	}, o.nextReview, anew)
	operation(r, signedIn, huma.Operation{
		OperationID: "reserved-review", Method: http.MethodGet, Path: "/api/reviews/lease",
		Summary: "Get the submission reserved for you", Tags: tags.list(), Errors: []int{401},
		Responses: map[string]*huma.Response{"204": {Description: "Nothing is reserved for you."}},
	}, func(ctx context.Context, _ *struct{}) (*maybe[ReservedReview], error) {
		found, err := o.Service.ReservedReview(ctx, viewer(ctx).User)
		if err != nil || found == nil {
			return &maybe[ReservedReview]{}, err
		}
		return &maybe[ReservedReview]{&ReservedReview{
			found.SubmissionID, found.AssignmentID, found.AssignmentTitle, found.Until,
		}}, nil
	})
	operation(r, signedIn, tags.op("give-back-review", "DELETE /api/reviews/lease/{submissionId}",
		"Return the submission reserved for you", 401, 404, 409, 429),
		func(ctx context.Context, in *bySubmission) (*Deleted, error) {
			given, err := o.Service.GiveBack(ctx, viewer(ctx).User, in.ID)
			return &Deleted{DeletedCount: count(given)}, err
		})
	operation(r, signedIn, tags.op("list-given-reviews", "GET /api/reviews",
		"List the reviews you gave, newest first", 401, 422),
		o.listGivenReviews)
	operation(r, signedIn, tags.op("list-reviews", "GET /api/submissions/{id}/reviews",
		"List the reviews of a settled submission", 401, 404),
		func(ctx context.Context, in *byID) (*ReceivedReviews, error) {
			found, err := o.Service.Explain(ctx, viewer(ctx).User, in.ID)
			out := ReceivedReviews{
				Data: make([]ReceivedReview, len(found.Reviews)), Rubric: rubricOf(found.Rubric),
				Self: selfAssessmentOf(found.Self, found.Rubric), CircleID: found.CircleID, MayReply: found.MayReply,
			}
			for i, r := range found.Reviews {
				out.Data[i] = receivedOf(r)
				if q, asked := found.Questions[r.Reviewer]; asked {
					out.Data[i].Question = reviewQuestionOf(q)
				}
			}
			return &out, err
		})
	operation(r, signedIn, tags.op("explain-mark", "GET /api/submissions/{id}/mark",
		"Get how a submission's mark was computed", 401, 404),
		func(ctx context.Context, in *byID) (*MarkExplanation, error) {
			found, err := o.Service.Explain(ctx, viewer(ctx).User, in.ID)
			if err != nil {
				return nil, err
			}
			out, err := explanationOf(found)
			return &out, err
		})
	operation(r, signedIn, tags.op("reply-to-review", "PUT /api/reviews/{id}/reply",
		"Rate how helpful a review of your work is", 401, 403, 404, 409, 422),
		func(ctx context.Context, in *replyInput) (*Modified, error) {
			err := o.Service.ReplyToReview(ctx, viewer(ctx).User, in.ID, studycircle.ReplyInput{
				Helpful: in.Body.Helpful, Reply: in.Body.Reply,
			})
			return &Modified{ModifiedCount: 1}, err
		}, sent)
	operation(r, signedIn, tags.op("settle", "POST /api/submissions/{id}/settle",
		"Settle a submission with the reviews it has", 401, 403, 404, 409),
		func(ctx context.Context, in *byID) (*Modified, error) {
			return &Modified{ModifiedCount: 1}, o.Service.SettleNow(ctx, viewer(ctx).User, in.ID)
		})
	operation(r, signedIn, created(tags.op("appeal", "POST /api/submissions/{id}/appeal",
		"Appeal the mark of your submission, once", 401, 404, 409, 422)),
		func(ctx context.Context, in *appealInput) (*Appealed, error) {
			toCreator, err := o.Service.Appeal(ctx, viewer(ctx).User, in.ID, studycircle.Reason{Words: in.Body.Reason})
			return &Appealed{Inserted{InsertedID: in.ID}, toCreator}, err
		})
	operation(r, signedIn, tags.op("reopen", "POST /api/submissions/{id}/reopen",
		"Reopen a settled submission for review, or set its mark", 401, 403, 404, 409, 422),
		func(ctx context.Context, in *reopenInput) (*Modified, error) {
			err := o.Service.Reopen(ctx, viewer(ctx).User, in.ID, studycircle.ReopenInput{
				Reason: studycircle.Reason{Words: in.Body.Reason}, Action: studycircle.ReopenAction(in.Body.Action),
				Mark: (*int64)(in.Body.Mark), Levels: levelsOf(in.Body.Levels),
			})
			return &Modified{ModifiedCount: 1}, err
		})
	operation(r, signedIn, tags.op("read-work", "GET /api/submissions/{id}/work",
		"Get the work that you decide about", 401, 404),
		func(ctx context.Context, in *byID) (*ReopenedWork, error) {
			sub, err := o.Service.Work(ctx, viewer(ctx).User, in.ID)
			return &ReopenedWork{DocsLink: sub.DocsLink, Note: sub.Note}, err
		})
}

func (o *operations) nextReview(ctx context.Context, in *nextReviewInput) (*maybe[ReviewTask], error) {
	task, err := o.Service.NextReview(ctx, viewer(ctx).User, in.Body.Circle, in.Body.AssignmentID)
	if err != nil || task == nil {
		return &maybe[ReviewTask]{}, err
	}
	return &maybe[ReviewTask]{&ReviewTask{
		workToReviewOf(task.Submission, task.Assignment, task.Label), task.Until, task.CountsAccuracy,
	}}, nil
}

func (o *operations) listGivenReviews(ctx context.Context, in *listReviewsInput) (*GivenReviews, error) {
	p := studycircle.Page{Number: in.Page, Limit: in.Limit}
	found, total, err := o.Service.ReviewsGiven(ctx, viewer(ctx).User, p)
	out := GivenReviews{
		Data:       make([]GivenReview, len(found)),
		Pagination: Pagination{Page: p.Number, Limit: p.Limit, Total: total, TotalPages: p.Pages(total)},
	}
	if err != nil {
		return nil, err
	}
	habit, err := o.Service.HowReviewed(ctx, viewer(ctx).User)
	if err != nil {
		return nil, err
	}
	out.Habit = reviewHabitOf(habit)
	circles, err := circlesOf(
		ctx, o.Service, viewer(ctx).User, found, func(r *studycircle.GivenReview) string { return r.CircleID },
	)
	for i, r := range found {
		out.Data[i] = GivenReview{ownReviewOf(r, circles), ReviewMay{Correct: r.MayCorrect}}
	}
	return &out, err
}
