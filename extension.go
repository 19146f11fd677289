package studycircle

import "time"

// MaxExtraDays bounds the extra days of a membership.
const MaxExtraDays = 60

// Extension is a user's own due date for an assignment. Organizers, the assignment's creator and the user see it.
type Extension struct {
	AssignmentID string
	CircleID     string // the assignment's
	User         Person
	Name         string // as in the roster
	Due          DueDate
	// Given is the due date that was given for the assignment; zero if only the extra days of the membership apply.
	Given DueDate
	Days  int64 // of the membership
}

// ExtendedDue returns the due date that applies to a user: the latest of the assignment's, the one given to the user,
// which may be zero, and the assignment's moved by the extra days of the membership. zone is the creator's time zone,
// nil if unknown.
func ExtendedDue(due, given DueDate, days int64, zone *time.Location) DueDate {
	applies := due
	if days > 0 {
		applies = due.AddDays(int(days), zone)
	}
	if given.Time().After(applies.Time()) {
		applies = given
	}
	return applies
}

// CheckExtension refuses a due date of a user's own that is not after the assignment's; CodeInvalid.
func CheckExtension(due, given DueDate) error {
	var p problems
	if !given.Time().After(due.Time()) {
		p.add("dueDate", "Extra time must end after the due date of the assignment.")
	}
	return p.err(CodeInvalid)
}

// ParseExtension reads a user's own due date; CodeInvalid.
func ParseExtension(text string) (DueDate, error) {
	var p problems
	due, err := ParseDueDate(text)
	if err != nil {
		p.add("dueDate", "The due date %v.", err)
	}
	return due, p.err(CodeInvalid)
}

// MayExtend allows those whom MayDecideAbout allows to give extra time to a user who may hand in for the assignment.
// Others than members get ErrNotFound.
func MayExtend(viewer string, in OwnCircle, a Assignment, member bool, userID string) error {
	if err := MayDecideAbout(viewer, in, a); err != nil {
		return err
	}
	if !member || userID == "" || userID == a.Creator.UserID {
		return ErrNotFound
	}
	return nil
}

// Late reports whether a submission for a is late under the due date that applies to its submitter: it was handed in
// after it or, if the assignment says so, its link was changed after it.
func (a Assignment) Late(due DueDate, handedIn, linkChanged time.Time) bool {
	return handedIn.After(due.Time()) || a.LateLinks && linkChanged.After(due.Time())
}
