package service

import (
	"context"
	"errors"
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/csvfile"
	"studycircle/internal/limit"
	"studycircle/internal/store"
)

// rosterLimit is the most invitations by roster of one user: each use is for invitedAtOnce of them.
var rosterLimit = limit.Window{
	Name: "roster", Max: 100, Per: 24 * time.Hour,
	Message: "You have invited a lot of people within the day. Please try again in %s.",
}

const invitedAtOnce = 200

// RosterOptions say what a roster does.
type RosterOptions struct {
	DryRun bool // nothing
	// End is the key of the members missing in the roster whose memberships end; "" if none do.
	End string
}

// EnrollRoster makes the users with verified addresses of a roster members of a circle, invites the others, changes
// the roles, labels and names of members, and ends memberships if asked to. It returns what it does, and does nothing
// on a dry run or if a line is refused. ErrNotFound, CodeNotOrganizer, CodeCircleArchived, CodeChanged,
// CodeRateLimited.
func (s *Service) EnrollRoster(
	ctx context.Context, viewer studycircle.User, id string, r studycircle.Roster, how RosterOptions,
) (does studycircle.Enrollments, err error) {
	c, err := s.Circle(ctx, viewer, id)
	if err != nil {
		return does, err
	}
	if err := studycircle.MayOrganize(c.Mine, c.Circle); err != nil {
		return does, err // before other accounts are locked
	}
	addresses := make([]string, len(r.Lines))
	for i, l := range r.Lines {
		addresses[i] = l.Email
	}
	accounts, err := s.store.AccountsWith(ctx, s.as(viewer), addresses)
	if err != nil {
		return does, err
	}
	if how.End != "" {
		ending, err := s.plainMembers(ctx, viewer, id, accounts)
		if err != nil {
			return does, err
		}
		accounts = append(accounts, ending...)
	}
	now := s.clock()
	err = s.inCircle(store.ManyRows(ctx), viewer, id, studycircle.MayOrganize, func(
		ctx context.Context, tx *store.Tx, c studycircle.OwnCircle,
	) error {
		known, err := tx.Rostered(ctx, id, addresses)
		if err != nil {
			return err
		}
		owners, err := tx.Owners(ctx, id)
		if err != nil {
			return err
		}
		r.Lines = slices.Clone(r.Lines) // a transaction may run again
		for i, l := range r.Lines {
			r.Lines[i] = asStored(l, known[l.Email])
		}
		does = studycircle.Enroll(c.Mine, c.Circle, r, known, owners, now)
		if how.DryRun || how.End != "" {
			if does.Missing, err = tx.MissingFrom(ctx, id, r, known); err != nil {
				return err
			}
		}
		if how.DryRun || len(does.Refused) > 0 {
			return errPreviewed
		}
		if how.End != "" {
			if err := does.Missing.MayEnd(how.End); err != nil {
				return err
			}
			does.Ended = does.Missing.All
		}
		for i := range does.Invited {
			if does.Invited[i].ID == "" {
				does.Invited[i].ID = studycircle.NewID(now)
			}
		}
		for n := 0; n < len(does.Invited); n += invitedAtOnce {
			if err := s.use(ctx, tx, limit.Use{Window: rosterLimit, Subject: viewer.ID, At: now}); err != nil {
				return err
			}
		}
		return tx.Enroll(ctx, id, does, now)
	}, accounts...)
	if errors.Is(err, errPreviewed) {
		err = nil
	}
	slices.SortFunc(does.Refused, func(a, b studycircle.RefusedLine) int { return a.Line - b.Line })
	return does, err
}

// plainMembers returns the members of a circle without another role who are none of some users, so that their accounts
// are locked before the circle; at most one more than may end.
func (s *Service) plainMembers(
	ctx context.Context, viewer studycircle.User, circleID string, without []string,
) (ids []string, err error) {
	roles, err := s.store.Roles(ctx, s.as(viewer), circleID)
	if err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for _, id := range without {
		named[id] = true
	}
	for id, role := range roles {
		if role == studycircle.CircleMember && !named[id] && len(ids) <= studycircle.MaxEnded {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// asStored returns a line whose cells say what is stored, if the files of this server would write that so: an
// apostrophe keeps spreadsheets from evaluating it.
func asStored(l studycircle.RosterLine, of studycircle.Rostered) studycircle.RosterLine {
	name, family, label, source := of.Member.Name, of.Member.FamilyName, of.Member.Label, of.Member.SourceID
	if of.Member.Role == "" {
		i := of.Invitation
		name, family, label, source = i.Name, i.FamilyName, i.Label, i.SourceID
	}
	for cell, stored := range map[*string]string{
		&l.Name: name, &l.FamilyName: family, &l.Label: label, &l.SourceID: source,
	} {
		if csvfile.Text(stored) == *cell {
			*cell = stored
		}
	}
	return l
}
