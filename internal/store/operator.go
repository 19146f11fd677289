package store

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// RecordNode records that a node runs, and removes those that were not heard for studycircle.NodeKept.
func (s *Store) RecordNode(ctx context.Context, n studycircle.Node) (err error) {
	defer s.operation(&err, "Store.RecordNode", n.ID)
	return s.Write(ctx, studycircle.Viewer{}, func(ctx context.Context, tx *Tx) error {
		err := tx.Queries.PutNode(ctx, db.PutNodeParams{
			ID: n.ID, Host: n.Host, Version: n.Version, StartedAt: micros(n.StartedAt), HeardAt: micros(n.HeardAt),
		})
		if err != nil {
			return err
		}
		return tx.Queries.DeleteSilentNodes(ctx, micros(n.HeardAt.Add(-studycircle.NodeKept)))
	})
}

// ForgetNode removes a node that stops.
func (s *Store) ForgetNode(ctx context.Context, id string) (err error) {
	defer s.operation(&err, "Store.ForgetNode", id)
	return s.Write(ctx, studycircle.Viewer{}, func(ctx context.Context, tx *Tx) error {
		return tx.Queries.DeleteNode(ctx, id)
	})
}

// Nodes returns the nodes that are recorded, the longest-running first.
func (s *Store) Nodes(ctx context.Context) (_ []studycircle.Node, err error) {
	defer s.operation(&err, "Store.Nodes")
	rows, err := s.engine.Queries().Nodes(ctx)
	out := make([]studycircle.Node, len(rows))
	for i, r := range rows {
		out[i] = studycircle.Node{
			ID: r.ID, Host: r.Host, Version: r.Version, StartedAt: instant(r.StartedAt), HeardAt: instant(r.HeardAt),
		}
	}
	return out, err
}

// accountsAtOnce bounds a step through all accounts.
const accountsAtOnce = 256

// UsersAfter returns users in the order of their addresses after one; none after the last.
func (s *Store) UsersAfter(ctx context.Context, email string) (_ []studycircle.User, err error) {
	defer s.operation(&err, "Store.UsersAfter")
	rows, err := s.engine.Queries().AccountsAfter(ctx, db.AccountsAfterParams{Email: email, Room: accountsAtOnce})
	return toUsers(rows), err
}

// AppointedModerators returns the users whom the operator appointed moderators, by their addresses.
func (s *Store) AppointedModerators(ctx context.Context) (_ []studycircle.User, err error) {
	defer s.operation(&err, "Store.AppointedModerators")
	rows, err := s.engine.Queries().AppointedModerators(ctx)
	return toUsers(rows), err
}

// ModeratorIDs returns the ids of the moderators' accounts.
func (r *reads) ModeratorIDs(ctx context.Context, m studycircle.Moderators) (_ map[string]bool, err error) {
	defer r.operation(&err, "reads.ModeratorIDs")
	ids := map[string]bool{}
	named := append(slices.Collect(maps.Keys(m)), "") // appointed ones are found even if none is named
	for some := range slices.Chunk(named, tables.MostIDs) {
		q, args := tables.ModeratorsNamed.For(some)
		text, args := q.For(studycircle.Viewer{}, args...)
		err := eachRow(ctx, r.from, text, func(rows *sql.Rows) error {
			var u studycircle.User
			var verified, since sql.NullInt64
			err := rows.Scan(&u.ID, &u.Email, &verified, &since)
			u.EmailVerifiedAt, u.ModeratorSince = optionalInstant(verified), optionalInstant(since)
			if m.Include(u) {
				ids[u.ID] = true
			}
			return err
		}, args...)
		if err != nil {
			return nil, err
		}
	}
	return ids, nil
}

// AppointModerator makes a user with a verified address a moderator, and reports whether that changed anything.
func (tx *Tx) AppointModerator(ctx context.Context, userID string, now time.Time) (_ bool, err error) {
	defer tx.operation(&err, "Tx.AppointModerator", userID)
	n, err := tx.Queries.AppointModerator(ctx, db.AppointModeratorParams{ID: userID, Now: micros(now)})
	return n > 0, err
}

// DismissModerator ends an appointment, and reports whether that changed anything.
func (tx *Tx) DismissModerator(ctx context.Context, userID string) (_ bool, err error) {
	defer tx.operation(&err, "Tx.DismissModerator", userID)
	n, err := tx.Queries.DismissModerator(ctx, userID)
	return n > 0, err
}

func toUsers(rows []db.User) []studycircle.User {
	out := make([]studycircle.User, len(rows))
	for i, r := range rows {
		out[i] = toUser(r)
	}
	return out
}
