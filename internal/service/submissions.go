package service

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/markdown"
	"studycircle/internal/store"
)

// PendingSubmissions returns a page of the pending submissions of a place, oldest first, and their number. Any user may
// ask about the hall, members about a circle; ErrNotFound.
func (s *Service) PendingSubmissions(
	ctx context.Context, viewer studycircle.User, circleID string, p studycircle.Page,
) ([]studycircle.PendingSubmission, int64, error) {
	if err := s.MayEnter(ctx, viewer, circleID); err != nil || !s.shows(viewer, circleID) {
		return nil, 0, err
	}
	return s.store.PendingSubmissions(ctx, s.as(viewer), circleID, s.clock(), p)
}

// PendingIsPersonal reports whether a page of a place's pending list has rows that depend on the viewer: those of
// assignments, which come first.
func (s *Service) PendingIsPersonal(ctx context.Context, circleID string, p studycircle.Page) (bool, error) {
	n, err := s.store.ReviewAssignments(ctx, circleID)
	return n > p.Skip(), err
}

// MayListSubmissionsOf refuses viewer the submissions of another user's email address, which need not be normalized;
// empty is viewer's own. CodeNotYourSubmissions.
func (s *Service) MayListSubmissionsOf(viewer studycircle.User, email string) error {
	if email == "" {
		return nil
	}
	return studycircle.MayListSubmissionsOf(viewer, studycircle.NormalizeEmail(email))
}

// OwnSubmissions returns a page of viewer's submissions, also those of circles that viewer has left, newest first, and
// their number. An empty status selects all. A search selects those whose titles have its words.
func (s *Service) OwnSubmissions(
	ctx context.Context, viewer studycircle.User, status studycircle.Status, search string, p studycircle.Page,
) (found []studycircle.Submission, total int64, err error) {
	if search == "" {
		found, total, err = s.store.OwnSubmissions(ctx, s.as(viewer).Party(), status, p)
	} else {
		found, total, err = s.store.SearchOwnSubmissions(ctx, s.as(viewer).Party(), search, status, p)
	}
	if err != nil {
		return nil, 0, err
	}
	return found, total, s.tellSubmitter(ctx, viewer, found)
}

// tellSubmitter adds to viewer's submissions what viewer may do with them, and reduces the state of their reviews to
// the submitter's part.
func (s *Service) tellSubmitter(ctx context.Context, viewer studycircle.User, subs []studycircle.Submission) error {
	now := s.clock()
	var settled []string
	for i := range subs {
		if r := subs[i].Reviewing; r != nil && r.Phase == studycircle.ReviewSettled && r.Appeal == "" {
			settled = append(settled, subs[i].ID)
		}
	}
	at, err := s.store.SettledAt(ctx, s.as(viewer).Party(), settled)
	if err != nil {
		return err
	}
	rubrics, err := s.rubricsToAssess(ctx, viewer, subs)
	if err != nil {
		return err
	}
	asked, err := s.asked(ctx, viewer, subs)
	if err != nil {
		return err
	}
	for i := range subs {
		var r studycircle.Reviewing
		when := at[subs[i].ID]
		if subs[i].Reviewing != nil {
			r = *subs[i].Reviewing
			progress := r.Progress(now)
			subs[i].Progress, subs[i].Reviewing = &progress, nil
		} else if g := subs[i].Grade; g != nil {
			when = g.MarkedAt
		}
		in, err := s.circleOf(ctx, viewer, subs[i].CircleID)
		if err != nil {
			return err
		}
		may := studycircle.SubmitterActions(viewer.ID, in, subs[i], r, when, now)
		_, byRubric := rubrics[subs[i].AssignmentID]
		may.Answer = asked[subs[i].ID] && studycircle.MayAnswer(viewer.ID, in, subs[i], r) == nil
		may.Assess = byRubric && studycircle.MayAssessOwn(viewer.ID, in, subs[i]) == nil
		subs[i].May = &may
	}
	return nil
}

// Submit hands in viewer's document for an assignment and returns the
// submission's id. CodeInvalid, ErrNotFound, CodeOwnAssignment, CodeRateLimited, CodeAlreadyPending.
func (s *Service) Submit(
	ctx context.Context, viewer studycircle.User, assignmentID string, in studycircle.SubmissionInput,
) (string, error) {
	in, err := in.Clean()
	if err != nil {
		return "", err
	}
	if !studycircle.ValidID(assignmentID) { // see assignmentOf
		return "", studycircle.ErrNotFound
	}
	now := s.clock()
	var id string
	use := limit.Use{Window: submitLimit, Subject: viewer.ID, At: now}
	err = s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		if err := s.room(ctx, tx, use); err != nil {
			return err
		}
		place, a, err := tx.HoldToSubmit(ctx, assignmentID)
		if err != nil {
			return err
		}
		if err := studycircle.MaySubmit(viewer.ID, place, a); err != nil {
			return err
		}
		if err := s.use(ctx, tx, use); err != nil {
			return err
		}
		due, err := tx.DueFor(ctx, a, viewer.ID)
		if err != nil {
			return err
		}
		sub := studycircle.Submission{
			ID: studycircle.NewID(now), AssignmentID: a.ID, AssignmentTitle: a.Title, CircleID: a.CircleID, Marks: a.Marks,
			Submitter: studycircle.Person{UserID: viewer.ID}, DocsLink: in.DocsLink, Note: in.Note,
			Status: studycircle.Pending, SubmittedAt: now, Late: a.Late(due, now, time.Time{}), Reviews: a.Reviews,
		}
		if a.Reviews == 0 {
			id = sub.ID
			_, err := tx.HandIn(ctx, sub, a)
			return err
		}
		sub.ID = studycircle.NewBlindID()
		id = sub.ID
		return submitForReview(ctx, tx, a, sub)
	})
	return id, err
}

// ChangeSubmission lets the submitter change a pending submission and reports whether
// anything changed. A change of the link counts as a submission, since the server
// requests each new link. CodeInvalid, ErrNotFound, CodeNotYourSubmissions,
// CodeAlreadyGraded, CodeRateLimited.
func (s *Service) ChangeSubmission(
	ctx context.Context, viewer studycircle.User, id string, in studycircle.SubmissionInput,
) (bool, error) {
	in, err := in.Clean()
	if err != nil {
		return false, err
	}
	changed := false
	err = s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		sub, place, err := submissionIn(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := studycircle.MayChangeSubmission(viewer.ID, place, sub); err != nil {
			return err
		}
		if err := rewritable(ctx, tx, sub); err != nil {
			return err
		}
		if changed = sub.DocsLink != in.DocsLink || sub.Note != in.Note; !changed {
			return nil
		}
		if sub.DocsLink != in.DocsLink {
			now := s.clock()
			if err := s.use(ctx, tx, limit.Use{Window: submitLimit, Subject: viewer.ID, At: now}); err != nil {
				return err
			}
			tx.LookAtLink(id, now)
			if err := tx.ChangeLink(ctx, sub, now); err != nil {
				return err
			}
		}
		return tx.UpdateSubmission(ctx, id, in)
	})
	return changed, err
}

// WithdrawSubmission lets the submitter withdraw a pending submission. One that has a review stays in the submitter's
// history, and its reviews with their reviewers. ErrNotFound, CodeNotYourSubmissions, CodeAlreadyGraded.
func (s *Service) WithdrawSubmission(ctx context.Context, viewer studycircle.User, id string) error {
	return s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		sub, place, err := submissionIn(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := studycircle.MayChangeSubmission(viewer.ID, place, sub); err != nil {
			return err
		}
		if sub.Reviews > 0 {
			reviewed, err := tx.DiscardReviewing(ctx, id)
			if err != nil {
				return err
			}
			if reviewed {
				return tx.EndSubmission(ctx, id, studycircle.Withdrawn, "", s.clock())
			}
		}
		return tx.WithdrawSubmission(ctx, id)
	})
}

// SendBack ends another user's pending submission without a mark, for a reason: the submitter is notified and hands in
// again. The attempt stays in the history. CodeInvalid, ErrNotFound, CodeRateLimited and the errors of MaySendBack.
func (s *Service) SendBack(ctx context.Context, viewer studycircle.User, id string, why studycircle.Reason) error {
	why, err := why.Clean()
	if err != nil {
		return err
	}
	now := s.clock()
	use := limit.Use{Window: gradeLimit, Subject: viewer.ID, At: now}
	return s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		if err := s.room(ctx, tx, use); err != nil {
			return err
		}
		c, in, err := caseIn(ctx, tx, id, viewer.ID)
		sub := c.Submission
		if err == nil && c.Assignment.ID == "" { // imported without its assignment, or an exemplar
			err = studycircle.ErrNotFound
		}
		if err != nil {
			return err
		}
		if err := studycircle.MaySendBack(viewer.ID, in, c.Assignment, sub); err != nil {
			return err
		}
		if err := s.use(ctx, tx, use); err != nil {
			return err
		}
		if sub.Reviews > 0 {
			if err := tx.EndReviewing(ctx, id); err != nil {
				return err
			}
		}
		tx.Notify(studycircle.ReturnedNotice(sub, viewer.ID, now))
		return tx.EndSubmission(ctx, id, studycircle.SentBack, why.Words, now)
	})
}

// feedbackHeadings is the level of the largest headings in feedback.
const feedbackHeadings = 3

// Grade grades another user's pending submission: the first grade wins. For a submission with several reviewers it
// stores a review (see review, which returns the known mark of an exemplar). CodeInvalid, ErrNotFound,
// CodeOwnSubmission, CodeAlreadyGraded, CodeRateLimited.
func (s *Service) Grade(
	ctx context.Context, viewer studycircle.User, id string, in studycircle.ReviewInput,
) (known *studycircle.ExemplarMark, err error) {
	in, err = in.Clean()
	if err != nil {
		return nil, err
	}
	if !studycircle.ValidID(id) { // see assignmentOf
		return nil, studycircle.ErrNotFound
	}
	now := s.clock()
	in.HTML = markdown.Render(in.Feedback, feedbackHeadings).HTML
	use := limit.Use{Window: gradeLimit, Subject: viewer.ID, At: now}
	err = s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		known = nil
		if err := s.room(ctx, tx, use); err != nil {
			return err
		}
		c, err := caseOf(ctx, tx, id, viewer.ID)
		switch {
		case err != nil:
			return err
		case c.Submission.Reviews == 0:
			return s.grade(ctx, tx, viewer, c, use, in)
		case c.Reviewed():
			return s.review(ctx, tx, viewer, c, use, in)
		}
		known, err = s.reviewExemplar(ctx, tx, viewer, id, c.Turn, use, in)
		return err
	})
	return known, err
}

// grade stores the grade of a submission without reviews. CodeInvalid, CodeRateLimited and the errors of MayGrade.
func (s *Service) grade(
	ctx context.Context, tx *store.Tx, viewer studycircle.User, c studycircle.ReviewCase,
	use limit.Use, in studycircle.ReviewInput,
) error {
	place, err := tx.OwnCircle(ctx, c.Submission.CircleID)
	if err != nil {
		return err
	}
	if err := studycircle.MayGrade(viewer.ID, place, c.Submission); err != nil {
		return err
	}
	mark, err := in.MarkUnder(studycircle.Rubric{}, c.Submission.Marks)
	if err != nil {
		return err
	}
	if err := s.use(ctx, tx, use); err != nil {
		return err
	}
	return tx.Grade(ctx, c, studycircle.Grade{
		GraderID: viewer.ID, Mark: mark, Feedback: in.Feedback, HTML: in.HTML, MarkedAt: use.At,
	})
}

// submission reads a submission as v; see assignmentOf.
func (s *Service) submission(ctx context.Context, v studycircle.Viewer, id string) (studycircle.Submission, error) {
	if !studycircle.ValidID(id) {
		return studycircle.Submission{}, studycircle.ErrNotFound
	}
	sub, err := s.store.Submission(ctx, v, id)
	if err == nil && sub.Status.Ended() {
		err = studycircle.ErrNotFound
	}
	return sub, err
}

// submissionIn reads a submission and the viewer's circle to which it belongs; see assignmentOf.
func submissionIn(
	ctx context.Context, tx *store.Tx, id string,
) (sub studycircle.Submission, in studycircle.OwnCircle, err error) {
	if !studycircle.ValidID(id) {
		return sub, in, studycircle.ErrNotFound
	}
	if sub, err = tx.Submission(ctx, id); err == nil {
		in, err = tx.OwnCircle(ctx, sub.CircleID)
	}
	if sub.Status.Ended() {
		err = studycircle.ErrNotFound
	}
	return sub, in, err
}
