package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
	"studycircle/internal/store/words"
)

// OrganizersOf returns the longest-serving organizers of a circle, mostTold at most.
func (tx *Tx) OrganizersOf(ctx context.Context, circleID string) (_ []string, err error) {
	defer tx.operation(&err, "Tx.OrganizersOf", circleID)
	return tx.Queries.OldestOrganizers(ctx, db.OldestOrganizersParams{CircleID: circleID, Room: mostTold})
}

// Members returns a page of the members of a circle in the order of the filter, and the number of those whom the filter
// selects, counted up to engine.MaxMatches if it has a search or both a role and a label. The caller has read the
// circle as a member; organizers search addresses and names in the roster too.
func (s *Store) Members(
	ctx context.Context, v studycircle.Viewer, circleID string, f studycircle.MemberFilter,
	organizers bool, p studycircle.Page,
) (_ []studycircle.Member, total int64, err error) {
	defer s.operation(&err, "Store.Members", circleID)
	var found []studycircle.Member
	scope, list, args := memberScope(circleID, f)
	switch {
	case f.Search != "" || (f.Role != "" && f.Label != ""):
		found, total, err = s.findMembers(ctx, v, circleID, f, organizers, p)
	case f.Order != studycircle.ByJoining:
		found, total, err = s.sortedMembers(ctx, v, circleID, f, organizers, scope, p)
	default:
		found, total, err = page(ctx, s, v, tables.Members, list, args, pages.Of(scope), p)
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
		at := last[found[i].UserID]
		if studycircle.Day(at) >= studycircle.Day(found[i].JoinedAt) { // not what was before
			found[i].LastSeenAt = at
		}
	}
	return found, total, nil
}

// memberScope returns the list of the members whom a filter without a search selects, and what counts them.
func memberScope(circleID string, f studycircle.MemberFilter) (pages.Scope, *engine.List, []any) {
	switch {
	case f.Role != "":
		return tables.MemberRoleScope(circleID, f.Role), tables.MembersWithRole, []any{circleID, string(f.Role)}
	case f.Label != "":
		return tables.MemberLabelScope(circleID, f.Label), tables.MembersWithLabel, []any{circleID, f.Label}
	default:
		return tables.MemberScope(circleID), tables.MembersOf, []any{circleID}
	}
}

// sortedMembers is Members in the order of names, which is read from its nearer end.
func (s *Store) sortedMembers(
	ctx context.Context, v studycircle.Viewer, circleID string, f studycircle.MemberFilter, organizers bool,
	scope pages.Scope, p studycircle.Page,
) ([]studycircle.Member, int64, error) {
	start, err := s.engine.Counts().Locate(ctx, pages.OldestFirst, 0, pages.Of(scope))
	total := start.Total
	room := min(p.Limit, total-p.Skip())
	if err != nil || room <= 0 {
		return nil, total, err
	}
	skip, backwards := p.Skip(), false
	if after := total - p.Skip() - room; after < skip {
		skip, backwards = after, true
	}
	args := []any{circleID}
	for _, value := range []string{string(f.Role), f.Label} {
		if value != "" {
			args = append(args, value)
		}
	}
	var places []int64
	text := tables.SortedMembers(tables.MemberKey(f.Order, organizers), f.Role != "", f.Label != "", backwards)
	if err := askText(ctx, s, text, numberInto(&places), append(args, room, skip)...); err != nil {
		return nil, total, err
	}
	if backwards {
		slices.Reverse(places)
	}
	found, err := inOrder(
		ctx, s, v, tables.Members, tables.MemberBySeq, places, func(m studycircle.Member) int64 { return m.Seq },
	)
	return found, total, err
}

// findMembers is Members for a filter that is not counted.
func (s *Store) findMembers(
	ctx context.Context, v studycircle.Viewer, circleID string, f studycircle.MemberFilter,
	organizers bool, p studycircle.Page,
) ([]studycircle.Member, int64, error) {
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
	var places []int64
	text := tables.FindMembers(
		len(wanted), organizers, f.Role != "", f.Label != "", tables.MemberKey(f.Order, organizers),
	)
	if err := askText(ctx, s, text, numberInto(&places), args...); err != nil {
		return nil, 0, err
	}
	total := int64(len(places))
	if p.Skip() >= total {
		return nil, total, nil
	}
	found, err := inOrder(
		ctx, s, v, tables.Members, tables.MemberBySeq, places[p.Skip():min(total, p.Skip()+p.Limit)],
		func(m studycircle.Member) int64 { return m.Seq },
	)
	return found, total, err
}

// Owners returns the number of a circle's owners.
func (r *reads) Owners(ctx context.Context, circleID string) (_ int64, err error) {
	defer r.operation(&err, "reads.Owners", circleID)
	return r.query.CountOwners(ctx, circleID)
}

// UpdateMember stores the role, label and name of a member, after LockCircle.
func (tx *Tx) UpdateMember(ctx context.Context, change studycircle.MemberChanged) (err error) {
	defer tx.operation(&err, "Tx.UpdateMember", change.After.CircleID)
	if err := tx.updateMembers(ctx, []studycircle.MemberChanged{change}); err != nil {
		return err
	}
	return tx.announceCircle(ctx, change.After.CircleID, change.After.UserID)
}

// updateMembers stores the changes of members and of their counts.
func (tx *Tx) updateMembers(ctx context.Context, changes []studycircle.MemberChanged) error {
	rows := make([][]any, len(changes))
	var renamed []studycircle.Membership
	for i, change := range changes {
		before, after := change.Before, change.After
		rows[i] = []any{after.Seq, string(after.Role), after.Label, after.Name, after.FamilyName, after.SourceID}
		if before.Role != after.Role {
			tx.Count(tables.MemberRoleScope(after.CircleID, before.Role), after.Seq, -1)
			tx.Count(tables.MemberRoleScope(after.CircleID, after.Role), after.Seq, 1)
		}
		if before.Label != after.Label {
			for label, n := range map[string]int64{before.Label: -1, after.Label: 1} {
				if label != "" {
					tx.Count(tables.MemberLabelScope(after.CircleID, label), after.Seq, n)
				}
			}
		}
		if before.Name != after.Name || before.FamilyName != after.FamilyName {
			renamed = append(renamed, after)
		}
	}
	if err := engine.Run(ctx, tx.Tx, tables.UpdateMembers, rows, ignoreRow); err != nil {
		return err
	}
	return tx.indexMembers(ctx, renamed)
}

// setRole changes the role of a member and the counts by role.
func (tx *Tx) setRole(ctx context.Context, m studycircle.Membership, r studycircle.CircleRole) error {
	after := m
	after.Role = r
	return tx.updateMembers(ctx, []studycircle.MemberChanged{{Before: m, After: after}})
}

// InsertMember adds a member, after LockCircle; ErrNotFound if the account is gone.
func (tx *Tx) InsertMember(ctx context.Context, m studycircle.Membership) (err error) {
	defer tx.operation(&err, "Tx.InsertMember", m.CircleID)
	if err := tx.insertMembers(ctx, m.CircleID, []studycircle.Membership{m}); err != nil {
		return err
	}
	return tx.announceCircle(ctx, m.CircleID, m.UserID)
}

// insertMembers adds members of one circle and their counts.
func (tx *Tx) insertMembers(ctx context.Context, circleID string, all []studycircle.Membership) error {
	rows, at := make([][]any, len(all)), map[string]int{}
	for i, m := range all {
		at[m.UserID] = i
		rows[i] = tables.Members.Values(&studycircle.Member{Membership: m}, tables.Members.Inserted)
	}
	err := engine.Run(ctx, tx.Tx, tables.InsertMembers, rows, func(found *sql.Rows) error {
		var seq int64
		var userID string
		err := found.Scan(&seq, &userID)
		all[at[userID]].Seq = seq
		return err
	})
	if err != nil {
		return tx.orGone(err)
	}
	if err := tx.indexMembers(ctx, all); err != nil {
		return err
	}
	for _, m := range all {
		tables.CountMembership(tx, m, 1)
	}
	return tx.Later.CountMember(ctx, db.CountMemberParams{ID: circleID, N: int64(len(all))})
}

// removeMember removes a member, the counts of the membership, and what would admit the user again by a roster.
func (tx *Tx) removeMember(ctx context.Context, m studycircle.Membership) error {
	if err := tx.Queries.DeleteMember(ctx, m.Seq); err != nil {
		return err
	}
	if err := tx.forgetCircle(ctx, m.UserID, m.CircleID); err != nil {
		return err
	}
	if err := tx.Queries.ForgetHeir(ctx, db.ForgetHeirParams{ID: m.CircleID, HeirID: optionalText(m.UserID)}); err != nil {
		return err
	}
	if err := tx.Queries.EndRosterInvitation(ctx, db.EndRosterInvitationParams{
		CircleID: m.CircleID, UserID: m.UserID,
	}); err != nil {
		return err
	}
	tables.CountMembership(tx, m, -1)
	return tx.Later.CountMember(ctx, db.CountMemberParams{ID: m.CircleID, N: -1})
}

// sortKey returns the key by which a name is sorted: its words, in hexadecimal digits. A name without any comes last.
func sortKey(name string) string {
	const most = 120
	text := strings.Join(words.Cut(name), " ")
	if text == "" {
		return "g"
	}
	return hex.EncodeToString([]byte(text[:min(len(text), most)]))
}

// indexMembers stores the words by which members are found and the keys by which they are sorted.
func (tx *Tx) indexMembers(ctx context.Context, all []studycircle.Membership) error {
	users, seqs := make([][]any, len(all)), make([][]any, len(all))
	for i, m := range all {
		users[i], seqs[i] = []any{m.UserID}, []any{m.Seq}
	}
	type names struct{ displayed, email string }
	of := map[string]names{}
	err := engine.Run(ctx, tx.Tx, tables.NamesOfUsers, users, func(found *sql.Rows) error {
		var id string
		var n names
		err := found.Scan(&id, &n.displayed, &n.email)
		of[id] = n
		return err
	})
	if err != nil {
		return err
	}
	if err := engine.RunLater(ctx, tx.Tx, tables.DeleteMemberWords, seqs); err != nil {
		return err
	}
	var rows, keys [][]any
	for _, m := range all {
		shown := of[m.UserID].displayed
		known := cmp.Or(m.Name, shown)
		keys = append(keys, []any{
			m.Seq, sortKey(shown), sortKey(studycircle.FamilyNameOf(shown) + " " + shown), sortKey(known),
			sortKey(cmp.Or(m.FamilyName, studycircle.FamilyNameOf(known)) + " " + known),
		})
		for forOrganizers, text := range map[bool]string{
			false: of[m.UserID].displayed, true: m.Name + " " + of[m.UserID].email,
		} {
			found := words.Cut(text)
			slices.Sort(found)
			for _, word := range slices.Compact(found) {
				rows = append(rows, []any{m.CircleID, m.Seq, hex.EncodeToString([]byte(word)), forOrganizers})
			}
		}
	}
	if err := engine.RunLater(ctx, tx.Tx, tables.SortMembers, keys); err != nil {
		return err
	}
	return engine.RunLater(ctx, tx.Tx, tables.InsertMemberWords, rows)
}

func (tx *Tx) endMembership(ctx context.Context, m studycircle.Membership, now time.Time) error {
	if err := tx.Queries.InsertRemoval(ctx, db.InsertRemovalParams{
		CircleID: m.CircleID, UserID: m.UserID, RemovedAt: micros(now),
	}); err != nil {
		return err
	}
	return tx.removeMember(ctx, m)
}

// RemovedAt returns when an organizer removed a user from a circle; zero if that did not happen.
func (tx *Tx) RemovedAt(ctx context.Context, circleID, userID string) (_ time.Time, err error) {
	defer tx.operation(&err, "Tx.RemovedAt", circleID)
	at, err := tx.Queries.RemovedAt(ctx, db.RemovedAtParams{CircleID: circleID, UserID: userID})
	if err != nil || len(at) == 0 {
		return time.Time{}, err
	}
	return instant(at[0]), nil
}

// AskHeir records that the viewer asks a member to become an owner, after LockCircle.
func (tx *Tx) AskHeir(ctx context.Context, circleID, heirID string) (err error) {
	defer tx.operation(&err, "Tx.AskHeir", circleID)
	err = tx.Queries.SetHeir(ctx, db.SetHeirParams{
		ID: circleID, HeirID: optionalText(heirID), HeirOf: optionalText(tx.viewer.UserID()),
	})
	if err != nil {
		return err
	}
	return tx.announceCircle(ctx, circleID)
}

// Asker returns the membership of the owner who asked a member to become an owner; zero if the account is gone.
func (tx *Tx) Asker(ctx context.Context, circleID string) (_ studycircle.Membership, err error) {
	defer tx.operation(&err, "Tx.Asker", circleID)
	row, err := tx.Queries.GetCircle(ctx, circleID)
	if err != nil {
		return studycircle.Membership{}, err
	}
	return tx.Membership(ctx, circleID, row.HeirOf.String)
}

// TakeOver makes m an owner in the place of from, who becomes an organizer, after LockCircle.
func (tx *Tx) TakeOver(ctx context.Context, m, from studycircle.Membership) (err error) {
	defer tx.operation(&err, "Tx.TakeOver", m.CircleID)
	if err := tx.Queries.SetHeir(ctx, db.SetHeirParams{ID: m.CircleID}); err != nil {
		return err
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
		return err
	}
	return tx.indexMembers(ctx, memberships(rows))
}
