package studycircle

import (
	"crypto/rand"
	"html"
	"strings"
	"time"
)

// Bounds of reviews.
const (
	MaxReviews = 5
	MaxReply   = 2_000
	// MaxMoreReviews is how many reviews beyond those that are needed willing people
	// may give a submission, up to MaxReviews in all.
	MaxMoreReviews = 2
)

// LeaseTime is how long a submission is reserved for whom it was given to.
const LeaseTime = 48 * time.Hour

// SettleAfter is how long after the later of hand-in and due date a submission is
// settled on the reviews that it has.
const SettleAfter = 7 * 24 * time.Hour

// An appeal is possible for AppealWithin after a mark was settled. It asks for
// AppealReviews more; where fewer come within AppealPatience, the creator is asked to
// decide, and has DecideWithin for that.
const (
	AppealWithin   = 14 * 24 * time.Hour
	AppealPatience = 5 * 24 * time.Hour
	DecideWithin   = 14 * 24 * time.Hour
	AppealReviews  = 2
)

// ReviewPhase says where a submission stands that several people review.
type ReviewPhase string

// The phases: open to review; open to everybody because nobody came; settled; and
// open again, by appeal or by the creator.
const (
	ReviewOpen       ReviewPhase = "open"
	ReviewUnattended ReviewPhase = "unattended"
	ReviewSettled    ReviewPhase = "settled"
	ReviewAppealed   ReviewPhase = "appealed"
	ReviewReopened   ReviewPhase = "reopened"
)

// TakesReviews tells whether a submission in this phase still gets reviews.
func (p ReviewPhase) TakesReviews() bool {
	return p == ReviewOpen || p == ReviewUnattended || p == ReviewAppealed || p == ReviewReopened
}

// Reviewing is a submission that several people review.
type Reviewing struct {
	SubmissionID string
	Seq          int64 // the submission's place among all
	AssignmentID string
	SubmitterID  string // "" where the account is gone
	Attempt      int64  // the submitter's n-th for the assignment, from 1
	Label        string // what reviewers know it by: a random word
	Phase        ReviewPhase
	Reviews      int64 // given so far
	Needed       int64
	Wanted       int64 // asked for now
	// LastDay is the day, counted from 1970 in UTC, of the last review, and
	// BeforeLastDay how many there were before that day.
	LastDay       int64
	BeforeLastDay int64
	SettleAt      time.Time
	Appeal        string // why there was one; "" where there was none
	Asked         bool   // the creator, to decide the appeal
}

// Most is how many reviews it may get at all.
func (r Reviewing) Most() int64 { return max(r.Wanted, min(MaxReviews, r.Needed+MaxMoreReviews)) }

// Came is how many reviews came since it was opened: handed in, appealed against or
// reopened.
func (r Reviewing) Came() int64 {
	if r.Phase == ReviewAppealed || r.Phase == ReviewReopened {
		return r.Reviews + AppealReviews - r.Wanted
	}
	return r.Reviews
}

// ReviewProgress is what a submitter is told of reviews that are not released yet.
// It changes once a day, so that nobody can tell who has just reviewed.
type ReviewProgress struct {
	Phase   ReviewPhase
	Reviews int64
	Needed  int64
	// OneMore tells that the reviews lie so far apart that one more was asked for.
	OneMore bool
}

// Progress is what the submitter is told now.
func (r Reviewing) Progress(now time.Time) ReviewProgress {
	shown := r.Reviews
	if Day(now) <= r.LastDay {
		shown = r.BeforeLastDay
	}
	r.Reviews = shown
	return r.ProgressNow()
}

// ProgressNow is what the assignment's creator is told.
func (r Reviewing) ProgressNow() ReviewProgress {
	return ReviewProgress{Phase: r.Phase, Reviews: r.Reviews, Needed: r.Needed, OneMore: r.Phase == ReviewOpen && r.Reviews >= r.Needed}
}

// Day is the day of t, counted from 1970 in UTC.
func Day(t time.Time) int64 { return t.Unix() / (24 * 60 * 60) }

// StartOfDay is when a day begins, in UTC.
func StartOfDay(day int64) time.Time { return time.Unix(day*24*60*60, 0).UTC() }

// Turn is what became of a submission that was given to somebody to review.
type Turn string

// The turns. NoTurn is of somebody to whom it never was given.
const (
	NoTurn       Turn = ""
	TurnLeased   Turn = "leased"
	TurnReviewed Turn = "reviewed"
	TurnReturned Turn = "returned"
	TurnLapsed   Turn = "lapsed"
)

// Lease reserves a submission for somebody to review.
type Lease struct {
	SubmissionID string
	Until        time.Time
}

// ReservedReview is a lease as its holder is shown it.
type ReservedReview struct {
	Lease
	AssignmentID    string
	AssignmentTitle string
}

// HeldLease is a lease and whose it is.
type HeldLease struct {
	ReviewerID   string
	SubmissionID string
}

// Offer is a submission in the queue, and what of it and a user is looked at before
// it is given to them.
type Offer struct {
	SubmissionID string
	AssignmentID string
	SubmitterID  string // "" where the account is gone
	CreatorID    string // the assignment's; "" where the account is gone
	Turn         Turn
	Attempt      int64
	Filled       int64 // reviews and leases
}

// Review is one reviewer's mark of a submission, one of several.
type Review struct {
	Seq          int64 // grows with every review
	ID           string
	SubmissionID string
	// Reviewer tells reviewers apart: a user's id, or a random word where the
	// account is gone. Nobody is shown it.
	Reviewer string
	Label    string // what the submitter knows it by: a letter
	Mark     int64
	Levels   []int64 // of the rubric, where there is one
	Feedback string
	// HTML is what Feedback shows as, where that is Markdown; "" where it is plain.
	HTML string
	// Partial says that a page had no room for it: Feedback is its Beginning, HTML is "".
	Partial bool
	GivenAt time.Time
	Helpful *bool // what the submitter says of it
	Reply   string
}

// Feedback is what a submitter reads: the text, and what it shows as where that is
// Markdown; "" where it is plain.
type Feedback struct {
	Text string
	HTML string
}

// FeedbackOf is what a submitter reads of all reviews that are released, by their
// letters, in their order. Each is rendered by itself: what one leaves open ends with it.
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
		// Its direction is not that of what follows.
		letter := "<bdi><strong>" + r.Label + ":</strong></bdi>"
		if text, isText := strings.CutPrefix(of, "<p>"); isText {
			shown.WriteString("<p>" + letter + " " + text)
		} else {
			shown.WriteString("<p>" + letter + "</p>\n" + of)
		}
	}
	return Feedback{Text: strings.Join(texts, "\n\n"), HTML: shown.String()}
}

// GivenReview is a review as its reviewer finds it.
type GivenReview struct {
	Review
	SubmissionLabel string
	AssignmentTitle string
	SettledMark     *int64 // once it is settled
}

// Settlement is how a submission got its mark, kept for good.
type Settlement struct {
	N      int64 // from 1
	At     time.Time
	By     SettledBy
	Reason SettleReason
	Words  string // of whoever asked for it
	Mark   int64
	Model  string // all that the model used and made of it, as JSON; "" where somebody set the mark
}

// SettledBy says who decided.
type SettledBy string

// Who decides.
const (
	SettledByModel   SettledBy = "model"
	SettledByCreator SettledBy = "creator"
	SettledByGrader  SettledBy = "grader"
)

// SettleReason says what caused a settlement.
type SettleReason string

// The reasons.
const (
	SettleEnough  SettleReason = "enough-reviews"
	SettleTime    SettleReason = "time"
	SettleEarly   SettleReason = "early"
	SettleAppeal  SettleReason = "appeal"
	SettleReopen  SettleReason = "reopened"
	SettleSetMark SettleReason = "set-mark"
	SettleGrade   SettleReason = "grade"
)

// ReviewInput is what somebody gives who reviews or grades.
type ReviewInput struct {
	// Mark is nil where Levels say it.
	Mark *int64
	// Levels are the chosen levels of a rubric, counted from 0, one a criterion.
	Levels   []int64
	Feedback string
	// HTML is what Feedback shows as.
	HTML string
}

// Clean trims and checks in as far as that goes without the submission; CodeInvalid.
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

// MarkUnder returns the mark that in gives under a rubric, which may be empty;
// CodeInvalid where it is none from 0 to total.
func (in ReviewInput) MarkUnder(r Rubric, total int64) (mark int64, err error) {
	var p problems
	switch {
	case r.Empty() && in.Mark == nil:
		p.add("levels", "There is no rubric to choose levels of.")
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

// Reason is why somebody appeals or reopens.
type Reason struct{ Words string }

// Clean trims and checks r; CodeInvalid.
func (r Reason) Clean() (Reason, error) {
	var p problems
	r.Words = p.text("reason", "The reason", r.Words, 1, MaxReason, multiLine)
	return r, p.err(CodeInvalid)
}

// ReopenAction is what a creator does about a mark.
type ReopenAction string

// The actions.
const (
	ReopenReviews ReopenAction = "new-reviewers"
	ReopenMark    ReopenAction = "set-mark"
)

// ReopenInput is how a creator reopens a settled submission.
type ReopenInput struct {
	Reason Reason
	Action ReopenAction
	Mark   *int64 // with ReopenMark
}

// Clean trims and checks in as far as that goes without the submission; CodeInvalid.
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
	case in.Mark != nil && (*in.Mark < 0 || *in.Mark > MaxMarks):
		p.add("mark", "The mark must be a whole number from 0 to the total.")
	}
	return in, p.err(CodeInvalid)
}

// CheckTotal refuses a mark above the total; CodeInvalid.
func (in ReopenInput) CheckTotal(total int64) error {
	var p problems
	if in.Mark != nil && *in.Mark > total {
		p.add("mark", "The mark must not be above the total of %d.", total)
	}
	return p.err(CodeInvalid)
}

// ReplyInput is what a submitter says of a review.
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

// labels are what reviewers know submissions by.
var labels = [...]string{
	"Acorn", "Alder", "Amber", "Aspen", "Badger", "Bamboo", "Basil", "Beacon", "Birch", "Brook", "Canyon", "Cedar", "Cherry", "Clover", "Cobalt", "Comet",
	"Coral", "Cricket", "Dahlia", "Delta", "Dune", "Ember", "Falcon", "Fern", "Fjord", "Forest", "Garnet", "Ginger", "Glacier", "Harbor", "Hazel", "Heron",
	"Indigo", "Island", "Ivory", "Jasmine", "Juniper", "Kestrel", "Lagoon", "Lantern", "Lark", "Laurel", "Lilac", "Linden", "Maple", "Marble", "Meadow", "Mint",
	"Nectar", "Oasis", "Olive", "Opal", "Orchid", "Otter", "Pebble", "Poplar", "Quartz", "Raven", "River", "Saffron", "Spruce", "Thistle", "Tulip", "Willow",
}

// RandomLabel is a word for a submission, which means nothing.
func RandomLabel() string {
	var b [1]byte
	_, _ = rand.Read(b[:]) // see NewID
	return labels[int(b[0])%len(labels)]
}
