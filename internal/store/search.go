package store

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
	"studycircle/internal/store/words"
)

// MaxMatches bounds the matches that one search counts and pages through.
const MaxMatches = engine.MaxMatches

// SearchAssignments returns a page of the assignments that v may see and that contain all words of text, the last one
// as a prefix. Those with all words in the title come first, each group newest first. It also returns their number,
// at most MaxMatches.
func (s *Store) SearchAssignments(
	ctx context.Context, v studycircle.Viewer, circleID string, text string, level studycircle.Level, p studycircle.Page,
) (_ []studycircle.Assignment, _ int64, err error) {
	defer s.operation(&err, "Store.SearchAssignments")
	var in []string
	if circleID != studycircle.Hall {
		in = []string{circleID}
	}
	return s.searchAssignments(ctx, v, tables.AssignmentMatch(in, words.Cut(text), level), p)
}

func (s *Store) searchAssignments(
	ctx context.Context, v studycircle.Viewer, m engine.Match, p studycircle.Page,
) ([]studycircle.Assignment, int64, error) {
	return search(
		ctx, s, v, tables.Assignments, tables.AssignmentBySeq, m, p, func(a studycircle.Assignment) int64 { return a.Seq },
	)
}

// SearchPlaces returns the first assignments that SearchAssignments finds in the hall, unless it is left out, and in
// all circles of v together, up to most of them, in its order. It also returns how many it finds in the hall.
func (s *Store) SearchPlaces(
	ctx context.Context, v studycircle.Viewer, hall bool, text string, most int64,
) (found []studycircle.Assignment, inHall int64, err error) {
	defer s.operation(&err, "Store.SearchPlaces")
	wanted, first := words.Cut(text), studycircle.Page{Number: 1, Limit: most}
	if hall {
		m := tables.AssignmentMatch(nil, wanted, "")
		if found, inHall, err = s.searchAssignments(ctx, v, m, first); err != nil {
			return nil, 0, err
		}
	}
	circles, err := s.circlesOf(ctx, v.UserID())
	if err != nil || len(circles) == 0 {
		return found, inHall, err
	}
	m := tables.AssignmentMatch(slices.Sorted(maps.Keys(circles)), wanted, "")
	joined, _, err := s.searchAssignments(ctx, v, m, first)
	if err != nil {
		return nil, 0, err
	}
	found = append(found, joined...)
	slices.SortFunc(found, func(a, b studycircle.Assignment) int {
		inA, inB := words.Match(a.Title, wanted), words.Match(b.Title, wanted)
		switch {
		case inA == inB:
			return cmp.Compare(b.Seq, a.Seq)
		case inA:
			return -1
		}
		return 1
	})
	return found[:min(most, int64(len(found)))], inHall, nil
}

// SearchCircles returns the circles of v whose names have all words of text, the last one as a prefix, by name, up to
// most of them.
func (s *Store) SearchCircles(
	ctx context.Context, v studycircle.Viewer, text string, most int64,
) (found []studycircle.OwnCircle, err error) {
	defer s.operation(&err, "Store.SearchCircles")
	all, err := s.circlesOf(ctx, v.UserID())
	if err != nil {
		return nil, err
	}
	wanted := words.Cut(text)
	for _, c := range all {
		if words.Match(c.Name, wanted) {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(a, b studycircle.OwnCircle) int {
		return cmp.Or(cmp.Compare(circleKey(a.Name), circleKey(b.Name)), cmp.Compare(a.ID, b.ID))
	})
	return found[:min(most, int64(len(found)))], nil
}

// SearchOwnSubmissions returns a page of those of a user's latest MaxMatches submissions whose titles have all words of
// text, the last one as a prefix, and their number. The page and the status are those of OwnSubmissions.
func (s *Store) SearchOwnSubmissions(
	ctx context.Context, v studycircle.Viewer, text string, status studycircle.Status, p studycircle.Page,
) (_ []studycircle.Submission, total int64, err error) {
	defer s.operation(&err, "Store.SearchOwnSubmissions")
	titles, err := s.engine.Queries().OwnTitles(ctx, db.OwnTitlesParams{
		UserID: optionalText(v.UserID()), Status: string(status), Most: MaxMatches,
	})
	if err != nil {
		return nil, 0, err
	}
	wanted := words.Cut(text)
	var places []int64
	for _, t := range titles {
		if !words.Match(tables.Shown(t.AssignmentTitle), wanted) {
			continue
		}
		if total++; total > p.Skip() && int64(len(places)) < p.Limit {
			places = append(places, t.Seq)
		}
	}
	rows, err := inOrder(
		ctx, s, v, tables.Submissions, tables.SubmissionBySeq, places, func(r tables.SubmissionRow) int64 { return r.Seq },
	)
	if err != nil {
		return nil, 0, err
	}
	out := submissionsOf(rows)
	return out, total, s.describeOwn(ctx, v, out)
}
