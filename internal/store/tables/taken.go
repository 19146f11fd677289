package tables

import (
	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
)

// Place is the position of an assignment in a user's own lists, without the assignment.
type Place struct {
	Seq   int64
	Level studycircle.Level
	State studycircle.State
}

var (
	seqColumn   = engine.GeneratedColumn("seq", func(p *Place) *int64 { return &p.Seq })
	levelColumn = engine.TextColumn("level", func(p *Place) *string { return (*string)(&p.Level) })
)

// Taken are the positions of live assignments that a user has handed in for.
var Taken = engine.NewTable("taken", visible(studycircle.ObjectPersonal), "", nil, seqColumn, levelColumn,
	engine.TextColumn("state", func(p *Place) *string { return (*string)(&p.State) }))

// Places are the positions of live assignments.
var Places = engine.NewTable("assignments", visible(studycircle.ObjectAssignment), "", nil, seqColumn, levelColumn)

var (
	// TakenBy are a user's.
	TakenBy = &engine.List{Of: &Taken.Shape, By: []string{"user_id"}, Position: "seq", Order: pages.OldestFirst}
	// CreatedBy are those of a creator.
	CreatedBy = &engine.List{Of: &Places.Shape, By: []string{"creator_id"}, Position: "seq", Order: pages.OldestFirst}
	// LivePlaces are all, newest first.
	LivePlaces = &engine.List{Of: &Places.Shape, Position: "seq", Order: pages.NewestFirst}
	// LevelPlaces are those of one level.
	LevelPlaces = &engine.List{Of: &Places.Shape, By: []string{"level"}, Position: "seq", Order: pages.NewestFirst}
)
