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

// rosterLimit is the most people whom one user checks by dry runs, enrolls or invites by rosters: each use is for
// invitedAtOnce of them.
var rosterLimit = limit.Window{
	Name: "roster", Max: 200, Per: 24 * time.Hour,
	Message: "You have invited a lot of people within the day. Please try again in %s.",
}

const invitedAtOnce = 200

// RosterOptions say what a roster does.
type RosterOptions struct {
	DryRun bool // nothing
	// End is the key of the members missing in the roster whose memberships end; "" if none do.
	End string
}

// EnrollRoster makes the users of a roster members of a circle whose verified addresses are in EnrolDomains, invites
// the others, changes the roles, labels and names of members, and ends memberships if asked to. It returns what it
// does, and changes nothing if a line is refused, or on a dry run, which counts as a use of the limit. ErrNotFound,
// CodeNotOrganizer, CodeCircleArchived, CodeChanged, CodeRateLimited.
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
		known, err := s.rostered(ctx, tx, id, addresses, now)
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
		if how.DryRun {
			return s.useRoster(ctx, tx, viewer, does, now)
		}
		if len(does.Refused) > 0 {
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
		if err := s.useRoster(ctx, tx, viewer, does, now); err != nil {
			return err
		}
		if err := tx.Enroll(ctx, id, does, now); err != nil {
			return err
		}
		tellInvited(tx, viewer, c.Circle, does.Invited, known, now)
		return nil
	}, accounts...)
	if errors.Is(err, errPreviewed) {
		err = nil
	}
	slices.SortFunc(does.Refused, func(a, b studycircle.RefusedLine) int { return a.Line - b.Line })
	return does, err
}

// rostered returns what is known of addresses in a circle.
func (s *Service) rostered(
	ctx context.Context, tx *store.Tx, circleID string, addresses []string, now time.Time,
) (map[string]studycircle.Rostered, error) {
	known, err := tx.Rostered(ctx, circleID, addresses, now)
	for address, of := range known {
		of.Direct = s.EnrolDomains.Include(of.User)
		known[address] = of
	}
	return known, err
}

// useRoster counts the people whom a roster enrolls or invites, or would.
func (s *Service) useRoster(
	ctx context.Context, tx *store.Tx, viewer studycircle.User, does studycircle.Enrollments, now time.Time,
) error {
	for n := 0; n < len(does.Added)+len(does.Invited); n += invitedAtOnce {
		if err := s.use(ctx, tx, limit.Use{Window: rosterLimit, Subject: viewer.ID, At: now}); err != nil {
			return err
		}
	}
	return nil
}

// tellInvited notifies the users whom a roster invites.
func tellInvited(
	tx *store.Tx, viewer studycircle.User, c studycircle.Circle, invited []studycircle.Invitation,
	known map[string]studycircle.Rostered, now time.Time,
) {
	for _, i := range invited {
		if of := known[i.RosterEmail]; of.Tells() {
			// Not in the circle: those do not reach users who are not members.
			tx.Notify(studycircle.Notice{
				UserID: of.User.ID, Kind: studycircle.NotifyInvited, Subject: i.ID, CircleID: studycircle.Hall, Title: c.Name,
				URL: studycircle.CirclesURL, ActorID: viewer.ID, At: now,
			})
		}
	}
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
