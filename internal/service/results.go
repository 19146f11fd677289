package service

import (
	"context"
	"slices"

	"studycircle"
)

// Result is a submission as its assignment's creator sees it.
type Result struct {
	studycircle.Submission
	May    studycircle.CreatorMay
	Appeal string // why the submitter appealed; "" without an appeal
	// Free is how many members may still review it, if viewer may ask for studycircle.AppealReviews and there are fewer;
	// nil otherwise.
	Free *int64
	// RosterName and Label are the submitter's in the circle; "" in the hall and for those who have left.
	RosterName, Label string
}

// Results returns a page of the submissions for viewer's assignment and their number. ErrNotFound,
// CodeNotYourAssignment, CodeInvalid if there are too many to filter or sort.
func (s *Service) Results(
	ctx context.Context, viewer studycircle.User, assignmentID string, q studycircle.ResultQuery, p studycircle.Page,
) ([]Result, int64, error) {
	a, in, err := s.ownAssignment(ctx, viewer, assignmentID)
	if err != nil {
		return nil, 0, err
	}
	found, total, err := s.arranged(ctx, viewer, a, q, p)
	out := make([]Result, len(found))
	for i, sub := range found {
		out[i] = s.resultOf(viewer, in, a, sub)
		if err == nil && out[i].May.Waits {
			err = s.countFree(ctx, a, &out[i])
		}
	}
	if err != nil {
		return nil, 0, err
	}
	return out, total, s.asMembers(ctx, viewer, a, out)
}

// asMembers adds what the roster of a circle says about the submitters, and lets viewer give extra time only to those
// who are still members of it.
func (s *Service) asMembers(
	ctx context.Context, viewer studycircle.User, a studycircle.Assignment, results []Result,
) error {
	if a.CircleID == studycircle.Hall {
		return nil
	}
	ids := make([]string, len(results))
	for i, r := range results {
		ids[i] = r.Submitter.UserID
	}
	members, err := s.store.NamesIn(ctx, s.as(viewer), a.CircleID, ids)
	for i := range results {
		r := &results[i]
		m, member := members[r.Submitter.UserID]
		r.RosterName, r.Label, r.May.Extend = m.Name, m.Label, r.May.Extend && member
	}
	return err
}

// countFree sets Free of a result.
func (s *Service) countFree(ctx context.Context, a studycircle.Assignment, r *Result) error {
	if !r.May.Reopen {
		return nil
	}
	n, err := s.store.ReviewersLeft(ctx, r.Submission, a)
	if err == nil && n < studycircle.AppealReviews {
		r.Free = &n
	}
	return err
}

// ownAssignment reads an assignment whose results viewer may read, with its place.
func (s *Service) ownAssignment(
	ctx context.Context, viewer studycircle.User, id string,
) (a studycircle.Assignment, in studycircle.OwnCircle, err error) {
	if a, err = s.Assignment(ctx, viewer, id); err != nil {
		return a, in, err
	}
	if in, err = s.place(ctx, viewer, a.CircleID); err != nil {
		return a, in, err
	}
	return a, in, studycircle.MayReadResults(viewer.ID, in, a)
}

func (s *Service) arranged(
	ctx context.Context, viewer studycircle.User, a studycircle.Assignment, q studycircle.ResultQuery, p studycircle.Page,
) ([]studycircle.Submission, int64, error) {
	if q.Plain() {
		return s.store.Results(ctx, s.as(viewer), a.ID, q.Status, p)
	}
	facts, total, err := s.store.ResultFacts(ctx, a.ID)
	if err != nil {
		return nil, 0, err
	}
	if total > studycircle.MaxSorted {
		return nil, 0, studycircle.Errorf(
			studycircle.CodeInvalid, "Up to %d submissions can be filtered and sorted.", studycircle.MaxSorted,
		)
	}
	facts = q.Arrange(facts)
	n := int64(len(facts))
	var at []int64
	for _, f := range facts[min(p.Skip(), n):min(p.Skip()+p.Limit, n)] {
		at = append(at, f.Seq)
	}
	found, err := s.store.ResultsBySeq(ctx, s.as(viewer), at)
	return found, n, err
}

// resultOf adds to a submission what viewer may do with it, and the present state of its reviews: the creator's count
// is not delayed to the next day.
func (s *Service) resultOf(
	viewer studycircle.User, in studycircle.OwnCircle, a studycircle.Assignment, sub studycircle.Submission,
) Result {
	var r studycircle.Reviewing
	if sub.Reviewing != nil {
		r = *sub.Reviewing
		progress := r.ProgressNow()
		sub.Progress, sub.Reviewing = &progress, nil
	}
	return Result{Submission: sub, May: studycircle.CreatorActions(viewer.ID, in, a, sub, r), Appeal: r.Appeal}
}

// ResultSummary sums up the results of viewer's assignment. ErrNotFound, CodeNotYourAssignment.
func (s *Service) ResultSummary(
	ctx context.Context, viewer studycircle.User, assignmentID string,
) (studycircle.ResultSummary, error) {
	a, in, err := s.ownAssignment(ctx, viewer, assignmentID)
	if err != nil {
		return studycircle.ResultSummary{}, err
	}
	facts, total, err := s.store.ResultFacts(ctx, a.ID)
	return studycircle.SumUp(viewer.ID, in, a, facts, total), err
}

// OneResult is a result with everything that its assignment's creator needs to decide.
type OneResult struct {
	Result
	Assignment studycircle.Assignment
	Reviews    []studycircle.Review // released ones, in the order of their letters
	Timeline   []studycircle.Step
	Explained  bool // its mark has an explanation
	Earlier    []studycircle.EarlierAttempt
}

// Result returns a submission for viewer's assignment. ErrNotFound, CodeNotYourAssignment.
func (s *Service) Result(
	ctx context.Context, viewer studycircle.User, assignmentID, id string,
) (out OneResult, err error) {
	a, in, err := s.ownAssignment(ctx, viewer, assignmentID)
	if err != nil {
		return out, err
	}
	sub, err := s.submission(ctx, s.as(viewer), id)
	if err == nil && sub.AssignmentID != a.ID {
		err = studycircle.ErrNotFound
	}
	if err != nil {
		return out, err
	}
	h, err := s.historyOf(ctx, viewer, sub, a)
	if err != nil {
		return out, err
	}
	if h.Reviewing.Phase != "" {
		sub.Reviewing = &h.Reviewing
	}
	results := []Result{s.resultOf(viewer, in, a, sub)}
	if err := s.asMembers(ctx, viewer, a, results); err != nil {
		return out, err
	}
	if err := s.countFree(ctx, a, &results[0]); err != nil {
		return out, err
	}
	out = OneResult{
		Result: results[0], Assignment: a, Timeline: h.Timeline(), Explained: explained(h.Settlements),
	}
	if out.Earlier, err = s.store.EarlierAttempts(ctx, sub); err != nil {
		return out, err
	}
	out.Reviews, err = s.releasedReviews(ctx, id)
	return out, err
}

// OwnResult is a submission of the viewer's with its timeline.
type OwnResult struct {
	studycircle.Submission
	Appeal   string // why the viewer appealed
	Timeline []studycircle.Step
	Rubric   studycircle.Rubric
	Self     *studycircle.SelfAssessment // nil without one
	// Questions are those of reviewers, while the submission takes reviews.
	Questions []studycircle.Question
}

// OwnResult returns a submission of viewer's. ErrNotFound, CodeNotYourSubmissions.
func (s *Service) OwnResult(ctx context.Context, viewer studycircle.User, id string) (out OwnResult, err error) {
	sub, err := s.submission(ctx, s.as(viewer).Party(), id)
	if err != nil {
		return out, err
	}
	if err := studycircle.MayReadOwn(viewer.ID, sub); err != nil {
		return out, err
	}
	a, err := s.partyAssignment(ctx, viewer, sub.AssignmentID)
	if err != nil {
		return out, err
	}
	h, err := s.historyOf(ctx, viewer, sub, a)
	if err != nil {
		return out, err
	}
	if h.Reviewing.Phase != "" {
		sub.Reviewing = &h.Reviewing
	}
	subs := []studycircle.Submission{sub}
	if err := s.tellSubmitter(ctx, viewer, subs); err != nil {
		return out, err
	}
	out = OwnResult{Submission: subs[0], Appeal: h.Reviewing.Appeal, Timeline: h.Timeline(), Rubric: a.Rubric}
	if out.Self, err = s.selfAssessmentOf(ctx, id); err != nil {
		return out, err
	}
	if h.Reviewing.Phase.TakesReviews() {
		out.Questions, err = s.questionsOn(ctx, id, true)
	}
	return out, err
}

// partyAssignment reads the assignment of a submission that viewer takes part in; the zero Assignment if it is gone.
func (s *Service) partyAssignment(
	ctx context.Context, viewer studycircle.User, id string,
) (studycircle.Assignment, error) {
	a, err := s.store.Assignment(ctx, s.as(viewer).Party(), id)
	if studycircle.CodeOf(err) == studycircle.CodeNotFound {
		err = nil
	}
	return a, err
}

// historyOf reads the input of a submission's timeline.
func (s *Service) historyOf(
	ctx context.Context, viewer studycircle.User, sub studycircle.Submission, a studycircle.Assignment,
) (h studycircle.History, err error) {
	h = studycircle.History{Submission: sub, Decides: a.Creator.UserID != ""}
	if sub.Reviews == 0 {
		return h, nil
	}
	if h.Settlements, err = s.store.Settlements(ctx, sub.ID); err != nil {
		return h, err
	}
	if h.Reopenings, err = s.store.Reopenings(ctx, sub.ID); err != nil {
		return h, err
	}
	if h.Reviewing, err = s.store.Reviewing(ctx, s.as(viewer).Party(), sub.ID); err != nil {
		return h, err
	}
	if h.Reviewing.Phase == studycircle.ReviewAppealed {
		_, err = s.store.Assignment(ctx, studycircle.Live(), sub.AssignmentID)
		h.Decides = h.Decides && err == nil // a deleted or hidden assignment has no creator to ask
		if studycircle.CodeOf(err) == studycircle.CodeNotFound {
			err = nil
		}
	}
	return h, err
}

func (s *Service) releasedReviews(ctx context.Context, id string) (out []studycircle.Review, err error) {
	reviews, err := s.store.Reviews(ctx, id)
	for _, r := range reviews {
		if r.Label != "" {
			out = append(out, r)
		}
	}
	return out, err
}

// maxSettled bounds how many submissions SettleAll settles at once.
const maxSettled = 100

// settledMeanwhile lists the codes of submissions that another request has settled, appealed against or withdrawn.
var settledMeanwhile = []studycircle.Code{
	studycircle.CodeAlreadyGraded, studycircle.CodeNoReviews, studycircle.CodeNotFound,
}

// SettleAll settles the submissions for viewer's assignment that have reviews, oldest first, at most maxSettled, each
// in its own transaction. It returns how many it settled and how many remain. ErrNotFound, CodeNotYourAssignment.
func (s *Service) SettleAll(
	ctx context.Context, viewer studycircle.User, assignmentID string,
) (settled, left int64, err error) {
	a, in, err := s.ownAssignment(ctx, viewer, assignmentID)
	if err == nil {
		err = studycircle.MayDecideAbout(viewer.ID, in, a)
	}
	if err != nil {
		return 0, 0, err
	}
	facts, _, err := s.store.ResultFacts(ctx, a.ID)
	if err != nil {
		return 0, 0, err
	}
	for _, f := range slices.Backward(facts) {
		if !f.Ready(viewer.ID, in, a) {
			continue
		}
		if settled == maxSettled {
			left++
			continue
		}
		err := s.SettleNow(ctx, viewer, f.ID)
		if slices.Contains(settledMeanwhile, studycircle.CodeOf(err)) {
			continue
		}
		if err != nil {
			return settled, left, err
		}
		settled++
	}
	return settled, left, nil
}
