package store

import (
	"context"
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/periodic"
	"studycircle/internal/store/db"
)

// figuresChecked is the setting with the night of the latest check of figures and, unless the check is complete, the
// last user whose figures it has compared.
const figuresChecked = "figures-checked"

// nightFrom is the hour, in UTC, from which the figures of a day are checked.
const nightFrom = 3

// checkPause is how much longer than its work the check of figures pauses, so that reads beside it keep their speed.
const checkPause = 9

// FigureCheck is the job that repairs figures once a night. It checks hourly whether a run is due, and continues an
// unfinished one.
func (s *Store) FigureCheck(now func() time.Time) periodic.Job {
	return periodic.Job{
		Name: "checking figures", Every: time.Hour, Timeout: 50 * time.Minute,
		Meaning: "figures that differ from their rows stay so",
		Run:     func(ctx context.Context) error { return s.checkFigures(ctx, now().UTC()) },
	}
}

func (s *Store) checkFigures(ctx context.Context, now time.Time) error {
	tonight := now.Add(-nightFrom * time.Hour).Format(time.DateOnly)
	checked, err := s.SettingOr(ctx, figuresChecked, "")
	if err != nil || checked == tonight {
		return err
	}
	night, last, _ := strings.Cut(checked, " ")
	if night != tonight {
		last = ""
	}
	for {
		began := time.Now()
		if last, _, err = s.RepairFigures(ctx, last); err != nil {
			return err
		}
		err := s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *Tx) error {
			return tx.Queries.PutSetting(ctx, db.PutSettingParams{
				Name: figuresChecked, Value: strings.TrimSpace(tonight + " " + last),
			})
		})
		if err != nil || last == "" {
			return err
		}
		select {
		case <-time.After(checkPause * time.Since(began)):
		case <-ctx.Done():
			return nil // the next run continues
		}
	}
}
