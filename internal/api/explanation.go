package api

import (
	"encoding/json"

	"studycircle"
	"studycircle/internal/grademodel"
	"studycircle/internal/service"
)

// MarkInput is what the grade model knew of one review.
type MarkInput struct {
	Label           string  `json:"label"`
	Mark            float64 `json:"mark"`
	Strictness      float64 `json:"strictness" doc:"How far its reviewer marks above the others on other work, an angle."`
	StrictnessMarks float64 `json:"strictnessMarks" doc:"The same in marks, here."`
	Weight          float64 `json:"weight" doc:"How well its reviewer's marks follow the work, 0 to 1.5."`
	CountsAs        float64 `json:"countsAs" doc:"The mark without its reviewer's strictness."`
	Counted         float64 `json:"counted" doc:"The weight; the usual mark's is kappa."`
}

// MarkSettlement is one settlement of a submission.
type MarkSettlement struct {
	N      int64  `json:"n"`
	Day    string `json:"day" doc:"YYYY-MM-DD, UTC."`
	By     string `json:"by" enum:"model,creator,grader"`
	Reason string `json:"reason" enum:"enough-reviews,time,early,appeal,reopened,set-mark,known,grade"`
	Words  string `json:"words,omitempty"`
	Mark   int64  `json:"mark"`
	Model  string `json:"model,omitempty"`
}

// MarkInterval contains the mark of a panel of experts in 8 of 10 cases.
type MarkInterval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// MarkExplanation has all inputs of a mark, so that it can be recomputed.
type MarkExplanation struct {
	SubmissionID    string           `json:"submissionId"`
	AssignmentTitle string           `json:"assignmentTitle"`
	Total           int64            `json:"total"`
	GivenMark       int64            `json:"givenMark"`
	Model           string           `json:"model,omitempty" doc:"The version that made the mark, or mean or median; absent if a user set the mark."`
	Usual           float64          `json:"usual,omitzero" doc:"The assignment's usual mark, an angle."`
	UsualMark       float64          `json:"usualMark,omitzero" doc:"The same as a mark."`
	Kappa           float64          `json:"kappa,omitzero" doc:"How many reviews the usual mark counts as."`
	Noise           float64          `json:"noise,omitzero" doc:"The noise of one review, an angle."`
	Estimate        *float64         `json:"estimate,omitempty" doc:"The mark before rounding."`
	Interval        *MarkInterval    `json:"interval,omitempty"`
	Open            *float64         `json:"open,omitempty" doc:"How far further reviews may still move the mark."`
	Reviews         []MarkInput      `json:"reviews"`
	Settlements     []MarkSettlement `json:"settlements" doc:"Oldest first; the last one counts."`
	Mine            bool             `json:"mine" doc:"You handed it in."`
	AppealUntil     string           `json:"appealUntil,omitempty" doc:"YYYY-MM-DD, UTC: the last day on which you may appeal. Absent if you may not."`
	AppealReason    string           `json:"appealReason,omitempty" doc:"Why the submitter appealed."`
	Timeline        []Step           `json:"timeline" doc:"Oldest first, then what happens now and next."`
	May             MarkMay          `json:"may"`
	Appeal          string           `json:"appeal,omitempty" enum:"open" doc:"An appeal is under way."`
	Reopened        bool             `json:"reopened,omitzero" doc:"The creator has asked for more reviews."`

	Levels []int64             `json:"levels,omitempty" doc:"The levels of the rubric that make the mark, counted from 0; absent unless the creator chose them."`
	Rubric *studycircle.Rubric `json:"rubric,omitempty" doc:"Of which the levels are; absent without them."`
}

// MarkMay lists what the viewer may do about a mark: the server accepts everything that is true here.
type MarkMay struct {
	Appeal  bool `json:"appeal"`
	Settle  bool `json:"settle" doc:"Settle it on the reviews that it has."`
	Reopen  bool `json:"reopen" doc:"Ask two new reviewers."`
	SetMark bool `json:"setMark"`
	Known   bool `json:"known" doc:"Mark it as known work."`
	Waits   bool `json:"waits" doc:"It waits for you: decide."`
}

func explanationOf(e service.Explained) (MarkExplanation, error) {
	out := MarkExplanation{
		SubmissionID: e.Submission.ID, AssignmentTitle: e.Submission.AssignmentTitle, Total: e.Submission.Marks,
		Reviews: []MarkInput{},
	}
	for _, st := range e.Settlements {
		shown := MarkSettlement{
			N: st.N, Day: day(st.At), By: string(st.By), Reason: string(st.Reason), Words: st.Words, Mark: st.Mark,
		}
		out.GivenMark = st.Mark
		if st.Model != "" {
			var record service.ModelRecord
			if err := json.Unmarshal([]byte(st.Model), &record); err != nil {
				return out, err
			}
			shown.Model = record.Model
			out.describe(record)
		} else { // the creator set the mark: no review made it
			out = MarkExplanation{
				SubmissionID: out.SubmissionID, AssignmentTitle: out.AssignmentTitle, Total: out.Total, GivenMark: st.Mark,
				Reviews: []MarkInput{}, Settlements: out.Settlements,
			}
		}
		out.Settlements = append(out.Settlements, shown)
	}
	if n := len(e.Settlements); n > 0 && e.Settlements[n-1].Levels != nil {
		out.Levels, out.Rubric = e.Settlements[n-1].Levels, rubricOf(e.Rubric)
	}
	out.Mine, out.Reopened = e.Mine, e.Reviewing.Phase == studycircle.ReviewReopened
	if e.Reviewing.Phase == studycircle.ReviewAppealed {
		out.Appeal = "open"
	}
	out.AppealUntil, out.AppealReason, out.Timeline = dayText(e.Own.AppealUntil), e.Reviewing.Appeal,
		timelineOf(e.Timeline)
	out.May = MarkMay{
		Appeal: e.Own.Appeal, Settle: e.May.Settle, Reopen: e.May.Reopen, SetMark: e.May.SetMark,
		Known: e.May.Known, Waits: e.May.Waits,
	}
	return out, nil
}

// describe adds the model's results for the reviews.
func (m *MarkExplanation) describe(record service.ModelRecord) {
	m.Model, m.Estimate = record.Model, &record.Estimate
	if grademodel.Plain(record.Model) {
		m.Usual, m.UsualMark, m.Kappa, m.Noise, m.Interval, m.Open = 0, 0, 0, 0, nil, nil
	} else {
		m.Usual, m.UsualMark, m.Kappa, m.Noise = record.Scale.Usual, record.UsualMark, record.Scale.Counts(),
			record.Scale.Noise
		m.Interval, m.Open = &MarkInterval{record.Low, record.High}, &record.Open
	}
	m.Reviews = make([]MarkInput, len(record.Reviews))
	for i, r := range record.Reviews {
		counted := grademodel.Counted{}
		if i < len(record.Counted) {
			counted = record.Counted[i]
		}
		m.Reviews[i] = MarkInput{
			Label: record.Labels[i], Mark: r.Mark, Strictness: r.Strictness, StrictnessMarks: r.Mark - counted.As,
			Weight: r.Weight, CountsAs: counted.As, Counted: counted.Weight,
		}
	}
}
