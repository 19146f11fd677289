package studycircle

import "time"

// MaxLooks is the number of submissions that Looks lists.
const MaxLooks = 10

// MayMarkKnown allows those whom MayDecideAbout allows to mark work as known, at any time, but for their own. r is the
// zero Reviewing if one grade is the mark, which no other review can learn from.
func MayMarkKnown(viewer string, in OwnCircle, a Assignment, r Reviewing) error {
	if err := MayDecideAbout(viewer, in, a); err != nil {
		return err
	}
	switch {
	case r.Phase == "":
		return ErrNotFound
	case r.SubmitterID == viewer:
		return Errorf(CodeOwnSubmission, "You cannot mark your own submission.")
	}
	return nil
}

// MarkKnown makes the mark of a creator or an organizer the submission's. From then on the submission is known work,
// from which the grade model learns how its reviewers mark, as from an exemplar.
func (c *ReviewCase) MarkKnown(in ReopenInput, now time.Time) {
	c.begin()
	c.release()
	c.Reviewing.Known = in.Mark
	c.settled(in.settlement(SettleKnown, now))
}

// BecameKnown reports whether the decision makes a submission known work that was none before.
func (c *ReviewCase) BecameKnown() bool {
	return c.Reviewing.Known != nil && c.Decided.Before.Known == nil
}

// ReviewedWork is a submission or an exemplar with its reviews, as the grade model sees them.
type ReviewedWork struct {
	SubmissionID string
	Seq          int64 // the submission's position among all
	Total        int64
	Known        *int64
	Settled      bool
	Reviews      []Review // reviewers and marks
}
