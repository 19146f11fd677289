package store

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// AccountsWith returns the ids of the accounts with some addresses.
func (s *Store) AccountsWith(ctx context.Context, v studycircle.Viewer, addresses []string) (ids []string, err error) {
	defer s.operation(&err, "Store.AccountsWith")
	for some := range slices.Chunk(addresses, tables.MostIDs) {
		q, args := tables.AccountsWith.For(some)
		err := ask(ctx, s, v, q, func(rows *sql.Rows) error {
			var id string
			err := rows.Scan(&id)
			ids = append(ids, id)
			return err
		}, args...)
		if err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// Rostered returns what is known of addresses in a circle at a time, by address, after LockCircle.
func (tx *Tx) Rostered(
	ctx context.Context, circleID string, addresses []string, now time.Time,
) (_ map[string]studycircle.Rostered, err error) {
	defer tx.operation(&err, "Tx.Rostered", circleID)
	known := make(map[string]studycircle.Rostered, len(addresses))
	rows, users := make([][]any, len(addresses)), make([][]any, len(addresses))
	for i, address := range addresses {
		rows[i] = []any{address, circleID}
		users[i] = []any{address, circleID, micros(now.Add(-24 * time.Hour))}
	}
	err = engine.Run(ctx, tx.Tx, tables.RosteredUsers, users, func(found *sql.Rows) error {
		var of studycircle.Rostered
		var verified, seq, joined sql.NullInt64
		var refused, role, label, name, family, source sql.NullString
		if err := found.Scan(
			&of.User.ID, &of.User.Email, &verified, &of.Have.All, &of.Lately, &refused, &seq, &role, &label,
			&name, &family, &source, &joined,
		); err != nil {
			return err
		}
		of.User.EmailVerifiedAt, of.Refused = optionalInstant(verified), studycircle.Refusal(refused.String)
		if seq.Valid {
			of.Member = studycircle.Membership{
				Seq: seq.Int64, CircleID: circleID, UserID: of.User.ID, Role: studycircle.CircleRole(role.String),
				Label: label.String, Name: name.String, FamilyName: family.String, SourceID: source.String,
				JoinedAt: instant(joined.Int64),
			}
		}
		known[of.User.Email] = of
		return nil
	})
	if err != nil {
		return nil, err
	}
	invitations := tables.Invitations.Collect(0)
	if err := engine.RunInto(ctx, tx.Tx, tables.RosterInvitations, rows, invitations); err != nil {
		return nil, err
	}
	for _, i := range invitations.All {
		of := known[i.RosterEmail]
		of.Invitation = i
		known[i.RosterEmail] = of
	}
	return known, nil
}

// MissingFrom returns the members of a circle who are not in a roster, after LockCircle.
func (tx *Tx) MissingFrom(
	ctx context.Context, circleID string, r studycircle.Roster, known map[string]studycircle.Rostered,
) (out studycircle.Missing, err error) {
	defer tx.operation(&err, "Tx.MissingFrom", circleID)
	rows, err := tx.Queries.PlainMembers(ctx, circleID)
	if err != nil {
		return out, err
	}
	out = r.MissingFrom(memberships(rows), known)
	for some := range slices.Chunk(out.All[:min(len(out.All), studycircle.MaxEnded)], tables.MostIDs) {
		seqs := make([]any, len(some))
		for i, m := range some {
			seqs[i] = m.Seq
		}
		found := tables.Members.Collect(int64(len(some)))
		if err := tx.FindAll(ctx, studycircle.System(), tables.MemberBySeq, seqs, found); err != nil {
			return out, err
		}
		slices.SortFunc(found.All, func(a, b studycircle.Member) int { return cmp.Compare(a.Seq, b.Seq) })
		out.Some = append(out.Some, found.All...)
	}
	return out, nil
}

// Enroll stores the changes that a roster makes in a circle, after LockCircle.
func (tx *Tx) Enroll(
	ctx context.Context, circleID string, in studycircle.Enrollments, now time.Time,
) (err error) {
	defer tx.operation(&err, "Tx.Enroll", circleID)
	if err := tx.admit(ctx, circleID, in.Added); err != nil {
		return err
	}
	if err := tx.updateMembers(ctx, in.Changed); err != nil {
		return err
	}
	if err := tx.inviteRostered(ctx, in); err != nil {
		return err
	}
	changed := make([]string, 0, len(in.Added)+len(in.Changed)+len(in.Ended))
	for _, m := range in.Ended {
		if err := tx.endMembership(ctx, m, now); err != nil {
			return err
		}
		changed = append(changed, m.UserID)
	}
	for _, m := range in.Added {
		changed = append(changed, m.UserID)
	}
	for _, m := range in.Changed {
		changed = append(changed, m.After.UserID)
	}
	if len(changed)+len(in.Invited)+len(in.Reworded) == 0 {
		return nil
	}
	if len(changed) > mostTold {
		tx.AnnounceResetIn(circleID)
		return nil
	}
	return tx.announceCircle(ctx, circleID, changed...)
}

// inviteRostered stores invitations of a roster.
func (tx *Tx) inviteRostered(ctx context.Context, in studycircle.Enrollments) error {
	var added, renewed, reworded [][]any
	creator := optionalText(tx.viewer.UserID())
	for _, i := range in.Invited {
		at, until := micros(i.CreatedAt), micros(i.ExpiresAt)
		if i.Seq == 0 {
			added = append(added, []any{
				i.ID, i.CircleID, string(i.Role), i.Label, i.Name, i.FamilyName, i.SourceID, *i.Uses, i.RosterEmail, creator, at,
				until, at,
			})
		} else {
			renewed = append(renewed, []any{
				i.Seq, string(i.Role), i.Label, i.Name, *i.Uses, creator, at, until, i.FamilyName, i.SourceID,
			})
		}
	}
	for _, i := range in.Reworded {
		reworded = append(reworded, []any{i.Seq, string(i.Role), i.Label, i.Name, i.FamilyName, i.SourceID})
	}
	err := engine.Run(ctx, tx.Tx, tables.InsertInvited, added, ignoreRow)
	if err == nil {
		err = engine.Run(ctx, tx.Tx, tables.RenewInvited, renewed, ignoreRow)
	}
	if err == nil {
		err = engine.Run(ctx, tx.Tx, tables.RewordInvited, reworded, ignoreRow)
	}
	return err
}

// JoinOnceVerified makes a user with a verified address a member of the circle by whose invitation the user registered,
// and, if the address is in one of the domains, of the circles whose rosters name it.
func (tx *Tx) JoinOnceVerified(
	ctx context.Context, userID string, enrol studycircle.Domains, now time.Time,
) (err error) {
	defer tx.operation(&err, "Tx.JoinOnceVerified", userID)
	tx = tx.As(userID)
	u, err := tx.User(ctx, userID)
	if err != nil {
		return err
	}
	invited, err := tx.Queries.InvitationsOnceVerified(ctx, db.InvitationsOnceVerifiedParams{
		UserID: userID, Now: micros(now), Direct: enrol.Include(u),
	})
	if err != nil {
		return err
	}
	for _, row := range invited {
		c, err := tx.LockCircle(ctx, row.CircleID)
		if err != nil {
			return err
		}
		i, err := tx.Invitation(ctx, row.ID)
		if err != nil {
			return err
		}
		removed, err := tx.RemovedAt(ctx, c.ID, userID)
		if err != nil {
			return err
		}
		have, err := tx.Holdings(ctx, userID)
		if err != nil {
			return err
		}
		if c.Mine.Role != "" || studycircle.MayHaveCircle(have, i.Role) != nil {
			continue
		}
		if i.RosterEmail == "" {
			err = tx.joinAwaited(ctx, i, c.Circle, u, removed, now)
		} else {
			err = tx.joinByRoster(ctx, i, c.Circle, u, enrol, removed, now)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// joinByRoster makes the viewer u a member by a roster's invitation, if that is allowed without an answer.
func (tx *Tx) joinByRoster(
	ctx context.Context, i studycircle.Invitation, c studycircle.Circle, u studycircle.User, enrol studycircle.Domains,
	removed, now time.Time,
) error {
	refused, err := tx.refusalOf(ctx, c.ID, u.ID)
	if err != nil || studycircle.MayJoinByRoster(i, c, u, enrol, refused, removed, now) != nil {
		return err
	}
	if err := tx.JoinBy(ctx, i, now); err != nil {
		return err
	}
	tx.Notify(studycircle.JoinedNotice(studycircle.Membership{CircleID: c.ID, UserID: u.ID, JoinedAt: now}, ""))
	return nil
}

// As returns tx as a transaction of a user.
func (tx *Tx) As(userID string) *Tx { return &Tx{tx.Tx, tx.reads, studycircle.ViewerOf(userID)} }
