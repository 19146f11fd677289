package tables

import (
	"studycircle"
	"studycircle/internal/store/engine"
)

// LinkCheck is the result of checking a submission's document link.
type LinkCheck struct {
	ID string // the submission's
	studycircle.LinkHealth
}

// LinkChecks is the table of these results, without the times of the next checks.
var LinkChecks = engine.NewTable("link_checks", ofSubmission("id"), "", nil,
	engine.TextColumn("id", func(c *LinkCheck) *string { return &c.ID }),
	engine.TextColumn("result", func(c *LinkCheck) *string { return (*string)(&c.Result) }),
	engine.Column[LinkCheck]{
		Name: "checked_at", Kind: engine.Int, Nullable: true,
		Get: func(c *LinkCheck) engine.Value {
			return engine.Value{Int: c.CheckedAt.UnixMicro(), Null: c.CheckedAt.IsZero()}
		},
		Set: func(c *LinkCheck, v engine.Value) { c.CheckedAt = engine.Instant(v.Int) },
	},
	engine.BoolColumn("names", func(c *LinkCheck) *bool { return &c.Names }),
)

// LinkCheckByID finds one by the submission's id.
var LinkCheckByID = &engine.Lookup{Of: &LinkChecks.Shape, Key: "id"}
