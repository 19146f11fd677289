package service

import (
	"context"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store"
)

// OfferedRubric is a saved rubric as offered to a user.
type OfferedRubric struct {
	studycircle.SavedRubric
	Mine      bool
	MayDelete bool
}

// SavedRubrics returns the rubrics that viewer saved for themselves, or those of one of viewer's circles, oldest first.
// ErrNotFound.
func (s *Service) SavedRubrics(ctx context.Context, viewer studycircle.User, circleID string) ([]OfferedRubric, error) {
	in, err := s.place(ctx, viewer, circleID)
	if err != nil {
		return nil, err
	}
	found, err := s.store.SavedRubrics(ctx, s.as(viewer), circleID)
	out := make([]OfferedRubric, len(found))
	for i, r := range found {
		out[i] = OfferedRubric{r, r.MakerID == viewer.ID, studycircle.MayDeleteRubric(viewer.ID, in, r) == nil}
	}
	return out, err
}

// SaveRubric saves a rubric under a name and returns its id. CodeInvalid, CodeRateLimited and the errors of
// MaySaveRubric.
func (s *Service) SaveRubric(
	ctx context.Context, viewer studycircle.User, in studycircle.SavedRubricInput,
) (string, error) {
	in, err := in.Clean()
	if err != nil {
		return "", err
	}
	if in.CircleID != studycircle.Hall && !studycircle.ValidID(in.CircleID) { // see assignmentOf
		return "", studycircle.ErrNotFound
	}
	now := s.clock()
	r := studycircle.SavedRubric{
		ID: studycircle.NewID(now), MakerID: viewer.ID, CircleID: in.CircleID, Name: in.Name, Rubric: in.Rubric, SavedAt: now,
	}
	return r.ID, s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		may := func(saved int64) error {
			place, err := tx.OwnCircle(ctx, in.CircleID)
			if err != nil {
				return err
			}
			return studycircle.MaySaveRubric(viewer.ID, place, in.CircleID, saved)
		}
		if err := may(0); err != nil { // before the circle is locked
			return err
		}
		if err := tx.SaveRubric(ctx, r, may); err != nil {
			return err
		}
		return s.use(ctx, tx, limit.Use{Window: createLimit, Subject: viewer.ID, At: now})
	})
}

// DeleteRubric deletes a saved rubric. ErrNotFound and the errors of MayDeleteRubric.
func (s *Service) DeleteRubric(ctx context.Context, viewer studycircle.User, id string) error {
	return s.write(ctx, viewer, id, func(ctx context.Context, tx *store.Tx) error {
		r, err := tx.SavedRubric(ctx, id)
		if err != nil {
			return err
		}
		in, err := tx.OwnCircle(ctx, r.CircleID)
		if err != nil {
			return err
		}
		if err := studycircle.MayDeleteRubric(viewer.ID, in, r); err != nil {
			return err
		}
		return tx.DeleteSavedRubric(ctx, id)
	})
}

// Phrases returns the sentences that viewer keeps for feedback.
func (s *Service) Phrases(ctx context.Context, viewer studycircle.User) (studycircle.Phrases, error) {
	return s.store.Phrases(ctx, viewer.ID)
}

// SetPhrases replaces the sentences that viewer keeps for feedback. CodeInvalid.
func (s *Service) SetPhrases(ctx context.Context, viewer studycircle.User, all studycircle.Phrases) error {
	all, err := all.Clean()
	if err != nil {
		return err
	}
	return s.store.Write(
		ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error { return tx.PutPhrases(ctx, viewer.ID, all) },
	)
}
