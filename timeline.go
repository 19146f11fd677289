package studycircle

import "time"

// Reopening is a request for more reviews of a submission that has a mark: an appeal by
// its submitter, or a reopening by the assignment's creator.
type Reopening struct {
	Phase ReviewPhase // ReviewAppealed or ReviewReopened
	At    time.Time   // zero if it is unknown
	Words string
	// AskedAt is when the creator was asked to decide an appeal; zero before that.
	AskedAt time.Time
}

// StepKind is the kind of a past, present or future step of a submission.
type StepKind string

// The kinds of steps.
const (
	StepHandedIn     StepKind = "handed-in"
	StepGrade        StepKind = "grade"         // one user grades it
	StepReviews      StepKind = "reviews"       // reviewers review it
	StepUnattended   StepKind = "unattended"    // any user may review it, or the creator sets the mark
	StepSettled      StepKind = "settled"       // it got a mark
	StepAppeal       StepKind = "appeal"        // the submitter appealed
	StepReopened     StepKind = "reopened"      // the creator asked for more reviews
	StepNewReviewers StepKind = "new-reviewers" // two new reviewers review it
	StepAsked        StepKind = "asked"         // the creator was asked to decide
	StepDecision     StepKind = "decision"      // the creator decides
	StepModel        StepKind = "model"         // the mark is computed from the present reviews
)

// StepTime is the time of a step, relative to now.
type StepTime string

// The times of a step.
const (
	StepPast StepTime = "past"
	StepNow  StepTime = "now"
	StepNext StepTime = "next"
)

// Step is one step of a timeline. Its times are days: a finer time would reveal when a reviewer worked.
type Step struct {
	Kind  StepKind
	Time  StepTime
	Day   int64 // counted from 1970 in UTC: when it happened, or is to begin; 0 if unknown
	Until int64 // the last day of a step that lasts; 0 if there is none
	// By, Reason, Mark and Decider are of a settlement, Words of a settlement or a Reopening.
	By      SettledBy
	Reason  SettleReason
	Mark    *int64
	Decider string // the name of the user who decided; "" if none did, or the account is gone
	Words   string
}

// History is the input of a timeline.
type History struct {
	Submission  Submission
	Settlements []Settlement // oldest first
	Reopenings  []Reopening  // oldest first
	Reviewing   Reviewing    // the zero value if one grade is the mark
	// Decides reports whether there is a creator to decide an appeal.
	Decides bool
}

// Timeline returns what happened to a submission, oldest first, then what happens now and
// what comes next. The submitter and the assignment's creator read the same.
func (h History) Timeline() []Step {
	steps := []Step{{Kind: StepHandedIn, Time: StepPast, Day: Day(h.Submission.SubmittedAt)}}
	settled := h.Settlements
	if g := h.Submission.Grade; len(settled) == 0 && g != nil {
		settled = []Settlement{{At: g.MarkedAt, By: SettledByGrader, Reason: SettleGrade, Mark: g.Mark}}
	}
	reopenings := h.Reopenings
	for i, st := range settled {
		// A reopening of unknown time came after the first mark.
		for len(reopenings) > 0 && (i > 0 || !reopenings[0].At.IsZero()) && reopenings[0].At.Before(st.At) {
			steps, reopenings = append(steps, reopenings[0].steps()...), reopenings[1:]
		}
		mark := st.Mark
		steps = append(steps, Step{
			Kind: StepSettled, Time: StepPast, Day: Day(st.At), By: st.By, Reason: st.Reason, Mark: &mark,
			Decider: st.DeciderName, Words: st.Words,
		})
	}
	for _, r := range reopenings {
		steps = append(steps, r.steps()...)
	}
	return append(steps, h.present()...)
}

func (r Reopening) steps() []Step {
	kind := StepReopened
	if r.Phase == ReviewAppealed {
		kind = StepAppeal
	}
	steps := []Step{{Kind: kind, Time: StepPast, Day: dayOrNone(r.At), Words: r.Words}}
	if !r.AskedAt.IsZero() {
		steps = append(steps, Step{Kind: StepAsked, Time: StepPast, Day: Day(r.AskedAt)})
	}
	return steps
}

// present returns what happens now and what comes next.
func (h History) present() []Step {
	r := h.Reviewing
	until := Day(r.SettleAt)
	model := Step{Kind: StepModel, Time: StepNext, Day: until}
	switch {
	case r.Phase == "" && h.Submission.Status == Pending:
		return []Step{{Kind: StepGrade, Time: StepNow}}
	case r.Phase == ReviewOpen:
		return []Step{{Kind: StepReviews, Time: StepNow, Until: until}}
	case r.Phase == ReviewUnattended:
		return []Step{{Kind: StepUnattended, Time: StepNow}}
	case r.Phase == ReviewAppealed && r.Asked:
		return []Step{{Kind: StepDecision, Time: StepNow, Until: until}, model}
	case r.Phase == ReviewAppealed && h.Decides:
		return []Step{
			{Kind: StepNewReviewers, Time: StepNow, Until: until},
			{Kind: StepDecision, Time: StepNext, Day: until, Until: Day(r.SettleAt.Add(DecideWithin))},
		}
	case r.Phase == ReviewAppealed, r.Phase == ReviewReopened:
		return []Step{{Kind: StepNewReviewers, Time: StepNow, Until: until}, model}
	default:
		return nil
	}
}

func dayOrNone(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return Day(t)
}
