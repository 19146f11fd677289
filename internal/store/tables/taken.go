package tables

import (
	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
)

// Place is the position of an assignment in a user's own lists, without the assignment.
type Place struct {
	Seq      int64
	CircleID string
	Level    studycircle.Level
	State    studycircle.State
}

var (
	circleColumn = engine.TextColumn("circle_id", func(p *Place) *string { return &p.CircleID })
	seqColumn    = engine.GeneratedColumn("seq", func(p *Place) *int64 { return &p.Seq })
	levelColumn  = engine.TextColumn("level", func(p *Place) *string { return (*string)(&p.Level) })
)

// Taken are the positions of live assignments that a user has handed in for.
var Taken = engine.NewTable("taken", visibleIn(studycircle.ObjectPersonal, ""), "", nil, seqColumn, circleColumn,
	levelColumn, engine.TextColumn("state", func(p *Place) *string { return (*string)(&p.State) }))

// Places are the positions of live assignments.
var Places = engine.NewTable(
	"assignments", visible(studycircle.ObjectAssignment), "", nil, seqColumn, circleColumn, levelColumn,
)

// Seqs are Places without circle and level, which a list of one circle or level does not read: the index in the order
// of the list has all of it.
var Seqs = engine.NewTable("assignments", visible(studycircle.ObjectAssignment), "", nil, seqColumn)

var (
	// TakenBy are a user's.
	TakenBy = &engine.List{Of: &Taken.Shape, By: []string{"user_id"}, Position: "seq", Order: pages.OldestFirst}
	// CreatedBy are those of a creator.
	CreatedBy = &engine.List{Of: &Places.Shape, By: []string{"creator_id"}, Position: "seq", Order: pages.OldestFirst}
	// LivePlaces are those of a place, newest first.
	LivePlaces = &engine.List{Of: &Seqs.Shape, By: []string{"circle_id"}, Position: "seq", Order: pages.NewestFirst}
	// LevelPlaces are those of one level.
	LevelPlaces = &engine.List{
		Of: &Seqs.Shape, By: []string{"circle_id", "level"}, Position: "seq", Order: pages.NewestFirst,
	}
)
