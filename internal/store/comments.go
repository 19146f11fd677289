package store

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
	"studycircle/internal/store/words"
)

// Comment returns a comment, also a deleted or hidden one, or ErrNotFound.
func (s *Store) Comment(ctx context.Context, v studycircle.Viewer, id string) (_ studycircle.Comment, err error) {
	defer s.operation(&err, "Store.Comment", id)
	return find(ctx, s, v, tables.Comments, tables.CommentByID, id)
}

// Comment returns a comment, also a deleted or hidden one, or ErrNotFound.
func (tx *Tx) Comment(ctx context.Context, id string) (_ studycircle.Comment, err error) {
	defer tx.operation(&err, "Tx.Comment", id)
	return findIn(ctx, tx, tx.viewer, tables.Comments, tables.CommentByID, id)
}

// DiscussionClosed reports whether the discussion of a live assignment is closed;
// ErrNotFound.
func (s *Store) DiscussionClosed(ctx context.Context, v studycircle.Viewer, assignmentID string) (_ bool, err error) {
	defer s.operation(&err, "Store.DiscussionClosed", assignmentID)
	d, err := find(ctx, s, v, tables.Discussions, tables.DiscussionByID, assignmentID)
	return d.Closed, err
}

// Discussion returns the circle of a live assignment and whether its discussion is closed;
// ErrNotFound.
func (tx *Tx) Discussion(ctx context.Context, assignmentID string) (circleID string, closed bool, err error) {
	defer tx.operation(&err, "Tx.Discussion", assignmentID)
	d, err := findIn(ctx, tx, tx.viewer, tables.Discussions, tables.DiscussionByID, assignmentID)
	return d.CircleID, d.Closed, err
}

// SetDiscussionClosed closes or opens the discussion of a live assignment and
// reports whether that changed anything.
func (tx *Tx) SetDiscussionClosed(ctx context.Context, assignmentID string, closed bool) (_ bool, err error) {
	defer tx.operation(&err, "Tx.SetDiscussionClosed", assignmentID)
	changed, err := tx.Queries.SetDiscussionClosed(ctx, db.SetDiscussionClosedParams{
		ID: assignmentID, DiscussionClosed: closed,
	})
	for _, circleID := range changed {
		tx.announceComment(studycircle.CommentChanged, studycircle.Comment{AssignmentID: assignmentID, CircleID: circleID})
	}
	return len(changed) > 0, err
}

// Threads returns a page of an assignment's threads, oldest first, and their number.
func (s *Store) Threads(
	ctx context.Context, v studycircle.Viewer, assignmentID string, p studycircle.Page,
) (_ []studycircle.Comment, _ int64, err error) {
	defer s.operation(&err, "Store.Threads", assignmentID)
	return ownPage(ctx, s, v, tables.Comments, tables.Threads, []any{assignmentID}, p)
}

// Replies returns a page of the replies to a comment, oldest first, and their number.
func (s *Store) Replies(
	ctx context.Context, v studycircle.Viewer, threadID string, p studycircle.Page,
) (_ []studycircle.Comment, _ int64, err error) {
	defer s.operation(&err, "Store.Replies", threadID)
	return ownPage(ctx, s, v, tables.Comments, tables.Replies, []any{threadID}, p)
}

// FirstReplies returns the first n replies to each of some comments, oldest first in each, with one query.
func (s *Store) FirstReplies(
	ctx context.Context, v studycircle.Viewer, threadIDs []string, n int,
) (_ map[string][]studycircle.Comment, err error) {
	defer s.operation(&err, "Store.FirstReplies")
	out := make(map[string][]studycircle.Comment, len(threadIDs))
	if len(threadIDs) == 0 {
		return out, nil
	}
	found := tables.Comments.CollectPage(int64(n * len(threadIDs)))
	if err := askMany(ctx, s, v, tables.FirstReplies, threadIDs, found, int64(n)); err != nil {
		return nil, err
	}
	for _, c := range found.All {
		out[c.ThreadID] = append(out[c.ThreadID], c)
	}
	return out, nil
}

// ThreadsBefore returns the number of threads before a comment's own in their list.
func (s *Store) ThreadsBefore(ctx context.Context, v studycircle.Viewer, c studycircle.Comment) (_ int64, err error) {
	defer s.operation(&err, "Store.ThreadsBefore")
	seq := c.Seq
	if c.ThreadID != "" {
		// The thread of a hidden reply may be unlisted.
		thread, err := find(ctx, s, v.Moderator(), tables.Comments, tables.CommentByID, c.ThreadID)
		if err != nil {
			return 0, err
		}
		seq = thread.Seq
	}
	return s.engine.Queries().ThreadsBefore(ctx, db.ThreadsBeforeParams{AssignmentID: c.AssignmentID, Seq: seq})
}

// participantComments bounds the comments whose authors Participants considers, because it matches names in memory.
const participantComments = 500

// Participants returns the creator of an assignment and the authors of its latest participantComments visible
// comments: up to limit of those whose names have a word that begins with each word of search, sorted by name, and
// the number of matches. Namesakes also have their photos and sections.
func (s *Store) Participants(
	ctx context.Context, assignmentID, search string, limit int,
) (some []studycircle.Participant, total int64, err error) {
	defer s.operation(&err, "Store.Participants", assignmentID)
	rows, err := s.engine.Queries().ParticipantsOf(ctx, db.ParticipantsOfParams{
		AssignmentID: assignmentID, Latest: participantComments,
	})
	if err != nil {
		return nil, 0, err
	}
	wanted, named := words.Cut(search), map[string]int{}
	for _, r := range rows {
		named[r.DisplayName]++
	}
	for _, r := range rows {
		if !isNamed(r.DisplayName, wanted) {
			continue
		}
		if total++; len(some) >= limit {
			continue
		}
		p := studycircle.Participant{UserID: r.ID, DisplayName: r.DisplayName}
		if named[r.DisplayName] > 1 {
			p.PhotoURL, p.Label = r.PhotoUrl, r.Label
		}
		some = append(some, p)
	}
	return some, total, nil
}

// isNamed reports whether each wanted word begins a word of a name.
func isNamed(name string, wanted []string) bool {
	of := words.Cut(name)
	for _, w := range wanted {
		if !slices.ContainsFunc(of, func(word string) bool { return strings.HasPrefix(word, w) }) {
			return false
		}
	}
	return true
}

// Names returns the display names of users, by their ids, without deleted accounts.
func (s *Store) Names(ctx context.Context, v studycircle.Viewer, userIDs []string) (_ map[string]string, err error) {
	defer s.operation(&err, "Store.Names")
	out := make(map[string]string, len(userIDs))
	if len(userIDs) == 0 {
		return out, nil
	}
	keys := make([]any, len(userIDs))
	for i, id := range userIDs {
		keys[i] = id
	}
	found := tables.Names.Collect(int64(len(keys)))
	if err := s.engine.Find(ctx, v, tables.NameByID, keys, found); err != nil {
		return nil, err
	}
	for _, p := range found.All {
		out[p.UserID] = p.DisplayName
	}
	return out, nil
}

// ReactionsOf returns a user's reactions to some comments, by the comments' ids.
func (s *Store) ReactionsOf(
	ctx context.Context, v studycircle.Viewer, commentIDs []string,
) (_ map[string][]studycircle.Reaction, err error) {
	defer s.operation(&err, "Store.ReactionsOf")
	out := map[string][]studycircle.Reaction{}
	if v.UserID() == "" || len(commentIDs) == 0 {
		return out, nil
	}
	found := tables.Reactions.Collect(int64(len(commentIDs)))
	for ids := range slices.Chunk(commentIDs, tables.MostIDs) {
		if err := askMany(ctx, s, v, tables.ReactionsBy, ids, found, v.UserID()); err != nil {
			return nil, err
		}
		for _, r := range found.All {
			out[r.CommentID] = append(out[r.CommentID], r.Kind)
		}
	}
	return out, nil
}

// EachCommentOf calls f with every comment of a user, oldest first.
func (s *Store) EachCommentOf(ctx context.Context, userID string, f func(studycircle.Comment) error) (err error) {
	defer s.operation(&err, "Store.EachCommentOf", userID)
	return s.eachComment(ctx, studycircle.ViewerOf(userID).Author(), tables.AuthorComments, userID, f)
}

// TakesPart reports whether a user commented on an assignment, or created it.
func (tx *Tx) TakesPart(ctx context.Context, assignmentID, userID string) (_ bool, err error) {
	defer tx.operation(&err, "Tx.TakesPart", assignmentID, userID)
	return tx.Queries.TakesPart(ctx, db.TakesPartParams{AssignmentID: assignmentID, UserID: userID})
}

// InsertComment adds a comment; ErrNotFound if its thread or its author is gone.
func (tx *Tx) InsertComment(ctx context.Context, c studycircle.Comment) (err error) {
	defer tx.operation(&err, "Tx.InsertComment")
	engine.At(ctx, "commenting")
	kind := studycircle.CommentCreated
	if c.ThreadID != "" {
		// First the thread, in the order of deletions.
		if err := mustAffect(tx.Queries.CountReply(ctx, c.ThreadID)); err != nil {
			return err
		}
		kind = studycircle.CommentChanged
	}
	c.Listed = true
	err = tx.DB.QueryRowContext(
		ctx, tables.InsertComment.Text(1, tx.Engine.Placeholder), tables.Comments.Values(&c, tables.Comments.Inserted)...,
	).Scan(&c.Seq)
	if err != nil {
		return tx.orGone(err)
	}
	tx.announceComment(kind, c)
	return nil
}

// announceComment announces a change of the discussion that c belongs to, to all who may see its place.
func (tx *Tx) announceComment(kind studycircle.EventKind, c studycircle.Comment) {
	tx.Announce(studycircle.Event{Kind: kind, ID: c.AssignmentID, Audience: studycircle.Everybody.In(c.CircleID)})
}

// EditComment changes the text of a comment; ErrNotFound if it is not visible any more.
func (tx *Tx) EditComment(ctx context.Context, c studycircle.Comment) (err error) {
	defer tx.operation(&err, "Tx.EditComment")
	err = mustAffect(tx.Queries.EditComment(ctx, db.EditCommentParams{
		ID: c.ID, Text: c.Text, Html: c.HTML, EditedAt: optionalMicros(c.EditedAt),
	}))
	tx.announceComment(studycircle.CommentChanged, c)
	return err
}

// DeleteComment deletes a comment. One with replies keeps its row without a text until its last reply is deleted.
// ErrNotFound if it is gone.
func (tx *Tx) DeleteComment(ctx context.Context, c studycircle.Comment, now time.Time) (err error) {
	defer tx.operation(&err, "Tx.DeleteComment")
	// The comment and its thread, in one order, because a reply locks the thread.
	if err := tx.lock(ctx, tables.CommentAndThread, c.ID, c.ThreadID); err != nil {
		return err
	}
	if locked, err := tx.Comment(ctx, c.ID); err != nil || !locked.Shows() {
		return cmp.Or[error](err, studycircle.ErrNotFound)
	}
	tx.announceComment(studycircle.CommentDeleted, c)
	if err := tx.forgetComment(ctx, c); err != nil {
		return err
	}
	emptied, err := tx.Queries.EmptyComment(ctx, db.EmptyCommentParams{ID: c.ID, DeletedAt: optionalMicros(now)})
	if err != nil {
		return err
	}
	if emptied > 0 {
		return tx.Queries.DeleteReactionsTo(ctx, c.ID)
	}
	buried, err := tx.Queries.BuryComment(ctx, db.BuryCommentParams{ID: c.ID, Now: micros(now)})
	if err != nil {
		return err
	}
	if buried > 0 {
		return tx.Queries.DeleteReactionsTo(ctx, c.ID)
	}
	if err := mustAffect(tx.Queries.DeleteComment(ctx, c.ID)); err != nil || c.ThreadID == "" {
		return err
	}
	return tx.uncountReply(ctx, c, now)
}

// uncountReply removes a reply from its thread's count. A deleted thread goes with its last reply.
func (tx *Tx) uncountReply(ctx context.Context, c studycircle.Comment, now time.Time) error {
	threads, err := tx.Queries.UncountReply(ctx, c.ThreadID)
	if err != nil || len(threads) == 0 || threads[0].Replies > 0 {
		return err
	}
	switch thread := threads[0]; {
	case thread.DeletedAt.Valid:
		var buried int64
		buried, err = tx.Queries.BuryComment(ctx, db.BuryCommentParams{ID: c.ThreadID, Now: micros(now)})
		if err == nil && buried == 0 {
			_, err = tx.Queries.DeleteComment(ctx, c.ThreadID)
		}
	case thread.HiddenAt.Valid:
		err = tx.Queries.UnlistComment(ctx, c.ThreadID)
	}
	return err
}

// React adds or removes a user's reaction to a comment, and reports whether that changed anything; ErrNotFound if the
// comment is not visible any more.
func (tx *Tx) React(
	ctx context.Context, commentID, userID string, r studycircle.Reaction, on bool,
) (_ bool, err error) {
	defer tx.operation(&err, "Tx.React", commentID, userID)
	if err := tx.lock(ctx, tables.CommentRow, commentID); err != nil {
		return false, err
	}
	c, err := tx.Comment(ctx, commentID)
	if err == nil && !c.Shows() {
		err = studycircle.ErrNotFound
	}
	if err != nil {
		return false, err
	}
	var n int64
	step := int64(1)
	if on {
		n, err = tx.Queries.InsertReaction(ctx, db.InsertReactionParams{
			CommentID: commentID, UserID: userID, Kind: string(r),
		})
	} else {
		n, err = tx.Queries.DeleteReaction(ctx, db.DeleteReactionParams{
			CommentID: commentID, UserID: userID, Kind: string(r),
		})
		step = -1
	}
	if err != nil || n == 0 {
		return false, tx.orGone(err)
	}
	var change studycircle.ReactionCounts
	change[r.Place()] = step
	tx.announceComment(studycircle.CommentChanged, c)
	return true, tx.countReactions(ctx, commentID, change)
}

func (tx *Tx) countReactions(ctx context.Context, commentID string, change studycircle.ReactionCounts) error {
	return mustAffect(tx.Queries.CountReaction(ctx, db.CountReactionParams{
		ID: commentID, Likes: change[0], Thanks: change[1], Insightful: change[2], Questions: change[3],
	}))
}

// forgetDiscussions removes a user's reactions, after lockDeletion. Their comments stay without an author.
func (tx *Tx) forgetDiscussions(ctx context.Context, userID string) error {
	rows, err := tx.Queries.ReactionsOfUser(ctx, userID)
	if err != nil {
		return err
	}
	changes := map[string]studycircle.ReactionCounts{}
	for _, r := range rows {
		change := changes[r.CommentID]
		change[studycircle.Reaction(r.Kind).Place()]--
		changes[r.CommentID] = change
	}
	for id, change := range changes {
		if err := tx.countReactions(ctx, id, change); err != nil {
			return err
		}
	}
	return nil
}
