package engine

import "time"

// Facts are what a look at a database tells.
type Facts struct {
	// Schema is the version of the schema, 0 if there is none yet. Known is the program's.
	Schema, Known int64
	// Bytes is the size of the embedded database.
	Bytes int64
	// Latest is the latest time of a session in the database, UTC; zero if there is none.
	Latest time.Time
	// Now is the time of the database's machine, UTC; zero for the embedded database.
	Now time.Time
}

// LatestSession finds the latest time of a session, in microseconds; NULL if there is none.
const LatestSession = "SELECT MAX(last_seen_at) FROM sessions"
