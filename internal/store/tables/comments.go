package tables

import (
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/pages"
)

type comment = studycircle.Comment

// Comments is the table of comments.
var Comments = engine.NewTable("comments", visible(studycircle.ObjectComment), "author_id",
	func(c *comment) *studycircle.Person { return &c.Author },
	engine.GeneratedColumn("seq", func(c *comment) *int64 { return &c.Seq }),
	engine.TextColumn("id", func(c *comment) *string { return &c.ID }),
	engine.TextColumn("assignment_id", func(c *comment) *string { return &c.AssignmentID }),
	engine.TextColumn("circle_id", func(c *comment) *string { return &c.CircleID }),
	engine.OptionalTextColumn("thread_id", func(c *comment) *string { return &c.ThreadID }),
	engine.OptionalTextColumn("author_id", func(c *comment) *string { return &c.Author.UserID }),
	engine.TextColumn("text", func(c *comment) *string { return &c.Text }),
	engine.TextColumn("html", func(c *comment) *string { return &c.HTML }),
	engine.TimeColumn("created_at", func(c *comment) *time.Time { return &c.CreatedAt }),
	optionalTime("edited_at", func(c *comment) *time.Time { return &c.EditedAt }),
	optionalTime("deleted_at", func(c *comment) *time.Time { return &c.DeletedAt }),
	optionalTime("hidden_at", func(c *comment) *time.Time { return &c.HiddenAt }),
	engine.OptionalTextColumn("hidden_reason", func(c *comment) *string { return &c.HiddenReason }),
	engine.BoolColumn("listed", func(c *comment) *bool { return &c.Listed }),
	engine.IntColumn("replies", func(c *comment) *int64 { return &c.Replies }),
	engine.IntColumn("likes", reacted("like")),
	engine.IntColumn("thanks", reacted("thanks")),
	engine.IntColumn("insightful", reacted("insightful")),
	engine.IntColumn("questions", reacted("question")),
).Shorten(func(c *comment, room int) int {
	n := len(c.Text) + len(c.HTML)
	if n <= room {
		return n
	}
	c.Text, c.HTML, c.Partial = studycircle.Beginning(c.Text), "", true
	return 0
})

// optionalTime returns a column of instants that is NULL if zero.
func optionalTime(name string, field func(*comment) *time.Time) engine.Column[comment] {
	c := engine.TimeColumn(name, field)
	c.Nullable, c.Get = true, func(t *comment) engine.Value {
		return engine.Value{Int: field(t).UnixMicro(), Null: field(t).IsZero()}
	}
	return c
}

func reacted(r studycircle.Reaction) func(*comment) *int64 {
	at := r.Place()
	return func(c *comment) *int64 { return &c.Reacted[at] }
}

var (
	// CommentByID finds a comment, also a deleted or hidden one.
	CommentByID = &engine.Lookup{Of: &Comments.Shape, Key: "id"}
	// Threads are the comments of one assignment that begin a thread, oldest first.
	Threads = &engine.List{
		Of: &Comments.Shape, Where: "thread_id IS NULL AND listed", By: []string{"assignment_id"},
		Position: "seq", Order: pages.OldestFirst,
	}
	// Replies are those of one thread, oldest first.
	Replies = &engine.List{
		Of: &Comments.Shape, Where: "listed", By: []string{"thread_id"}, Position: "seq", Order: pages.OldestFirst,
	}
	// AuthorComments are those of one author, oldest first.
	AuthorComments = &engine.List{
		Of: &Comments.Shape, By: []string{"author_id"}, Position: "seq", Order: pages.OldestFirst,
	}
)

// InsertComment stores a comment and returns its seq.
var InsertComment = Comments.Insert(" RETURNING seq")

// Names is the table of users, with their display names only.
var Names = engine.NewTable("users", engine.Unguarded, "", nil,
	engine.TextColumn("id", func(p *studycircle.Person) *string { return &p.UserID }),
	engine.TextColumn("display_name", func(p *studycircle.Person) *string { return &p.DisplayName }),
)

// NameByID finds a user's display name.
var NameByID = &engine.Lookup{Of: &Names.Shape, Key: "id"}

// ReactionRow is a user's reaction to a comment.
type ReactionRow struct {
	CommentID string
	Kind      studycircle.Reaction
}

// Reactions is the table of reactions, for one user's reactions.
var Reactions = engine.NewTable("reactions", visible(studycircle.ObjectPersonal), "", nil,
	engine.TextColumn("comment_id", func(r *ReactionRow) *string { return &r.CommentID }),
	engine.TextColumn("kind", func(r *ReactionRow) *string { return (*string)(&r.Kind) }),
)

// ReactionsBy reads a user's reactions to some comments, each found by its id: a range of ids would also cover
// comments of other assignments.
var ReactionsBy = manyIDs(1, func(visible visibleRows, ids []string) string {
	return "SELECT " + Reactions.Selected("t", false) + " FROM reactions t WHERE t.user_id = $1 AND t.comment_id IN (" +
		strings.Join(ids, ", ") +
		") AND " + visible(&Reactions.Shape, "t")
})

// FirstReplies reads the first $1 replies to each of some comments, oldest first.
var FirstReplies = manyIDs(1, func(visible visibleRows, ids []string) string {
	arms := make([]string, len(ids))
	for i, id := range ids {
		arms[i] = "SELECT * FROM (SELECT * FROM comments WHERE listed AND thread_id = " + id + " ORDER BY seq LIMIT " +
			"CAST($1 AS BIGINT)) AS first"
	}
	return "SELECT " + Comments.Selected("t", true) + " FROM (" + strings.Join(
		arms, " UNION ALL ",
	) + ") t" + Comments.Joined("t") +
		" WHERE " + visible(&Comments.Shape, "t") + " ORDER BY t.seq"
})
