package identity

import (
	"context"

	"studycircle"
	"studycircle/internal/store"
)

// Renew returns a fresh access token for the browser that holds secret. Any number of
// tabs may renew at once. ok is false if the cookie is no longer valid.
func (i *Identity) Renew(ctx context.Context, secret string) (g Grant, ok bool, err error) {
	if secret == "" {
		return Grant{}, false, nil
	}
	session, err := i.store.SessionBySecret(ctx, hashSecret(secret))
	if isNotFound(err) {
		return Grant{}, false, nil
	}
	if err != nil || !i.good(session) {
		return Grant{}, false, err
	}
	i.seen.note(session.ID, i.clock())
	return i.grant(session.ID, session.User), true, nil
}

// Logout ends the session of the browser that holds secret, if there is one.
func (i *Identity) Logout(ctx context.Context, secret string) error {
	if secret == "" {
		return nil
	}
	var ended string
	err := i.write(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		ended, err = tx.DeleteSessionBySecret(ctx, hashSecret(secret))
		return err
	})
	i.sessions.drop(ended)
	return err
}

// Sessions lists viewer's sessions, the last seen first.
func (i *Identity) Sessions(ctx context.Context, viewer studycircle.Session) ([]studycircle.OpenSession, error) {
	now := i.clock()
	i.seen.note(viewer.ID, now)
	sessions, err := i.store.SessionsOf(ctx, viewer.User.ID, now)
	for n, s := range sessions {
		if at := i.seen.at(s.ID); at.After(s.LastSeenAt) {
			sessions[n].LastSeenAt = at
		}
	}
	return sessions, err
}

// EndSession ends one of viewer's sessions. ErrNotFound, also for a session of another
// user.
func (i *Identity) EndSession(ctx context.Context, viewer studycircle.Session, id string) error {
	if !studycircle.ValidID(id) {
		return studycircle.ErrNotFound
	}
	err := i.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		return tx.DeleteSessionOf(ctx, viewer.User.ID, id)
	})
	i.sessions.drop(id)
	return err
}

// EndOtherSessions ends all of viewer's sessions but the current one and returns how many
// ended.
func (i *Identity) EndOtherSessions(ctx context.Context, viewer studycircle.Session) (int64, error) {
	var n int64
	err := i.write(ctx, func(ctx context.Context, tx *store.Tx) (err error) {
		n, err = tx.DeleteSessionsOf(ctx, viewer.User.ID, viewer.ID)
		return err
	})
	i.sessions.dropUser(viewer.User.ID)
	return n, err
}

// Suspended makes this node ask the store about a user's sessions again: a moderator has
// ended them.
func (i *Identity) Suspended(userID string) { i.sessions.dropUser(userID) }
