package grademodel

// Model is one version of the way from reviews to marks.
type Model interface {
	// Name identifies the model in settlements and files.
	Name() string
	// Grade returns one settlement for each submission, in their order. The settlement of a
	// submission without reviews is zero.
	Grade(submissions []Submission) []Settlement
}

// The names of the models.
const (
	SC2    = "SC2"
	SC1K   = "SC1K"
	SC1    = "SC1"
	Mean   = "mean"
	Median = "median"
)

// Names lists the names of all models.
var Names = []string{SC2, SC1K, SC1, Mean, Median}

// Present is the version that new assignments begin with. Each keeps its own, so that a
// later one changes no mark.
const Present = SC1K

// IsVersion reports whether name is a version of the grade model.
func IsVersion(name string) bool { return name == SC1 || name == SC1K || name == SC2 }

// ModelOf returns the model of a name.
func ModelOf(name string) Model {
	switch name {
	case SC1, SC1K:
		return sc1{name}
	case Mean, Median:
		return plain{name}
	default:
		return sc2{}
	}
}

// Submission is a submission with its reviews, at most one by each reviewer.
type Submission struct {
	Assignment string // submissions of one assignment share its scale
	Total      int    // at least 1
	Known      *float64
	Reviews    []Review
}

// Review is one reviewer's mark of a submission.
type Review struct {
	Reviewer string  // an opaque id
	Mark     float64 // from 0 to the submission's total
}

func (s Submission) knownAngle() *float64 {
	if s.Known == nil {
		return nil
	}
	z := angle(*s.Known, s.Total)
	return &z
}
