package studycircle

import (
	"slices"
	"time"
)

// QuestionTime is added to a lease when its holder asks a question: the submitter needs time to answer.
const QuestionTime = 24 * time.Hour

// Question is what one reviewer asks the submitter before the mark, with the answer. Neither learns who the other is.
type Question struct {
	ID           string
	SubmissionID string
	// Reviewer identifies the reviewer who asks, as a review's does. It is never shown.
	Reviewer string
	QuestionText
	AskedAt    time.Time
	Answer     QuestionText // the zero value until it comes
	AnsweredAt time.Time    // zero until then
	// Hidden and HiddenAnswer are the texts that a moderator has hidden, for which HiddenTitle stands in QuestionText and
	// Answer; otherwise they are the zero value.
	Hidden, HiddenAnswer QuestionText
}

// ForReviewer returns q as the reviewer who asks it reads it, with their own text while a moderator hides it.
func (q Question) ForReviewer() Question {
	if q.Hidden.Text != "" {
		q.QuestionText = q.Hidden
	}
	return q
}

// ForSubmitter returns q as the submitter reads it, with their own answer while a moderator hides it.
func (q Question) ForSubmitter() Question {
	if q.HiddenAnswer.Text != "" {
		q.Answer = q.HiddenAnswer
	}
	return q
}

// Answered reports whether the submitter has answered q.
func (q Question) Answered() bool { return !q.AnsweredAt.IsZero() }

// QuestionText is the text of a question or an answer, and its rendering.
type QuestionText struct{ Text, HTML string }

// Clean trims and checks t; CodeInvalid.
func (t QuestionText) Clean() (QuestionText, error) {
	var p problems
	t.Text = p.text("text", "The text", t.Text, 1, MaxComment, multiLine)
	return t, p.err(CodeInvalid)
}

// UntilAfterQuestion returns the new end of a lease whose holder asks a question.
func (l Lease) UntilAfterQuestion() time.Time { return l.Until.Add(QuestionTime) }

// AskerFacts are the facts that decide whether a user may ask a question about a submission.
type AskerFacts struct {
	ReviewerFacts
	LeasedUntil time.Time // zero without a lease
	Asked       bool      // the user has asked about the submission
}

// MayAskSubmitter allows the holder of a lease one question. What of others MayReview refuses, MayAskSubmitter refuses
// in the same way.
func MayAskSubmitter(viewer string, in OwnCircle, f AskerFacts, now time.Time) error {
	holds := f.Turn == TurnLeased && f.LeasedUntil.After(now)
	if !holds {
		f.Room = false
	}
	if err := MayReview(viewer, in, f.ReviewerFacts); err != nil {
		return err
	}
	switch {
	case !holds:
		return ErrNotLeased
	case f.Asked:
		return ErrAlreadyAsked
	}
	return nil
}

// MayReadQuestion allows reviewers to read their own question and its answer, unless they have given the submission
// back. Others get ErrNotFound.
func MayReadQuestion(turn Turn) error {
	if !turn.AwaitsAnswer() {
		return ErrNotFound
	}
	return nil
}

// AwaitsAnswer reports whether an answer helps a reviewer with this turn: they may still review, also after a lapsed
// lease, or correct their review.
func (t Turn) AwaitsAnswer() bool { return t == TurnLeased || t == TurnLapsed || t == TurnReviewed }

// MayAnswer allows only the submitter to answer questions, until the submission is settled, and while it is open again.
func MayAnswer(viewer string, in OwnCircle, s Submission, r Reviewing) error {
	if err := MayReadOwn(viewer, s); err != nil {
		return err
	}
	if err := MayWriteIn(in, s.CircleID); err != nil {
		return err
	}
	if s.Status == Completed && !r.Phase.TakesReviews() {
		return Errorf(CodeAlreadySettled, "This submission is settled, so the question needs no answer.")
	}
	return nil
}

// QuestionToAnswer returns the question with an id, or for "" the one asked first of those that wait for an answer.
// CodeAlreadyAnswered, ErrNotFound.
func QuestionToAnswer(all []Question, id string) (Question, error) {
	wanted := slices.DeleteFunc(slices.Clone(all), func(q Question) bool { return id != "" && q.ID != id })
	if len(wanted) == 0 {
		return Question{}, ErrNotFound
	}
	waiting := slices.DeleteFunc(wanted, Question.Answered)
	if len(waiting) == 0 {
		return Question{}, Errorf(CodeAlreadyAnswered, "You have already answered this question.")
	}
	return slices.MinFunc(waiting, func(a, b Question) int { return a.AskedAt.Compare(b.AskedAt) }), nil
}

// AskedNotice returns the notice of a question to the submitter of s.
func AskedNotice(s Submission, at time.Time) Notice {
	return Notice{
		UserID: s.Submitter.UserID, Kind: NotifyQuestion, Subject: s.ID, AssignmentID: s.AssignmentID, CircleID: s.CircleID,
		Title: s.AssignmentTitle, URL: "/attemded-assignments", At: at,
	}
}

// AnsweredNotice returns the notice of an answer to the reviewer who asked q, whose turn leads to the page on which the
// answer helps; the zero Notice if it does not.
func AnsweredNotice(q Question, turn Turn, s Submission) Notice {
	n := Notice{
		UserID: q.Reviewer, Kind: NotifyAnswer, Subject: s.ID, AssignmentID: s.AssignmentID, CircleID: s.CircleID,
		Title: s.AssignmentTitle, URL: PendingURL, At: q.AnsweredAt,
	}
	switch {
	case !turn.AwaitsAnswer():
		return Notice{}
	case turn == TurnReviewed:
		n.URL = "/reviews"
	}
	return n
}
