package store

import (
	"context"
	"database/sql"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// Moderate performs a moderator's action, closes the reports of its subject and records it. It reports whether
// anything changed: hiding a hidden subject changes nothing. ErrNotFound if there is no such subject.
func (tx *Tx) Moderate(ctx context.Context, m studycircle.Moderation) (changed bool, err error) {
	defer tx.operation(&err, "Tx.Moderate")
	tx = tx.everywhere()
	hides := false
	switch m.Action {
	case studycircle.Hide:
		changed, err = tx.hide(ctx, m)
		hides = changed
	case studycircle.Restore:
		changed, err = tx.restore(ctx, m.Subject)
	case studycircle.Suspend:
		changed, hides, err = tx.suspendFor(ctx, m)
	case studycircle.Dismiss:
		err = tx.shareSubject(ctx, m.Subject)
	}
	if err != nil {
		return false, err
	}
	closed, err := tx.closeReports(ctx, m)
	if err != nil {
		return false, err
	}
	if err := tx.notifyOfDecision(ctx, m, changed, closed); err != nil {
		return false, err
	}
	recorded := m.Recorded()
	if m.Action == studycircle.Restore {
		err := tx.Queries.HidesNoMore(ctx, db.HidesNoMoreParams{Kind: string(recorded.Kind), SubjectID: recorded.ID})
		if err != nil {
			return false, err
		}
	}
	if !changed && len(closed) == 0 {
		return false, nil
	}
	err = tx.Queries.InsertModeration(ctx, db.InsertModerationParams{
		Moderator: m.Moderator, Action: string(m.Action), Kind: string(recorded.Kind), SubjectID: recorded.ID,
		Reason: m.Reason, DoneAt: micros(m.At), Hides: hides, CircleID: m.CircleID,
	})
	tx.announceReports(m.CircleID)
	return true, err
}

// HiddenIn returns the circle whose organizers decide on a subject again, "" if moderators do: those who have hidden
// it, or those of its place. recorded is the subject that the record of the decision names. ErrNotFound.
func (tx *Tx) HiddenIn(ctx context.Context, recorded studycircle.Subject) (_ string, err error) {
	defer tx.operation(&err, "Tx.HiddenIn")
	found, err := tx.Queries.HiddenIn(ctx, db.HiddenInParams{Kind: string(recorded.Kind), SubjectID: recorded.ID})
	if err != nil {
		return "", err
	}
	if len(found) > 0 {
		return found[0], nil
	}
	switch recorded.Kind {
	case studycircle.OfComment:
		c, err := tx.everywhere().Comment(ctx, recorded.ID)
		return c.CircleID, err
	case studycircle.OfAssignment:
		a, err := tx.everywhere().Assignment(ctx, recorded.ID)
		return a.CircleID, err
	default: // an anonymous subject, which a report names
		r, _, err := tx.Report(ctx, recorded.ID)
		return r.CircleID, err
	}
}

// Decisions returns a page of the recorded actions of the organizers of a circle, or of the moderators, newest first,
// with the present state of their subjects, and the number of all.
func (s *Store) Decisions(
	ctx context.Context, v studycircle.Viewer, circleID string, p studycircle.Page,
) (_ []studycircle.ModeratorDecision, _ int64, err error) {
	defer s.operation(&err, "Store.Decisions")
	rows, total, err := ownPage(ctx, s, v, tables.Decisions, tables.DecisionsIn, []any{circleID}, p)
	if err != nil || len(rows) == 0 {
		return nil, total, err
	}
	var ids []any // of the reports that stand for anonymous subjects
	for _, r := range rows {
		if r.Subject.Kind.Blind() {
			ids = append(ids, r.Subject.ID)
		}
	}
	reports := tables.Reports.Collect(int64(len(ids)))
	if err := s.findAll(ctx, v, tables.ReportByID, ids, reports); err != nil {
		return nil, 0, err
	}
	subjects := map[string]studycircle.Subject{}
	for _, r := range reports.All {
		subjects[r.ID] = r.Subject
	}
	things := make([]studycircle.ReportedThing, len(rows))
	for i, r := range rows {
		things[i].Subject, things[i].CircleID = r.Subject, circleID
		if r.Subject.Kind.Blind() {
			things[i].Subject = subjects[r.Subject.ID]
		}
	}
	if err := s.describe(ctx, things); err != nil {
		return nil, 0, err
	}
	out := make([]studycircle.ModeratorDecision, len(rows))
	for i, r := range rows {
		out[i] = studycircle.ModeratorDecision{Moderation: r.Moderation, Of: things[i], Hides: r.Hides}
	}
	return out, total, nil
}

// closeReports closes the open reports that a decision answers, and returns the ids of their reporters.
func (tx *Tx) closeReports(ctx context.Context, m studycircle.Moderation) ([]sql.NullString, error) {
	if m.Action == studycircle.Restore || m.Subject.Kind == studycircle.OfUser {
		return nil, nil
	}
	err := tx.lock(ctx, tables.ReportsToClose, string(m.Subject.Kind), m.Subject.ID, m.CircleID)
	if err != nil {
		return nil, err
	}
	return tx.Queries.CloseReports(ctx, db.CloseReportsParams{
		Kind: string(m.Subject.Kind), SubjectID: m.Subject.ID, CircleID: m.CircleID, ClosedAt: optionalMicros(m.At),
	})
}

// suspendFor suspends a user, or the author of a decision's blind subject, if the account still exists; the review, or
// the submission's answers, are hidden. It locks the account first, as deleting one does.
func (tx *Tx) suspendFor(ctx context.Context, m studycircle.Moderation) (changed, hides bool, err error) {
	if !m.Subject.Kind.Blind() {
		changed, err = tx.suspend(ctx, m.Subject.ID, m.At)
		return changed, false, err
	}
	authorID, err := tx.AuthorOf(ctx, m.Subject)
	if err != nil {
		return false, false, err
	}
	if authorID != "" && !m.KeepAccount {
		changed, err = tx.suspend(ctx, authorID, m.At)
		if isMissing(err) { // the account is gone, and a random word replaced its id
			err = nil
		}
	}
	if err != nil {
		return changed, false, err
	}
	if err := tx.shareSubject(ctx, m.Subject); err != nil {
		return changed, false, err
	}
	hide := tx.hideReview
	if m.Subject.Kind == studycircle.OfSubmission {
		hide = tx.hideAnswers
	}
	hides, err = hide(ctx, m.Subject.ID)
	return changed || hides, hides, err
}

// suspend suspends an account and ends its sessions; running nodes notice within five seconds.
func (tx *Tx) suspend(ctx context.Context, userID string, now time.Time) (bool, error) {
	n, err := tx.Queries.SuspendUser(ctx, db.SuspendUserParams{ID: userID, Now: micros(now)})
	if err := mustAffect(n, err); err != nil {
		return false, err
	}
	if _, err := tx.DeleteSessionsOf(ctx, userID, ""); err != nil {
		return false, err
	}
	return true, tx.DeleteActionCodesOf(ctx, userID)
}

// shareSubject shares the assignment that a subject belongs to until tx ends, so that it keeps the title which notices
// of the decision have.
func (tx *Tx) shareSubject(ctx context.Context, s studycircle.Subject) error {
	rows, belongs := tables.AssignmentOf[s.Kind]
	if !belongs {
		return nil
	}
	return tx.share(ctx, rows, s.ID)
}

func (tx *Tx) hide(ctx context.Context, m studycircle.Moderation) (bool, error) {
	if m.Subject.Kind == studycircle.OfAssignment {
		return tx.hideAssignment(ctx, m)
	}
	if err := tx.shareSubject(ctx, m.Subject); err != nil {
		return false, err
	}
	switch m.Subject.Kind {
	case studycircle.OfReview:
		return tx.hideReview(ctx, m.Subject.ID)
	case studycircle.OfSubmission:
		given, err := tx.QuestionsOn(ctx, m.Subject.ID)
		if err == nil {
			err = studycircle.CheckHidingAnswers(given)
		}
		if err != nil {
			return false, err
		}
		return tx.hideAnswers(ctx, m.Subject.ID)
	case studycircle.OfComment, studycircle.OfAssignment, studycircle.OfUser:
	}
	c, err := tx.Comment(ctx, m.Subject.ID)
	if err != nil {
		return false, err
	}
	if err := tx.lock(ctx, tables.CommentAndThread, c.ID, c.ThreadID); err != nil {
		return false, err
	}
	listed, err := tx.Queries.HideComment(ctx, db.HideCommentParams{
		ID: c.ID, HiddenAt: optionalMicros(m.At), HiddenReason: optionalText(m.Reason),
	})
	if err != nil || len(listed) == 0 {
		return false, err
	}
	tx.announceComment(studycircle.CommentDeleted, c)
	if err := tx.parkComment(ctx, c); err != nil {
		return false, err
	}
	if listed[0] || c.ThreadID == "" {
		return true, nil
	}
	return true, tx.uncountReply(ctx, c, m.At)
}

// hideAssignment deletes an assignment and records the reason.
func (tx *Tx) hideAssignment(ctx context.Context, m studycircle.Moderation) (bool, error) {
	id := m.Subject.ID
	if err := tx.sealWork(ctx, id); err != nil {
		return false, err
	}
	a, err := findIn(ctx, tx, tx.viewer, tables.Assignments, tables.AssignmentByID, id)
	if err != nil || a.HiddenReason != "" {
		return false, err
	}
	hidden, err := tx.Queries.HideTitles(ctx, db.HideTitlesParams{
		AssignmentID: optionalText(id), Title: tables.Stored(studycircle.HiddenTitle),
	})
	if err != nil {
		return false, err
	}
	engine.At(ctx, "hiding an assignment")
	for _, s := range hidden {
		if s.ToGrade {
			tx.Count(tables.PendingScope(s.CircleID), s.Seq, -1)
		}
	}
	if err := tx.deleteAssignment(ctx, id, m.At, true); err != nil {
		return false, err
	}
	tx.AnnounceResetIn(a.CircleID) // lists of submissions change as well
	err = tx.Queries.SetHiddenReason(ctx, db.SetHiddenReasonParams{ID: id, HiddenReason: optionalText(m.Reason)})
	if err != nil {
		return false, err
	}
	return true, tx.unqueueAll(ctx, id)
}

// sealWork locks an assignment with its submissions and their reviews. What is being handed in is committed first.
func (tx *Tx) sealWork(ctx context.Context, assignmentID string) error {
	if err := tx.seal(ctx, tables.AssignmentRow, assignmentID); err != nil {
		return err
	}
	for _, rows := range []engine.Selection{tables.ReviewStatesFor, tables.QueueFor, tables.SubmissionsFor} {
		if err := tx.lock(ctx, rows, assignmentID); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) restore(ctx context.Context, s studycircle.Subject) (bool, error) {
	if s.Kind == studycircle.OfAssignment {
		return tx.restoreAssignment(ctx, s.ID)
	}
	if err := tx.shareSubject(ctx, s); err != nil {
		return false, err
	}
	switch s.Kind {
	case studycircle.OfReview:
		return tx.restoreReview(ctx, s.ID)
	case studycircle.OfSubmission:
		return tx.restoreAnswers(ctx, s.ID)
	case studycircle.OfComment, studycircle.OfAssignment, studycircle.OfUser:
	}
	c, err := tx.Comment(ctx, s.ID)
	if err != nil {
		return false, err
	}
	if err := tx.lock(ctx, tables.CommentAndThread, c.ID, c.ThreadID); err != nil {
		return false, err
	}
	if c, err = tx.Comment(ctx, s.ID); err != nil {
		return false, err
	}
	n, err := tx.Queries.ShowComment(ctx, c.ID)
	if err != nil || n == 0 {
		return false, err
	}
	tx.announceComment(studycircle.CommentCreated, c)
	if err := tx.unparkComment(ctx, c); err != nil {
		return false, err
	}
	if c.Listed || c.ThreadID == "" {
		return true, nil
	}
	if err := mustAffect(tx.Queries.CountReply(ctx, c.ThreadID)); err != nil {
		return false, err
	}
	return true, tx.Queries.ListComment(ctx, c.ThreadID)
}

func (tx *Tx) restoreAssignment(ctx context.Context, id string) (bool, error) {
	if err := tx.sealWork(ctx, id); err != nil {
		return false, err
	}
	n, err := tx.Queries.ShowAssignment(ctx, id)
	if err != nil || n == 0 {
		return false, err
	}
	a, err := tx.Assignment(ctx, id)
	if err != nil {
		return false, err
	}
	// The creator may be changing their name meanwhile.
	if err := tx.Queries.PutStale(ctx, a.Seq); err != nil {
		return false, err
	}
	if err := tx.lock(ctx, tables.RemindersFor, id); err != nil {
		return false, err
	}
	if err := tx.Queries.ReplanRemindersOf(ctx, id); err != nil {
		return false, err
	}
	shown, err := tx.Queries.ShowTitles(ctx, optionalText(id))
	if err != nil {
		return false, err
	}
	for _, s := range shown {
		if s.ToGrade {
			tx.Count(tables.PendingScope(s.CircleID), s.Seq, 1)
		}
	}
	if err := tx.retitle(ctx, id); err != nil {
		return false, err
	}
	tx.AnnounceResetIn(a.CircleID)
	// Being listed, it counts in the figures by due date.
	if err := tx.moveWork(ctx, tables.BasisOf(a).Gone(), tables.BasisOf(a)); err != nil {
		return false, err
	}
	if err := tables.Listed(ctx, tx.Tx, a, tables.AssignmentDoc(a)); err != nil {
		return false, err
	}
	return true, tx.requeueAll(ctx, id)
}

// EachModeration calls f with every recorded action of moderators, oldest first.
func (s *Store) EachModeration(ctx context.Context, f func(studycircle.Moderation) error) (err error) {
	defer s.operation(&err, "Store.EachModeration")
	for after := int64(0); ; {
		rows, err := s.engine.Queries().ModerationLog(ctx, after)
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, r := range rows {
			after = r.Seq
			err := f(studycircle.Moderation{
				Moderator: r.Moderator, Action: studycircle.ModerationAction(r.Action), Reason: r.Reason, At: instant(r.DoneAt),
				Subject: studycircle.Subject{Kind: studycircle.SubjectKind(r.Kind), ID: r.SubjectID},
			})
			if err != nil {
				return err
			}
		}
	}
}
