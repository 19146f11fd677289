package service

import (
	"context"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/markdown"
	"studycircle/internal/store"
)

// CreateComment adds viewer's comment to an assignment and returns its id. CodeInvalid, ErrNotFound,
// CodeDiscussionClosed, CodeRateLimited.
func (s *Service) CreateComment(
	ctx context.Context, viewer studycircle.User, assignmentID string, in studycircle.CommentInput,
) (string, error) {
	in, err := in.Clean()
	if err != nil {
		return "", err
	}
	if !studycircle.ValidID(assignmentID) { // see assignmentOf
		return "", studycircle.ErrNotFound
	}
	doc := markdown.Render(in.Text, commentHeadings)
	if err := in.CheckMentions(len(doc.Mentioned), len(doc.Mentioned)); err != nil {
		return "", err
	}
	now := s.clock()
	c := studycircle.Comment{
		ID: studycircle.NewID(now), AssignmentID: assignmentID, Author: studycircle.Person{UserID: viewer.ID},
		Text: in.Text, HTML: doc.HTML, CreatedAt: now,
	}
	return c.ID, s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		// A moderator who hides the assignment removes the notice of the comment, or this write finds no assignment.
		if err := tx.ShareAssignment(ctx, assignmentID); err != nil {
			return err
		}
		circleID, closed, err := tx.Discussion(ctx, assignmentID)
		if err != nil {
			return err
		}
		c := c
		c.CircleID = circleID
		if in.ParentID != "" {
			parent, err := tx.Comment(ctx, in.ParentID)
			if err != nil {
				return err
			}
			if parent.AssignmentID != assignmentID || !parent.Shows() {
				return studycircle.ErrNotFound
			}
			if c.ThreadID = parent.ThreadID; c.ThreadID == "" {
				c.ThreadID = parent.ID
			}
		}
		if err := mayWriteIn(ctx, tx, circleID); err != nil {
			return err
		}
		if closed {
			return studycircle.Errorf(studycircle.CodeDiscussionClosed, "This discussion is closed.")
		}
		if err := checkMentions(ctx, tx, in, assignmentID, doc.Mentioned, nil); err != nil {
			return err
		}
		if err := tx.InsertComment(ctx, c); err != nil {
			return err
		}
		if err := tellOfComment(ctx, tx, c, doc.Mentioned); err != nil {
			return err
		}
		return s.use(ctx, tx, limit.Use{Window: commentLimit, Subject: viewer.ID, At: now})
	})
}

// checkMentions refuses mentions of users who neither take part nor were mentioned before.
func checkMentions(
	ctx context.Context, tx *store.Tx, in studycircle.CommentInput, assignmentID string, mentioned, before []string,
) error {
	known := 0
	if len(mentioned) <= studycircle.MaxMentions {
		old := map[string]bool{}
		for _, id := range before {
			old[id] = true
		}
		for _, id := range mentioned {
			takesPart, err := old[id], error(nil)
			if !takesPart {
				takesPart, err = tx.TakesPart(ctx, assignmentID, id)
			}
			if err != nil {
				return err
			}
			if takesPart {
				known++
			}
		}
	}
	return in.CheckMentions(len(mentioned), known)
}

// EditComment lets the author change a comment and reports whether anything changed.
// CodeInvalid, ErrNotFound, CodeNotYourComment, CodeRateLimited.
func (s *Service) EditComment(ctx context.Context, viewer studycircle.User, id, text string) (bool, error) {
	in, err := studycircle.CommentInput{Text: text}.Clean()
	if err != nil {
		return false, err
	}
	doc := markdown.Render(in.Text, commentHeadings)
	changed := false
	err = s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		c, err := shownComment(ctx, tx, id)
		if err != nil {
			return err
		}
		place, err := tx.OwnCircle(ctx, c.CircleID)
		if err != nil {
			return err
		}
		if err := studycircle.MayChangeComment(viewer.ID, place, c); err != nil {
			return err
		}
		if changed = c.Text != in.Text; !changed {
			return nil
		}
		if err := checkMentions(ctx, tx, in, c.AssignmentID, doc.Mentioned, markdown.MentionedIn(c.HTML)); err != nil {
			return err
		}
		now := s.clock()
		c.Text, c.HTML, c.EditedAt = in.Text, doc.HTML, later(now, c.CreatedAt)
		if err := s.use(ctx, tx, limit.Use{Window: editLimit, Subject: viewer.ID, At: now}); err != nil {
			return err
		}
		return tx.EditComment(ctx, c)
	})
	return changed, err
}

// shownComment reads a visible comment of a live assignment.
func shownComment(ctx context.Context, tx *store.Tx, id string) (c studycircle.Comment, err error) {
	if !studycircle.ValidID(id) { // see assignmentOf
		return c, studycircle.ErrNotFound
	}
	if c, err = tx.Comment(ctx, id); err != nil {
		return c, err
	}
	if _, _, err = tx.Discussion(ctx, c.AssignmentID); err == nil && !c.Shows() {
		err = studycircle.ErrNotFound
	}
	return c, err
}

// DeleteComment lets the author, the assignment's creator and moderators delete a comment. ErrNotFound,
// CodeNotYourComment.
func (s *Service) DeleteComment(ctx context.Context, viewer studycircle.User, id string) error {
	return s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		c, err := shownComment(ctx, tx, id)
		if err != nil {
			return err
		}
		a, err := tx.Assignment(ctx, c.AssignmentID)
		if err != nil {
			return err
		}
		in, err := tx.OwnCircle(ctx, c.CircleID)
		if err != nil {
			return err
		}
		if err := studycircle.MayDeleteComment(viewer.ID, in, s.Moderates(viewer), c, a); err != nil {
			return err
		}
		return tx.DeleteComment(ctx, c, s.clock())
	})
}

// React adds or removes a reaction of viewer to a comment and reports whether anything
// changed. ErrNotFound, CodeRateLimited.
func (s *Service) React(
	ctx context.Context, viewer studycircle.User, id string, r studycircle.Reaction, on bool,
) (changed bool, err error) {
	err = s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		c, err := shownComment(ctx, tx, id)
		if err != nil {
			return err
		}
		if err := mayWriteIn(ctx, tx, c.CircleID); err != nil {
			return err
		}
		if changed, err = tx.React(ctx, id, viewer.ID, r, on); err != nil || !changed {
			return err
		}
		return s.use(ctx, tx, limit.Use{Window: reactionLimit, Subject: viewer.ID, At: s.clock()})
	})
	return changed, err
}

// CloseDiscussion lets the assignment's creator and moderators close or open its
// discussion; it reports whether anything changed. ErrNotFound, CodeNotYourAssignment.
func (s *Service) CloseDiscussion(
	ctx context.Context, viewer studycircle.User, assignmentID string, closed bool,
) (changed bool, err error) {
	err = s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		a, in, err := assignmentIn(ctx, tx, assignmentID)
		if err != nil {
			return err
		}
		if err := studycircle.MayCloseDiscussion(viewer.ID, in, s.Moderates(viewer), a); err != nil {
			return err
		}
		changed, err = tx.SetDiscussionClosed(ctx, assignmentID, closed)
		return err
	})
	return changed, err
}
