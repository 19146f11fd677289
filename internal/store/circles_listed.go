package store

import (
	"context"
	"database/sql"

	"studycircle"
	"studycircle/internal/store/tables"
	"studycircle/internal/store/words"
)

// ListedCircles returns a page of the circles that every user may find, by name, and their number: those whose names
// have words that begin with each word of search.
func (s *Store) ListedCircles(ctx context.Context, v studycircle.Viewer, search string, p studycircle.Page) (_ []studycircle.FoundCircle, total int64, err error) {
	defer operation(&err, "Store.ListedCircles")
	wanted := words.Cut(search)
	if search != "" && len(wanted) == 0 {
		return nil, 0, nil
	}
	args := make([]any, len(wanted), len(wanted)+2)
	for i, word := range wanted {
		args[i] = "% " + word + "%"
	}
	var counted []int64
	if err := askText(ctx, s, tables.CountListedCircles(len(wanted)), numberInto(&counted), args...); err != nil {
		return nil, 0, err
	}
	if total = counted[0]; total <= p.Skip() {
		return nil, total, nil
	}
	var found []studycircle.FoundCircle
	err = askText(ctx, s, tables.ListedCircles(len(wanted)), func(rows *sql.Rows) error {
		var c studycircle.FoundCircle
		err := rows.Scan(&c.ID, &c.Name, &c.Description, &c.HTML, (*string)(&c.Join), &c.Members)
		found = append(found, c)
		return err
	}, append(args, p.Limit, p.Skip())...)
	if err != nil {
		return nil, 0, err
	}
	return found, total, s.standIn(ctx, v, found)
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
