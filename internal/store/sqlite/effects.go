package sqlite

import (
	"context"

	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
	"studycircle/internal/store/tables"
)

// apply writes the effects of a group of requests, without their notices.
func (d *DB) apply(ctx context.Context, tx *engine.Tx) error {
	if err := d.ApplySearch(ctx, tx); err != nil {
		return err
	}
	err := tx.Counts.Tiers(func(tier int64, k pages.Key, n int64) error {
		return tx.Queries.AddToPageCount(ctx, db.AddToPageCountParams{
			Scope: string(k.Scope), Tier: tier, Block: k.Block, N: n,
		})
	})
	if err != nil {
		return err
	}
	if err := applyFigures(ctx, tx, tx.Figures); err != nil {
		return err
	}
	for _, l := range tx.Links {
		if err := tx.Queries.LookAtLink(ctx, db.LookAtLinkParams{ID: l.SubmissionID, At: l.At.UnixMicro()}); err != nil {
			return err
		}
	}
	if len(tx.Events) == 0 {
		return nil
	}
	return tx.Queries.InsertEvents(ctx, engine.EventLines(tx.Events))
}

func question(int) string { return "?" }

var insertNotice = tables.Notices.Insert("").Text(1, question)

// storeNotices writes the notices of one request.
func storeNotices(ctx context.Context, tx *engine.Tx) error {
	for i := range tx.Notices {
		if _, err := tx.DB.ExecContext(
			ctx, insertNotice, tables.Notices.Values(&tx.Notices[i], tables.Notices.Inserted)...,
		); err != nil {
			return err
		}
	}
	tx.Notices = nil
	return nil
}

// applyFigures adds changes to the figures.
func applyFigures(ctx context.Context, tx *engine.Tx, figures pages.Sums) error {
	for k, change := range figures {
		if change == (pages.Sum{}) {
			continue
		}
		err := tx.Queries.AddToFigure(ctx, db.AddToFigureParams{
			Scope: string(k.Scope), Block: k.Block, N: change.N, Total: change.Total,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
