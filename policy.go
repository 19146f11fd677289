package studycircle

// Who may do what, as pure functions. A nil error means yes; a "no" carries the
// code and the sentence that the user gets. viewer is a user's id; whoever is
// not signed in gets to MayHear only. Anything these functions do not know is a no.

// MayChangeAssignment lets the creator alone update or delete.
func MayChangeAssignment(viewer string, a Assignment) error {
	if viewer == "" || a.Creator.UserID != viewer {
		return Errorf(CodeNotYourAssignment, "This is not your assignment.")
	}
	return nil
}

// MaySubmit lets everybody but the creator hand in.
func MaySubmit(viewer string, a Assignment) error {
	if viewer == "" || a.Creator.UserID == viewer {
		return Errorf(CodeOwnAssignment, "This is your assignment.")
	}
	return nil
}

// MayBeReminded lets everybody but the creator ask to be reminded.
func MayBeReminded(viewer string, a Assignment) error { return MaySubmit(viewer, a) }

// MayReadResults lets the creator alone see what others got.
func MayReadResults(viewer string, a Assignment) error { return MayChangeAssignment(viewer, a) }

// MayGrade lets everybody but the submitter grade what is still pending.
func MayGrade(viewer string, s Gradable) error {
	if viewer == "" || s.SubmitterID == viewer {
		return Errorf(CodeOwnSubmission, "You cannot grade your own submission.")
	}
	return stillPending(s.Status)
}

// MayChangeSubmission lets the submitter change or withdraw what is still pending.
func MayChangeSubmission(viewer string, s Submission) error {
	if viewer == "" || s.Submitter.UserID != viewer {
		return Errorf(CodeNotYourSubmissions, "This is not your submission.")
	}
	return stillPending(s.Status)
}

// MayChangeComment lets the author alone change a comment.
func MayChangeComment(viewer string, c Comment) error {
	if viewer == "" || c.Author.UserID != viewer {
		return Errorf(CodeNotYourComment, "This is not your comment.")
	}
	return nil
}

// MayDeleteComment lets the author, the assignment's creator and moderators delete
// a comment.
func MayDeleteComment(viewer string, moderates bool, c Comment, a Assignment) error {
	if viewer != "" && (moderates || a.Creator.UserID == viewer) {
		return nil
	}
	return MayChangeComment(viewer, c)
}

// MayCloseDiscussion lets the assignment's creator and moderators close and open
// its discussion.
func MayCloseDiscussion(viewer string, moderates bool, a Assignment) error {
	if viewer != "" && moderates {
		return nil
	}
	return MayChangeAssignment(viewer, a)
}

// MayModerate lets moderators alone see and decide what was reported.
func MayModerate(viewer User, moderators Moderators) error {
	if !moderators.Include(viewer) {
		return Errorf(CodeNotModerator, "This is for moderators.")
	}
	return nil
}

// MayListSubmissionsOf lets users list their own submissions only. email is
// normalized.
func MayListSubmissionsOf(viewer User, email string) error {
	if viewer.Email == "" || viewer.Email != email {
		return Errorf(CodeNotYourSubmissions, "You can list your own submissions only.")
	}
	return nil
}

// MayHear tells whether viewer, "" for a visitor, is told of an event.
func MayHear(viewer string, e Event) bool {
	switch e.Audience {
	case Everybody:
		return true
	case AllUsers:
		return viewer != ""
	default:
		return viewer != "" && viewer == string(e.Audience)
	}
}

func stillPending(s Status) error {
	if s != Pending {
		return Errorf(CodeAlreadyGraded, "Someone has already marked this submission.")
	}
	return nil
}
