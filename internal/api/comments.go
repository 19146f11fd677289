package api

import (
	"context"
	"html/template"
	"net/http"
	"time"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/service"
)

// Comment is a comment as its viewer sees it. It holds no email address.
type Comment struct {
	ID       string `json:"_id"`
	ParentID string `json:"parentId,omitempty" doc:"The comment that begins its thread; absent if it begins one."`
	Text     string `json:"text,omitempty" doc:"Markdown; absent if it was deleted."`
	// HTML is rendered and sanitised by package markdown.
	HTML        template.HTML `json:"html,omitempty" doc:"The text as safe HTML. Mentions have current names."`
	Partial     bool          `json:"partial,omitzero" doc:"In a page with very long texts: text is only its beginning, without html. GET /api/comment/{id} has all."`
	AuthorName  string        `json:"authorName,omitempty" doc:"'Anonymous' once the account is gone; absent if the comment was deleted."`
	AuthorPhoto string        `json:"authorPhoto,omitempty" doc:"Address of a picture; absent if there is none."`
	AuthorID    string        `json:"authorId,omitempty" doc:"Absent once the account is gone."`
	Mine        bool          `json:"mine"`
	CreatedAt   time.Time     `json:"createdAt"`
	EditedAt    *time.Time    `json:"editedAt,omitempty"`
	Deleted     bool          `json:"deleted" doc:"Nothing is left of it but the replies of others."`
	Hidden      *Hidden       `json:"hidden,omitempty" doc:"A moderator has hidden it: its author alone reads this."`
	Reactions   Reactions     `json:"reactions"`
	ReplyCount  int64         `json:"replyCount"`
}

// Thread is a comment with its first replies.
type Thread struct {
	Comment
	Replies []Comment `json:"replies" doc:"The first three."`
}

// Hidden is the reason for which a moderator hid something.
type Hidden struct {
	Reason string `json:"reason"`
}

// Reactions are the counts of each reaction to a comment.
type Reactions struct {
	Like       ReactionCount `json:"like"`
	Thanks     ReactionCount `json:"thanks"`
	Insightful ReactionCount `json:"insightful"`
	Question   ReactionCount `json:"question"`
}

// ReactionCount is how many users chose a reaction.
type ReactionCount struct {
	Count int64 `json:"count"`
	Mine  bool  `json:"mine"`
}

func reactionsOf(c service.ShownComment) (r Reactions) {
	for i, into := range []*ReactionCount{&r.Like, &r.Thanks, &r.Insightful, &r.Question} {
		into.Count = c.Reacted[i]
		for _, chosen := range c.Chosen {
			into.Mine = into.Mine || chosen.Place() == i
		}
	}
	return r
}

func commentOf(c service.ShownComment) Comment {
	out := Comment{
		ID: c.ID, ParentID: c.ThreadID, Mine: c.Mine, CreatedAt: c.CreatedAt, Deleted: !c.Shows(), ReplyCount: c.Replies,
	}
	if c.Mine && !c.HiddenAt.IsZero() {
		out.Hidden, out.Deleted = &Hidden{c.HiddenReason}, false
	}
	if out.Deleted {
		out.Mine = false
		return out
	}
	out.Text, out.HTML, out.Partial = c.Text, rendered(c.HTML), c.Partial
	out.AuthorID, out.AuthorName, out.AuthorPhoto, out.Reactions = c.Author.UserID, c.Author.DisplayName,
		c.Author.PhotoURL, reactionsOf(c)
	if out.AuthorName == "" {
		out.AuthorName = studycircle.NobodyName
	}
	if !c.EditedAt.IsZero() {
		out.EditedAt = &c.EditedAt
	}
	return out
}

func commentsOf(some []service.ShownComment) []Comment {
	out := make([]Comment, len(some))
	for i, c := range some {
		out[i] = commentOf(c)
	}
	return out
}

// Comments are a page of the threads under an assignment.
type Comments struct {
	Data       []Thread   `json:"data"`
	Pagination Pagination `json:"pagination"`
	Discussion string     `json:"discussion" enum:"open,closed"`
}

// CommentsOf maps a page of a discussion.
func CommentsOf(d service.Discussion, p studycircle.Page) Comments {
	out := Comments{Data: make([]Thread, len(d.Threads)), Pagination: paginationOf(p, d.Total), Discussion: "open"}
	for i, c := range d.Threads {
		out.Data[i] = Thread{commentOf(c), commentsOf(c.First)}
	}
	if d.Closed {
		out.Discussion = "closed"
	}
	return out
}

// Replies are a page of the replies to a comment.
type Replies struct {
	Data       []Comment  `json:"data"`
	Pagination Pagination `json:"pagination"`
}

// PlacedComment is a comment and its position.
type PlacedComment struct {
	Comment
	AssignmentID string `json:"assignmentId"`
	Page         int64  `json:"page" doc:"Of the threads under its assignment, on which its thread stands."`
}

// Participant is a user who may be mentioned in a discussion.
type Participant struct {
	AuthorID    string `json:"authorId"`
	DisplayName string `json:"displayName"`
	// What tells namesakes apart.
	PhotoURL string `json:"photoURL,omitempty" doc:"Of one of several with the same name; absent if there is none."`
	Label    string `json:"label,omitempty" doc:"The section in the circle, of one of several with the same name; absent if there is none."`
}

// Participants are users who may be mentioned.
type Participants struct {
	Data       []Participant `json:"data"`
	Pagination Pagination    `json:"pagination"`
}

type listCommentsInput struct {
	ID    string `path:"id"`
	Page  int64  `query:"page" default:"1" minimum:"1"`
	Limit int64  `query:"limit" default:"20" minimum:"1" maximum:"100"`

	IfNoneMatch string `header:"If-None-Match" doc:"An ETag: the answer is an empty 304 if it has not changed."`
}

func (in *listCommentsInput) page() studycircle.Page {
	return studycircle.Page{Number: in.Page, Limit: in.Limit}
}

type oneCommentInput struct {
	ID    string `path:"id"`
	Limit int64  `query:"limit" default:"20" minimum:"1" maximum:"100" doc:"How many threads a page has."`
}

type createCommentInput struct {
	ID   string `path:"id"`
	Body struct {
		Text     string  `json:"text" doc:"Markdown, 1 to 5,000 characters. @[Name](user:ID) mentions one of the participants, up to ten."`
		ParentID *string `json:"parentId,omitempty" nullable:"true" doc:"The comment that this one answers; absent or null if it begins a thread. An answer to a reply goes to its thread."`
	}
}

type editCommentInput struct {
	ID   string `path:"id"`
	Body struct {
		Text string `json:"text" doc:"Markdown, 1 to 5,000 characters."`
	}
}

type reactionInput struct {
	ID   string `path:"id"`
	Kind string `path:"kind" enum:"like,thanks,insightful,question"`
}

type closeDiscussionInput struct {
	ID   string `path:"id"`
	Body struct {
		Closed bool `json:"closed"`
	}
}

// check implements checked.
func (in *participantsInput) check(wrong *faults) {
	checkSearch(in.Search, wrong)
}

type participantsInput struct {
	ID     string `path:"id"`
	Search string `query:"search" doc:"Beginnings of words of a name."`
}

// previewLimit is counted by each node: a preview writes nothing.
var previewLimit = limit.Window{
	Name: "preview", Max: 120, Per: 10 * time.Minute,
	Message: "You have looked at a lot of previews. Please try again in %s.",
}

type previewInput struct {
	Body struct {
		Text string `json:"text" doc:"Markdown, 1 to 5,000 characters; of a description, to 10,000."`
		Of   string `json:"of,omitempty" enum:"comment,description" doc:"The kind of text; comment by default."`
	}
}

// Preview is a rendered text.
type Preview struct {
	HTML string `json:"html" doc:"Safe to put into a page."`
}

func (o *operations) registerComments(r *router) {
	const tags = tag("Discussion")
	threads := tags.op(
		"list-comments", "GET /api/assignment/{id}/comments", "List the threads of an assignment, oldest first",
		401, 404, 422,
	)
	threads.Responses = r.revalidated("Names the content, weakly.", nil, Comments{})
	operation(r, allOrSignedIn, threads, o.listComments)
	replies := tags.op(
		"list-replies", "GET /api/comment/{id}/replies", "List the replies to a comment, oldest first", 401, 404, 422,
	)
	replies.Responses = r.revalidated("Names the content, weakly.", nil, Replies{})
	operation(r, allOrSignedIn, replies, o.listReplies)
	operation(
		r, allOrSignedIn,
		tags.op("get-comment", "GET /api/comment/{id}", "Get a comment and its position", 401, 404, 422), o.getComment,
	)
	create := tags.op(
		"create-comment", "POST /api/assignment/{id}/comments", "Add a comment to an assignment", 401, 404, 409, 422, 429,
	)
	create.DefaultStatus = http.StatusCreated
	operation(r, signedIn, create, func(ctx context.Context, in *createCommentInput) (*insertedAnswer, error) {
		comment := studycircle.CommentInput{Text: in.Body.Text}
		if in.Body.ParentID != nil {
			comment.ParentID = *in.Body.ParentID
		}
		id, err := o.Service.CreateComment(ctx, viewer(ctx).User, in.ID, comment)
		return inserted("/api/comment/", id), err
	})
	operation(r, signedIn, tags.op(
		"edit-comment", "PATCH /api/comment/{id}", "Edit your comment", 401, 403, 404, 409, 422, 429,
	),
		func(ctx context.Context, in *editCommentInput) (*Modified, error) {
			changed, err := o.Service.EditComment(ctx, viewer(ctx).User, in.ID, in.Body.Text)
			return &Modified{count(changed)}, err
		})
	operation(r, signedIn, tags.op("delete-comment", "DELETE /api/comment/{id}", "Delete your comment, or any comment "+
		"on your assignment", 401, 403, 404, 409),
		func(ctx context.Context, in *byID) (*Deleted, error) {
			return &Deleted{1}, o.Service.DeleteComment(ctx, viewer(ctx).User, in.ID)
		})
	for method, on := range map[string]bool{http.MethodPut: true, http.MethodDelete: false} {
		id, summary := "react", "Add a reaction to a comment"
		if !on {
			id, summary = "take-reaction-back", "Remove a reaction"
		}
		operation(r, signedIn, tags.op(id, method+" /api/comment/{id}/reactions/{kind}", summary, 401, 404, 409, 422, 429),
			func(ctx context.Context, in *reactionInput) (*Modified, error) {
				changed, err := o.Service.React(ctx, viewer(ctx).User, in.ID, studycircle.Reaction(in.Kind), on)
				return &Modified{count(changed)}, err
			})
	}
	operation(r, signedIn, tags.op("close-discussion", "PUT /api/assignment/{id}/discussion", "Close or reopen the "+
		"discussion of your assignment", 401, 403, 404, 409, 422),
		func(ctx context.Context, in *closeDiscussionInput) (*Modified, error) {
			changed, err := o.Service.CloseDiscussion(ctx, viewer(ctx).User, in.ID, in.Body.Closed)
			return &Modified{count(changed)}, err
		})
	operation(r, signedIn, tags.op("list-participants", "GET /api/assignment/{id}/participants", "Search for users to "+
		"mention, ten at most", 401, 404, 422), o.participants)
	previews := limit.NewMemory(previewLimit)
	operation(r, signedIn, tags.op("preview", "POST /api/preview", "Preview rendered Markdown", 401, 422, 429),
		func(ctx context.Context, in *previewInput) (*Preview, error) {
			if o.Identity.Limits {
				if err := previews.Spend(viewer(ctx).User.ID, o.Identity.Now()); err != nil {
					return nil, err
				}
			}
			if in.Body.Of == "description" {
				shown, err := o.Service.PreviewDescription(in.Body.Text)
				return &Preview{shown}, err
			}
			shown, err := o.Service.Preview(ctx, viewer(ctx).User, in.Body.Text)
			return &Preview{shown}, err
		}, anew)
}

func (o *operations) listComments(ctx context.Context, in *listCommentsInput) (*answer, error) {
	p, who := in.page(), viewer(ctx).User
	return o.kept(ctx, answerKey{kind: commentList, owner: who.ID, text: in.ID, page: p}, func(
		ctx context.Context,
	) (any, error) {
		d, err := o.Service.Comments(ctx, who, in.ID, p)
		return CommentsOf(d, p), err
	})
}

func (o *operations) listReplies(ctx context.Context, in *listCommentsInput) (*answer, error) {
	p, who := in.page(), viewer(ctx).User
	return o.kept(ctx, answerKey{kind: replyList, owner: who.ID, text: in.ID, page: p}, func(
		ctx context.Context,
	) (any, error) {
		found, total, err := o.Service.Replies(ctx, who, in.ID, p)
		return Replies{Data: commentsOf(found), Pagination: paginationOf(p, total)}, err
	})
}

func (o *operations) getComment(ctx context.Context, in *oneCommentInput) (*PlacedComment, error) {
	c, page, err := o.Service.Comment(ctx, viewer(ctx).User, in.ID, in.Limit)
	return &PlacedComment{commentOf(c), c.AssignmentID, page}, err
}

func (o *operations) participants(ctx context.Context, in *participantsInput) (*Participants, error) {
	found, total, err := o.Service.Participants(ctx, viewer(ctx).User, in.ID, in.Search)
	out := Participants{Data: make([]Participant, len(found)), Pagination: paginationOf(
		studycircle.Page{Number: 1, Limit: service.MaxParticipants}, total,
	)}
	for i, p := range found {
		out.Data[i] = Participant{p.UserID, p.DisplayName, p.PhotoURL, p.Label}
	}
	return &out, err
}

// kept returns the answer to key, whose text is an id, cached or made by read.
func (o *operations) kept(
	ctx context.Context, key answerKey, read func(context.Context) (any, error),
) (*answer, error) {
	if !studycircle.ValidID(key.text) {
		return nil, studycircle.ErrNotFound
	}
	return o.answers.get(ctx, key, func(ctx context.Context) (content, error) {
		made, err := read(ctx)
		if err != nil {
			return content{}, err
		}
		return contentOf(made, 1024)
	})
}
