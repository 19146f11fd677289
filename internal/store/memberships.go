package store

import (
	"context"
	"sync"

	"studycircle/internal/store/db"
)

// maxMemberships bounds the memory of users' memberships to some 20 MB.
const maxMemberships = 1 << 17

// memberships caches the circles of users, so that checking a membership runs no query while nothing is committed.
//
// Key: the user's id. Audience: that user. Emptied by: any commit, of any node or program: an entry is used only under
// the version that was asked for before it was read, so a member who is removed is refused at once. Bound:
// maxMemberships circles, for each user a few more.
type memberships struct {
	mu      sync.Mutex
	version uint64
	held    int
	known   map[string]map[string]db.PlacesOfRow
}

func (m *memberships) get(version uint64, userID string) (map[string]db.PlacesOfRow, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if version != m.version {
		return nil, false
	}
	found, known := m.known[userID]
	return found, known
}

func (m *memberships) put(version uint64, userID string, found map[string]db.PlacesOfRow) {
	const entry = 4 // the overhead of an entry
	m.mu.Lock()
	defer m.mu.Unlock()
	if version < m.version {
		return
	}
	if version > m.version || m.known == nil || m.held+len(found)+entry > maxMemberships {
		m.version, m.held, m.known = version, 0, map[string]map[string]db.PlacesOfRow{}
	}
	m.held += len(found) + entry
	m.known[userID] = found
}

// circlesOf returns the circles of a user by their ids. Callers must not modify them.
func (s *Store) circlesOf(ctx context.Context, userID string) (map[string]db.PlacesOfRow, error) {
	if userID == "" {
		return nil, nil
	}
	version, err := s.engine.Version(ctx)
	if err != nil {
		return nil, err
	}
	if found, known := s.circles.get(version, userID); known {
		return found, nil
	}
	rows, err := s.engine.Queries().PlacesOf(ctx, userID)
	if err != nil {
		return nil, err
	}
	found := make(map[string]db.PlacesOfRow, len(rows))
	for _, r := range rows {
		found[r.ID] = r
	}
	s.circles.put(version, userID, found)
	return found, nil
}

// IsMember reports whether a user is a member of a circle at this moment. It runs no query while nothing is committed.
func (s *Store) IsMember(ctx context.Context, userID, circleID string) (_ bool, err error) {
	defer operation(&err, "Store.IsMember", userID, circleID)
	found, err := s.circlesOf(ctx, userID)
	_, is := found[circleID]
	return is, s.classify(err)
}
