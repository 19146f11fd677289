package store

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
	"studycircle/internal/store/words"
)

// Members returns a page of the members of a circle in the order of joining, and the number of those whom the filter
// selects, counted up to engine.MaxMatches if it has a search or both a role and a label. The caller has read the
// circle as a member; organizers search addresses and names in the roster too.
func (s *Store) Members(ctx context.Context, v studycircle.Viewer, circleID string, f studycircle.MemberFilter, organizers bool, p studycircle.Page) (_ []studycircle.Member, total int64, err error) {
	defer operation(&err, "Store.Members", circleID)
	var found []studycircle.Member
	switch {
	case f.Search != "" || (f.Role != "" && f.Label != ""):
		found, total, err = s.findMembers(ctx, v, circleID, f, organizers, p)
	case f.Role != "":
		found, total, err = page(ctx, s, v, tables.Members, tables.MembersWithRole, []any{circleID, string(f.Role)}, pages.Of(tables.MemberRoleScope(circleID, f.Role)), p)
	case f.Label != "":
		found, total, err = page(ctx, s, v, tables.Members, tables.MembersWithLabel, []any{circleID, f.Label}, pages.Of(tables.MemberLabelScope(circleID, f.Label)), p)
	default:
		found, total, err = page(ctx, s, v, tables.Members, tables.MembersOf, []any{circleID}, pages.Of(tables.MemberScope(circleID)), p)
	}
	if err != nil || !organizers || len(found) == 0 {
		return found, total, err
	}
	ids := make([]string, len(found))
	for i, m := range found {
		ids[i] = m.UserID
	}
	seen := tables.Seen.Collect(int64(len(ids)))
	if err := askMany(ctx, s, v, tables.SeenOf, ids, seen); err != nil {
		return nil, 0, err
	}
	last := map[string]time.Time{}
	for _, row := range seen.All {
		last[row.UserID] = row.At
	}
	for i := range found {
		found[i].LastSeenAt = last[found[i].UserID]
	}
	return found, total, nil
}

// findMembers is Members for a filter that is not counted.
func (s *Store) findMembers(ctx context.Context, v studycircle.Viewer, circleID string, f studycircle.MemberFilter, organizers bool, p studycircle.Page) ([]studycircle.Member, int64, error) {
	wanted, args := words.Cut(f.Search), []any{circleID}
	if f.Search != "" && len(wanted) == 0 {
		return nil, 0, nil
	}
	for _, word := range wanted {
		from := hex.EncodeToString([]byte(word))
		args = append(args, from, from+"g") // after all hexadecimal digits
	}
	if f.Role != "" {
		args = append(args, string(f.Role))
	}
	if f.Label != "" {
		args = append(args, f.Label)
	}
	places, err := s.numbers(ctx, tables.FindMembers(len(wanted), organizers, f.Role != "", f.Label != ""), args...)
	if err != nil {
		return nil, 0, err
	}
	total := int64(len(places))
	if p.Skip() >= total {
		return nil, total, nil
	}
	found, err := inOrder(ctx, s, v, tables.Members, tables.MemberBySeq, places[p.Skip():min(total, p.Skip()+p.Limit)], func(m studycircle.Member) int64 { return m.Seq })
	return found, total, err
}

// numbers returns the numbers in the one column of a query's rows.
func (s *Store) numbers(ctx context.Context, query string, args ...any) (all []int64, err error) {
	rows, err := s.engine.Reads().QueryContext(ctx, query, args...)
	if err != nil {
		return nil, s.classify(err)
	}
	defer func() { err = s.classify(errors.Join(err, rows.Close())) }()
	for rows.Next() {
		var n int64
		if err := rows.Scan(&n); err != nil {
			return nil, err
		}
		all = append(all, n)
	}
	return all, rows.Err()
}

// Owners returns the number of a circle's owners.
func (s *Store) Owners(ctx context.Context, circleID string) (_ int64, err error) {
	defer operation(&err, "Store.Owners", circleID)
	n, err := s.engine.Queries().CountOwners(ctx, circleID)
	return n, s.classify(err)
}

// Owners returns the number of a circle's owners.
func (tx *Tx) Owners(ctx context.Context, circleID string) (_ int64, err error) {
	defer operation(&err, "Tx.Owners", circleID)
	n, err := tx.Queries.CountOwners(ctx, circleID)
	return n, tx.Classify(err)
}

// UpdateMember stores the role, label and name of a member, after LockCircle.
func (tx *Tx) UpdateMember(ctx context.Context, m studycircle.Membership) (err error) {
	defer operation(&err, "Tx.UpdateMember", m.CircleID)
	before, err := tx.Membership(ctx, m.CircleID, m.UserID)
	if err != nil {
		return err
	}
	if before.Role != m.Role {
		if err := tx.setRole(ctx, before, m.Role); err != nil {
			return err
		}
	}
	if before.Label != m.Label {
		for label, n := range map[string]int64{before.Label: -1, m.Label: 1} {
			if label != "" {
				tx.Count(tables.MemberLabelScope(m.CircleID, label), m.Seq, n)
			}
		}
	}
	if before.Label != m.Label || before.Name != m.Name {
		if err := tx.Queries.SetMemberTexts(ctx, db.SetMemberTextsParams{Seq: m.Seq, Label: m.Label, Name: m.Name}); err != nil {
			return tx.Classify(err)
		}
	}
	if before.Name != m.Name {
		if err := tx.indexMember(ctx, m); err != nil {
			return err
		}
	}
	return tx.announceCircle(ctx, m.CircleID, m.UserID)
}

// LeaveCircle removes a member, after LockCircle.
func (tx *Tx) LeaveCircle(ctx context.Context, m studycircle.Membership) (err error) {
	defer operation(&err, "Tx.LeaveCircle", m.CircleID)
	if err := tx.removeMember(ctx, m); err != nil {
		return err
	}
	return tx.announceCircle(ctx, m.CircleID, m.UserID)
}

// RemoveMember is LeaveCircle for a member whom an organizer removes: only a new invitation admits the user again.
func (tx *Tx) RemoveMember(ctx context.Context, m studycircle.Membership, now time.Time) (err error) {
	defer operation(&err, "Tx.RemoveMember", m.CircleID)
	if err := tx.Queries.InsertRemoval(ctx, db.InsertRemovalParams{CircleID: m.CircleID, UserID: m.UserID, RemovedAt: micros(now)}); err != nil {
		return tx.Classify(err)
	}
	return tx.LeaveCircle(ctx, m)
}

// RemovedAt returns when an organizer removed a user from a circle; zero if that did not happen.
func (tx *Tx) RemovedAt(ctx context.Context, circleID, userID string) (_ time.Time, err error) {
	defer operation(&err, "Tx.RemovedAt", circleID)
	at, err := tx.Queries.RemovedAt(ctx, db.RemovedAtParams{CircleID: circleID, UserID: userID})
	if err != nil || len(at) == 0 {
		return time.Time{}, tx.Classify(err)
	}
	return instant(at[0]), nil
}

// SetCircleArchived archives a circle, or ends that if at is zero, after LockCircle.
func (tx *Tx) SetCircleArchived(ctx context.Context, id string, at time.Time) (err error) {
	defer operation(&err, "Tx.SetCircleArchived", id)
	if err := tx.Queries.SetCircleArchived(ctx, db.SetCircleArchivedParams{ID: id, ArchivedAt: optionalMicros(at)}); err != nil {
		return tx.Classify(err)
	}
	return tx.announceCircle(ctx, id)
}

// AskHeir records that the viewer asks a member to become an owner, after LockCircle.
func (tx *Tx) AskHeir(ctx context.Context, circleID, heirID string) (err error) {
	defer operation(&err, "Tx.AskHeir", circleID)
	err = tx.Queries.SetHeir(ctx, db.SetHeirParams{ID: circleID, HeirID: optionalText(heirID), HeirOf: optionalText(tx.viewer.UserID())})
	if err != nil {
		return tx.Classify(err)
	}
	return tx.announceCircle(ctx, circleID)
}

// Asker returns the membership of the owner who asked a member to become an owner; zero if the account is gone.
func (tx *Tx) Asker(ctx context.Context, circleID string) (_ studycircle.Membership, err error) {
	defer operation(&err, "Tx.Asker", circleID)
	row, err := tx.Queries.GetCircle(ctx, circleID)
	if err != nil {
		return studycircle.Membership{}, tx.Classify(err)
	}
	return tx.Membership(ctx, circleID, row.HeirOf.String)
}

// TakeOver makes m an owner in the place of from, who becomes an organizer, after LockCircle.
func (tx *Tx) TakeOver(ctx context.Context, m, from studycircle.Membership) (err error) {
	defer operation(&err, "Tx.TakeOver", m.CircleID)
	if err := tx.Queries.SetHeir(ctx, db.SetHeirParams{ID: m.CircleID}); err != nil {
		return tx.Classify(err)
	}
	if m.Role != studycircle.CircleOwner {
		if err := tx.setRole(ctx, m, studycircle.CircleOwner); err != nil {
			return err
		}
	}
	if err := tx.setRole(ctx, from, studycircle.CircleOrganizer); err != nil {
		return err
	}
	return tx.announceCircle(ctx, m.CircleID)
}

// reindexMember stores the words by which a renamed user is found, in all circles. The account is locked.
func (tx *Tx) reindexMember(ctx context.Context, userID string) error {
	rows, err := tx.Queries.AllMembershipsOf(ctx, userID)
	if err != nil {
		return tx.Classify(err)
	}
	for _, m := range memberships(rows) {
		if err := tx.indexMember(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

// InsertInvitation adds an invitation with the hash of its secret, after LockCircle.
func (tx *Tx) InsertInvitation(ctx context.Context, i studycircle.Invitation, secretHash string) (err error) {
	defer operation(&err, "Tx.InsertInvitation", i.CircleID)
	p := db.InsertInvitationParams{
		ID: i.ID, CircleID: i.CircleID, SecretHash: optionalText(secretHash), Role: string(i.Role), Label: i.Label, Name: i.Name,
		OnlyEmail: i.OnlyEmail, OnlyDomain: i.OnlyDomain, RosterEmail: optionalText(i.RosterEmail), CreatedBy: optionalText(tx.viewer.UserID()),
		CreatedAt: micros(i.CreatedAt), ExpiresAt: micros(i.ExpiresAt),
	}
	if i.Uses != nil {
		p.UsesLeft = sql.NullInt64{Int64: *i.Uses, Valid: true}
	}
	seq, err := tx.Queries.InsertInvitation(ctx, p)
	if err != nil {
		return tx.Classify(err)
	}
	tx.Count(tables.InvitationScope(i.CircleID), seq, 1)
	return nil
}

// RevokeInvitation revokes an invitation to a circle and reports whether it was valid, after LockCircle.
func (tx *Tx) RevokeInvitation(ctx context.Context, circleID, id string, now time.Time) (_ bool, err error) {
	defer operation(&err, "Tx.RevokeInvitation", circleID)
	n, err := tx.Queries.RevokeInvitation(ctx, db.RevokeInvitationParams{ID: id, CircleID: circleID, RevokedAt: optionalMicros(now)})
	return n > 0, tx.Classify(err)
}

// Invitation returns an invitation; ErrNotFound.
func (tx *Tx) Invitation(ctx context.Context, id string) (_ studycircle.Invitation, err error) {
	defer operation(&err, "Tx.Invitation", id)
	return findIn(ctx, tx, tx.viewer, tables.Invitations, tables.InvitationByID, id)
}

// InvitationBySecret returns the ids of the invitation with a secret, by its hash, and of the circle; ErrNotFound.
func (tx *Tx) InvitationBySecret(ctx context.Context, secretHash string) (id, circleID string, err error) {
	defer operation(&err, "Tx.InvitationBySecret")
	row, err := tx.Queries.InvitationBySecret(ctx, optionalText(secretHash))
	return row.ID, row.CircleID, tx.Classify(err)
}

// JoinBy uses an invitation for the viewer, after LockCircle.
func (tx *Tx) JoinBy(ctx context.Context, i studycircle.Invitation, now time.Time) (err error) {
	defer operation(&err, "Tx.JoinBy", i.CircleID)
	if err := tx.Queries.UseInvitation(ctx, i.ID); err != nil {
		return tx.Classify(err)
	}
	if err := tx.Queries.InsertJoin(ctx, db.InsertJoinParams{InvitationID: i.ID, UserID: tx.viewer.UserID(), JoinedAt: micros(now)}); err != nil {
		return tx.orGone(err)
	}
	return tx.Admit(ctx, studycircle.Membership{CircleID: i.CircleID, UserID: tx.viewer.UserID(), Role: i.Role, Label: i.Label, Name: i.Name, JoinedAt: now})
}

// Admit adds a member, after LockCircle, and removes what kept the user waiting or out.
func (tx *Tx) Admit(ctx context.Context, m studycircle.Membership) (err error) {
	defer operation(&err, "Tx.Admit", m.CircleID)
	if err := tx.Queries.DeleteRemoval(ctx, db.DeleteRemovalParams{CircleID: m.CircleID, UserID: m.UserID}); err != nil {
		return tx.Classify(err)
	}
	if _, err := tx.DeleteRequest(ctx, m.CircleID, m.UserID); err != nil {
		return err
	}
	return tx.InsertMember(ctx, m)
}

// InsertRequest records that the viewer asks to join a circle, once, after LockCircle.
func (tx *Tx) InsertRequest(ctx context.Context, circleID string, now time.Time) (err error) {
	defer operation(&err, "Tx.InsertRequest", circleID)
	added, err := tx.Queries.InsertRequest(ctx, db.InsertRequestParams{CircleID: circleID, UserID: tx.viewer.UserID(), AskedAt: micros(now)})
	if err != nil || len(added) == 0 {
		return tx.orGone(err)
	}
	tx.Count(tables.RequestScope(circleID), added[0], 1)
	return tx.announceCircle(ctx, circleID)
}

// DeleteRequest removes a user's request to join a circle and reports whether there was one, after LockCircle.
func (tx *Tx) DeleteRequest(ctx context.Context, circleID, userID string) (_ bool, err error) {
	defer operation(&err, "Tx.DeleteRequest", circleID)
	gone, err := tx.Queries.DeleteRequest(ctx, db.DeleteRequestParams{CircleID: circleID, UserID: userID})
	if err != nil || len(gone) == 0 {
		return false, tx.Classify(err)
	}
	tx.Count(tables.RequestScope(circleID), gone[0], -1)
	return true, tx.announceCircle(ctx, circleID, userID)
}

// Asking returns a page of the users who ask to join a circle, oldest first, and their number. The caller has read the
// circle as an organizer.
func (s *Store) Asking(ctx context.Context, v studycircle.Viewer, circleID string, p studycircle.Page) (_ []studycircle.Asker, _ int64, err error) {
	defer operation(&err, "Store.Asking", circleID)
	return page(ctx, s, v, tables.Requests, tables.RequestsTo, []any{circleID}, pages.Of(tables.RequestScope(circleID)), p)
}

// joinedShown bounds the users who joined by an invitation that a list shows.
const joinedShown = 20

// Invitations returns a page of the invitations to a circle, newest first, and their number. The caller has read the
// circle as an organizer.
func (s *Store) Invitations(ctx context.Context, v studycircle.Viewer, circleID string, p studycircle.Page) (_ []studycircle.Invitation, _ int64, err error) {
	defer operation(&err, "Store.Invitations", circleID)
	found, total, err := page(ctx, s, v, tables.Invitations, tables.InvitationsTo, []any{circleID}, pages.Of(tables.InvitationScope(circleID)), p)
	if err != nil || len(found) == 0 {
		return found, total, err
	}
	ids, at := make([]string, len(found)), map[string]*studycircle.Invitation{}
	for i := range found {
		ids[i] = found[i].ID
		at[found[i].ID] = &found[i]
	}
	joined, counts := tables.Joins.Collect(joinedShown), tables.JoinCounts.Collect(int64(len(ids)))
	if err := errors.Join(askMany(ctx, s, v, tables.FirstJoins, ids, joined, int64(joinedShown)), askMany(ctx, s, v, tables.CountJoins, ids, counts)); err != nil {
		return nil, 0, err
	}
	for _, j := range joined.All {
		at[j.InvitationID].Joined = append(at[j.InvitationID].Joined, j.Account)
	}
	for _, c := range counts.All {
		at[c.InvitationID].Joins = c.N
	}
	return found, total, nil
}

// ListedCircles returns a page of the circles that every user may find, by name, and their number: those whose names
// have words that begin with each word of search.
func (s *Store) ListedCircles(ctx context.Context, v studycircle.Viewer, search string, p studycircle.Page) (_ []studycircle.FoundCircle, total int64, err error) {
	defer operation(&err, "Store.ListedCircles")
	wanted := words.Cut(search)
	args := make([]any, len(wanted), len(wanted)+2)
	for i, word := range wanted {
		args[i] = "% " + word + "%"
	}
	counted, err := s.numbers(ctx, tables.CountListedCircles(len(wanted)), args...)
	if err != nil || (search != "" && len(wanted) == 0) {
		return nil, 0, err
	}
	if counted[0] <= p.Skip() {
		return nil, counted[0], nil
	}
	rows, err := s.engine.Reads().QueryContext(ctx, tables.ListedCircles(len(wanted)), append(args, p.Limit, p.Skip())...)
	if err != nil {
		return nil, 0, s.classify(err)
	}
	defer func() { err = s.classify(errors.Join(err, rows.Close())) }()
	var found []studycircle.FoundCircle
	for rows.Next() {
		var c studycircle.FoundCircle
		if err := rows.Scan(&c.ID, &c.Name, &c.Description, &c.HTML, (*string)(&c.Join), &c.Members); err != nil {
			return nil, 0, err
		}
		found = append(found, c)
	}
	if err := rows.Err(); err != nil {
		return nil, 0, err
	}
	return found, counted[0], s.standIn(ctx, v, found)
}

// standIn adds how the viewer stands with circles.
func (s *Store) standIn(ctx context.Context, v studycircle.Viewer, found []studycircle.FoundCircle) error {
	q := s.engine.Queries()
	mine, err := q.MembershipsOf(ctx, v.UserID())
	if err != nil {
		return s.classify(err)
	}
	asked, err := q.RequestsBy(ctx, v.UserID())
	if err != nil {
		return s.classify(err)
	}
	removed, err := q.RemovedFrom(ctx, v.UserID())
	if err != nil {
		return s.classify(err)
	}
	at := map[string]*studycircle.FoundCircle{}
	for i := range found {
		at[found[i].ID] = &found[i]
	}
	for _, m := range mine {
		if c := at[m.CircleID]; c != nil {
			c.Role = studycircle.CircleRole(m.Role)
		}
	}
	for _, r := range asked {
		if c := at[r.CircleID]; c != nil {
			c.Asked = true
		}
	}
	for _, id := range removed {
		if c := at[id]; c != nil {
			c.Removed = true
		}
	}
	return nil
}

// EachRequestBy calls f with every circle that a user asks to join, in the order of asking.
func (s *Store) EachRequestBy(ctx context.Context, userID string, f func(studycircle.AskedCircle) error) (err error) {
	defer operation(&err, "Store.EachRequestBy", userID)
	rows, err := s.engine.Queries().RequestsBy(ctx, userID)
	for _, r := range rows {
		if err := f(studycircle.AskedCircle{CircleID: r.CircleID, AskedAt: instant(r.AskedAt)}); err != nil {
			return err
		}
	}
	return s.classify(err)
}
