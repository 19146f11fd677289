package api

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/service"
)

// Result is a submission as the assignment's creator sees it, without the link and the
// note, and without the grader.
type Result struct {
	ID             string    `json:"_id"`
	SubmittedBy    *string   `json:"submittedBy" nullable:"true" doc:"Email address; null if the account is gone, and in a circle except to its organizers."`
	SubmitterName  string    `json:"submitterName,omitempty" doc:"Display name; absent if the account is gone."`
	SubmitterPhoto string    `json:"submitterPhoto,omitempty" doc:"Address of a picture; absent if there is none."`
	Label          string    `json:"label,omitempty" doc:"The submitter's in the circle."`
	Status         string    `json:"status" enum:"pending,completed"`
	SubmittedAt    time.Time `json:"submittedAt"`
	Late           bool      `json:"late" doc:"After the due date that applies to its submitter."`
	LinkLate
	SubmitterID string `json:"submitterId,omitempty" doc:"Of a pending submission whose submitter you may give extra time."`
	Marks       int64  `json:"marks" doc:"The total."`
	GivenMark   *int64 `json:"givenMark,omitempty" doc:"The obtained mark; absent until graded."`
	ShownFeedback
	MarkedAt *time.Time `json:"markedAt,omitempty"`
	ReviewProgress
	AppealReason string     `json:"appealReason,omitempty" doc:"Why the submitter appealed."`
	May          CreatorMay `json:"may"`
	Free         *int64     `json:"freeReviewers,omitempty" doc:"How many members of the circle are free to review it, where that is less than the two you may ask for. A list has it where the submission waits for you."`
}

// CreatorMay lists what an assignment's creator may do with a submission: the server accepts everything that is true
// here.
type CreatorMay struct {
	Grade   bool `json:"grade" doc:"Give its one grade."`
	Settle  bool `json:"settle" doc:"Settle it on the reviews that it has."`
	Reopen  bool `json:"reopen" doc:"Ask two new reviewers."`
	SetMark bool `json:"setMark"`
	Known   bool `json:"known" doc:"Mark it as known work."`
	Waits   bool `json:"waits" doc:"It waits for you: decide."`
	// SendBack is possible until it has a mark.
	SendBack bool `json:"sendBack,omitzero" doc:"Ask the submitter to hand in again."`
}

func creatorMayOf(m studycircle.CreatorMay) CreatorMay {
	return CreatorMay{
		Grade: m.Grade, Settle: m.Settle, Reopen: m.Reopen, SetMark: m.SetMark, Known: m.Known, Waits: m.Waits,
		SendBack: m.SendBack,
	}
}

// SubmitterMay lists what a submitter may do with a submission: the server accepts everything that is true here.
type SubmitterMay struct {
	Change   bool   `json:"change" doc:"False if several people review it: it would tell that one has begun."`
	Withdraw bool   `json:"withdraw"`
	Appeal   bool   `json:"appeal"`
	Assess   bool   `json:"assess" doc:"Judge it by the rubric."`
	Answer   bool   `json:"answer" doc:"Answer a reviewer's question."`
	Until    string `json:"appealUntil,omitempty" doc:"YYYY-MM-DD, UTC: the last day of an appeal."`
}

func submitterMayOf(m studycircle.SubmitterMay) SubmitterMay {
	return SubmitterMay{
		Change: m.Change, Withdraw: m.Withdraw, Appeal: m.Appeal, Assess: m.Assess,
		Answer: m.Answer, Until: dayText(m.AppealUntil),
	}
}

// Step is a step of a submission's timeline. Its times are days in UTC.
type Step struct {
	Kind    string `json:"kind" enum:"handed-in,grade,reviews,unattended,settled,appeal,reopened,new-reviewers,asked,decision,model"`
	Time    string `json:"time" enum:"past,now,next"`
	Day     string `json:"day,omitempty" doc:"YYYY-MM-DD: when it happened, or is to begin; absent if it is unknown."`
	Until   string `json:"until,omitempty" doc:"YYYY-MM-DD: the last day of what goes on."`
	By      string `json:"by,omitempty" enum:"model,creator,grader" doc:"Who settled it."`
	Reason  string `json:"reason,omitempty" enum:"enough-reviews,time,early,appeal,reopened,set-mark,known,grade" doc:"Why it was settled."`
	Mark    *int64 `json:"mark,omitempty"`
	Decider string `json:"decider,omitempty" doc:"The name of the user who finalized it or set its mark; absent if none did."`
	Words   string `json:"words,omitempty" doc:"The reason that was given."`
}

func timelineOf(steps []studycircle.Step) []Step {
	out := make([]Step, len(steps))
	for i, s := range steps {
		out[i] = Step{
			Kind: string(s.Kind), Time: string(s.Time), Day: dayText(s.Day), Until: dayText(s.Until), By: string(s.By),
			Reason: string(s.Reason), Mark: s.Mark, Decider: s.Decider, Words: s.Words,
		}
	}
	return out
}

// dayText returns a day counted from 1970 in UTC as a date; "" for none.
func dayText(n int64) string {
	if n == 0 {
		return ""
	}
	return day(studycircle.StartOfDay(n))
}

// ResultList is a page of results.
type ResultList struct {
	Data       []Result   `json:"data"`
	Pagination Pagination `json:"pagination"`
}

func resultOf(r service.Result, circles studycircle.OwnCircles) Result {
	s := r.Submission
	out := Result{
		ID: s.ID, SubmitterName: s.Submitter.DisplayName, SubmitterPhoto: s.Submitter.PhotoURL, Label: r.Label,
		Status:      string(s.Status),
		SubmittedAt: s.SubmittedAt, Late: s.Late, LinkLate: linkLateOf(s),
		Marks: s.Marks, ReviewProgress: reviewProgressOf(s.Progress), AppealReason: r.Appeal, May: creatorMayOf(r.May),
		Free: r.Free,
	}
	if r.May.Extend {
		out.SubmitterID = s.Submitter.UserID
	}
	if s.Submitter.Email != "" {
		out.SubmittedBy = address(s.Submitter.Email, s.CircleID, circles)
	}
	if s.Grade != nil {
		out.GivenMark, out.ShownFeedback, out.MarkedAt = &s.Grade.Mark,
			shownFeedback(s.Grade.Feedback, s.Grade.HTML, s.Grade.Partial), &s.Grade.MarkedAt
	}
	return out
}

// ResultDetail is a result with all that the creator decides by.
type ResultDetail struct {
	Result
	DocsLink  string              `json:"docsLink"`
	Note      string              `json:"note,omitempty"`
	Received  []ReceivedReview    `json:"received" doc:"The released reviews, in the order of their letters."`
	Rubric    *studycircle.Rubric `json:"rubric,omitempty" doc:"The assignment's, of which the levels are."`
	Timeline  []Step              `json:"timeline" doc:"Oldest first, then what happens now and next."`
	Explained bool                `json:"explained" doc:"GET /api/submissions/{id}/mark explains the mark."`
	Earlier   []EarlierAttempt    `json:"earlier,omitempty" doc:"The submitter's attempts that ended without a mark, oldest first."`
}

// EarlierAttempt is an attempt that ended without a mark: withdrawn after a review, or sent back.
type EarlierAttempt struct {
	Status  string `json:"status" enum:"withdrawn,sent-back"`
	Day     string `json:"day" doc:"YYYY-MM-DD, UTC: when it was handed in."`
	Ended   string `json:"ended" doc:"YYYY-MM-DD, UTC."`
	Reason  string `json:"reason,omitempty" doc:"Why it was sent back."`
	Reviews int64  `json:"reviews,omitzero" doc:"How many it had."`
}

func earlierOf(all []studycircle.EarlierAttempt) (out []EarlierAttempt) {
	for _, a := range all {
		out = append(out, EarlierAttempt{string(a.Status), day(a.HandedInAt), day(a.EndedAt), a.Reason, a.Reviews})
	}
	return out
}

// OwnSubmissionDetail is a submission of the viewer's with its timeline.
type OwnSubmissionDetail struct {
	OwnSubmission
	AppealReason string `json:"appealReason,omitempty" doc:"Why you appealed."`
	Timeline     []Step `json:"timeline" doc:"Oldest first, then what happens now and next."`
	// Rubric and Self are what the viewer judges the work by, and how.
	Rubric *studycircle.Rubric `json:"rubric,omitempty"`
	Self   *SelfAssessment     `json:"selfAssessment,omitempty"`
	// Questions are in an order that means nothing.
	Questions []SubmitterQuestion `json:"questions,omitempty" doc:"What reviewers ask, until it is settled."`
}

// MarkTenth counts the marks in a tenth of the total.
type MarkTenth struct {
	From  int64 `json:"from" doc:"Percent."`
	To    int64 `json:"to" doc:"Percent, exclusive except for 100."`
	Count int64 `json:"count"`
}

// ResultOutlier is a result that differs from the others.
type ResultOutlier struct {
	ID            string `json:"_id"`
	SubmitterName string `json:"submitterName,omitempty" doc:"Absent if the account is gone."`
	Kind          string `json:"kind" enum:"low,high,apart" doc:"The mark is far below or above the others, or the reviews lie apart."`
	GivenMark     *int64 `json:"givenMark,omitempty"`
	Marks         int64  `json:"marks" doc:"The total."`
	Lowest        *int64 `json:"lowest,omitempty" doc:"The lowest review."`
	Highest       *int64 `json:"highest,omitempty" doc:"The highest review."`
}

// ResultSummary sums up the results of an assignment.
type ResultSummary struct {
	Total          int64           `json:"total" doc:"Submissions."`
	Counted        int64           `json:"counted" doc:"The newest submissions, which the other figures are of: 10,000 at most. Filters and orders are for as many."`
	Pending        int64           `json:"pending"`
	Waiting        int64           `json:"waiting" doc:"They wait for the creator's decision."`
	Ready          int64           `json:"ready" doc:"The creator may settle them on the reviews that they have."`
	Late           int64           `json:"late"`
	Appeals        int64           `json:"appeals" doc:"Under appeal."`
	Marked         int64           `json:"marked"`
	AveragePercent *float64        `json:"averagePercent,omitempty" doc:"One decimal; absent without marks."`
	Distribution   []MarkTenth     `json:"distribution"`
	Outliers       []ResultOutlier `json:"outliers" doc:"Newest first, 20 at most. A mark is one where it lies outside of the middle half by more than 1.5 times that half's width and 10 percent of the total, among five marks or more; or where the lowest and the highest review lie 40 percent of the total apart."`
}

func resultSummaryOf(s studycircle.ResultSummary) ResultSummary {
	out := ResultSummary{
		Total: s.Total, Counted: s.Counted, Pending: s.Pending, Waiting: s.Waiting, Ready: s.Ready, Late: s.Late,
		Appeals: s.Appeals, Marked: s.Marked,
		Distribution: make([]MarkTenth, len(s.Tenths)), Outliers: make([]ResultOutlier, len(s.Outliers)),
	}
	if s.Marked > 0 {
		average := studycircle.RoundPercent(s.Average)
		out.AveragePercent = &average
	}
	for i, n := range s.Tenths {
		out.Distribution[i] = MarkTenth{From: int64(10 * i), To: int64(10 * (i + 1)), Count: n}
	}
	for i, o := range s.Outliers {
		out.Outliers[i] = ResultOutlier{
			ID: o.ID, SubmitterName: o.Submitter.DisplayName, Kind: string(o.Kind), GivenMark: o.Mark, Marks: o.Total,
			Lowest: o.Lowest, Highest: o.Highest,
		}
	}
	return out
}

// SettledAll answers a request to settle all submissions that can be settled.
type SettledAll struct {
	Modified
	Left int64 `json:"leftCount" doc:"Ask again for these: one request settles 100 at most."`
}

type resultsInput struct {
	ID     string `path:"id"`
	Status string `query:"status" enum:"pending,completed" doc:"Absent for all."`
	Show   string `query:"show" enum:"waiting,late,appeal" doc:"waiting: for your decision. Absent for all."`
	Sort   string `query:"sort" enum:"newest,mark,name" default:"newest"`
	Label  string `query:"label" doc:"Of submitters with this label in the circle."`
	Page   int64  `query:"page" default:"1" minimum:"1"`
	Limit  int64  `query:"limit" default:"20" minimum:"1" maximum:"100"`
}

// check implements checked.
func (in *resultsInput) check(wrong *faults) { checkSought("label", "label", in.Label, wrong) }

type resultID struct {
	ID           string `path:"id"`
	SubmissionID string `path:"submissionId"`
}

func (o *operations) registerResults(r *router) {
	const tags = tag("Progress")
	operation(r, signedIn, tags.op("list-results", "GET /api/assignment/{id}/submissions",
		"List the submissions for your assignment", 401, 403, 404, 422),
		o.results)
	operation(r, signedIn, tags.op("get-result", "GET /api/assignment/{id}/submissions/{submissionId}",
		"Read a submission for your assignment", 401, 403, 404),
		func(ctx context.Context, in *resultID) (*private[ResultDetail], error) {
			found, err := o.Service.Result(ctx, viewer(ctx).User, in.ID, in.SubmissionID)
			if err != nil {
				return nil, err
			}
			circles, err := circlesOf(
				ctx, o.Service, viewer(ctx).User, []studycircle.Assignment{found.Assignment}, circleOfAssignment,
			)
			return &private[ResultDetail]{resultDetailOf(found, circles)}, err
		})
	operation(r, signedIn, tags.op("sum-up-results", "GET /api/assignment/{id}/results",
		"Sum up the results of your assignment", 401, 403, 404),
		func(ctx context.Context, in *byID) (*private[ResultSummary], error) {
			found, err := o.Service.ResultSummary(ctx, viewer(ctx).User, in.ID)
			return &private[ResultSummary]{resultSummaryOf(found)}, err
		})
	operation(r, signedIn, tags.op("settle-all", "POST /api/assignment/{id}/settle",
		"Settle all submissions for your assignment that have reviews", 401, 403, 404, 409),
		func(ctx context.Context, in *byID) (*private[SettledAll], error) {
			settled, left, err := o.Service.SettleAll(ctx, viewer(ctx).User, in.ID)
			return &private[SettledAll]{SettledAll{Modified{ModifiedCount: int(settled)}, left}}, err
		})
	operation(r, signedIn, tags.op("get-own-submission", "GET /api/submissions/{id}/own",
		"Read a submission of yours with its timeline", 401, 403, 404),
		func(ctx context.Context, in *byID) (*private[OwnSubmissionDetail], error) {
			found, err := o.Service.OwnResult(ctx, viewer(ctx).User, in.ID)
			if err != nil {
				return nil, err
			}
			circles, err := circlesOf(
				ctx, o.Service, viewer(ctx).User, []studycircle.Submission{found.Submission}, circleOfSubmission,
			)
			if err != nil {
				return nil, err
			}
			return &private[OwnSubmissionDetail]{OwnSubmissionDetail{
				OwnSubmission: OwnSubmissionOf(found.Submission, circles),
				AppealReason:  found.Appeal, Timeline: timelineOf(found.Timeline),
				Rubric: rubricOf(found.Rubric), Self: selfAssessmentOf(found.Self, found.Rubric),
				Questions: submitterQuestionsOf(found.Questions),
			}}, nil
		})
}

func (o *operations) results(ctx context.Context, in *resultsInput) (*private[ResultList], error) {
	p := studycircle.Page{Number: in.Page, Limit: in.Limit}
	q := studycircle.ResultQuery{
		Status: studycircle.Status(in.Status), Filter: studycircle.ResultFilter(in.Show),
		Order: studycircle.ResultOrder(in.Sort), Label: in.Label,
	}
	found, total, err := o.Service.Results(ctx, viewer(ctx).User, in.ID, q, p)
	out := ResultList{
		Data:       make([]Result, len(found)),
		Pagination: paginationOf(p, total),
	}
	if err != nil {
		return nil, err
	}
	circles, err := circlesOf(
		ctx, o.Service, viewer(ctx).User, found, func(r *service.Result) string { return r.CircleID },
	)
	for i, r := range found {
		out.Data[i] = resultOf(r, circles)
	}
	return &private[ResultList]{out}, err
}

func resultDetailOf(r service.OneResult, circles studycircle.OwnCircles) ResultDetail {
	out := ResultDetail{
		Result: resultOf(r.Result, circles), DocsLink: r.DocsLink, Note: r.Note,
		Received: make([]ReceivedReview, len(r.Reviews)),
		Rubric:   rubricOf(r.Assignment.Rubric), Timeline: timelineOf(r.Timeline), Explained: r.Explained,
		Earlier: earlierOf(r.Earlier),
	}
	for i, review := range r.Reviews {
		out.Received[i] = receivedOf(review)
	}
	return out
}
