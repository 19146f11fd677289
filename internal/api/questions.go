package api

import (
	"context"
	"html/template"

	"studycircle"
)

// ReviewQuestion is a reviewer's question about a submission, with the submitter's answer. It names neither.
type ReviewQuestion struct {
	Text   string        `json:"text" doc:"Markdown."`
	HTML   template.HTML `json:"html,omitempty" doc:"The text as safe HTML."`
	Answer *AnswerText   `json:"answer,omitempty" doc:"Absent until it comes."`
}

// AnswerText is the answer to a question.
type AnswerText struct {
	Text string        `json:"text" doc:"Markdown."`
	HTML template.HTML `json:"html,omitempty" doc:"The text as safe HTML."`
}

// SubmitterQuestion is a reviewer's question as the submitter sees it.
type SubmitterQuestion struct {
	ID string `json:"_id"`
	ReviewQuestion
}

// ReviewerQuestion is the viewer's question about a submission that they review.
type ReviewerQuestion struct {
	Question *ReviewQuestion `json:"question,omitempty" doc:"Absent until you ask."`
	May      QuestionMay     `json:"may"`
}

// QuestionMay lists what a reviewer may do: the server accepts everything that is true here.
type QuestionMay struct {
	Ask bool `json:"ask"`
}

func reviewQuestionOf(q studycircle.Question) *ReviewQuestion {
	out := &ReviewQuestion{Text: q.Text, HTML: rendered(q.HTML)}
	if q.Answered() {
		out.Answer = &AnswerText{q.Answer.Text, rendered(q.Answer.HTML)}
	}
	return out
}

func submitterQuestionsOf(all []studycircle.Question) (out []SubmitterQuestion) {
	for _, q := range all {
		out = append(out, SubmitterQuestion{q.ID, *reviewQuestionOf(q)})
	}
	return out
}

type questionInput struct {
	ID   string `path:"id"`
	Body struct {
		Text string `json:"text" doc:"Markdown, 1 to 5,000 characters."`
	}
}

type answerInput struct {
	ID   string `path:"id"`
	Body struct {
		Text       string `json:"text" doc:"Markdown, 1 to 5,000 characters."`
		QuestionID string `json:"questionId,omitempty" absent:"empty" doc:"Absent for the question that has waited longest."`
	}
}

func (o *operations) registerQuestions(r *router) {
	const tags = tag("Reviews")
	operation(r, signedIn, tags.op("get-question", "GET /api/submissions/{id}/question",
		"Read your question about a submission that you review", 401, 404),
		func(ctx context.Context, in *byID) (*ReviewerQuestion, error) {
			found, err := o.Service.QuestionOf(ctx, viewer(ctx).User, in.ID)
			out := ReviewerQuestion{May: QuestionMay{Ask: found.MayAsk}}
			if found.Asked != nil {
				out.Question = reviewQuestionOf(*found.Asked)
			}
			return &out, err
		})
	operation(r, signedIn, created(tags.op("ask-submitter", "POST /api/submissions/{id}/question",
		"Ask the submitter of what is reserved for you one question", 401, 403, 404, 409, 422, 429)),
		func(ctx context.Context, in *questionInput) (*Inserted, error) {
			err := o.Service.AskSubmitter(ctx, viewer(ctx).User, in.ID, studycircle.QuestionText{Text: in.Body.Text})
			return &Inserted{InsertedID: in.ID}, err
		})
	operation(r, signedIn, created(tags.op("answer-reviewer", "POST /api/submissions/{id}/answer",
		"Answer a reviewer's question about your submission", 401, 403, 404, 409, 422, 429)),
		func(ctx context.Context, in *answerInput) (*Inserted, error) {
			err := o.Service.AnswerReviewer(
				ctx, viewer(ctx).User, in.ID, in.Body.QuestionID, studycircle.QuestionText{Text: in.Body.Text},
			)
			return &Inserted{InsertedID: in.ID}, err
		})
}
