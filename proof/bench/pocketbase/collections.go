package main

import (
	"github.com/pocketbase/pocketbase/core"
	"github.com/pocketbase/pocketbase/tools/types"
)

const signedIn = `@request.auth.id != ""`

// The collections are the product's tables in PocketBase: the same fields, rules that match the
// product's policy, and the creator's address and name beside the assignment, which spares a
// join.

func assignments(users string) *core.Collection {
	c := core.NewBaseCollection("assignments")
	c.ListRule, c.ViewRule = types.Pointer(""), types.Pointer("")
	c.CreateRule = types.Pointer(signedIn + ` && creator = @request.auth.id && creatorEmail = @request.auth.email`)
	c.UpdateRule, c.DeleteRule = types.Pointer(`creator = @request.auth.id`), types.Pointer(`creator = @request.auth.id`)
	c.Fields.Add(
		&core.TextField{Name: "title", Required: true, Max: 200},
		&core.TextField{Name: "description", Required: true, Max: 10_000},
		&core.URLField{Name: "thumbnail", Required: true},
		&core.NumberField{Name: "marks", Required: true, OnlyInt: true, Min: types.Pointer(1.0), Max: types.Pointer(1000.0)},
		&core.SelectField{Name: "level", Values: []string{"easy", "medium", "hard"}},
		&core.DateField{Name: "dueDate", Required: true},
		&core.RelationField{Name: "creator", CollectionId: users, MaxSelect: 1},
		&core.TextField{Name: "creatorEmail"},
		&core.TextField{Name: "creatorName"},
		&core.AutodateField{Name: "created", OnCreate: true},
		&core.AutodateField{Name: "updated", OnCreate: true, OnUpdate: true},
	)
	return c
}

func submissions(assignments string) *core.Collection {
	c := core.NewBaseCollection("submissions")
	visible := signedIn + ` && (status = "pending" || submittedBy = @request.auth.email)`
	c.ListRule, c.ViewRule = types.Pointer(visible), types.Pointer(visible)
	c.CreateRule = types.Pointer(
		signedIn + ` && submittedBy = @request.auth.email && status = "pending" && assignment.creator != @request.auth.id`,
	)
	c.UpdateRule = types.Pointer(signedIn + ` && status = "pending" && submittedBy != @request.auth.email`)
	c.Fields.Add(
		&core.RelationField{Name: "assignment", Required: true, CollectionId: assignments, MaxSelect: 1},
		&core.TextField{Name: "assignmentTitle"},
		&core.NumberField{Name: "marks", OnlyInt: true},
		&core.EmailField{Name: "submittedBy", Required: true},
		&core.URLField{Name: "docsLink", Required: true},
		&core.TextField{Name: "note", Max: 2_000},
		&core.SelectField{Name: "status", Required: true, Values: []string{"pending", "completed"}},
		&core.DateField{Name: "submittedAt"},
		&core.BoolField{Name: "late"},
		&core.NumberField{Name: "givenMark", OnlyInt: true},
		&core.TextField{Name: "feedback", Max: 5_000},
		&core.DateField{Name: "markedAt"},
	)
	return c
}

// indexes are the product's, created after filling. PocketBase sorts the newest first by row
// id, which needs none.
var indexes = map[string][]string{
	"assignments": {
		"CREATE INDEX assignments_creator ON assignments (creator)",
		"CREATE INDEX assignments_level ON assignments (level)",
	},
	"submissions": {
		"CREATE INDEX submissions_pending ON submissions (status, submittedAt)",
		"CREATE UNIQUE INDEX submissions_one_pending ON submissions (assignment, submittedBy) WHERE status = 'pending'",
		"CREATE INDEX submissions_own ON submissions (submittedBy, submittedAt)",
		"CREATE INDEX submissions_own_status ON submissions (submittedBy, status, submittedAt)",
	},
}
