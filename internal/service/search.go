package service

import (
	"context"

	"studycircle"
)

// foundAtMost is how many of each kind Search returns.
const foundAtMost = 8

// Found is what a search of all that a user may see returns, at most foundAtMost of each kind.
type Found struct {
	// Assignments are those of the hall and of the user's circles, in the order of ListAssignments. Public is how many
	// the search finds in the hall.
	Assignments []studycircle.Assignment
	Public      int64
	// Circles are the user's, by name.
	Circles []studycircle.OwnCircle
	// Submissions are the user's own, newest first, and Submitted is how many the search finds.
	Submissions []studycircle.Submission
	Submitted   int64
}

// Search searches all that viewer may see.
func (s *Service) Search(ctx context.Context, viewer studycircle.User, text string) (out Found, err error) {
	hall := s.shows(viewer, studycircle.Hall)
	out.Assignments, out.Public, err = s.store.SearchPlaces(ctx, s.as(viewer), hall, text, foundAtMost)
	if err != nil {
		return out, err
	}
	if out.Circles, err = s.store.SearchCircles(ctx, s.as(viewer), text, foundAtMost); err != nil {
		return out, err
	}
	first := studycircle.Page{Number: 1, Limit: foundAtMost}
	out.Submissions, out.Submitted, err = s.store.SearchOwnSubmissions(ctx, s.as(viewer).Party(), text, "", first)
	return out, err
}
