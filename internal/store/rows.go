package store

import (
	"database/sql"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
)

// Conversions between rows and nouns. Times are microseconds since 1970, UTC.

func micros(t time.Time) int64 { return t.UnixMicro() }

func instant(us int64) time.Time { return engine.Instant(us) }

func optionalInstant(us sql.NullInt64) time.Time {
	if !us.Valid {
		return time.Time{}
	}
	return instant(us.Int64)
}

func optionalMicros(t time.Time) sql.NullInt64 {
	return sql.NullInt64{Int64: t.UnixMicro(), Valid: !t.IsZero()}
}

func boolean(b bool) sql.NullBool { return sql.NullBool{Bool: b, Valid: true} }

func optionalNumber(n *int64) sql.NullInt64 {
	if n == nil {
		return sql.NullInt64{}
	}
	return sql.NullInt64{Int64: *n, Valid: true}
}

func optionalText(s string) sql.NullString { return sql.NullString{String: s, Valid: s != ""} }

func toUser(r db.User) studycircle.User {
	return studycircle.User{
		ID: r.ID, Email: r.Email, DisplayName: r.DisplayName, PhotoURL: r.PhotoUrl,
		CreatedAt:       instant(r.CreatedAt),
		EmailVerifiedAt: optionalInstant(r.EmailVerifiedAt),
		SuspendedAt:     optionalInstant(r.SuspendedAt),
		ModeratorSince:  optionalInstant(r.ModeratorSince),
	}
}
