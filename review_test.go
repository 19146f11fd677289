package studycircle_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestReviewPolicy(t *testing.T) {
	t.Parallel()
	facts := func(phase studycircle.ReviewPhase, turn studycircle.Turn, room bool) studycircle.ReviewerFacts {
		return studycircle.ReviewerFacts{Reviewing: studycircle.Reviewing{SubmitterID: "sam", Phase: phase}, CreatorID: "ada", Turn: turn, Room: room}
	}
	reviewing := func(phase studycircle.ReviewPhase, reviews int64) studycircle.Reviewing {
		return studycircle.Reviewing{Phase: phase, Reviews: reviews}
	}
	// again has three earlier reviews and some that came since.
	again := func(phase studycircle.ReviewPhase, came int64, asked bool) studycircle.Reviewing {
		return studycircle.Reviewing{Phase: phase, Reviews: 3 + came, Wanted: 3 + studycircle.AppealReviews, Asked: asked}
	}
	of, by := studycircle.Assignment{Creator: studycircle.Person{UserID: "ada"}}, studycircle.Submission{Submitter: studycircle.Person{UserID: "sam"}}
	settled := time.Date(2026, 11, 1, 9, 0, 0, 0, time.UTC)
	lastAppeal := 15*24*time.Hour - 9*time.Hour - 1 // the end of the fourteenth day
	completed := by
	completed.Status, completed.Grade = studycircle.Completed, &studycircle.Grade{}
	appeal := func(viewer string, r studycircle.Reviewing, after time.Duration) error {
		return studycircle.MayAppeal(viewer, hall, completed, r, settled, settled.Add(after))
	}
	const (
		open, unattended = studycircle.ReviewOpen, studycircle.ReviewUnattended
		own, graded      = studycircle.CodeOwnSubmission, studycircle.CodeAlreadyGraded
		notLeased        = studycircle.CodeNotLeased
		leased, lapsed   = studycircle.TurnLeased, studycircle.TurnLapsed
	)
	for name, c := range map[string]struct {
		got  error
		want studycircle.Code
	}{
		"holder reviews":                          {studycircle.MayReview("bob", hall, facts(open, leased, false)), ""},
		"holder reviews an appeal":                {studycircle.MayReview("bob", hall, facts(studycircle.ReviewAppealed, leased, false)), ""},
		"holder reviews a reopened one":           {studycircle.MayReview("bob", hall, facts(studycircle.ReviewReopened, leased, false)), ""},
		"holder is too late":                      {studycircle.MayReview("bob", hall, facts(studycircle.ReviewSettled, leased, true)), graded},
		"holder reviews a phase not known":        {studycircle.MayReview("bob", hall, facts("lost", leased, true)), graded},
		"holder reviews no phase":                 {studycircle.MayReview("bob", hall, facts("", leased, true)), graded},
		"a lapsed lease where there is room":      {studycircle.MayReview("bob", hall, facts(open, lapsed, true)), ""},
		"a lapsed lease where there is none":      {studycircle.MayReview("bob", hall, facts(open, lapsed, false)), notLeased},
		"given back":                              {studycircle.MayReview("bob", hall, facts(open, studycircle.TurnReturned, true)), notLeased},
		"reviewed":                                {studycircle.MayReview("bob", hall, facts(open, studycircle.TurnReviewed, true)), studycircle.CodeAlreadyReviewed},
		"reviewed, and settled":                   {studycircle.MayReview("bob", hall, facts(studycircle.ReviewSettled, studycircle.TurnReviewed, true)), graded},
		"a turn not known":                        {studycircle.MayReview("bob", hall, facts(open, "lost", true)), notLeased},
		"never given":                             {studycircle.MayReview("bob", hall, facts(open, studycircle.NoTurn, true)), notLeased},
		"a user reviews an unattended one":        {studycircle.MayReview("bob", hall, facts(unattended, studycircle.NoTurn, false)), ""},
		"the creator reviews an unattended one":   {studycircle.MayReview("ada", hall, facts(unattended, studycircle.NoTurn, false)), notLeased},
		"the creator":                             {studycircle.MayReview("ada", hall, facts(open, studycircle.NoTurn, true)), notLeased},
		"the submitter":                           {studycircle.MayReview("sam", hall, facts(open, leased, true)), own},
		"the submitter reviews an unattended one": {studycircle.MayReview("sam", hall, facts(unattended, studycircle.NoTurn, true)), own},
		"the submitter reviews a settled one":     {studycircle.MayReview("sam", hall, facts(studycircle.ReviewSettled, studycircle.NoTurn, true)), own},
		"a visitor":                               {studycircle.MayReview("", hall, facts(unattended, studycircle.NoTurn, true)), own},
		"submitter reads":                         {studycircle.MayReadReviews("sam", hall, by, studycircle.Assignment{Creator: studycircle.Person{UserID: "ada"}}, true), ""},
		"creator reads":                           {studycircle.MayReadReviews("ada", hall, by, studycircle.Assignment{Creator: studycircle.Person{UserID: "ada"}}, true), ""},
		"submitter reads before":                  {studycircle.MayReadReviews("sam", hall, by, studycircle.Assignment{Creator: studycircle.Person{UserID: "ada"}}, false), studycircle.CodeNotFound},
		"creator reads before":                    {studycircle.MayReadReviews("ada", hall, by, studycircle.Assignment{Creator: studycircle.Person{UserID: "ada"}}, false), studycircle.CodeNotFound},
		"another reads":                           {studycircle.MayReadReviews("bob", hall, by, studycircle.Assignment{Creator: studycircle.Person{UserID: "ada"}}, true), studycircle.CodeNotFound},
		"a visitor reads a deleted user's":        {studycircle.MayReadReviews("", hall, studycircle.Submission{}, studycircle.Assignment{Creator: studycircle.Person{UserID: ""}}, true), studycircle.CodeNotFound},
		"submitter replies":                       {studycircle.MayReply("sam", hall, by), ""},
		"creator replies":                         {studycircle.MayReply("ada", hall, by), studycircle.CodeNotYourReview},
		"a visitor replies to a deleted user's":   {studycircle.MayReply("", hall, studycircle.Submission{}), studycircle.CodeNotYourReview},
		"creator settles":                         {studycircle.MaySettle("ada", hall, of, reviewing(open, 1)), ""},
		"creator settles without a review":        {studycircle.MaySettle("ada", hall, of, reviewing(open, 0)), studycircle.CodeNoReviews},
		"creator settles a settled one":           {studycircle.MaySettle("ada", hall, of, reviewing(studycircle.ReviewSettled, 2)), graded},
		"creator settles a phase not known":       {studycircle.MaySettle("ada", hall, of, reviewing("lost", 2)), graded},
		"another settles":                         {studycircle.MaySettle("bob", hall, of, reviewing(studycircle.ReviewSettled, 0)), studycircle.CodeNotYourAssignment},
		"submitter rewrites before any lease":     {studycircle.MayRewrite(reviewing(open, 0), 0), ""},
		"submitter rewrites a reviewed one":       {studycircle.MayRewrite(reviewing(open, 1), 0), studycircle.CodeUnderReview},
		"submitter rewrites a leased one":         {studycircle.MayRewrite(reviewing(open, 0), 1), studycircle.CodeUnderReview},
		"submitter appeals":                       {appeal("sam", reviewing(studycircle.ReviewSettled, 2), studycircle.AppealWithin), ""},
		"submitter appeals against a grade":       {appeal("sam", studycircle.Reviewing{}, 0), ""},
		"submitter appeals on the last day":       {appeal("sam", studycircle.Reviewing{}, lastAppeal), ""},
		"submitter appeals late":                  {appeal("sam", studycircle.Reviewing{}, lastAppeal+1), graded},
		"submitter appeals again":                 {appeal("sam", studycircle.Reviewing{Phase: studycircle.ReviewSettled, Appeal: "why"}, 0), studycircle.CodeAlreadyAppealed},
		"submitter appeals a reopened one":        {appeal("sam", reviewing(studycircle.ReviewReopened, 2), 0), studycircle.CodeNotGraded},
		"submitter appeals too early":             {studycircle.MayAppeal("sam", hall, by, reviewing(open, 1), settled, settled), studycircle.CodeNotGraded},
		"creator appeals":                         {appeal("ada", studycircle.Reviewing{}, 0), studycircle.CodeNotFound},
		"a visitor appeals a deleted user's":      {studycircle.MayAppeal("", hall, studycircle.Submission{}, studycircle.Reviewing{}, settled, settled), studycircle.CodeNotFound},
		"creator reopens":                         {studycircle.MayReopen("ada", hall, of, completed, reviewing(studycircle.ReviewSettled, 2), studycircle.ReopenReviews), ""},
		"creator reopens an unattended one":       {studycircle.MayReopen("ada", hall, of, by, reviewing(unattended, 0), studycircle.ReopenReviews), ""},
		"creator reopens an open one":             {studycircle.MayReopen("ada", hall, of, by, reviewing(open, 1), studycircle.ReopenReviews), studycircle.CodeNotGraded},
		"creator reopens a reopened one":          {studycircle.MayReopen("ada", hall, of, completed, again(studycircle.ReviewReopened, 1, false), studycircle.ReopenReviews), studycircle.CodeUnderReview},
		"creator reopens an appeal":               {studycircle.MayReopen("ada", hall, of, completed, again(studycircle.ReviewAppealed, 0, false), studycircle.ReopenReviews), studycircle.CodeUnderReview},
		"creator reopens an appeal when asked":    {studycircle.MayReopen("ada", hall, of, completed, again(studycircle.ReviewAppealed, 0, true), studycircle.ReopenReviews), ""},
		"creator marks a reopened one":            {studycircle.MayReopen("ada", hall, of, completed, again(studycircle.ReviewReopened, 0, false), studycircle.ReopenMark), ""},
		"creator marks an appealed one":           {studycircle.MayReopen("ada", hall, of, completed, again(studycircle.ReviewAppealed, 0, false), studycircle.ReopenMark), ""},
		"creator settles an appeal":               {studycircle.MaySettle("ada", hall, of, again(studycircle.ReviewAppealed, 1, false)), studycircle.CodeNoReviews},
		"creator settles an appeal when asked":    {studycircle.MaySettle("ada", hall, of, again(studycircle.ReviewAppealed, 1, true)), ""},
		"creator settles it without reviews":      {studycircle.MaySettle("ada", hall, of, again(studycircle.ReviewAppealed, 0, true)), studycircle.CodeNoReviews},
		"creator settles a reopened one":          {studycircle.MaySettle("ada", hall, of, again(studycircle.ReviewReopened, 1, false)), ""},
		"creator settles it without a new one":    {studycircle.MaySettle("ada", hall, of, again(studycircle.ReviewReopened, 0, false)), studycircle.CodeNoReviews},
		"submitter reopens":                       {studycircle.MayReopen("sam", hall, of, completed, reviewing(studycircle.ReviewSettled, 2), studycircle.ReopenReviews), studycircle.CodeNotYourAssignment},
		"a visitor reopens a deleted user's":      {studycircle.MayReopen("", hall, studycircle.Assignment{}, completed, studycircle.Reviewing{}, studycircle.ReopenReviews), studycircle.CodeNotYourAssignment},
		"creator reads work under appeal":         {studycircle.MayReadWork("ada", hall, of, reviewing(studycircle.ReviewAppealed, 1)), ""},
		"creator reads reopened work":             {studycircle.MayReadWork("ada", hall, of, reviewing(studycircle.ReviewReopened, 1)), ""},
		"creator reads work in review":            {studycircle.MayReadWork("ada", hall, of, reviewing(open, 1)), studycircle.CodeNotFound},
		"submitter reads work under appeal":       {studycircle.MayReadWork("sam", hall, of, reviewing(studycircle.ReviewAppealed, 1)), studycircle.CodeNotFound},
		"reviewing changes before":                {studycircle.MayChangeReviewing(false), ""},
		"reviewing changes after":                 {studycircle.MayChangeReviewing(true), studycircle.CodeAlreadyTaken},
	} {
		require.Equal(t, c.want, studycircle.CodeOf(c.got), name)
	}
	for name, c := range map[string]struct {
		viewer string
		turn   studycircle.Turn
		want   bool
	}{
		"another": {"bob", studycircle.NoTurn, true}, "submitter": {"sam", studycircle.NoTurn, false}, "creator": {"ada", studycircle.NoTurn, false},
		"a visitor": {"", studycircle.NoTurn, false}, "given back": {"bob", studycircle.TurnReturned, false}, "lapsed": {"bob", lapsed, false},
		"reviewed": {"bob", studycircle.TurnReviewed, false}, "reserved": {"bob", leased, false},
	} {
		require.Equal(t, c.want, studycircle.CanBeOffered(c.viewer, studycircle.Offer{SubmitterID: "sam", CreatorID: "ada", Turn: c.turn}), name)
	}
}

// The progress shown to a submitter changes with the day, not with a review.
func TestReviewProgressChangesOnceADay(t *testing.T) {
	t.Parallel()
	monday := time.Date(2026, 11, 23, 10, 0, 0, 0, time.UTC)
	r := studycircle.Reviewing{Phase: studycircle.ReviewOpen, Needed: 2, Reviews: 2, Wanted: 3, LastDay: studycircle.Day(monday), BeforeLastDay: 1}
	require.Equal(t, studycircle.ReviewProgress{Phase: studycircle.ReviewOpen, Reviews: 1, Needed: 2}, r.Progress(monday))
	require.Equal(t, r.Progress(monday), r.Progress(monday.Add(14*time.Hour-time.Nanosecond)))
	require.Equal(t, studycircle.ReviewProgress{Phase: studycircle.ReviewOpen, Reviews: 2, Needed: 2, OneMore: true}, r.Progress(monday.Add(14*time.Hour)))
	require.EqualValues(t, 4, r.Most())
	require.Equal(t, monday.Truncate(24*time.Hour), studycircle.StartOfDay(studycircle.Day(monday)))
}

func TestRubric(t *testing.T) {
	t.Parallel()
	r := studycircle.Rubric{Criteria: []studycircle.Criterion{
		{Title: "Argument", Levels: []studycircle.RubricLevel{{Label: "Strong", Marks: 12}, {Label: "None", Marks: 0}}},
		{Title: "Language", Levels: []studycircle.RubricLevel{{Label: "Poor", Marks: 0}, {Label: "Good", Marks: 8}}},
	}}
	require.EqualValues(t, 20, r.Total())
	require.Equal(t, r, studycircle.ParseRubric(r.String()))
	require.True(t, studycircle.ParseRubric("").Empty())
	require.Empty(t, studycircle.Rubric{}.String())
	mark := int64(7)
	for name, c := range map[string]struct {
		in     studycircle.ReviewInput
		rubric studycircle.Rubric
		want   int64
		fault  string
	}{
		"levels":                   {studycircle.ReviewInput{Levels: []int64{0, 1}}, r, 20, ""},
		"lowest":                   {studycircle.ReviewInput{Levels: []int64{1, 0}}, r, 0, ""},
		"too few":                  {studycircle.ReviewInput{Levels: []int64{1}}, r, 0, "levels"},
		"too many":                 {studycircle.ReviewInput{Levels: []int64{1, 1, 1}}, r, 0, "levels"},
		"below":                    {studycircle.ReviewInput{Levels: []int64{1, -1}}, r, 0, "levels"},
		"above":                    {studycircle.ReviewInput{Levels: []int64{2, 1}}, r, 0, "levels"},
		"a mark under a rubric":    {studycircle.ReviewInput{Mark: &mark}, r, 0, "levels"},
		"a mark":                   {studycircle.ReviewInput{Mark: &mark}, studycircle.Rubric{}, 7, ""},
		"levels without a rubric":  {studycircle.ReviewInput{Levels: []int64{0}}, studycircle.Rubric{}, 0, "levels"},
		"a mark beyond the totals": {studycircle.ReviewInput{Mark: new(int64(21))}, studycircle.Rubric{}, 21, "marks"},
	} {
		got, err := c.in.MarkUnder(c.rubric, 20)
		require.Equal(t, c.want, got, name)
		var want []string
		if c.fault != "" {
			want = []string{c.fault}
		}
		require.Equal(t, want, faults(t, err, studycircle.CodeInvalid), name)
	}
}

// Labels are words as long as some are free, and then pairs; each is random, and none is in use.
func TestNewLabel(t *testing.T) {
	t.Parallel()
	var used []string
	for i := range 128 {
		label := studycircle.NewLabel(used)
		require.NotContains(t, used, label)
		require.Equal(t, i >= 64, strings.Contains(label, " "), label)
		used = append(used, label)
	}
	first := map[string]bool{}
	for range 1000 {
		first[studycircle.NewLabel(nil)] = true
	}
	require.Greater(t, len(first), 32)
}
