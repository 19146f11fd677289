package store

import (
	"context"
	"errors"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// InsertReport adds a user's report, or finds the user's earlier report of the same subject. It returns the report's
// id, and whether it is new.
func (tx *Tx) InsertReport(
	ctx context.Context, r studycircle.Report, reporterID string,
) (id string, isNew bool, err error) {
	defer tx.operation(&err, "Tx.InsertReport", reporterID)
	kind, subject, reporter := string(r.Subject.Kind), r.Subject.ID, optionalText(reporterID)
	// Concurrent reports of one subject wait for each other here.
	if row, known := tables.ReportedRows[r.Subject.Kind]; known {
		if err := tx.lock(ctx, row, subject); err != nil {
			return "", false, err
		}
	}
	id, err = tx.Queries.ReportOf(ctx, db.ReportOfParams{Kind: kind, SubjectID: subject, ReporterID: reporter})
	if !isMissing(err) {
		return id, false, err
	}
	counted, err := tx.Queries.CountReport(ctx, db.CountReportParams{Kind: kind, SubjectID: subject, CircleID: r.CircleID})
	if err != nil {
		return "", false, err
	}
	err = tx.Queries.InsertReport(ctx, db.InsertReportParams{
		ID: r.ID, Kind: kind, SubjectID: subject, ReporterID: reporter, Reason: r.Reason, CreatedAt: micros(r.CreatedAt),
		First: counted == 0, CircleID: r.CircleID,
	})
	tx.announceReports(r.CircleID)
	return r.ID, true, tx.orGone(err)
}

// announceReports tells the organizers of a circle, or the moderators, that their reports or decisions changed.
func (tx *Tx) announceReports(circleID string) {
	tx.Announce(studycircle.Event{Kind: studycircle.ReportsChanged, Audience: studycircle.Deciders.In(circleID)})
}

// Reports returns a page of the subjects with open reports to the organizers of a circle, or to the moderators, each
// with its first report, oldest first, and the number of such subjects.
func (s *Store) Reports(
	ctx context.Context, v studycircle.Viewer, circleID string, p studycircle.Page,
) (_ []studycircle.ReportedThing, _ int64, err error) {
	defer s.operation(&err, "Store.Reports")
	rows, total, err := ownPage(ctx, s, v, tables.Reports, tables.OpenReports, []any{circleID}, p)
	if err != nil || len(rows) == 0 {
		return nil, total, err
	}
	out := make([]studycircle.ReportedThing, len(rows))
	for i, r := range rows {
		out[i].Report = r.Report
	}
	return out, total, s.describe(ctx, out)
}

// describe adds the present state of their subjects to reports that the viewer has read: those who decide on a report
// read its subject, moderators also in circles that are not theirs, and there the text alone.
func (s *Store) describe(ctx context.Context, out []studycircle.ReportedThing) error {
	v := studycircle.System()
	about := map[studycircle.SubjectKind][]any{}
	for _, r := range out {
		about[r.Subject.Kind] = append(about[r.Subject.Kind], r.Subject.ID)
	}
	err := errors.Join(
		s.describeComments(ctx, v, out, about[studycircle.OfComment], about[studycircle.OfAssignment]),
		s.describeReviews(ctx, v, out, about[studycircle.OfReview], about[studycircle.OfSubmission]),
	)
	for i, r := range out {
		if r.CircleID == studycircle.Hall && r.Assignment.CircleID != studycircle.Hall {
			out[i] = r.Bare()
		}
	}
	return err
}

// describeComments adds the subjects of reports of comments and assignments, by their ids.
func (s *Store) describeComments(
	ctx context.Context, v studycircle.Viewer, out []studycircle.ReportedThing, comments, assignments []any,
) error {
	said := tables.Comments.CollectPage(int64(len(comments)))
	if err := s.findAll(ctx, v, tables.CommentByID, comments, said); err != nil {
		return err
	}
	byID := map[string]studycircle.Comment{}
	for _, c := range said.All {
		byID[c.ID] = c
		assignments = append(assignments, c.AssignmentID)
	}
	made := tables.Assignments.Collect(int64(len(assignments)))
	if err := s.findAll(ctx, v, tables.AssignmentByID, assignments, made); err != nil {
		return err
	}
	under := map[string]studycircle.Assignment{}
	room := studycircle.MaxPageText
	for _, a := range made.All {
		if n := len(a.Description) + len(a.HTML); n <= room {
			room -= n
		} else {
			a.Description, a.HTML, a.Partial = studycircle.Beginning(a.Description), studycircle.Unrendered, true
		}
		under[a.ID] = a
	}
	for i := range out {
		switch out[i].Subject.Kind {
		case studycircle.OfComment:
			out[i].Comment = byID[out[i].Subject.ID]
			out[i].Assignment, out[i].AuthorID = under[out[i].Comment.AssignmentID], out[i].Comment.Author.UserID
		case studycircle.OfAssignment:
			out[i].Assignment = under[out[i].Subject.ID]
			out[i].AuthorID = out[i].Assignment.Creator.UserID
		case studycircle.OfReview, studycircle.OfSubmission, studycircle.OfUser:
		}
	}
	return nil
}

// describeReviews adds the subjects of reports of reviews and submissions, by their ids.
func (s *Store) describeReviews(
	ctx context.Context, v studycircle.Viewer, out []studycircle.ReportedThing, reviews, submissions []any,
) error {
	if len(reviews)+len(submissions) == 0 {
		return nil
	}
	given := tables.Reviews.CollectPage(int64(len(reviews)))
	if err := s.findAll(ctx, v, tables.ReviewByID, reviews, given); err != nil {
		return err
	}
	said := map[string]studycircle.Review{}
	for _, r := range given.All {
		said[r.ID] = r
		submissions = append(submissions, r.SubmissionID)
	}
	handedIn := tables.Submissions.Collect(int64(len(submissions)))
	if err := s.findAll(ctx, v, tables.SubmissionByID, submissions, handedIn); err != nil {
		return err
	}
	work := map[string]studycircle.Submission{}
	var assignments []any
	for _, row := range handedIn.All {
		if row.Status == studycircle.Sample {
			e, err := s.engine.Queries().GetExemplar(ctx, row.ID)
			if err != nil {
				return err
			}
			row.AssignmentID = e.AssignmentID
		}
		work[row.ID] = row.Submission
		assignments = append(assignments, row.AssignmentID)
	}
	under, err := s.assignments(ctx, v, assignments)
	for i := range out {
		id := out[i].Subject.ID
		if r, there := said[id]; there && out[i].Subject.Kind == studycircle.OfReview {
			out[i].Assignment, out[i].AuthorID = under[work[r.SubmissionID].AssignmentID], r.Reviewer
			out[i].Review = &studycircle.ReportedReview{
				Feedback: r.Feedback, HTML: r.HTML, Partial: r.Partial, Levels: out[i].Assignment.Rubric.Chosen(r.Levels),
			}
		}
		if w, there := work[id]; there && out[i].Subject.Kind == studycircle.OfSubmission {
			out[i].Assignment, out[i].AuthorID = under[w.AssignmentID], w.Submitter.UserID
			if w.Status == studycircle.Sample {
				out[i].AuthorID = out[i].Assignment.Creator.UserID
			}
			out[i].Work = &studycircle.ReportedWork{DocsLink: w.DocsLink, Note: w.Note}
		}
	}
	if err != nil {
		return err
	}
	return s.describeQuestions(ctx, v, out, said)
}

func (s *Store) findAll(
	ctx context.Context, v studycircle.Viewer, l *engine.Lookup, keys []any, into engine.Sink,
) error {
	if len(keys) == 0 {
		return nil
	}
	return s.engine.Find(ctx, v, l, keys, into)
}

// Report returns a report, and the author of its subject; "" if the author or the subject is gone. ErrNotFound.
func (tx *Tx) Report(ctx context.Context, id string) (r studycircle.Report, authorID string, err error) {
	defer tx.operation(&err, "Tx.Report", id)
	row, err := tx.Queries.GetReport(ctx, id)
	if err != nil {
		return r, "", err
	}
	r = studycircle.Report{
		ID: row.ID, Subject: studycircle.Subject{Kind: studycircle.SubjectKind(row.Kind), ID: row.SubjectID},
		CircleID: row.CircleID, Reason: row.Reason, CreatedAt: instant(row.CreatedAt),
	}
	authorID, err = tx.AuthorOf(ctx, r.Subject)
	return r, authorID, err
}

// AuthorOf returns the author of a subject, wherever it is; "" if the author or the subject is gone.
func (tx *Tx) AuthorOf(ctx context.Context, s studycircle.Subject) (_ string, err error) {
	defer tx.operation(&err, "Tx.AuthorOf")
	tx = tx.everywhere()
	var id string
	switch s.Kind {
	case studycircle.OfComment:
		var c studycircle.Comment
		c, err = tx.Comment(ctx, s.ID)
		id = c.Author.UserID
	case studycircle.OfReview:
		var r studycircle.Review
		r, err = tx.Review(ctx, s.ID)
		id = r.Reviewer
	case studycircle.OfSubmission:
		id, err = tx.handedInBy(ctx, s.ID)
	case studycircle.OfAssignment, studycircle.OfUser:
		var a studycircle.Assignment
		a, err = findIn(ctx, tx, tx.viewer, tables.Assignments, tables.AssignmentByID, s.ID)
		id = a.Creator.UserID
	}
	if isMissing(err) {
		return "", nil
	}
	return id, err
}

// everywhere returns tx reading what is reported: moderators decide about texts in circles that are not theirs. The
// service has asked the policy.
func (tx *Tx) everywhere() *Tx { return &Tx{tx.Tx, tx.reads, studycircle.System()} }

// handedInBy returns the submitter of a submission, or the creator of an exemplar.
func (tx *Tx) handedInBy(ctx context.Context, id string) (string, error) {
	sub, err := tx.Submission(ctx, id)
	if err != nil || sub.Status != studycircle.Sample {
		return sub.Submitter.UserID, err
	}
	e, err := tx.Queries.GetExemplar(ctx, id)
	if err != nil {
		return "", err
	}
	of, err := tables.FindBasis(ctx, tx.Tx, e.AssignmentID)
	return of.CreatorID, err
}
