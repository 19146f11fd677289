package engine

import (
	"strings"

	"studycircle"
)

// Guard is the SQL condition by which a viewer may see rows of a table.
type Guard struct {
	conditions [studycircle.Roles]condition
}

type condition struct {
	text string
	asks bool // the text names the viewer
}

// Marks in a condition, which Spell replaces.
const (
	// RowMark stands before a column of the table.
	RowMark = "{row}."
	// ViewerMark stands for the viewer's id.
	ViewerMark = "{viewer}"
)

// NewGuard returns a Guard with a condition for each role, "" for all rows.
func NewGuard(of func(studycircle.Role) string) *Guard {
	g := &Guard{}
	for r := range studycircle.Roles {
		text := of(r)
		g.conditions[r] = condition{text: text, asks: strings.Contains(text, ViewerMark)}
	}
	return g
}

// Unguarded is the Guard of a table whose rows belong to no assignment.
var Unguarded = NewGuard(func(studycircle.Role) string { return "" })

// Asks reports whether a role's condition takes the viewer's id as a parameter.
func (g *Guard) Asks(r studycircle.Role) bool { return g.conditions[r].asks }

// Spell returns a role's condition on rows named row. viewer is the placeholder of the viewer's id.
func (g *Guard) Spell(r studycircle.Role, row, viewer string) string {
	return strings.NewReplacer(RowMark, row+".", ViewerMark, viewer).Replace(g.conditions[r].text)
}

// Query is a hand-written query of guarded tables, spelled once for each role.
type Query struct {
	texts [studycircle.Roles]string
	asks  [studycircle.Roles]bool
}

// NewQuery spells a query that has some parameters of its own. spell gets a function that returns the condition on a
// table's rows under an alias.
func NewQuery(
	parameters int, placeholder func(int) string, spell func(visible func(of *Shape, alias string) string) string,
) *Query {
	q := &Query{}
	for r := range studycircle.Roles {
		q.texts[r] = spell(func(of *Shape, alias string) string {
			q.asks[r] = q.asks[r] || of.Guard.Asks(r)
			if text := of.Guard.Spell(r, alias, placeholder(parameters+1)); text != "" {
				return "(" + text + ")"
			}
			return "TRUE"
		})
	}
	return q
}

// For returns the text for a viewer, and its arguments.
func (q *Query) For(v studycircle.Viewer, args ...any) (string, []any) {
	if q.asks[v.Role()] {
		args = append(args, v.UserID())
	}
	return q.texts[v.Role()], args
}
