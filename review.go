package studycircle

import (
	"crypto/rand"
	"html"
	"slices"
	"strings"
	"time"
)

// Bounds of reviews.
const (
	MaxReviews = 5
	MaxReply   = 2_000
	// MaxMoreReviews is the number of extra reviews that willing users may give a submission, up to MaxReviews in
	// all.
	MaxMoreReviews = 2
)

// LeaseTime is the duration of a lease.
const LeaseTime = 48 * time.Hour

// SettleAfter is how long after the later of hand-in and due date a submission is
// settled on the reviews that it has.
const SettleAfter = 7 * 24 * time.Hour

// An appeal is possible for AppealWithin after a mark was settled. It asks for AppealReviews more reviews. If fewer
// arrive within AppealPatience, the creator is asked to decide, within DecideWithin.
const (
	AppealWithin   = 14 * 24 * time.Hour
	AppealPatience = 5 * 24 * time.Hour
	DecideWithin   = 14 * 24 * time.Hour
	AppealReviews  = 2
)

// ReviewPhase is the state of a submission with several reviews.
type ReviewPhase string

// The phases: open to review; unattended, so open to all users because no reviewer came; settled; and open again, by
// appeal or by the creator.
const (
	ReviewOpen       ReviewPhase = "open"
	ReviewUnattended ReviewPhase = "unattended"
	ReviewSettled    ReviewPhase = "settled"
	ReviewAppealed   ReviewPhase = "appealed"
	ReviewReopened   ReviewPhase = "reopened"
)

// TakesReviews reports whether a submission in this phase accepts reviews.
func (p ReviewPhase) TakesReviews() bool {
	return p == ReviewOpen || p == ReviewUnattended || p == ReviewAppealed || p == ReviewReopened
}

// Reviewing is the state of reviewing a submission with several reviews.
type Reviewing struct {
	SubmissionID string
	Seq          int64 // the submission's position among all
	AssignmentID string
	CircleID     string // the assignment's
	SubmitterID  string // "" if the account is gone
	Attempt      int64  // the number of the submitter's attempt, from 1
	Label        string // the random word by which reviewers know it; the store chooses it
	Phase        ReviewPhase
	Reviews      int64 // given so far
	Needed       int64
	Wanted       int64 // wanted now
	// LastDay is the day, counted from 1970 in UTC, of the last review; BeforeLastDay is the number of reviews before
	// that day.
	LastDay       int64
	BeforeLastDay int64
	SettleAt      time.Time
	Appeal        string // the submitter's reason; "" without an appeal
	Asked         bool   // the creator was asked to decide the appeal
	Known         *int64 // the mark of known work: see ReviewCase.MarkKnown
}

// Most returns the most reviews that the submission may get.
func (r Reviewing) Most() int64 { return max(r.Wanted, min(MaxReviews, r.Needed+MaxMoreReviews)) }

// Came returns the number of reviews since the submission was opened: handed in, appealed against or reopened.
func (r Reviewing) Came() int64 {
	if r.Phase == ReviewAppealed || r.Phase == ReviewReopened {
		return r.Reviews + AppealReviews - r.Wanted
	}
	return r.Reviews
}

// ReviewProgress is the part of reviewing that the submitter sees before the reviews are released. It changes once a
// day, so that it does not reveal who has just reviewed.
type ReviewProgress struct {
	Phase   ReviewPhase
	Reviews int64
	Needed  int64
	// OneMore reports that the reviews differ so much that one more was asked for.
	OneMore bool
}

// Progress returns the progress that the submitter sees.
func (r Reviewing) Progress(now time.Time) ReviewProgress {
	shown := r.Reviews
	if Day(now) <= r.LastDay {
		shown = r.BeforeLastDay
	}
	r.Reviews = shown
	return r.ProgressNow()
}

// ProgressNow returns the progress that the assignment's creator sees.
func (r Reviewing) ProgressNow() ReviewProgress {
	return ReviewProgress{
		Phase: r.Phase, Reviews: r.Reviews, Needed: r.Needed, OneMore: r.Phase == ReviewOpen && r.Reviews >= r.Needed,
	}
}

// Day returns the day of t, counted from 1970 in UTC.
func Day(t time.Time) int64 { return t.Unix() / (24 * 60 * 60) }

// StartOfDay returns the beginning of a day, in UTC.
func StartOfDay(day int64) time.Time { return time.Unix(day*24*60*60, 0).UTC() }

// Turn is the outcome of a user's lease of a submission.
type Turn string

// The turns. NoTurn means that the user never had a lease.
const (
	NoTurn       Turn = ""
	TurnLeased   Turn = "leased"
	TurnReviewed Turn = "reviewed"
	TurnReturned Turn = "returned"
	TurnLapsed   Turn = "lapsed"
)

// Lease reserves a submission for a user to review.
type Lease struct {
	SubmissionID string
	Until        time.Time
}

// ReservedReview is a lease as shown to its holder.
type ReservedReview struct {
	Lease
	CircleID        string
	AssignmentID    string
	AssignmentTitle string
}

// HeldLease is a lease with its holder.
type HeldLease struct {
	ReviewerID   string
	SubmissionID string
}

// Offer is a submission in the queue, with the facts that decide whether a user may lease it.
type Offer struct {
	SubmissionID string
	AssignmentID string
	SubmitterID  string // "" if the account is gone
	CreatorID    string // the assignment's; "" if the account is gone
	Turn         Turn
	Attempt      int64
	Filled       int64 // reviews and leases
	Trade        Trade // that it makes possible, once Draw.Offers returned it
}

// Review is one reviewer's mark of a submission with several reviews.
type Review struct {
	Seq          int64 // grows with every review
	ID           string
	SubmissionID string
	// Reviewer identifies a reviewer: a user's id, or a random word if the account is gone. It is never shown.
	Reviewer string
	Label    string // the letter by which the submitter knows it
	Mark     int64
	Levels   []int64 // of the rubric, if there is one
	Feedback string
	// HTML is the rendered Feedback if that is Markdown; "" if it is plain text.
	HTML string
	// Partial reports that a page had no room for the texts: Feedback is cut to its Beginning, HTML is "".
	Partial bool
	GivenAt time.Time
	Helpful *bool // the submitter's reply
	Reply   string
	// CircleID is the submission's.
	CircleID string
}

// Feedback is the feedback that a submitter reads: the text, and its rendering if that is Markdown; "" if it is plain
// text.
type Feedback struct {
	Text string
	HTML string
}

// FeedbackOf returns the feedback of all released reviews, in the order of their letters. Each is rendered alone, so
// that markup left open in one ends with it.
func FeedbackOf(reviews []Review) Feedback {
	var texts []string
	var shown strings.Builder
	for _, r := range reviews {
		if r.Label == "" || r.Feedback == "" {
			continue
		}
		texts = append(texts, r.Label+": "+r.Feedback)
		of := r.HTML
		if of == "" {
			of = "<p>" + strings.ReplaceAll(html.EscapeString(r.Feedback), "\n", "<br>\n") + "</p>\n"
		}
		// The letter's direction is independent of the text that follows.
		letter := "<bdi><strong>" + r.Label + ":</strong></bdi>"
		if text, isText := strings.CutPrefix(of, "<p>"); isText {
			shown.WriteString("<p>" + letter + " " + text)
		} else {
			shown.WriteString("<p>" + letter + "</p>\n" + of)
		}
	}
	return Feedback{Text: strings.Join(texts, "\n\n"), HTML: shown.String()}
}

// GivenReview is a review as shown to its reviewer.
type GivenReview struct {
	Review
	SubmissionLabel string
	AssignmentTitle string
	SettledMark     *int64 // once it is settled
	// Reviewing is the submission's; the zero value for an exemplar.
	Reviewing Reviewing
	// MayCorrect is whether its reviewer may correct it.
	MayCorrect bool
}

// Settlement records how a submission got a mark. It is never deleted.
type Settlement struct {
	N      int64 // from 1
	At     time.Time
	By     SettledBy
	Reason SettleReason
	Words  string // of the user who asked for it
	Mark   int64
	Model  string // the model's input and result, as JSON; "" if a user set the mark
	// Levels are the levels of the rubric that the creator chose, counted from 0; nil if the mark was set alone, or by the
	// model.
	Levels []int64
	// DeciderID and DeciderName are of the user who finalized the submission or set its mark; "" if none did, or the
	// account is gone.
	DeciderID, DeciderName string
}

// SettledBy is the kind of a settlement's decider.
type SettledBy string

// The deciders.
const (
	SettledByModel   SettledBy = "model"
	SettledByCreator SettledBy = "creator"
	SettledByGrader  SettledBy = "grader"
)

// SettleReason is the reason of a settlement.
type SettleReason string

// The reasons.
const (
	SettleEnough  SettleReason = "enough-reviews"
	SettleTime    SettleReason = "time"
	SettleEarly   SettleReason = "early"
	SettleAppeal  SettleReason = "appeal"
	SettleReopen  SettleReason = "reopened"
	SettleSetMark SettleReason = "set-mark"
	SettleKnown   SettleReason = "known"
	SettleGrade   SettleReason = "grade"
)

// ReviewInput is the input of a user who reviews or grades.
type ReviewInput struct {
	// Mark is nil if Levels give the mark.
	Mark *int64
	// Levels are the chosen levels of a rubric, counted from 0, one a criterion.
	Levels   []int64
	Feedback string
	// HTML is the rendered Feedback.
	HTML string
}

// Clean trims and checks in as far as possible without the submission; CodeInvalid.
func (in ReviewInput) Clean() (ReviewInput, error) {
	var p problems
	switch {
	case in.Mark != nil && in.Levels != nil:
		p.add("levels", "Give a mark or levels, and not both.")
	case in.Mark == nil && in.Levels == nil:
		p.add("marks", "This field is required.")
	case in.Mark != nil && (*in.Mark < 0 || *in.Mark > MaxMarks):
		p.add("marks", "The mark must be a whole number from 0 to the total.")
	}
	in.Feedback = p.text("feedback", "The feedback", in.Feedback, 0, MaxFeedback, multiLine)
	return in, p.err(CodeInvalid)
}

// MarkUnder returns the mark of in under a rubric, which may be empty; CodeInvalid unless it is from 0 to total.
func (in ReviewInput) MarkUnder(r Rubric, total int64) (mark int64, err error) {
	var p problems
	switch {
	case r.Empty() && in.Mark == nil:
		p.add("levels", "There is no rubric to choose levels from.")
	case r.Empty():
		mark = *in.Mark
		return mark, GradeInput{Mark: mark}.CheckTotal(total)
	case in.Levels == nil:
		p.add("levels", "Choose a level of each criterion.")
	default:
		var chosen bool
		if mark, chosen = r.Mark(in.Levels); !chosen {
			p.add("levels", "There must be one level of each criterion, counted from 0.")
		}
	}
	return mark, p.err(CodeInvalid)
}

// Reason is the reason of an appeal or a reopening.
type Reason struct{ Words string }

// Clean trims and checks r; CodeInvalid.
func (r Reason) Clean() (Reason, error) {
	var p problems
	r.Words = p.text("reason", "The reason", r.Words, 1, MaxReason, multiLine)
	return r, p.err(CodeInvalid)
}

// ReopenAction is a creator's action on a mark.
type ReopenAction string

// The actions.
const (
	ReopenReviews ReopenAction = "new-reviewers"
	ReopenMark    ReopenAction = "set-mark"
)

// ReopenInput is the input of a creator who reopens a settled submission.
type ReopenInput struct {
	Reason Reason
	Action ReopenAction
	Mark   *int64 // with ReopenMark
	// Levels are the levels of the rubric that make the mark, counted from 0; nil if the creator gives the mark alone.
	Levels []int64
}

// Clean trims and checks in as far as possible without the submission; CodeInvalid.
func (in ReopenInput) Clean() (ReopenInput, error) {
	var p problems
	in.Reason.Words = p.text("reason", "The reason", in.Reason.Words, 1, MaxReason, multiLine)
	switch {
	case in.Action != ReopenReviews && in.Action != ReopenMark:
		p.add("action", "The action must be new-reviewers or set-mark.")
	case in.Action == ReopenMark && in.Mark == nil:
		p.add("mark", "This field is required.")
	case in.Action == ReopenReviews && in.Mark != nil:
		p.add("mark", "New reviewers give the mark.")
	case in.Action == ReopenReviews && in.Levels != nil:
		p.add("levels", "New reviewers give the mark.")
	case in.Mark != nil && (*in.Mark < 0 || *in.Mark > MaxMarks):
		p.add("mark", "The mark must be a whole number from 0 to the total.")
	}
	return in, p.err(CodeInvalid)
}

// CheckUnder refuses a mark above the total, and levels that do not make the mark under a rubric; CodeInvalid.
func (in ReopenInput) CheckUnder(r Rubric, total int64) error {
	if in.Mark == nil {
		return nil
	}
	return ExemplarMark{Mark: *in.Mark, Levels: in.Levels}.CheckUnder(r, total)
}

// settlement returns the settlement of a creator who sets the mark.
func (in ReopenInput) settlement(reason SettleReason, now time.Time) Settlement {
	return Settlement{
		At: now, By: SettledByCreator, Reason: reason, Words: in.Reason.Words, Mark: *in.Mark, Levels: in.Levels,
	}
}

// ReplyInput is a submitter's reply to a review.
type ReplyInput struct {
	Helpful bool
	Reply   string
}

// Clean trims and checks in; CodeInvalid.
func (in ReplyInput) Clean() (ReplyInput, error) {
	var p problems
	in.Reply = p.text("reply", "The reply", in.Reply, 0, MaxReply, multiLine)
	return in, p.err(CodeInvalid)
}

// labels are the words by which reviewers know submissions.
var labels = [...]string{
	"Acorn", "Alder", "Amber", "Aspen", "Badger", "Bamboo", "Basil", "Beacon", "Birch", "Brook", "Canyon", "Cedar",
	"Cherry", "Clover", "Cobalt", "Comet",
	"Coral", "Cricket", "Dahlia", "Delta", "Dune", "Ember", "Falcon", "Fern", "Fjord", "Forest", "Garnet", "Ginger",
	"Glacier", "Harbor", "Hazel", "Heron",
	"Indigo", "Island", "Ivory", "Jasmine", "Juniper", "Kestrel", "Lagoon", "Lantern", "Lark", "Laurel", "Lilac", "Linden",
	"Maple", "Marble", "Meadow", "Mint",
	"Nectar", "Oasis", "Olive", "Opal", "Orchid", "Otter", "Pebble", "Poplar", "Quartz", "Raven", "River", "Saffron",
	"Spruce", "Thistle", "Tulip", "Willow",
}

// NewLabel returns a random label for work of an assignment that is not in used: a word, or two if all words are used.
func NewLabel(used []string) string {
	free := slices.DeleteFunc(slices.Clone(labels[:]), func(l string) bool { return slices.Contains(used, l) })
	if len(free) > 0 {
		return one(free)
	}
	for {
		first, second := one(labels[:]), one(labels[:])
		if pair := first + " " + second; first != second && !slices.Contains(used, pair) {
			return pair
		}
	}
}

// one returns a random one of at most 256 strings.
func one(of []string) string {
	var b [1]byte
	_, _ = rand.Read(b[:]) // see NewID
	return of[int(b[0])%len(of)]
}
