package store

import (
	"context"

	"studycircle"
	"studycircle/internal/store/db"
)

// SettingOr returns a setting of the whole installation. If it is not set yet, it becomes fallback, the same for all
// nodes that ask at once.
func (s *Store) SettingOr(ctx context.Context, name, fallback string) (_ string, err error) {
	defer s.operation(&err, "Store.SettingOr")
	value, err := s.engine.Queries().GetSetting(ctx, name)
	if !isMissing(err) {
		return value, err
	}
	err = s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *Tx) error {
		if err := tx.Queries.PutSettingIfAbsent(ctx, db.PutSettingIfAbsentParams{Name: name, Value: fallback}); err != nil {
			return err
		}
		var err error
		value, err = tx.Queries.GetSetting(ctx, name)
		return err
	})
	return value, err
}

// ChangeSetting replaces a setting of the whole installation with the result of change, which gets the old value, ""
// if it is not set. Concurrent changes run one after the other.
func (s *Store) ChangeSetting(ctx context.Context, name string, change func(old string) (string, error)) (err error) {
	defer s.operation(&err, "Store.ChangeSetting")
	return s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *Tx) error {
		if err := tx.Queries.PutSettingIfAbsent(ctx, db.PutSettingIfAbsentParams{Name: name}); err != nil {
			return err
		}
		old, err := tx.Queries.LockSetting(ctx, name)
		if err != nil {
			return err
		}
		value, err := change(old)
		if err != nil {
			return err
		}
		return tx.Queries.PutSetting(ctx, db.PutSettingParams{Name: name, Value: value})
	})
}
