package tables

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
)

type assignment = studycircle.Assignment

// A due date is two columns, in this order.
var (
	dueColumn = engine.Column[assignment]{
		Name: "due_at", Kind: engine.Int,
		Get: func(a *assignment) engine.Value { return engine.Value{Int: a.Due.Micros()} },
		Set: func(a *assignment, v engine.Value) { a.Due = studycircle.DueDateAt(v.Int, 0) },
	}
	dueOffsetColumn = engine.Column[assignment]{
		Name: "due_offset", Kind: engine.Int,
		Get: func(a *assignment) engine.Value { return engine.Value{Int: int64(a.Due.OffsetMinutes())} },
		Set: func(a *assignment, v engine.Value) { a.Due = studycircle.DueDateAt(a.Due.Micros(), int(v.Int)) },
	}
)

// A review due date is two columns, in this order; 0 in the first stands for none.
var (
	reviewDueColumn = engine.Column[assignment]{
		Name: "review_due_at", Kind: engine.Int,
		Get: func(a *assignment) engine.Value {
			if a.ReviewDue.IsZero() {
				return engine.Value{}
			}
			return engine.Value{Int: a.ReviewDue.Micros()}
		},
		Set: func(a *assignment, v engine.Value) { a.ReviewDue = ReviewDueAt(v.Int, 0) },
	}
	reviewDueOffsetColumn = engine.Column[assignment]{
		Name: "review_due_offset", Kind: engine.Int,
		Get: func(a *assignment) engine.Value { return engine.Value{Int: int64(a.ReviewDue.OffsetMinutes())} },
		Set: func(a *assignment, v engine.Value) {
			if !a.ReviewDue.IsZero() {
				a.ReviewDue = ReviewDueAt(a.ReviewDue.Micros(), v.Int)
			}
		},
	}
)

// ReviewDueAt returns the review due date of its two columns.
func ReviewDueAt(micros, offset int64) studycircle.DueDate {
	if micros == 0 {
		return studycircle.DueDate{}
	}
	return studycircle.DueDateAt(micros, int(offset))
}

// Assignments is the table of assignments. Deleted ones stay in it, with a time in deleted_at.
var Assignments = engine.NewTable("assignments", visible(studycircle.ObjectAssignment), "creator_id",
	func(a *assignment) *studycircle.Person { return &a.Creator },
	engine.GeneratedColumn("seq", func(a *assignment) *int64 { return &a.Seq }),
	engine.TextColumn("id", func(a *assignment) *string { return &a.ID }),
	engine.OptionalTextColumn("creator_id", func(a *assignment) *string { return &a.Creator.UserID }),
	engine.TextColumn("title", func(a *assignment) *string { return &a.Title }),
	engine.TextColumn("description", func(a *assignment) *string { return &a.Description }),
	engine.TextColumn("html", func(a *assignment) *string { return &a.HTML }),
	engine.TextColumn("thumbnail", func(a *assignment) *string { return &a.Thumbnail }),
	engine.IntColumn("marks", func(a *assignment) *int64 { return &a.Marks }),
	engine.TextColumn("level", func(a *assignment) *string { return (*string)(&a.Level) }),
	dueColumn, dueOffsetColumn,
	engine.TextColumn("circle_id", func(a *assignment) *string { return &a.CircleID }),
	engine.IntColumn("reviews_needed", func(a *assignment) *int64 { return &a.Reviews }),
	engine.Column[assignment]{
		Name: "rubric", Kind: engine.Text,
		Get: func(a *assignment) engine.Value { return engine.Value{Text: a.Rubric.String()} },
		Set: func(a *assignment, v engine.Value) { a.Rubric = studycircle.ParseRubric(v.Text) },
	},
	engine.TextColumn("mark_by", func(a *assignment) *string { return (*string)(&a.MarkBy) }),
	engine.TextColumn("grade_model", func(a *assignment) *string { return &a.Model }),
	reviewDueColumn, reviewDueOffsetColumn,
	engine.IntColumn("reviews_owed", func(a *assignment) *int64 { return &a.ReviewsOwed }),
	engine.TimeColumn("created_at", func(a *assignment) *time.Time { return &a.CreatedAt }),
	engine.TimeColumn("updated_at", func(a *assignment) *time.Time { return &a.UpdatedAt }),
	engine.BoolColumn("late_links", func(a *assignment) *bool { return &a.LateLinks }),
	engine.Column[assignment]{ // written with a user's extra time
		Name: "extended", Kind: engine.Bool, Generated: true,
		Get: func(*assignment) engine.Value { return engine.Value{} },
		Set: func(a *assignment, v engine.Value) { a.SomeExtended = v.Int != 0 },
	},
	engine.Column[assignment]{ // written only by moderators
		Name: "hidden_reason", Kind: engine.Text, Nullable: true, Generated: true,
		Get: func(a *assignment) engine.Value {
			return engine.Value{Text: a.HiddenReason, Null: a.HiddenReason == ""}
		},
		Set: func(a *assignment, v engine.Value) { a.HiddenReason = v.Text },
	},
).Shorten(func(a *assignment, room int) int {
	if a.HTML != "" {
		a.HTML = studycircle.Unrendered
	}
	n := len(a.Description) + a.Rubric.Size()
	if n <= room {
		return n
	}
	a.Description, a.Rubric, a.Partial = studycircle.Beginning(a.Description), studycircle.Rubric{}, true
	return 0
})

// AssignmentChanges are the columns that an update may change.
var AssignmentChanges = Assignments.Except("id", "creator_id", "created_at", "circle_id", "grade_model")

// insertAssignment stores an assignment and returns its position and its creator's name.
var insertAssignment = Assignments.Insert(
	" RETURNING seq, COALESCE((SELECT u.display_name FROM users u WHERE u.id = creator_id), '')",
)

// UpdateAssignment updates a live assignment that was last changed at a time.
var UpdateAssignment = Assignments.Update(AssignmentChanges, "id = ? AND deleted_at IS NULL AND updated_at = ?")

var (
	// AssignmentByID finds an assignment.
	AssignmentByID = &engine.Lookup{Of: &Assignments.Shape, Key: "id"}
	// AssignmentBySeq finds assignments by their positions.
	AssignmentBySeq = &engine.Lookup{Of: &Assignments.Shape, Key: "seq", Kind: engine.Int}
	// AllAssignments are those of a place, newest first.
	AllAssignments = &engine.List{
		Of: &Assignments.Shape, By: []string{"circle_id"}, Position: "seq", Order: pages.NewestFirst,
	}
	// LevelAssignments are those of one level.
	LevelAssignments = &engine.List{
		Of: &Assignments.Shape, By: []string{"circle_id", "level"}, Position: "seq", Order: pages.NewestFirst,
	}
	// OldestAssignments are AllAssignments, oldest first.
	OldestAssignments = &engine.List{
		Of: &Assignments.Shape, By: []string{"circle_id"}, Position: "seq", Order: pages.OldestFirst,
	}
	// OldestLevelAssignments are LevelAssignments, oldest first.
	OldestLevelAssignments = &engine.List{
		Of: &Assignments.Shape, By: []string{"circle_id", "level"}, Position: "seq", Order: pages.OldestFirst,
	}
	// ExportedAssignments are AllAssignments, oldest first.
	ExportedAssignments = &engine.List{
		Of: &Assignments.Shape, By: []string{"circle_id"}, Position: "seq", Order: pages.OldestFirst,
	}
	// CreatorAssignments are those of one creator, oldest first.
	CreatorAssignments = &engine.List{
		Of: &Assignments.Shape, By: []string{"creator_id"}, Position: "seq", Order: pages.OldestFirst,
	}
)

// scopeIn names a scope of a place, the hall's as it is.
func scopeIn(circleID, name string) pages.Scope {
	if circleID == "" {
		return pages.Scope(name)
	}
	return pages.Scope("in/" + circleID + "/" + name)
}

// LevelScope counts the live assignments of a level in a place.
func LevelScope(circleID string, l studycircle.Level) pages.Scope {
	return scopeIn(circleID, "assignments/"+string(l))
}

// AllLevels counts all live assignments of a place.
func AllLevels(circleID string) pages.Set {
	if circleID == "" {
		return hallLevels
	}
	return levelsIn(circleID)
}

func levelsIn(circleID string) pages.Set {
	return pages.Of(LevelScope(circleID, studycircle.Easy), LevelScope(circleID, studycircle.Medium), LevelScope(
		circleID, studycircle.Hard,
	))
}

var hallLevels = levelsIn("")

// HallIndex is the search index of the live assignments of the hall, CircleIndex that of all circles, in which a marker
// names each document's circle; positions are seqs.
var (
	HallIndex   = &engine.Index{Name: "assignment_search"}
	CircleIndex = &engine.Index{Name: "circle_search", Parted: true}
)

// AssignmentMatch is a search for words in some circles or, without circles, in the hall, for a level or, if that is
// "", for all.
func AssignmentMatch(circleIDs []string, wanted []string, l studycircle.Level) engine.Match {
	m := engine.Match{Index: HallIndex, Words: wanted, Markers: markers("", l)}
	if len(circleIDs) > 0 {
		m.Index, m.Parts = CircleIndex, circleIDs
	}
	return m
}

// AssignmentIndex returns the index of a place.
func AssignmentIndex(circleID string) *engine.Index {
	if circleID == "" {
		return HallIndex
	}
	return CircleIndex
}

// AssignmentDoc returns the index entry of an assignment: title, description and its creator's name, marked with its
// level and its circle.
func AssignmentDoc(a studycircle.Assignment) engine.Doc {
	return engine.NewDoc(a.Title, a.Description, markers(a.CircleID, a.Level)...).With(a.Creator.DisplayName)
}

// markers are those of an assignment's entry: the circle, which names its part of the index, and the level.
func markers(circleID string, l studycircle.Level) (all []string) {
	for _, marker := range []string{circleID, string(l)} {
		if marker != "" {
			all = append(all, marker)
		}
	}
	return all
}

// AnnounceAssignment announces a change of an assignment to all who may see its place.
func AnnounceAssignment(to Effects, kind studycircle.EventKind, circleID, id string) {
	to.Announce(studycircle.Event{Kind: kind, ID: id, Audience: studycircle.Everybody.In(circleID)})
}

// Publish stores an assignment and records its effects; ErrNotFound if the creator is gone. The transaction has locked
// the creator, whose name the search index takes.
func Publish(ctx context.Context, tx *engine.Tx, a studycircle.Assignment) error {
	insert, values := insertAssignment.Text(1, tx.Engine.Placeholder), Assignments.Values(&a, Assignments.Inserted)
	err := tx.DB.QueryRowContext(ctx, insert, values...).Scan(&a.Seq, &a.Creator.DisplayName)
	if tx.Engine.Fault(err) == engine.Reference {
		return studycircle.ErrNotFound
	}
	if err != nil {
		return err
	}
	AnnounceAssignment(tx, studycircle.AssignmentCreated, a.CircleID, a.ID)
	return Listed(ctx, tx, a, AssignmentDoc(a))
}

// Listed counts and indexes an assignment.
func Listed(ctx context.Context, tx *engine.Tx, a studycircle.Assignment, doc engine.Doc) error {
	tx.Count(LevelScope(a.CircleID, a.Level), a.Seq, 1)
	return tx.Index(ctx, engine.Change{Index: AssignmentIndex(a.CircleID), Place: a.Seq, Put: true, Doc: doc})
}
