package service

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/markdown"
)

// The hourly limits of one user in discussions.
var (
	commentLimit = limit.Window{
		Name: "comment", Max: 30, Per: time.Hour, Message: "You have written a lot within the hour. Please try again in %s.",
	}
	editLimit = limit.Window{
		Name: "edit", Max: 120, Per: time.Hour, Message: "You have edited a lot within the hour. Please try again in %s.",
	}
	reactionLimit = limit.Window{
		Name: "react", Max: 600, Per: time.Hour, Message: "You have reacted a lot within the hour. Please try again in %s.",
	}
)

// commentHeadings is the level of the largest headings in comments, below the section's own.
const commentHeadings = 3

// ShownComment is a comment as one viewer sees it. Mentions in its HTML show present names.
type ShownComment struct {
	studycircle.Comment
	Mine bool
	// Chosen are the viewer's own reactions.
	Chosen []studycircle.Reaction
	// First are the first replies, of a thread.
	First []ShownComment
}

// Discussion is a page of the threads under an assignment.
type Discussion struct {
	Threads []ShownComment
	Total   int64
	Closed  bool
}

// Comments returns a page of the threads of an assignment, oldest first, as viewer sees them; the zero User is a
// visitor. ErrNotFound.
func (s *Service) Comments(
	ctx context.Context, viewer studycircle.User, assignmentID string, p studycircle.Page,
) (d Discussion, err error) {
	if !studycircle.ValidID(assignmentID) { // see assignmentOf
		return d, studycircle.ErrNotFound
	}
	if d.Closed, err = s.store.DiscussionClosed(ctx, s.as(viewer), assignmentID); err != nil {
		return d, err
	}
	threads, total, err := s.store.Threads(ctx, s.as(viewer), assignmentID, p)
	if err != nil {
		return d, err
	}
	var answered []string
	for _, c := range threads {
		if c.Replies > 0 {
			answered = append(answered, c.ID)
		}
	}
	first, err := s.store.FirstReplies(ctx, s.as(viewer), answered, studycircle.FirstReplies)
	if err != nil {
		return d, err
	}
	d.Total = total
	d.Threads, err = s.shown(ctx, viewer, threads, first)
	return d, err
}

// Replies returns a page of the replies to a comment, oldest first, and their number, also to a visitor. ErrNotFound.
func (s *Service) Replies(
	ctx context.Context, viewer studycircle.User, threadID string, p studycircle.Page,
) ([]ShownComment, int64, error) {
	thread, err := s.commentOf(ctx, viewer, s.as(viewer), threadID)
	if err != nil {
		return nil, 0, err
	}
	if thread.ThreadID != "" {
		return nil, 0, studycircle.ErrNotFound
	}
	found, total, err := s.store.Replies(ctx, s.as(viewer), threadID, p)
	if err != nil {
		return nil, 0, err
	}
	shown, err := s.shown(ctx, viewer, found, nil)
	return shown, total, err
}

// Comment returns one comment as viewer sees it, and the page of limit threads that contains its thread, also to a
// visitor. Only its author can read a hidden comment. ErrNotFound.
func (s *Service) Comment(
	ctx context.Context, viewer studycircle.User, id string, limit int64,
) (one ShownComment, page int64, err error) {
	c, err := s.commentOf(ctx, viewer, s.as(viewer).Author(), id)
	if err != nil {
		return one, 0, err
	}
	before, err := s.store.ThreadsBefore(ctx, s.as(viewer), c)
	if err != nil {
		return one, 0, err
	}
	shown, err := s.shown(ctx, viewer, []studycircle.Comment{c}, nil)
	if err != nil {
		return one, 0, err
	}
	return shown[0], before/limit + 1, nil
}

// commentOf reads a comment as v, on an assignment that viewer may see.
func (s *Service) commentOf(
	ctx context.Context, viewer studycircle.User, v studycircle.Viewer, id string,
) (c studycircle.Comment, err error) {
	if !studycircle.ValidID(id) { // see assignmentOf
		return c, studycircle.ErrNotFound
	}
	if c, err = s.store.Comment(ctx, v, id); err != nil {
		return c, err
	}
	_, err = s.store.DiscussionClosed(ctx, s.as(viewer), c.AssignmentID)
	return c, err
}

// shown returns comments with their first replies as viewer sees them.
func (s *Service) shown(
	ctx context.Context, viewer studycircle.User, comments []studycircle.Comment, first map[string][]studycircle.Comment,
) ([]ShownComment, error) {
	var ids, mentioned []string
	known := map[string]bool{}
	look := func(c studycircle.Comment) {
		ids = append(ids, c.ID)
		for _, id := range markdown.MentionedIn(c.HTML) {
			if !known[id] {
				known[id], mentioned = true, append(mentioned, id)
			}
		}
	}
	for _, c := range comments {
		look(c)
		for _, r := range first[c.ID] {
			look(r)
		}
	}
	names, err := s.store.Names(ctx, s.as(viewer), mentioned)
	if err != nil {
		return nil, err
	}
	chosen, err := s.store.ReactionsOf(ctx, s.as(viewer), ids)
	if err != nil {
		return nil, err
	}
	var show func([]studycircle.Comment) []ShownComment
	show = func(some []studycircle.Comment) []ShownComment {
		out := make([]ShownComment, len(some))
		for i, c := range some {
			out[i] = ShownComment{
				Comment: c, Mine: viewer.ID != "" && c.Author.UserID == viewer.ID, Chosen: chosen[c.ID], First: show(first[c.ID]),
			}
			out[i].HTML = markdown.WithNames(c.HTML, nameIn(names))
		}
		return out
	}
	return show(comments), nil
}

func nameIn(names map[string]string) func(id string) string {
	return func(id string) string {
		if name, known := names[id]; known {
			return name
		}
		return studycircle.NobodyName
	}
}

// MaxParticipants is how many users Participants returns at most.
const MaxParticipants = 10

// Participants returns users to mention under an assignment, and the number of matches: the creator and the latest
// authors whose names have a word that begins with each word of search, at most MaxParticipants, sorted by name. Any
// user may ask. ErrNotFound.
func (s *Service) Participants(
	ctx context.Context, viewer studycircle.User, assignmentID, search string,
) ([]studycircle.Participant, int64, error) {
	if !studycircle.ValidID(assignmentID) { // see assignmentOf
		return nil, 0, studycircle.ErrNotFound
	}
	if _, err := s.store.DiscussionClosed(ctx, s.as(viewer), assignmentID); err != nil {
		return nil, 0, err
	}
	return s.store.Participants(ctx, assignmentID, search, MaxParticipants)
}

// Preview returns the HTML of a comment. CodeInvalid.
func (s *Service) Preview(ctx context.Context, viewer studycircle.User, text string) (string, error) {
	in, err := studycircle.CommentInput{Text: text}.Clean()
	if err != nil {
		return "", err
	}
	doc := markdown.Render(in.Text, commentHeadings)
	mentioned := doc.Mentioned
	if len(mentioned) > studycircle.MaxMentions {
		return "", in.CheckMentions(len(mentioned), 0)
	}
	names, err := s.store.Names(ctx, s.as(viewer), mentioned)
	return markdown.WithNames(doc.HTML, nameIn(names)), err
}
