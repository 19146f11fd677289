package store

import (
	"context"
	"fmt"
	"time"

	"studycircle"
	"studycircle/internal/periodic"
	"studycircle/internal/store/db"
	"studycircle/internal/store/migrations"
)

// figuresChecked is the setting with the schema and the day of the latest check of figures.
const figuresChecked = "figures-checked"

// nightFrom is the hour, in UTC, from which the figures of a day are checked.
const nightFrom = 3

// FigureCheck is the job that repairs figures once a night, and at once if a migration has run since the last check.
// It checks hourly whether a run is due.
func (s *Store) FigureCheck(now func() time.Time) periodic.Job {
	return periodic.Job{
		Name: "checking figures", Every: time.Hour, Timeout: 50 * time.Minute, Meaning: "figures that differ from their rows stay so",
		Run: func(ctx context.Context) error { return s.checkFigures(ctx, now().UTC()) },
	}
}

func (s *Store) checkFigures(ctx context.Context, now time.Time) error {
	schema, err := migrations.Current(ctx, s.engine.Reads())
	if err != nil {
		return s.classify(err)
	}
	before, err := s.SettingOr(ctx, figuresChecked, "")
	if err != nil {
		return err
	}
	night := now.Add(-nightFrom * time.Hour).Format(time.DateOnly)
	checked := fmt.Sprintf("%d %s", schema, night)
	if before == checked {
		return nil
	}
	if _, err := s.RepairFigures(ctx); err != nil {
		return err
	}
	return s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *Tx) error {
		return tx.Queries.PutSetting(ctx, db.PutSettingParams{Name: figuresChecked, Value: checked})
	})
}
