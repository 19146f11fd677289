package service

import (
	"cmp"
	"context"
	"slices"

	"studycircle"
	"studycircle/internal/store"
)

// decider is a user who decides on reports in a place, as the moderators do in the hall and the organizers in their
// circle.
type decider struct {
	userID     string
	moderators map[string]bool // ids of accounts
	in         studycircle.OwnCircle
}

// refuses returns why the decider may not do something with the words of an author; nil if they may.
func (d decider) refuses(authorID string, kind studycircle.SubjectKind, a studycircle.ModerationAction) error {
	if d.in.ID == studycircle.Hall {
		return studycircle.MayDecide(d.userID, authorID, d.moderators[authorID], kind)
	}
	if err := studycircle.MayOrganize(d.in.Mine, d.in.Circle); err != nil {
		return err
	}
	return studycircle.MayOrganizerDecide(d.userID, authorID, a)
}

// reader returns viewer as one who reads the reports to the organizers of a circle, or to the moderators. ErrNotFound,
// CodeNotModerator, CodeNotOrganizer.
func (s *Service) reader(ctx context.Context, viewer studycircle.User, circleID string) (d decider, err error) {
	d.userID = viewer.ID
	if d.in, err = s.place(ctx, viewer, circleID); err != nil {
		return d, err
	}
	if err := studycircle.MayReadReports(viewer, s.Moderators, d.in, circleID); err != nil {
		return d, err
	}
	d.moderators, err = s.store.ModeratorIDs(ctx, s.Moderators)
	return d, err
}

// decides returns viewer as one who decides in a place within a transaction. ErrNotFound, CodeNotModerator,
// CodeNotOrganizer, CodeCircleArchived.
func (s *Service) decides(
	ctx context.Context, tx *store.Tx, viewer studycircle.User, circleID string,
) (d decider, err error) {
	d.userID = viewer.ID
	if d.in, err = tx.OwnCircle(ctx, circleID); err != nil {
		return d, err
	}
	if err := studycircle.MayDecideIn(viewer, s.Moderators, d.in, circleID); err != nil {
		return d, err
	}
	d.moderators, err = tx.ModeratorIDs(ctx, s.Moderators)
	return d, err
}

// Reports returns a page of the open reports to the organizers of a circle, or to the moderators, oldest first, and
// their number. ErrNotFound, CodeNotModerator, CodeNotOrganizer.
func (s *Service) Reports(
	ctx context.Context, viewer studycircle.User, circleID string, p studycircle.Page,
) ([]studycircle.ReportedThing, int64, error) {
	d, err := s.reader(ctx, viewer, circleID)
	if err != nil {
		return nil, 0, err
	}
	found, total, err := s.store.Reports(ctx, s.as(viewer).Moderator(), circleID, p)
	for i, r := range found {
		found[i].Decidable = d.refuses(r.AuthorID, r.Subject.Kind, studycircle.Dismiss) == nil
		found[i].Suspendable = d.refuses(r.AuthorID, r.Subject.Kind, studycircle.Suspend) == nil
	}
	return found, total, err
}

// reportsFor returns the places of open reports, oldest first, on which viewer may decide, longest waiting first.
func (s *Service) reportsFor(
	ctx context.Context, viewer studycircle.User, found []studycircle.ReportedThing,
) (needs []studycircle.Need, err error) {
	if len(found) == 0 {
		return nil, nil
	}
	circles, err := s.OwnCircles(ctx, viewer)
	if err != nil {
		return nil, err
	}
	d := decider{userID: viewer.ID}
	if d.moderators, err = s.store.ModeratorIDs(ctx, s.Moderators); err != nil {
		return nil, err
	}
	for _, r := range found {
		d.in = circles[r.CircleID]
		if studycircle.MayDecideIn(viewer, s.Moderators, d.in, r.CircleID) != nil ||
			d.refuses(r.AuthorID, r.Subject.Kind, studycircle.Dismiss) != nil {
			continue
		}
		at := slices.IndexFunc(needs, func(n studycircle.Need) bool { return n.CircleID == r.CircleID })
		if at < 0 {
			at = len(needs)
			needs = append(needs, studycircle.Need{
				Kind: studycircle.NeedReports, CircleID: r.CircleID, Since: r.CreatedAt,
			})
		}
		needs[at].Count++
	}
	return needs[:min(len(needs), studycircle.MaxNeeds)], nil
}

// Decide answers a report: it dismisses it, hides its subject, or also suspends the author, which organizers do not. It
// reports whether anything changed. Without a reason, the reporter's is the decision's. CodeNotModerator,
// CodeNotOrganizer, CodeCircleArchived, ErrNotFound, CodeOperatorDecides, CodeInvalid.
func (s *Service) Decide(
	ctx context.Context, viewer studycircle.User, reportID string, action studycircle.ModerationAction,
	why studycircle.Reason,
) (changed bool, err error) {
	if why.Words != "" {
		if why, err = why.Clean(); err != nil {
			return false, err
		}
	}
	if !studycircle.ValidID(reportID) { // see assignmentOf
		return false, s.noReport(viewer)
	}
	closed := ""
	err = s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		closed = ""
		report, authorID, err := tx.Report(ctx, reportID)
		if studycircle.CodeOf(err) == studycircle.CodeNotFound {
			return s.noReport(viewer)
		}
		if err != nil {
			return err
		}
		d, err := s.decides(ctx, tx, viewer, report.CircleID)
		if err != nil {
			return err
		}
		if err := d.refuses(authorID, report.Subject.Kind, action); err != nil {
			return err
		}
		done := studycircle.Moderation{
			Moderator: viewer.Email, Action: action, Subject: report.Subject, CircleID: report.CircleID, ReportID: report.ID,
			Reason: cmp.Or(why.Words, report.Reason), At: s.clock(), KeepAccount: d.moderators[authorID],
		}
		blind := report.Subject.Kind.Blind()
		if action == studycircle.Suspend && !blind {
			done.Action = studycircle.Hide
		}
		if action == studycircle.Suspend && !d.moderators[authorID] {
			closed = authorID
		}
		changed, err = tx.Moderate(ctx, done)
		// the subject was deleted meanwhile, and only the report remains
		if studycircle.CodeOf(err) == studycircle.CodeNotFound {
			done.Action = studycircle.Dismiss
			changed, err = tx.Moderate(ctx, done)
		}
		if err != nil || action != studycircle.Suspend || blind || authorID == "" {
			return err
		}
		done.Action, done.Subject = studycircle.Suspend, studycircle.Subject{Kind: studycircle.OfUser, ID: authorID}
		_, err = tx.Moderate(ctx, done)
		changed = true
		return err
	})
	if err == nil && closed != "" && s.Suspended != nil {
		s.Suspended(closed)
	}
	return changed, err
}

// noReport is the answer about a report that does not exist: CodeNotModerator to users who are not moderators.
func (s *Service) noReport(viewer studycircle.User) error {
	if err := studycircle.MayModerate(viewer, s.Moderators); err != nil {
		return err
	}
	return studycircle.ErrNotFound
}

// Decisions returns a page of the recorded actions of the organizers of a circle, or of the moderators, newest first,
// and the number of all. ErrNotFound, CodeNotModerator, CodeNotOrganizer.
func (s *Service) Decisions(
	ctx context.Context, viewer studycircle.User, circleID string, p studycircle.Page,
) ([]studycircle.ModeratorDecision, int64, error) {
	d, err := s.reader(ctx, viewer, circleID)
	if err != nil {
		return nil, 0, err
	}
	found, total, err := s.store.Decisions(ctx, s.as(viewer).Moderator(), circleID, p)
	for i, one := range found {
		found[i].Restorable = one.Hides && d.refuses(one.Of.AuthorID, one.Subject.Kind, studycircle.Restore) == nil
	}
	return found, total, err
}

// Restore shows again a subject that a moderator has hidden, or an organizer in their circle; recorded is the subject
// that the record of the decision names. It reports whether anything changed. CodeNotModerator, CodeCircleArchived,
// ErrNotFound, CodeOperatorDecides.
func (s *Service) Restore(
	ctx context.Context, viewer studycircle.User, recorded studycircle.Subject,
) (changed bool, err error) {
	if !studycircle.ValidID(recorded.ID) { // see assignmentOf
		return false, s.noReport(viewer)
	}
	err = s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		circleID, err := tx.HiddenIn(ctx, recorded)
		if studycircle.CodeOf(err) == studycircle.CodeNotFound {
			return s.noReport(viewer)
		}
		if err != nil {
			return err
		}
		d, err := s.decides(ctx, tx, viewer, circleID)
		if err != nil {
			return err
		}
		done := studycircle.Moderation{
			Moderator: viewer.Email, Action: studycircle.Restore, Subject: recorded, CircleID: circleID, At: s.clock(),
		}
		if recorded.Kind.Blind() {
			report, _, err := tx.Report(ctx, recorded.ID)
			if err != nil {
				return err
			}
			done.Subject, done.ReportID = report.Subject, report.ID
		}
		authorID, err := tx.AuthorOf(ctx, done.Subject)
		if err != nil {
			return err
		}
		if err := d.refuses(authorID, done.Subject.Kind, done.Action); err != nil {
			return err
		}
		changed, err = tx.Moderate(ctx, done)
		return err
	})
	return changed, err
}
