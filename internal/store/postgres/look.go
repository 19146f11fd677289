package postgres

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"studycircle/internal/store/engine"
	"studycircle/internal/store/migrations"
)

// noTable is the SQLSTATE of a table that does not exist.
const noTable = "42P01"

// Look reads facts about the database at an address, and changes nothing.
func Look(ctx context.Context, address string) (f engine.Facts, err error) {
	if f.Known, err = migrations.Known(Dialect()); err != nil {
		return f, err
	}
	config, err := Config(address)
	if err != nil {
		return f, err
	}
	d := stdlib.OpenDB(*config)
	defer func() { err = errors.Join(err, d.Close()) }()
	if err := d.QueryRowContext(ctx, "SELECT now()").Scan(&f.Now); err != nil {
		return f, err
	}
	f.Now = f.Now.UTC()
	f.Schema, err = migrations.Current(ctx, d)
	if missing, is := errors.AsType[*pgconn.PgError](err); is && missing.Code == noTable {
		return f, nil
	}
	if err != nil {
		return f, err
	}
	var latest sql.NullInt64
	if err := d.QueryRowContext(ctx, engine.LatestSession).Scan(&latest); err != nil {
		return f, err
	}
	if latest.Valid {
		f.Latest = time.UnixMicro(latest.Int64).UTC()
	}
	return f, nil
}
