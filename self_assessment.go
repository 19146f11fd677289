package studycircle

import "time"

// SelfAssessment is a submitter's judgement of their own work by the assignment's rubric. It counts for nothing.
type SelfAssessment struct {
	SubmissionID string
	Levels       []int64 // as a review's
	At           time.Time
}

// SelfAssessmentInput is the input of a submitter who judges their own work.
type SelfAssessmentInput struct{ Levels []int64 }

// CheckUnder refuses levels that are not those of a rubric, which may be empty; CodeInvalid.
func (in SelfAssessmentInput) CheckUnder(r Rubric) error {
	var p problems
	if r.Empty() {
		p.add("levels", "There is no rubric to choose levels from.")
	} else if _, chosen := r.Mark(in.Levels); !chosen {
		p.add("levels", "There must be one level of each criterion, counted from 0.")
	}
	return p.err(CodeInvalid)
}

// MayAssessOwn allows only the submitter to judge a submission, until it is settled: from then on they know the
// reviews.
func MayAssessOwn(viewer string, in OwnCircle, s Submission) error {
	if err := MayReadOwn(viewer, s); err != nil {
		return err
	}
	if err := MayWriteIn(in, s.CircleID); err != nil {
		return err
	}
	if s.Status != Pending {
		return Errorf(CodeAlreadySettled, "This submission is settled, so you already know the reviews.")
	}
	return nil
}
