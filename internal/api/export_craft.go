package api

import (
	"fmt"
	"time"

	"studycircle"
	"studycircle/internal/identity"
)

// EarlierReview is what a review of the viewer's said until they corrected it.
type EarlierReview struct {
	Review   string  `json:"review" doc:"The review's id."`
	N        int64   `json:"n" doc:"From 1, oldest first."`
	Until    string  `json:"until" doc:"YYYY-MM-DD, UTC: when it was corrected."`
	Mark     int64   `json:"mark"`
	Levels   []int64 `json:"levels,omitempty" doc:"Of the rubric's criteria, in their order."`
	Feedback string  `json:"feedback,omitempty" doc:"Markdown."`
}

// OwnAssessment is how the viewer judged their own work.
type OwnAssessment struct {
	SubmissionID string    `json:"submissionId"`
	Levels       []int64   `json:"levels" doc:"Of the rubric's criteria, in their order."`
	At           time.Time `json:"at"`
}

// AskedQuestion is the viewer's question about a submission that they reviewed.
type AskedQuestion struct {
	SubmissionID string    `json:"submissionId"`
	Text         string    `json:"text" doc:"Markdown."`
	AskedAt      time.Time `json:"askedAt"`
}

// GivenAnswer is the viewer's answer to a reviewer's question.
type GivenAnswer struct {
	SubmissionID string    `json:"submissionId"`
	Text         string    `json:"text" doc:"Markdown."`
	AnsweredAt   time.Time `json:"answeredAt"`
}

// OwnRubric is a rubric that the viewer saved.
type OwnRubric struct {
	Name     string                  `json:"name"`
	Criteria []studycircle.Criterion `json:"criteria"`
	CircleID string                  `json:"circleId,omitempty" doc:"Absent if it is the viewer's own."`
	SavedAt  time.Time               `json:"savedAt"`
}

// OwnPhrase is a sentence that the viewer keeps for feedback.
type OwnPhrase struct {
	Text string `json:"text"`
}

// addCraft writes what the user made for reviewing: earlier versions of their reviews, self-assessments, questions, answers, rubrics
// and phrases.
func (e *exporter) addCraft(item any) error {
	switch v := item.(type) {
	case studycircle.ReviewVersion:
		return e.item(21, EarlierReview{Review: v.ReviewID, N: v.N, Until: day(v.Until), Mark: v.Mark, Levels: v.Levels, Feedback: v.Feedback})
	case studycircle.SelfAssessment:
		return e.item(22, OwnAssessment(v))
	case studycircle.Question:
		return e.item(23, AskedQuestion{v.SubmissionID, v.Text, v.AskedAt})
	case identity.AnsweredQuestion:
		return e.item(24, GivenAnswer{v.SubmissionID, v.Answer.Text, v.AnsweredAt})
	case studycircle.SavedRubric:
		return e.item(25, OwnRubric{v.Name, v.Rubric.Criteria, linked(v.CircleID, v.CircleID, e.circles), v.SavedAt})
	case studycircle.Phrases:
		for _, text := range v {
			if err := e.item(26, OwnPhrase{text}); err != nil {
				return err
			}
		}
		return nil
	default:
		return fmt.Errorf("the export has no part for %T", item)
	}
}
