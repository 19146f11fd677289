package store

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
)

// maxPlaces bounds the memory of users' own positions to some 20 MB.
const maxPlaces = 1 << 19

// ownPlaces caches the positions of the assignments that users have created and taken.
//
// Key: the user's id. Audience: that user. Emptied by: any commit: see engine.ByVersion. Bound: maxPlaces positions,
// for each user a few more.
type ownPlaces = engine.ByVersion[string, []tables.Place]

func newOwnPlaces() *ownPlaces {
	const entry = 8 // the overhead of an entry
	return engine.NewByVersion[string, []tables.Place](maxPlaces, entry)
}

// placesOf returns the positions of the live assignments that a user has created or handed in for, oldest first.
// Callers must not modify them.
func (s *Store) placesOf(ctx context.Context, v studycircle.Viewer) ([]tables.Place, error) {
	userID := v.UserID()
	version, err := s.engine.Version(ctx)
	if err != nil {
		return nil, err
	}
	found, known := s.own.Get(version, userID)
	looked(s.observer.Positions, known)
	if known {
		return found, nil
	}
	created, taken := places{state: studycircle.StateMine}, places{}
	var both errgroup.Group
	both.Go(func() error {
		return s.engine.Page(ctx, v, tables.CreatedBy, []any{userID}, pages.Start{}, math.MaxInt32, &created)
	})
	both.Go(func() error {
		return s.engine.Page(ctx, v, tables.TakenBy, []any{userID}, pages.Start{}, math.MaxInt32, &taken)
	})
	if err := both.Wait(); err != nil {
		return nil, err
	}
	// Created ones first: imported submissions to one's own assignment leave it created.
	all := slices.Concat(created.all, taken.all)
	slices.SortStableFunc(all, func(a, b tables.Place) int { return cmp.Compare(a.Seq, b.Seq) })
	all = slices.CompactFunc(all, func(a, b tables.Place) bool { return a.Seq == b.Seq })
	s.own.Put(version, userID, all, len(all))
	return all, nil
}

// places reads the rows of tables.Places, all of one state, or of tables.Taken.
type places struct {
	state studycircle.State
	all   []tables.Place
}

// Reset implements engine.Sink.
func (p *places) Reset() { p.all = p.all[:0] }

// Row implements engine.Sink.
func (p *places) Row(r engine.Row) {
	place := tables.Place{Seq: r.Int(0), State: p.state}
	if circleID := r.Text(1); circleID != "" {
		place.CircleID = strings.Clone(circleID)
	}
	switch r.Text(2) { // no row keeps its text
	case string(studycircle.Easy):
		place.Level = studycircle.Easy
	case string(studycircle.Medium):
		place.Level = studycircle.Medium
	default:
		place.Level = studycircle.Hard
	}
	if p.state == "" {
		place.State = studycircle.StateGraded
		if r.Text(3) == string(studycircle.StatePending) {
			place.State = studycircle.StatePending
		}
	}
	p.all = append(p.all, place)
}
