package store

import (
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// needs find what waits for a user besides reviews, decisions and reports.
type needs struct {
	viewer  string
	circles studycircle.OwnCircles
	now     time.Time

	due, asked, joining *answers[candidate]
	unsettled           *answers[unsettled]
}

// candidate is a need, and whether its predicate confirms it.
type candidate struct {
	studycircle.Need
	holds bool
}

func needsOf(viewer string, circles studycircle.OwnCircles, now time.Time) *needs {
	n := &needs{viewer: viewer, circles: circles, now: now}
	n.due, n.asked, n.joining = collecting(n.workDue), collecting(n.questionTo), collecting(n.askingIn)
	n.unsettled = collecting(n.unsettledIn)
	return n
}

// unsettledRead bounds the rows of tables.UnsettledOf that a user's needs are made of.
const unsettledRead = 10 * studycircle.MaxNeeds

func (n *needs) questions(v studycircle.Viewer) []engine.Question {
	all := []engine.Question{
		question(v, tables.UnsettledOf, n.unsettled, n.viewer, micros(n.now), int64(unsettledRead)),
		question(v, tables.QuestionsTo, n.asked, n.viewer, int64(studycircle.MaxNeeds)),
	}
	if len(n.circles) == 0 {
		return all
	}
	from, until := n.now.Add(-studycircle.DueSoon), n.now.Add(studycircle.DueSoon)
	return append(
		all, question(v, tables.WorkDueOf, n.due, n.viewer, micros(from), micros(until), int64(studycircle.MaxNeeds)),
		question(v, tables.AskingIn, n.joining, n.viewer),
	)
}

// all returns the needs once the questions are answered.
func (n *needs) all() []studycircle.Need {
	return slices.Concat(n.settling(), confirmed(n.asked), confirmed(n.due), atMost(confirmed(n.joining)))
}

func confirmed(found *answers[candidate]) (all []studycircle.Need) {
	for _, c := range found.all {
		if c.holds {
			all = append(all, c.Need)
		}
	}
	return all
}

func atMost(needs []studycircle.Need) []studycircle.Need {
	return needs[:min(len(needs), studycircle.MaxNeeds)]
}

// workDue is an assignment of a circle that asks a user to hand in.
func (n *needs) workDue(r engine.Row) candidate {
	a := studycircle.Assignment{ID: r.Text(0), CircleID: r.Text(1), Title: r.Text(3)}
	a.Creator.UserID = r.Text(2)
	due := studycircle.DueDateAt(r.Int(4), int(r.Int(5)))
	return candidate{studycircle.Need{
		Kind: studycircle.NeedHandIn, CircleID: a.CircleID, AssignmentID: a.ID, Title: a.Title, By: due.Time(),
	}, a.AsksForWork(n.circles[a.CircleID], due, n.now)}
}

// unsettled is an appeal, or some submissions of an assignment whose reviews are in one state.
type unsettled struct {
	assignment studycircle.Assignment
	reviews    studycircle.Reviewing
	count      int64
	settleAt   time.Time // of the first
}

func (n *needs) unsettledIn(r engine.Row) unsettled {
	u := unsettled{
		assignment: studycircle.Assignment{
			ID: r.Text(0), CircleID: r.Text(1), Title: r.Text(2), ReviewDue: tables.ReviewDueAt(r.Int(3), r.Int(4)),
		},
		reviews: studycircle.Reviewing{
			Phase: studycircle.ReviewPhase(r.Text(5)), Reviews: r.Int(6), Needed: r.Int(7), Wanted: r.Int(8),
			SubmissionID: r.Text(10),
		},
		count: r.Int(9), settleAt: instant(r.Int(11)),
	}
	u.assignment.Creator.UserID = n.viewer
	return u
}

// settling returns the appeals and, by assignment, the submissions that ask a creator to decide or to settle.
func (n *needs) settling() []studycircle.Need {
	var appeals, ready []studycircle.Need
	for _, u := range n.unsettled.all {
		a := u.assignment
		need := studycircle.Need{CircleID: a.CircleID, AssignmentID: a.ID, Title: a.Title, By: u.settleAt}
		in := n.circles[a.CircleID]
		switch {
		case u.reviews.AsksToDecide(n.viewer, in, a):
			need.Kind, need.SubmissionID = studycircle.NeedAppeal, u.reviews.SubmissionID
			appeals = append(appeals, need)
		case u.reviews.AsksToSettle(n.viewer, in, a, n.now):
			at := slices.IndexFunc(ready, func(n studycircle.Need) bool { return n.AssignmentID == a.ID })
			if at < 0 {
				at, need.Kind = len(ready), studycircle.NeedFinalize
				ready = append(ready, need)
			}
			ready[at].Count += u.count
		}
	}
	return slices.Concat(atMost(appeals), atMost(ready))
}

// questionTo is a submission of a user about which reviewers wait for an answer.
func (n *needs) questionTo(r engine.Row) candidate {
	sub := studycircle.Submission{
		ID: r.Text(0), AssignmentID: r.Text(1), CircleID: r.Text(2), AssignmentTitle: r.Text(3),
		Status: studycircle.Status(r.Text(4)), Submitter: studycircle.Person{UserID: n.viewer},
	}
	reviews := studycircle.Reviewing{Phase: studycircle.ReviewPhase(r.Text(5))}
	return candidate{studycircle.Need{
		Kind: studycircle.NeedAnswer, CircleID: sub.CircleID, AssignmentID: sub.AssignmentID, SubmissionID: sub.ID,
		Title: tables.Shown(sub.AssignmentTitle), Count: r.Int(6), By: instant(r.Int(7)),
	}, !sub.Status.Ended() && studycircle.MayAnswer(n.viewer, n.circles[sub.CircleID], sub, reviews) == nil}
}

// askingIn is a circle of an organizer that users ask to join.
func (n *needs) askingIn(r engine.Row) candidate {
	in := n.circles[r.Text(0)]
	return candidate{studycircle.Need{
		Kind: studycircle.NeedRequests, CircleID: r.Text(0), Count: r.Int(1), Since: instant(r.Int(2)),
	}, studycircle.MayOrganize(in.Mine, in.Circle) == nil}
}

// reportsRead bounds the open reports of which Today tells.
const reportsRead = 100

// reportsFor asks for the subjects with open reports to the organizers of a user's circles and, if moderates, to the
// moderators: rows of reportIn.
func reportsFor(v studycircle.Viewer, into *answers[studycircle.ReportedThing], moderates bool) engine.Question {
	toModerators := int64(0)
	if moderates {
		toModerators = 1
	}
	return question(v.Moderator(), tables.ReportsFor, into, v.UserID(), toModerators, int64(reportsRead))
}

func reportIn(r engine.Row) studycircle.ReportedThing {
	var of studycircle.ReportedThing
	of.ID, of.Subject = r.Text(0), studycircle.Subject{Kind: studycircle.SubjectKind(r.Text(1)), ID: r.Text(2)}
	of.CircleID, of.CreatedAt, of.AuthorID = r.Text(3), instant(r.Int(4)), r.Text(5)
	return of
}
