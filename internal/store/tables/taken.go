package tables

import (
	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
)

// Place is where an assignment stands in a user's own lists, without the assignment.
type Place struct {
	Seq   int64
	Level studycircle.Level
	State studycircle.State
}

var (
	seqColumn   = engine.GeneratedColumn("seq", func(p *Place) *int64 { return &p.Seq })
	levelColumn = engine.TextColumn("level", func(p *Place) *string { return (*string)(&p.Level) })
)

// Taken are the places of live assignments that somebody has handed in for. Triggers
// keep the table, as they do the figures: see decision 30.
var Taken = engine.NewTable("taken", "", nil, seqColumn, levelColumn,
	engine.TextColumn("state", func(p *Place) *string { return (*string)(&p.State) }))

// Places are those of live assignments.
var Places = engine.NewTable("assignments", "", nil, seqColumn, levelColumn)

var (
	// TakenBy are a user's.
	TakenBy = &engine.List{Of: &Taken.Shape, By: []string{"user_id"}, Position: "seq", Order: pages.OldestFirst}
	// CreatedBy are those of a creator.
	CreatedBy = &engine.List{Of: &Places.Shape, Where: live, By: []string{"creator_id"}, Position: "seq", Order: pages.OldestFirst}
	// LivePlaces are all, newest first.
	LivePlaces = &engine.List{Of: &Places.Shape, Where: live, Position: "seq", Order: pages.NewestFirst}
	// LevelPlaces are those of one level.
	LevelPlaces = &engine.List{Of: &Places.Shape, Where: live, By: []string{"level"}, Position: "seq", Order: pages.NewestFirst}
)

// FigureKinds are how the names of scopes begin that are summed up and not paged, of
// which tier 0 alone is kept.
var FigureKinds = []string{"of/", "got/", "gave/", "due/"}

// The figures of a user, which triggers count at block numbers of their own: see
// pages.Figures. Totals are percents, in studycircle.PercentUnit.

// Of counts what was handed in for a creator's live assignments: all of it at block
// OfAll, what was graded at OfGraded.
func Of(creatorID string) pages.Scope { return pages.Scope("of/" + creatorID) }

// The blocks of Of.
const (
	OfAll    = 0
	OfGraded = 1
)

// GotLevels are those by which marks are counted; the first one is of what has no
// assignment.
var GotLevels = append([]studycircle.Level{"none"}, studycircle.Levels...)

// Got counts the marks a user got at a level. Blocks are tenths of a percent.
func Got(userID string, l studycircle.Level) pages.Scope {
	return pages.Scope("got/" + userID + "/" + string(l))
}

// Gave counts the grades a user gave. Blocks are how long what was graded had waited,
// in hundredths of an hour.
func Gave(userID string) pages.Scope { return pages.Scope("gave/" + userID) }

// FiguresOf are all figures of a user.
func FiguresOf(userID string) []pages.Scope {
	scopes := []pages.Scope{Of(userID), Gave(userID)}
	for _, l := range GotLevels {
		scopes = append(scopes, Got(userID, l))
	}
	return scopes
}

// DueScope counts the live assignments of a level by when they are due: see DueBlock.
func DueScope(l studycircle.Level) pages.Scope { return pages.Scope("due/" + string(l)) }

// DueBlock is the block of 256 minutes in which an instant lies, in microseconds.
func DueBlock(micros int64) int64 { return micros / DueBlockMicros }

// DueBlockMicros is how long one is.
const DueBlockMicros = 256 * 60 * 1_000_000
