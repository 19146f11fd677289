package studycircle

import (
	"fmt"
	"time"
)

// Bounds of saved rubrics and feedback phrases.
const (
	MaxSavedRubrics = 50 // of one user, and of one circle
	MaxPhrases      = 50
	MaxPhrase       = 300
)

// SavedRubric is a rubric under a name, for its maker or for a circle.
type SavedRubric struct {
	ID       string
	MakerID  string // "" if the account is gone
	CircleID string // "" if it is its maker's own
	Name     string
	Rubric   Rubric
	SavedAt  time.Time
}

// SavedRubricInput is the input of a user who saves a rubric.
type SavedRubricInput struct {
	Name     string
	Rubric   Rubric
	CircleID string
}

// Clean trims and checks in; CodeInvalid.
func (in SavedRubricInput) Clean() (SavedRubricInput, error) {
	var p problems
	in.Name = p.text("name", "The name", in.Name, 1, MaxName, singleLine)
	in.Rubric = in.Rubric.clean(&p, "")
	return in, p.err(CodeInvalid)
}

// MaySaveRubric allows every user to save rubrics for themselves, and members for their circle, up to MaxSavedRubrics.
func MaySaveRubric(viewer string, in OwnCircle, circleID string, saved int64) error {
	if viewer == "" {
		return ErrNotFound
	}
	if err := MayWriteIn(in, circleID); err != nil {
		return err
	}
	if saved >= MaxSavedRubrics {
		return Errorf(CodeTooManyRubrics, "There are already %d saved rubrics. Delete one first.", MaxSavedRubrics)
	}
	return nil
}

// MayDeleteRubric allows users to delete their own saved rubrics, and in a circle also its organizers. Those who cannot
// see it get ErrNotFound.
func MayDeleteRubric(viewer string, in OwnCircle, r SavedRubric) error {
	mine := viewer != "" && r.MakerID == viewer
	if r.CircleID == Hall && !mine {
		return ErrNotFound
	}
	if err := maySeeIn(in, r.CircleID); err != nil {
		return err
	}
	if !mine && !in.organizes(r.CircleID) {
		return Errorf(CodeNotOrganizer, "Only the user who saved it and the circle's organizers can delete it.")
	}
	return MayWriteIn(in, r.CircleID)
}

// Phrases are the sentences that a user keeps for feedback.
type Phrases []string

// Clean trims and checks the phrases; CodeInvalid.
func (all Phrases) Clean() (Phrases, error) {
	var p problems
	if len(all) > MaxPhrases {
		p.add("phrases", "There can be at most %d phrases.", MaxPhrases)
		return all, p.err(CodeInvalid)
	}
	out := make(Phrases, len(all))
	for i, phrase := range all {
		out[i] = p.text(fmt.Sprintf("phrases[%d]", i), "The phrase", phrase, 1, MaxPhrase, singleLine)
	}
	return out, p.err(CodeInvalid)
}
