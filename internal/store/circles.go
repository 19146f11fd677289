package store

import (
	"context"
	"slices"
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
	"studycircle/internal/store/words"
)

func toCircle(r db.Circle) studycircle.Circle {
	return studycircle.Circle{
		ID: r.ID, HTML: r.Html, Members: r.Members, HeirID: r.HeirID.String, Succession: successionOf(r),
		CircleInput: studycircle.CircleInput{
			Name: r.Name, Description: r.Description, Listed: r.Listed,
			Join: studycircle.Joining(r.Joining), Publishing: studycircle.Allowed(r.Publishing),
			Grading: studycircle.Allowed(r.Grading), CountsAccuracy: r.AccuracySince.Valid,
		},
		AccuracySince: optionalInstant(r.AccuracySince),
		CreatedAt:     instant(r.CreatedAt), UpdatedAt: instant(r.UpdatedAt),
		ArchivedAt: optionalInstant(r.ArchivedAt), DeletedAt: optionalInstant(r.DeletedAt),
	}
}

// successionOf reads the notice too, which a node of the release before this one changes alone.
func successionOf(r db.Circle) studycircle.Succession {
	for _, s := range studycircle.Successions {
		if r.Notice == s.Sentence() {
			return s
		}
	}
	return ""
}

func toMembership(r db.CircleMember) studycircle.Membership {
	return studycircle.Membership{
		Seq: r.Seq, CircleID: r.CircleID, UserID: r.UserID, Role: studycircle.CircleRole(r.Role), Label: r.Label,
		Name: r.Name, FamilyName: r.FamilyName, SourceID: r.SourceID, JoinedAt: instant(r.JoinedAt), ExtraDays: r.ExtraDays,
	}
}

// circleKey returns the text by which circles are sorted and searched: the words of a name, each after a blank.
func circleKey(name string) string { return " " + strings.Join(words.Cut(name), " ") }

// Circle returns a circle to one of its members, with the membership; ErrNotFound.
func (s *Store) Circle(ctx context.Context, v studycircle.Viewer, id string) (_ studycircle.OwnCircle, err error) {
	defer s.operation(&err, "Store.Circle", id)
	row, err := s.engine.Queries().CircleFor(ctx, db.CircleForParams{ID: id, UserID: v.UserID()})
	return studycircle.OwnCircle{Circle: toCircle(row.Circle), Mine: toMembership(row.CircleMember)}, err
}

// CirclesOf returns a page of the viewer's circles, by name, and their number.
func (s *Store) CirclesOf(
	ctx context.Context, v studycircle.Viewer, p studycircle.Page,
) (_ []studycircle.OwnCircle, total int64, err error) {
	defer s.operation(&err, "Store.CirclesOf")
	total, err = s.engine.Queries().CountCirclesOf(ctx, v.UserID())
	if err != nil || total <= p.Skip() {
		return nil, total, err
	}
	rows, err := s.engine.Queries().CirclesOf(ctx, db.CirclesOfParams{UserID: v.UserID(), Skip: p.Skip(), Room: p.Limit})
	out := make([]studycircle.OwnCircle, len(rows))
	for i, r := range rows {
		out[i] = studycircle.OwnCircle{Circle: toCircle(r.Circle), Mine: toMembership(r.CircleMember)}
	}
	return out, total, err
}

// DeletedCirclesOf returns a page of the circles that the viewer owns and that were deleted at a time or later, by
// name, and their number.
func (s *Store) DeletedCirclesOf(
	ctx context.Context, v studycircle.Viewer, since time.Time, p studycircle.Page,
) (_ []studycircle.Circle, total int64, err error) {
	defer s.operation(&err, "Store.DeletedCirclesOf")
	total, err = s.engine.Queries().CountDeletedCirclesOf(ctx, db.CountDeletedCirclesOfParams{
		UserID: v.UserID(), Since: micros(since),
	})
	if err != nil || total <= p.Skip() {
		return nil, total, err
	}
	rows, err := s.engine.Queries().DeletedCirclesOf(ctx, db.DeletedCirclesOfParams{
		UserID: v.UserID(), Since: micros(since), Skip: p.Skip(), Room: p.Limit,
	})
	out := make([]studycircle.Circle, len(rows))
	for i, r := range rows {
		out[i] = toCircle(r)
	}
	return out, total, err
}

func memberships(rows []db.CircleMember) []studycircle.Membership {
	out := make([]studycircle.Membership, len(rows))
	for i, r := range rows {
		out[i] = toMembership(r)
	}
	return out
}

// InsertCircle adds a circle with the viewer as its owner; ErrNotFound if the account is gone.
func (tx *Tx) InsertCircle(ctx context.Context, c studycircle.Circle) (err error) {
	defer tx.operation(&err, "Tx.InsertCircle")
	row, err := tx.Queries.InsertCircle(ctx, db.InsertCircleParams{
		ID: c.ID, Name: c.Name, SortKey: circleKey(c.Name), Description: c.Description, Html: c.HTML, Listed: c.Listed,
		Joining: string(c.Join), Publishing: string(c.Publishing), Grading: string(c.Grading),
		AccuracySince: optionalMicros(c.AccuracySince), CreatedAt: micros(c.CreatedAt),
	})
	if err != nil {
		return err
	}
	if err := tx.relist(ctx, row); err != nil {
		return err
	}
	return tx.InsertMember(ctx, studycircle.Membership{
		CircleID: c.ID, UserID: tx.viewer.UserID(), Role: studycircle.CircleOwner, JoinedAt: c.CreatedAt,
	})
}

// LockCircle locks the viewer's account and the circle until tx ends, and returns the circle, also a deleted one, with
// the viewer's membership, zero if there is none; ErrNotFound. It precedes every change of a circle and its members.
// Accounts of others that the change refers to are locked too.
func (tx *Tx) LockCircle(ctx context.Context, id string, others ...string) (c studycircle.OwnCircle, err error) {
	defer tx.operation(&err, "Tx.LockCircle", id)
	users := append([]string{tx.viewer.UserID()}, others...)
	slices.Sort(users)
	for _, user := range slices.Compact(users) {
		if err := tx.lock(ctx, tables.UserRow, user); err != nil {
			return c, err
		}
	}
	if err := tx.lock(ctx, tables.CircleRow, id); err != nil {
		return c, err
	}
	row, err := tx.Queries.GetCircle(ctx, id)
	if err != nil {
		return c, err
	}
	c.Circle = toCircle(row)
	c.Mine, err = tx.Membership(ctx, id, tx.viewer.UserID())
	return c, err
}

// Membership returns a user's membership in a circle, zero if there is none.
func (tx *Tx) Membership(ctx context.Context, circleID, userID string) (_ studycircle.Membership, err error) {
	defer tx.operation(&err, "Tx.Membership", circleID, userID)
	row, err := tx.Queries.GetMembership(ctx, db.GetMembershipParams{CircleID: circleID, UserID: userID})
	if isMissing(err) {
		return studycircle.Membership{}, nil
	}
	return toMembership(row), err
}

// LockHoldings locks the viewer's account until tx ends and returns how many circles it has.
func (tx *Tx) LockHoldings(ctx context.Context) (_ studycircle.Holdings, err error) {
	defer tx.operation(&err, "Tx.LockHoldings")
	if err := tx.lock(ctx, tables.UserRow, tx.viewer.UserID()); err != nil {
		return studycircle.Holdings{}, err
	}
	return tx.Holdings(ctx, tx.viewer.UserID())
}

// Holdings returns how many circles a user has.
func (tx *Tx) Holdings(ctx context.Context, userID string) (_ studycircle.Holdings, err error) {
	defer tx.operation(&err, "Tx.Holdings", userID)
	row, err := tx.Queries.Holdings(ctx, userID)
	return studycircle.Holdings{All: row.N, Owned: row.Owned}, err
}

// UpdateCircle stores the settings of a circle, after LockCircle.
func (tx *Tx) UpdateCircle(ctx context.Context, c studycircle.Circle) (err error) {
	defer tx.operation(&err, "Tx.UpdateCircle", c.ID)
	if err := tx.seal(ctx, tables.CircleRow, c.ID); err != nil {
		return err
	}
	row, err := tx.Queries.UpdateCircle(ctx, db.UpdateCircleParams{
		ID: c.ID, Name: c.Name, SortKey: circleKey(c.Name), Description: c.Description, Html: c.HTML, Listed: c.Listed,
		Joining: string(c.Join), Publishing: string(c.Publishing), Grading: string(c.Grading),
		AccuracySince: optionalMicros(c.AccuracySince), UpdatedAt: micros(c.UpdatedAt),
	})
	if err != nil {
		return err
	}
	if err := tx.relist(ctx, row); err != nil {
		return err
	}
	return tx.announceCircle(ctx, c.ID)
}

// SetCircleDeleted deletes a circle, or restores it if at is zero, after LockCircle.
func (tx *Tx) SetCircleDeleted(ctx context.Context, id string, at time.Time) (err error) {
	defer tx.operation(&err, "Tx.SetCircleDeleted", id)
	if err := tx.seal(ctx, tables.CircleRow, id); err != nil {
		return err
	}
	row, err := tx.Queries.SetCircleDeleted(ctx, db.SetCircleDeletedParams{ID: id, DeletedAt: optionalMicros(at)})
	if err != nil {
		return err
	}
	if err := tx.relist(ctx, row); err != nil {
		return err
	}
	return tx.announceCircle(ctx, id)
}

// SetCircleArchived archives a circle, or ends that if at is zero, after LockCircle.
func (tx *Tx) SetCircleArchived(ctx context.Context, id string, at time.Time) (err error) {
	defer tx.operation(&err, "Tx.SetCircleArchived", id)
	if err := tx.seal(ctx, tables.CircleRow, id); err != nil {
		return err
	}
	row, err := tx.Queries.SetCircleArchived(ctx, db.SetCircleArchivedParams{ID: id, ArchivedAt: optionalMicros(at)})
	if err != nil {
		return err
	}
	if err := tx.relist(ctx, row); err != nil {
		return err
	}
	return tx.announceCircle(ctx, id)
}

// mostTold bounds the members who hear of one change of a circle.
const mostTold = 100

// announceCircle announces a change of a circle to its members, of a large circle only to its organizers, and to some
// other users.
func (tx *Tx) announceCircle(ctx context.Context, id string, others ...string) error {
	told, err := tx.Queries.OldestMembers(ctx, db.OldestMembersParams{CircleID: id, Room: mostTold + 1})
	if err == nil && len(told) > mostTold {
		told, err = tx.Queries.OldestOrganizers(ctx, db.OldestOrganizersParams{CircleID: id, Room: mostTold})
	}
	if err != nil {
		return err
	}
	told = append(told, others...)
	slices.Sort(told)
	for _, user := range slices.Compact(told) {
		tx.Announce(studycircle.Event{Kind: studycircle.CircleChanged, ID: id, Audience: studycircle.Audience(user)})
	}
	return nil
}

// leaveCircles removes a user from all circles, after lockDeletion. A circle without an owner gets another one.
func (tx *Tx) leaveCircles(ctx context.Context, userID string, now time.Time) error {
	rows, err := tx.Queries.AllMembershipsOf(ctx, userID)
	if err != nil {
		return err
	}
	for _, m := range memberships(rows) {
		if err := tx.removeMember(ctx, m); err != nil {
			return err
		}
		if m.Role == studycircle.CircleOwner {
			if err := tx.succeed(ctx, m.CircleID, now); err != nil {
				return err
			}
		}
	}
	return nil
}

// succeed gives a circle without an owner to its longest-serving organizer, or else member. Without any member, it
// archives the circle.
func (tx *Tx) succeed(ctx context.Context, circleID string, now time.Time) error {
	owners, err := tx.Queries.CountOwners(ctx, circleID)
	if err != nil || owners > 0 {
		return err
	}
	circle, err := tx.Queries.GetCircle(ctx, circleID)
	if err != nil {
		return err
	}
	next, err := tx.Queries.OldestOrganizer(ctx, circleID)
	if err == nil && len(next) == 0 {
		next, err = tx.Queries.OldestMember(ctx, circleID)
	}
	if err != nil {
		return err
	}
	archived := circle.ArchivedAt
	var was studycircle.CircleRole
	if len(next) > 0 {
		was = studycircle.CircleRole(next[0].Role)
		if err := tx.setRole(ctx, toMembership(next[0]), studycircle.CircleOwner); err != nil {
			return err
		}
	} else if !archived.Valid {
		archived = optionalMicros(now)
	}
	by := studycircle.SuccessionBy(was)
	row, err := tx.Queries.SetCircleNotice(ctx, db.SetCircleNoticeParams{
		ID: circleID, Notice: by.Sentence(), Succession: string(by), ArchivedAt: archived,
	})
	if err != nil {
		return err
	}
	if err := tx.relist(ctx, row); err != nil {
		return err
	}
	return tx.announceCircle(ctx, circleID)
}

// EachMembershipOf calls f with every membership of a user and its circle, by the circles' names.
func (s *Store) EachMembershipOf(ctx context.Context, userID string, f func(studycircle.OwnCircle) error) (err error) {
	defer s.operation(&err, "Store.EachMembershipOf", userID)
	rows, err := s.engine.Queries().CirclesOf(ctx, db.CirclesOfParams{UserID: userID, Room: studycircle.MaxMemberships})
	for _, r := range rows {
		if err := f(studycircle.OwnCircle{Circle: toCircle(r.Circle), Mine: toMembership(r.CircleMember)}); err != nil {
			return err
		}
	}
	return err
}
