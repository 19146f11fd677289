package store

import (
	"context"
	"encoding/json"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// SaveRubric stores a rubric if may allows it beside the number of those saved in its place: its maker's own, or its
// circle's. The error of may, ErrAccountGone.
func (tx *Tx) SaveRubric(ctx context.Context, r studycircle.SavedRubric, may func(saved int64) error) (err error) {
	defer tx.operation(&err, "Tx.SaveRubric")
	var saved int64
	if r.CircleID == studycircle.Hall {
		if err := tx.lock(ctx, tables.UserRow, r.MakerID); err != nil {
			return err
		}
		saved, err = tx.Queries.CountOwnSavedRubrics(ctx, optionalText(r.MakerID))
	} else {
		if err := tx.lock(ctx, tables.CircleRow, r.CircleID); err != nil {
			return err
		}
		saved, err = tx.Queries.CountSavedRubricsIn(ctx, optionalText(r.CircleID))
	}
	if err != nil {
		return err
	}
	if err := may(saved); err != nil {
		return err
	}
	return tx.orGone(tx.Queries.InsertSavedRubric(ctx, db.InsertSavedRubricParams{
		ID: r.ID, MakerID: optionalText(r.MakerID), CircleID: optionalText(r.CircleID), Name: r.Name,
		Rubric: r.Rubric.String(), SavedAt: micros(r.SavedAt),
	}))
}

// SavedRubric returns a saved rubric; ErrNotFound.
func (tx *Tx) SavedRubric(ctx context.Context, id string) (_ studycircle.SavedRubric, err error) {
	defer tx.operation(&err, "Tx.SavedRubric", id)
	row, err := tx.Queries.GetSavedRubric(ctx, id)
	return toSavedRubric(row), err
}

// DeleteSavedRubric deletes a saved rubric; ErrNotFound.
func (tx *Tx) DeleteSavedRubric(ctx context.Context, id string) (err error) {
	defer tx.operation(&err, "Tx.DeleteSavedRubric", id)
	return mustAffect(tx.Queries.DeleteSavedRubric(ctx, id))
}

func toSavedRubric(row db.SavedRubric) studycircle.SavedRubric {
	return studycircle.SavedRubric{
		ID: row.ID, MakerID: row.MakerID.String, CircleID: row.CircleID.String, Name: row.Name,
		Rubric: studycircle.ParseRubric(row.Rubric), SavedAt: instant(row.SavedAt),
	}
}

// SavedRubrics returns the rubrics that v saved for themselves, or those of a circle, oldest first.
func (s *Store) SavedRubrics(
	ctx context.Context, v studycircle.Viewer, circleID string,
) (_ []studycircle.SavedRubric, err error) {
	defer s.operation(&err, "Store.SavedRubrics", circleID)
	var rows []db.SavedRubric
	if circleID == studycircle.Hall {
		rows, err = s.engine.Queries().OwnSavedRubrics(ctx, optionalText(v.UserID()))
	} else {
		rows, err = s.engine.Queries().SavedRubricsIn(ctx, optionalText(circleID))
	}
	out := make([]studycircle.SavedRubric, len(rows))
	for i, row := range rows {
		out[i] = toSavedRubric(row)
	}
	return out, err
}

// EachSavedRubricBy calls f with every rubric that a user saved, also for circles, oldest first.
func (s *Store) EachSavedRubricBy(
	ctx context.Context, userID string, f func(studycircle.SavedRubric) error,
) (err error) {
	defer s.operation(&err, "Store.EachSavedRubricBy", userID)
	return eachAfter(func(last db.SavedRubric) ([]db.SavedRubric, error) {
		return s.engine.Queries().SavedRubricsBy(ctx, db.SavedRubricsByParams{MakerID: optionalText(userID), After: last.ID})
	}, func(row db.SavedRubric) error { return f(toSavedRubric(row)) })
}

// PutPhrases stores the sentences that a user keeps for feedback; ErrAccountGone.
func (tx *Tx) PutPhrases(ctx context.Context, userID string, all studycircle.Phrases) (err error) {
	defer tx.operation(&err, "Tx.PutPhrases", userID)
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	return tx.orGone(tx.Queries.PutPhrases(ctx, db.PutPhrasesParams{UserID: userID, Phrases: string(text)}))
}

// Phrases returns the sentences that a user keeps for feedback.
func (s *Store) Phrases(ctx context.Context, userID string) (all studycircle.Phrases, err error) {
	defer s.operation(&err, "Store.Phrases", userID)
	text, err := s.engine.Queries().PhrasesOf(ctx, userID)
	if isMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	err = json.Unmarshal([]byte(text), &all)
	return all, err
}
