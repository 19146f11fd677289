package studycircle

import "time"

// Bounds of discussions.
const (
	MaxComment  = 5_000
	MaxMentions = 10 // in one comment
	MaxReason   = 500
	// FirstReplies is how many replies come with a thread.
	FirstReplies = 3
	// DefaultThreads is how many threads a page has unless it is asked for another number.
	DefaultThreads = 20
)

// Reaction is what somebody may say of a comment without words.
type Reaction string

// Reactions are all there are, in the order in which they are counted.
var Reactions = [...]Reaction{"like", "thanks", "insightful", "question"}

// Place is where r stands among Reactions; -1 where it is none.
func (r Reaction) Place() int {
	for i, known := range Reactions {
		if r == known {
			return i
		}
	}
	return -1
}

// ReactionCounts says of each of Reactions how many people chose it.
type ReactionCounts [len(Reactions)]int64

// Comment is what somebody wrote under an assignment.
type Comment struct {
	// Seq orders comments as they came, whatever the clock says.
	Seq          int64
	ID           string
	AssignmentID string
	// ThreadID is the comment that this one replies to; "" where it begins a thread.
	ThreadID string
	Author   Person
	// Text is Markdown, HTML what it shows as: see package markdown. Mentions in it
	// have the names that were written down.
	Text string
	HTML string
	// Partial says that a page had no room for it: Text is its Beginning, HTML is "".
	Partial   bool
	CreatedAt time.Time
	// EditedAt is zero unless the author has changed it.
	EditedAt time.Time
	// DeletedAt is zero but where nothing of a comment is left than its replies.
	DeletedAt time.Time
	// HiddenAt is zero unless a moderator has hidden it, for HiddenReason.
	HiddenAt     time.Time
	HiddenReason string
	// Listed says that it has a place in its list: it shows, or others' replies to it do.
	Listed bool
	// Replies is how many listed replies it has.
	Replies int64
	Reacted ReactionCounts
}

// Shows tells whether anybody may read what c says.
func (c Comment) Shows() bool { return c.DeletedAt.IsZero() && c.HiddenAt.IsZero() }

// CommentInput is what somebody writes.
type CommentInput struct {
	Text string
	// ParentID is the comment that this one answers; "" for a new thread. Who
	// answers a reply answers its thread.
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

// CheckMentions refuses a comment that mentions too many, or somebody who takes no
// part in the discussion; CodeInvalid. known is how many of the mentioned may be.
func (in CommentInput) CheckMentions(mentioned, known int) error {
	var p problems
	if mentioned > MaxMentions {
		p.add("text", "A comment can mention at most %d people; this one mentions %d.", MaxMentions, mentioned)
	} else if known < mentioned {
		p.add("text", "Only people who take part in this discussion can be mentioned.")
	}
	return p.err(CodeInvalid)
}

// CleanReason trims and checks why somebody reports something; CodeInvalid.
func CleanReason(reason string) (string, error) {
	var p problems
	reason = p.text("reason", "The reason", reason, 1, MaxReason, multiLine)
	return reason, p.err(CodeInvalid)
}
