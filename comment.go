package studycircle

import "time"

// Bounds of discussions.
const (
	MaxComment  = 5_000
	MaxMentions = 10 // in one comment
	MaxReason   = 500
	// FirstReplies is the number of replies that come with a thread.
	FirstReplies = 3
	// DefaultThreads is the number of threads on a page if the request names none.
	DefaultThreads = 20
)

// Reaction is a kind of reaction to a comment.
type Reaction string

// Reactions lists every reaction, in the order of ReactionCounts.
var Reactions = [...]Reaction{"like", "thanks", "insightful", "question"}

// Place returns the index of r in Reactions; -1 if it is unknown.
func (r Reaction) Place() int {
	for i, known := range Reactions {
		if r == known {
			return i
		}
	}
	return -1
}

// ReactionCounts holds the number of users for each of Reactions.
type ReactionCounts [len(Reactions)]int64

// Participant is a user who may be mentioned in a discussion.
type Participant struct {
	UserID, DisplayName string
	// PhotoURL and Label, the section in the assignment's circle, tell namesakes apart; "" for other users.
	PhotoURL, Label string
}

// Comment is a comment on an assignment.
type Comment struct {
	// Seq orders comments by creation, independently of the clock.
	Seq          int64
	ID           string
	AssignmentID string
	CircleID     string // the assignment's
	// ThreadID is the comment that this one replies to; "" if it starts a thread.
	ThreadID string
	Author   Person
	// Text is Markdown, HTML its rendering: see package markdown. A mention keeps the name that was written.
	Text string
	HTML string
	// Partial reports that a page had no room for the texts: Text is cut to its Beginning, HTML is "".
	Partial   bool
	CreatedAt time.Time
	// EditedAt is zero unless the author has changed it.
	EditedAt time.Time
	// DeletedAt is zero unless the comment is deleted and only its replies remain.
	DeletedAt time.Time
	// HiddenAt is zero unless a moderator has hidden the comment, for HiddenReason.
	HiddenAt     time.Time
	HiddenReason string
	// Listed reports whether lists contain the comment: it is visible, or a reply of another user to it is.
	Listed bool
	// Replies is the number of its listed replies.
	Replies int64
	Reacted ReactionCounts
}

// Shows reports whether readers see the text of c.
func (c Comment) Shows() bool { return c.DeletedAt.IsZero() && c.HiddenAt.IsZero() }

// CommentInput is the input of a user who writes a comment.
type CommentInput struct {
	Text string
	// ParentID is the comment that this one answers; "" starts a thread. An answer to a reply joins that reply's
	// thread.
	ParentID string
}

// Clean trims and checks in; CodeInvalid, ErrNotFound.
func (in CommentInput) Clean() (CommentInput, error) {
	var p problems
	in.Text = p.text("text", "The comment", in.Text, 1, MaxComment, multiLine)
	if err := p.err(CodeInvalid); err != nil {
		return in, err
	}
	if in.ParentID != "" && !ValidID(in.ParentID) {
		return in, ErrNotFound
	}
	return in, nil
}

// CheckMentions refuses a comment with too many mentions, or with a mention of a user who takes no part in the
// discussion; CodeInvalid. known is the number of mentioned users who take part.
func (in CommentInput) CheckMentions(mentioned, known int) error {
	var p problems
	if mentioned > MaxMentions {
		p.add("text", "A comment can mention at most %d people; this one mentions %d.", MaxMentions, mentioned)
	} else if known < mentioned {
		p.add("text", "Only people who take part in this discussion can be mentioned.")
	}
	return p.err(CodeInvalid)
}

// CleanReason trims and checks the reason of a report; CodeInvalid.
func CleanReason(reason string) (string, error) {
	var p problems
	reason = p.text("reason", "The reason", reason, 1, MaxReason, multiLine)
	return reason, p.err(CodeInvalid)
}
