package studycircle

// ReviewReply is a submitter's reply to a review, identified by its label.
type ReviewReply struct {
	SubmissionID string
	Label        string
	ReplyInput
}

// Appeal is a submitter's appeal against a mark.
type Appeal struct {
	SubmissionID string
	Reason       string
}

// GivenReaction is a user's reaction to a comment.
type GivenReaction struct {
	CommentID string
	Kind      Reaction
}
