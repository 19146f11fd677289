// Package tables declares how the most used nouns are stored: columns, lists, counts, search and events, one file a
// noun. It is the only such declaration; package store and both engines use it.
package tables

import (
	"time"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
)

// Indexes are all search indexes.
var Indexes = []*engine.Index{HallIndex, CircleIndex, ListingIndex}

// Effects is the part of engine.Effects that nouns use.
type Effects interface {
	Announce(events ...studycircle.Event)
	Count(scope pages.Scope, position, n int64)
	Figure(scope pages.Scope, block, n, total int64)
	Notify(notices ...studycircle.Notice)
	LookAtLink(submissionID string, at time.Time)
}
