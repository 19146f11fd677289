package notify

import (
	"fmt"

	"studycircle"
)

// quoted sets a title apart from the sentence around it, between quotation marks.
func quoted(title string) string { return "“" + isolated(title) + "”" }

// isolated gives a text a direction of its own, whichever way it is written, by U+2068
// and U+2069. It must hold none of their kind, which would end that early.
func isolated(text string) string {
	return "\u2068" + studycircle.StripBidiControls(text) + "\u2069"
}

// words are what a mail says of a notification: what happened, and what its link is for.
func words(n studycircle.Notification, due string) (happened, action string) {
	title, who := quoted(n.Title), "Somebody"
	if n.Actor.DisplayName != "" {
		who = isolated(n.Actor.DisplayName)
	}
	several := n.Count > 1
	switch n.Kind {
	case studycircle.NotifyGraded:
		return "Your work on " + title + " was graded.", "See your mark"
	case studycircle.NotifySettlement:
		return "Your mark for " + title + " was settled anew.", "See your mark"
	case studycircle.NotifyTaken:
		if several {
			return fmt.Sprintf("%d people handed in work for your assignment %s.", n.Count, title), "See what they handed in"
		}
		return who + " handed in work for your assignment " + title + ".", "See what was handed in"
	case studycircle.NotifyComment:
		if several {
			return fmt.Sprintf("There are %d new comments on your assignment %s.", n.Count, title), "Read them"
		}
		return who + " wrote a comment on your assignment " + title + ".", "Read it"
	case studycircle.NotifyReply:
		if several {
			return fmt.Sprintf("There are %d new replies in your thread on %s.", n.Count, title), "Read them"
		}
		return who + " replied in your thread on " + title + ".", "Read the reply"
	case studycircle.NotifyMention:
		return who + " mentioned you in the discussion of " + title + ".", "Read what was said"
	case studycircle.NotifyDue:
		if due == "" {
			due = "soon"
		}
		return title + " is due " + due + ".", "Open the assignment"
	case studycircle.NotifyReview:
		return "Work on " + title + " waits for your review.", "Review it"
	case studycircle.NotifyAppeal:
		return "A mark for " + title + " was appealed: please decide.", "Decide"
	case studycircle.NotifyUnreviewed:
		return "Nobody has reviewed a submission for " + title + " yet.", "See your results"
	case studycircle.NotifyReport:
		if several {
			return fmt.Sprintf("There are %d new reports about %s.", n.Count, title), "Look at them"
		}
		return "Something was reported about " + title + ".", "Look at it"
	}
	return "There is something new about " + title + ".", "See what"
}

// calls is what people call a kind, after "mails about".
func calls(kind studycircle.NotificationKind) string {
	return map[studycircle.NotificationKind]string{
		studycircle.NotifyGraded: "grades of your work", studycircle.NotifySettlement: "changed marks", studycircle.NotifyTaken: "work for your assignments",
		studycircle.NotifyComment: "comments on your assignments", studycircle.NotifyReply: "replies", studycircle.NotifyMention: "mentions",
		studycircle.NotifyDue: "due dates", studycircle.NotifyReview: "reviews asked of you", studycircle.NotifyAppeal: "appeals",
		studycircle.NotifyUnreviewed: "work that nobody reviews", studycircle.NotifyReport: "reports",
	}[kind]
}
