package store

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/store/tables"
)

// needs returns what waits for a user besides reviews, decisions and reports.
func (s *Store) needs(ctx context.Context, v studycircle.Viewer, now time.Time) (all []studycircle.Need, err error) {
	circles, err := s.circlesOf(ctx, v.UserID())
	if err != nil {
		return nil, err
	}
	parts := []func(context.Context, studycircle.Viewer, studycircle.OwnCircles, time.Time) ([]studycircle.Need, error){
		s.unsettledOf, s.questionsTo,
	}
	if len(circles) > 0 {
		parts = append(parts, s.workDueOf, s.askingIn)
	}
	for _, part := range parts {
		found, err := part(ctx, v, circles, now)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// workDueOf returns the assignments of circles that ask a user to hand in, soonest due first.
func (s *Store) workDueOf(
	ctx context.Context, v studycircle.Viewer, circles studycircle.OwnCircles, now time.Time,
) (all []studycircle.Need, err error) {
	from, until := now.Add(-studycircle.DueSoon), now.Add(studycircle.DueSoon)
	err = ask(ctx, s, v, tables.WorkDueOf, func(rows *sql.Rows) error {
		var a studycircle.Assignment
		var at, offset int64
		err := rows.Scan(&a.ID, &a.CircleID, &a.Creator.UserID, &a.Title, &at, &offset)
		if due := studycircle.DueDateAt(at, int(offset)); a.AsksForWork(circles[a.CircleID], due, now) {
			all = append(all, studycircle.Need{
				Kind: studycircle.NeedHandIn, CircleID: a.CircleID, AssignmentID: a.ID, Title: a.Title, By: due.Time(),
			})
		}
		return err
	}, v.UserID(), micros(from), micros(until), int64(studycircle.MaxNeeds))
	return all, err
}

// statesRead bounds the rows of tables.UnsettledOf that a user's needs are made of.
const statesRead = 10 * studycircle.MaxNeeds

// unsettledOf returns the appeals and, by assignment, the submissions that ask a creator to decide or to settle.
func (s *Store) unsettledOf(
	ctx context.Context, v studycircle.Viewer, circles studycircle.OwnCircles, now time.Time,
) (all []studycircle.Need, err error) {
	var appeals, ready []studycircle.Need
	viewer := v.UserID()
	err = ask(ctx, s, v, tables.UnsettledOf, func(rows *sql.Rows) error {
		var a studycircle.Assignment
		var r studycircle.Reviewing
		var reviewDue, offset, count, settleAt int64
		if err := rows.Scan(
			&a.ID, &a.CircleID, &a.Title, &reviewDue, &offset, &r.Phase, &r.Reviews, &r.Needed, &r.Wanted, &count,
			&r.SubmissionID, &settleAt,
		); err != nil {
			return err
		}
		a.Creator.UserID, a.ReviewDue = viewer, tables.ReviewDueAt(reviewDue, offset)
		need := studycircle.Need{CircleID: a.CircleID, AssignmentID: a.ID, Title: a.Title, By: instant(settleAt)}
		in := circles[a.CircleID]
		switch {
		case r.AsksToDecide(viewer, in, a):
			need.Kind, need.SubmissionID = studycircle.NeedAppeal, r.SubmissionID
			appeals = append(appeals, need)
		case r.AsksToSettle(viewer, in, a, now):
			at := slices.IndexFunc(ready, func(n studycircle.Need) bool { return n.AssignmentID == a.ID })
			if at < 0 {
				at, need.Kind = len(ready), studycircle.NeedFinalize
				ready = append(ready, need)
			}
			ready[at].Count += count
		}
		return nil
	}, viewer, micros(now), int64(statesRead))
	return slices.Concat(atMost(appeals), atMost(ready)), err
}

// questionsTo returns the submissions of a user about which reviewers wait for an answer.
func (s *Store) questionsTo(
	ctx context.Context, v studycircle.Viewer, circles studycircle.OwnCircles, _ time.Time,
) (all []studycircle.Need, err error) {
	err = ask(ctx, s, v, tables.QuestionsTo, func(rows *sql.Rows) error {
		var r studycircle.Reviewing
		var count, settleAt int64
		sub := studycircle.Submission{Submitter: studycircle.Person{UserID: v.UserID()}}
		err := rows.Scan(
			&sub.ID, &sub.AssignmentID, &sub.CircleID, &sub.AssignmentTitle, &sub.Status, &r.Phase, &count, &settleAt,
		)
		if !sub.Status.Ended() && studycircle.MayAnswer(v.UserID(), circles[sub.CircleID], sub, r) == nil {
			all = append(all, studycircle.Need{
				Kind: studycircle.NeedAnswer, CircleID: sub.CircleID, AssignmentID: sub.AssignmentID, SubmissionID: sub.ID,
				Title: tables.Shown(sub.AssignmentTitle), Count: count, By: instant(settleAt),
			})
		}
		return err
	}, v.UserID(), int64(studycircle.MaxNeeds))
	return all, err
}

// askingIn returns the circles of an organizer that users ask to join, longest waiting first.
func (s *Store) askingIn(
	ctx context.Context, v studycircle.Viewer, circles studycircle.OwnCircles, _ time.Time,
) (all []studycircle.Need, err error) {
	err = ask(ctx, s, v, tables.AskingIn, func(rows *sql.Rows) error {
		n := studycircle.Need{Kind: studycircle.NeedRequests}
		var since int64
		err := rows.Scan(&n.CircleID, &n.Count, &since)
		n.Since = instant(since)
		if in := circles[n.CircleID]; studycircle.MayOrganize(in.Mine, in.Circle) == nil {
			all = append(all, n)
		}
		return err
	}, v.UserID())
	return atMost(all), err
}

func atMost(needs []studycircle.Need) []studycircle.Need {
	return needs[:min(len(needs), studycircle.MaxNeeds)]
}

// reportsRead bounds the open reports of which ReportsFor tells.
const reportsRead = 100

// ReportsFor returns the subjects with open reports to the organizers of a user's circles and, if moderates, to the
// moderators, each with its first report and author, oldest first.
func (s *Store) ReportsFor(
	ctx context.Context, v studycircle.Viewer, moderates bool,
) (out []studycircle.ReportedThing, err error) {
	defer s.operation(&err, "Store.ReportsFor")
	toModerators := int64(0)
	if moderates {
		toModerators = 1
	}
	err = ask(ctx, s, v, tables.ReportsFor, func(rows *sql.Rows) error {
		var r studycircle.ReportedThing
		var at int64
		err := rows.Scan(&r.ID, &r.Subject.Kind, &r.Subject.ID, &r.CircleID, &at)
		r.CreatedAt = instant(at)
		out = append(out, r)
		return err
	}, v.UserID(), toModerators, int64(reportsRead))
	if err != nil || len(out) == 0 {
		return nil, err
	}
	return out, s.describe(ctx, out)
}
