package store

import (
	"context"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
)

// InsertReport adds somebody's report and returns its id, or that of the one they
// made of the same before, and whether it is new.
func (tx *Tx) InsertReport(ctx context.Context, r studycircle.Report, reporterID string) (id string, isNew bool, err error) {
	kind, subject, reporter := string(r.Subject.Kind), r.Subject.ID, optionalText(reporterID)
	n, err := tx.Queries.InsertReport(ctx, db.InsertReportParams{
		ID: r.ID, Kind: kind, SubjectID: subject, ReporterID: reporter, Reason: r.Reason, CreatedAt: micros(r.CreatedAt),
	})
	if err != nil {
		return "", false, tx.orGone(err)
	}
	if n == 0 {
		id, err = tx.Queries.ReportOf(ctx, db.ReportOfParams{Kind: kind, SubjectID: subject, ReporterID: reporter})
		return id, false, tx.Classify(err)
	}
	seq, err := tx.Queries.ReportSeq(ctx, r.ID)
	tx.Count(tables.ReportScope, seq, 1)
	return r.ID, true, tx.Classify(err)
}

// Reports returns a page of the reports on which nobody has decided, oldest first,
// with what they are about, and how many there are.
func (s *Store) Reports(ctx context.Context, p studycircle.Page) ([]studycircle.ReportedThing, int64, error) {
	rows, total, err := page(ctx, s, tables.Reports, tables.OpenReports, nil, pages.Of(tables.ReportScope), p)
	if err != nil || len(rows) == 0 {
		return nil, total, err
	}
	out := make([]studycircle.ReportedThing, len(rows))
	var comments, assignments []any
	for i, r := range rows {
		out[i].Report = r.Report
		if r.Subject.Kind == studycircle.OfComment {
			comments = append(comments, r.Subject.ID)
		} else {
			assignments = append(assignments, r.Subject.ID)
		}
	}
	said := tables.Comments.Collect(int64(len(comments)))
	if err := s.findAll(ctx, tables.CommentByID, comments, said); err != nil {
		return nil, 0, err
	}
	byID := map[string]studycircle.Comment{}
	for _, c := range said.All {
		byID[c.ID] = c
		assignments = append(assignments, c.AssignmentID)
	}
	made := tables.Assignments.Collect(int64(len(assignments)))
	if err := s.findAll(ctx, tables.AnyAssignmentByID, assignments, made); err != nil {
		return nil, 0, err
	}
	under := map[string]studycircle.Assignment{}
	for _, a := range made.All {
		under[a.ID] = a
	}
	for i := range out {
		if out[i].Subject.Kind == studycircle.OfComment {
			out[i].Comment = byID[out[i].Subject.ID]
			out[i].Assignment = under[out[i].Comment.AssignmentID]
		} else {
			out[i].Assignment = under[out[i].Subject.ID]
		}
	}
	return out, total, nil
}

func (s *Store) findAll(ctx context.Context, l *engine.Lookup, keys []any, into engine.Sink) error {
	if len(keys) == 0 {
		return nil
	}
	return s.classify(s.engine.Find(ctx, l, keys, into))
}

// Report returns a report, and who made what it is about; "" where they are gone.
// ErrNotFound.
func (tx *Tx) Report(ctx context.Context, id string) (r studycircle.Report, authorID string, err error) {
	row, err := tx.Queries.GetReport(ctx, id)
	if err != nil {
		return r, "", tx.Classify(err)
	}
	r = studycircle.Report{
		ID: row.ID, Subject: studycircle.Subject{Kind: studycircle.SubjectKind(row.Kind), ID: row.SubjectID}, Reason: row.Reason, CreatedAt: instant(row.CreatedAt),
	}
	authorID, err = tx.authorOf(ctx, r.Subject)
	return r, authorID, err
}

// authorOf is who made something; "" where they, or it, are gone.
func (tx *Tx) authorOf(ctx context.Context, s studycircle.Subject) (string, error) {
	var id string
	var err error
	if s.Kind == studycircle.OfComment {
		var c studycircle.Comment
		c, err = tx.Comment(ctx, s.ID)
		id = c.Author.UserID
	} else {
		var a studycircle.Assignment
		a, err = findIn(ctx, tx, tables.Assignments, tables.AnyAssignmentByID, s.ID)
		id = a.Creator.UserID
	}
	if studycircle.CodeOf(err) == studycircle.CodeNotFound {
		return "", nil
	}
	return id, err
}

// Moderate does what a moderator decided, closes the reports of it and keeps a
// record. It tells whether anything changed: hiding what is hidden changes nothing.
// ErrNotFound where there is no such thing.
func (tx *Tx) Moderate(ctx context.Context, m studycircle.Moderation) (changed bool, err error) {
	switch m.Action {
	case studycircle.Hide:
		changed, err = tx.hide(ctx, m)
	case studycircle.Restore:
		changed, err = tx.restore(ctx, m.Subject)
	case studycircle.Suspend:
		changed, err = tx.suspend(ctx, m)
	case studycircle.Dismiss:
	}
	if err != nil {
		return false, err
	}
	closed, err := tx.closeReports(ctx, m)
	if err != nil || (!changed && !closed) {
		return false, err
	}
	return true, tx.Classify(tx.Queries.InsertModeration(ctx, db.InsertModerationParams{
		Moderator: m.Moderator, Action: string(m.Action), Kind: string(m.Subject.Kind), SubjectID: m.Subject.ID, Reason: m.Reason, DoneAt: micros(m.At),
	}))
}

func (tx *Tx) closeReports(ctx context.Context, m studycircle.Moderation) (bool, error) {
	if m.Action == studycircle.Restore || m.Subject.Kind == studycircle.OfUser {
		return false, nil
	}
	seqs, err := tx.Queries.CloseReports(ctx, db.CloseReportsParams{Kind: string(m.Subject.Kind), SubjectID: m.Subject.ID, ClosedAt: optionalMicros(m.At)})
	for _, seq := range seqs {
		tx.Count(tables.ReportScope, seq, -1)
	}
	return len(seqs) > 0, tx.Classify(err)
}

// suspend closes an account and ends its sessions; running nodes notice within
// five seconds.
func (tx *Tx) suspend(ctx context.Context, m studycircle.Moderation) (bool, error) {
	n, err := tx.Queries.SuspendUser(ctx, db.SuspendUserParams{ID: m.Subject.ID, Now: micros(m.At)})
	if err := tx.mustAffect(n, err); err != nil {
		return false, err
	}
	if _, err := tx.DeleteSessionsOf(ctx, m.Subject.ID, ""); err != nil {
		return false, err
	}
	return true, tx.DeleteActionCodesOf(ctx, m.Subject.ID)
}

func (tx *Tx) hide(ctx context.Context, m studycircle.Moderation) (bool, error) {
	if m.Subject.Kind == studycircle.OfAssignment {
		return tx.hideAssignment(ctx, m)
	}
	c, err := tx.Comment(ctx, m.Subject.ID)
	if err != nil {
		return false, err
	}
	if err := tx.Engine.LockRows(ctx, tx.Tx, "comments", "id IN ($1, $2)", c.ID, c.ThreadID); err != nil {
		return false, tx.Classify(err)
	}
	rows, err := tx.Queries.HideComment(ctx, db.HideCommentParams{ID: c.ID, HiddenAt: optionalMicros(m.At), HiddenReason: optionalText(m.Reason)})
	if err != nil || len(rows) == 0 {
		return false, tx.Classify(err)
	}
	tx.announceComment(studycircle.CommentDeleted, c.AssignmentID)
	if rows[0].Listed {
		return true, nil
	}
	tx.Count(tables.CommentScope(c), rows[0].Seq, -1)
	if c.ThreadID == "" {
		return true, nil
	}
	return true, tx.uncountReply(ctx, c, m.At)
}

// hideAssignment deletes an assignment, so that it is nowhere, and remembers why.
func (tx *Tx) hideAssignment(ctx context.Context, m studycircle.Moderation) (bool, error) {
	id := m.Subject.ID
	if _, err := tx.Assignment(ctx, id); err != nil {
		if _, hidden := tx.Queries.HiddenReason(ctx, id); hidden == nil {
			return false, nil
		}
		return false, err
	}
	if err := tx.lockWork(ctx, id); err != nil {
		return false, err
	}
	if err := tx.Queries.HideTitles(ctx, db.HideTitlesParams{AssignmentID: optionalText(id), Title: studycircle.HiddenTitle}); err != nil {
		return false, tx.Classify(err)
	}
	if err := tx.deleteAssignment(ctx, id, m.At, true); err != nil {
		return false, err
	}
	tx.AnnounceReset() // of lists of submissions, too
	return true, tx.Classify(tx.Queries.SetHiddenReason(ctx, db.SetHiddenReasonParams{ID: id, HiddenReason: optionalText(m.Reason)}))
}

// lockWork takes what was handed in for an assignment before the assignment itself, as
// those do who grade.
func (tx *Tx) lockWork(ctx context.Context, assignmentID string) error {
	return tx.Classify(tx.Engine.LockRows(ctx, tx.Tx, "submissions", "assignment_id = $1", assignmentID))
}

func (tx *Tx) restore(ctx context.Context, s studycircle.Subject) (bool, error) {
	if s.Kind == studycircle.OfAssignment {
		return tx.restoreAssignment(ctx, s.ID)
	}
	c, err := tx.Comment(ctx, s.ID)
	if err != nil {
		return false, err
	}
	if err := tx.Engine.LockRows(ctx, tx.Tx, "comments", "id IN ($1, $2)", c.ID, c.ThreadID); err != nil {
		return false, tx.Classify(err)
	}
	if c, err = tx.Comment(ctx, s.ID); err != nil {
		return false, err
	}
	seqs, err := tx.Queries.ShowComment(ctx, c.ID)
	if err != nil || len(seqs) == 0 {
		return false, tx.Classify(err)
	}
	tx.announceComment(studycircle.CommentCreated, c.AssignmentID)
	if c.Listed {
		return true, nil
	}
	tx.Count(tables.CommentScope(c), seqs[0], 1)
	if c.ThreadID == "" {
		return true, nil
	}
	if err := tx.mustAffect(tx.Queries.CountReply(ctx, c.ThreadID)); err != nil {
		return false, err
	}
	listed, err := tx.Queries.ListComment(ctx, c.ThreadID)
	for _, seq := range listed {
		tx.Count(tables.ThreadScope(c.AssignmentID), seq, 1)
	}
	return true, tx.Classify(err)
}

func (tx *Tx) restoreAssignment(ctx context.Context, id string) (bool, error) {
	if err := tx.lockWork(ctx, id); err != nil {
		return false, err
	}
	n, err := tx.Queries.ShowAssignment(ctx, id)
	if err != nil || n == 0 {
		return false, tx.Classify(err)
	}
	a, err := tx.Assignment(ctx, id)
	if err != nil {
		return false, err
	}
	// The creator may be taking another name meanwhile.
	if err := tx.Queries.PutStale(ctx, a.Seq); err != nil {
		return false, tx.Classify(err)
	}
	if err := tx.Queries.ReplanRemindersOf(ctx, id); err != nil {
		return false, tx.Classify(err)
	}
	if err := tx.Queries.ShowTitles(ctx, optionalText(id)); err != nil {
		return false, tx.Classify(err)
	}
	if err := tx.retitle(ctx, id); err != nil {
		return false, err
	}
	tx.AnnounceReset()
	return true, tx.Classify(tables.Listed(ctx, tx.Tx, a, tables.AssignmentDoc(a)))
}

// HiddenAssignment returns an assignment that a moderator has hidden, and why;
// ErrNotFound.
func (s *Store) HiddenAssignment(ctx context.Context, id string) (a studycircle.Assignment, reason string, err error) {
	hidden, err := s.engine.Queries().HiddenReason(ctx, id)
	if err != nil {
		return a, "", s.classify(err)
	}
	a, err = find(ctx, s, tables.Assignments, tables.AnyAssignmentByID, id)
	return a, hidden.String, err
}

// EachModeration calls f with everything that moderators did, oldest first.
func (s *Store) EachModeration(ctx context.Context, f func(studycircle.Moderation) error) error {
	for after := int64(0); ; {
		rows, err := s.engine.Queries().ModerationLog(ctx, after)
		if err != nil || len(rows) == 0 {
			return s.classify(err)
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
