package store

import (
	"context"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
	"studycircle/internal/store/words"
)

// ListedCircles returns a page of the circles that every user may find, those listed last first, and their number. A
// search selects those whose names have all words of the text, the last one as a prefix, and counts MaxMatches at most.
func (s *Store) ListedCircles(
	ctx context.Context, v studycircle.Viewer, text string, p studycircle.Page,
) (found []studycircle.FoundCircle, total int64, err error) {
	defer s.operation(&err, "Store.ListedCircles")
	if text == "" {
		found, total, err = page(ctx, s, v, tables.Listings, tables.ListedCircles, nil, pages.Of(tables.ListingScope), p)
	} else {
		m := engine.Match{Index: tables.ListingIndex, Words: words.Cut(text)}
		found, total, err = search(
			ctx, s, v, tables.Listings, tables.ListedCircleBySeq, m, p, func(c studycircle.FoundCircle) int64 { return c.Seq },
		)
	}
	if err != nil || len(found) == 0 {
		return nil, total, err
	}
	return found, total, s.standIn(ctx, v, found)
}

// relist makes a circle one of the listed ones, or removes it from them, as its row says. It follows every change of a
// circle's name and of what decides whether it is listed.
func (tx *Tx) relist(ctx context.Context, c db.Circle) error {
	was, err := tx.Queries.ListingOf(ctx, c.ID)
	if err != nil {
		return err
	}
	change := engine.Change{
		Index: tables.ListingIndex, Old: len(was) > 0, Put: c.Listed && !c.DeletedAt.Valid && !c.ArchivedAt.Valid,
	}
	switch {
	case change.Old:
		change.Place = was[0]
	case change.Put:
		if change.Place, err = tx.Queries.InsertListing(ctx, c.ID); err != nil {
			return err
		}
		tx.Count(tables.ListingScope, change.Place, 1)
	default:
		return nil
	}
	if !change.Put {
		if err := tx.Queries.DeleteListing(ctx, change.Place); err != nil {
			return err
		}
		tx.Count(tables.ListingScope, change.Place, -1)
	}
	change.Doc = tables.ListingDoc(c.Name)
	return tx.Index(ctx, change)
}

// standIn adds how the viewer stands with circles.
func (s *Store) standIn(ctx context.Context, v studycircle.Viewer, found []studycircle.FoundCircle) error {
	mine, err := s.circlesOf(ctx, v.UserID())
	if err != nil {
		return err
	}
	q := s.engine.Queries()
	asked, err := q.RequestsBy(ctx, v.UserID())
	if err != nil {
		return err
	}
	removed, err := q.RemovedFrom(ctx, v.UserID())
	if err != nil {
		return err
	}
	at := map[string]*studycircle.FoundCircle{}
	for i := range found {
		at[found[i].ID] = &found[i]
		found[i].Role = mine[found[i].ID].Mine.Role
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
