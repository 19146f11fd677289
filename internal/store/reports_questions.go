package store

import (
	"context"
	"database/sql"

	"studycircle"
	"studycircle/internal/store/tables"
)

// describeQuestions adds to reports of reviews the question that belongs to the review, and to reports of submissions
// the answers to reviewers, also while they are hidden. reviews are the reported ones by their ids.
func (s *Store) describeQuestions(
	ctx context.Context, v studycircle.Viewer, out []studycircle.ReportedThing, reviews map[string]studycircle.Review,
) error {
	submissionOf := func(r studycircle.ReportedThing) string {
		switch {
		case r.Review != nil:
			return reviews[r.Subject.ID].SubmissionID
		case r.Work != nil:
			return r.Subject.ID
		default:
			return ""
		}
	}
	var ids []string
	for _, r := range out {
		if id := submissionOf(r); id != "" {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	asked := map[string][]studycircle.Question{}
	q, args := tables.WrittenQuestions.For(ids)
	err := ask(ctx, s, v, q, func(rows *sql.Rows) error {
		var one studycircle.Question
		err := rows.Scan(&one.SubmissionID, &one.Reviewer, &one.Text, &one.HTML, &one.Answer.Text, &one.Answer.HTML)
		asked[one.SubmissionID] = append(asked[one.SubmissionID], one)
		return err
	}, args...)
	if err != nil {
		return err
	}
	room := studycircle.MaxPageText
	for _, r := range out {
		for _, one := range asked[submissionOf(r)] {
			switch {
			case r.Work != nil && one.Answer.Text != "":
				text, whole := fit(one.Answer, &room)
				r.Work.Answers, r.Work.Partial = append(r.Work.Answers, text), r.Work.Partial || !whole
			case r.Review != nil && one.Reviewer == reviews[r.Subject.ID].Reviewer:
				text, whole := fit(one.QuestionText, &room)
				r.Review.Question, r.Review.Partial = text, r.Review.Partial || !whole
			}
		}
	}
	return nil
}

// fit returns a text, or its beginning if the room of a page is too small for it, and reports whether it is whole.
func fit(text studycircle.QuestionText, room *int) (_ studycircle.QuestionText, whole bool) {
	if n := len(text.Text) + len(text.HTML); n <= *room {
		*room -= n
		return text, true
	}
	return studycircle.QuestionText{Text: studycircle.Beginning(text.Text)}, false
}
