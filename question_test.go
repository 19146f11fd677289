package studycircle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestMayAskSubmitter(t *testing.T) {
	t.Parallel()
	facts := func(change func(*studycircle.AskerFacts)) studycircle.AskerFacts {
		f := studycircle.AskerFacts{
			ReviewerFacts: studycircle.ReviewerFacts{Reviewing: studycircle.Reviewing{SubmitterID: "bob", Phase: studycircle.ReviewOpen}, CreatorID: "ada", Turn: studycircle.TurnLeased},
			LeasedUntil:   caseNow.Add(time.Microsecond),
		}
		if change != nil {
			change(&f)
		}
		return f
	}
	for name, test := range map[string]struct {
		viewer string
		f      studycircle.AskerFacts
		code   studycircle.Code
	}{
		"the holder":                       {"cem", facts(nil), ""},
		"the holder, under appeal":         {"cem", facts(func(f *studycircle.AskerFacts) { f.Phase = studycircle.ReviewAppealed }), ""},
		"once more":                        {"cem", facts(func(f *studycircle.AskerFacts) { f.Asked = true }), studycircle.CodeAlreadyAsked},
		"the submitter":                    {"bob", facts(nil), studycircle.CodeOwnSubmission},
		"a visitor":                        {"", facts(nil), studycircle.CodeOwnSubmission},
		"a former member":                  {"cem", facts(func(f *studycircle.AskerFacts) { f.CircleID = "c" }), studycircle.CodeNotFound},
		"settled":                          {"cem", facts(func(f *studycircle.AskerFacts) { f.Phase = studycircle.ReviewSettled }), studycircle.CodeAlreadyGraded},
		"reviewed":                         {"cem", facts(func(f *studycircle.AskerFacts) { f.Turn = studycircle.TurnReviewed }), studycircle.CodeAlreadyReviewed},
		"at the end of the lease":          {"cem", facts(func(f *studycircle.AskerFacts) { f.LeasedUntil = caseNow }), studycircle.CodeNotLeased},
		"a lapsed lease, with a free slot": {"cem", facts(func(f *studycircle.AskerFacts) { f.Turn, f.Room = studycircle.TurnLapsed, true }), studycircle.CodeNotLeased},
		"given back":                       {"cem", facts(func(f *studycircle.AskerFacts) { f.Turn = studycircle.TurnReturned }), studycircle.CodeNotLeased},
		"without a lease":                  {"cem", facts(func(f *studycircle.AskerFacts) { f.Turn = studycircle.NoTurn }), studycircle.CodeNotLeased},
		"unattended, without a lease": {"cem", facts(func(f *studycircle.AskerFacts) {
			f.Phase, f.Turn = studycircle.ReviewUnattended, studycircle.NoTurn
		}), studycircle.CodeNotLeased},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.code, studycircle.CodeOf(studycircle.MayAskSubmitter(test.viewer, studycircle.OwnCircle{}, test.f, caseNow)))
		})
	}
}

func TestAQuestionProlongsTheLeaseByADay(t *testing.T) {
	t.Parallel()
	require.Equal(t, caseNow.Add(24*time.Hour), studycircle.Lease{Until: caseNow}.UntilAfterQuestion())
}

func TestMayAnswer(t *testing.T) {
	t.Parallel()
	mine := studycircle.Submission{ID: "s", Submitter: studycircle.Person{UserID: "bob"}, Status: studycircle.Pending}
	done := mine
	done.Status = studycircle.Completed
	for name, test := range map[string]struct {
		viewer string
		s      studycircle.Submission
		phase  studycircle.ReviewPhase
		code   studycircle.Code
	}{
		"the submitter":         {"bob", mine, studycircle.ReviewOpen, ""},
		"under appeal":          {"bob", done, studycircle.ReviewAppealed, ""},
		"reopened":              {"bob", done, studycircle.ReviewReopened, ""},
		"settled":               {"bob", done, studycircle.ReviewSettled, studycircle.CodeAlreadySettled},
		"graded":                {"bob", done, "", studycircle.CodeAlreadySettled},
		"another user":          {"cem", mine, studycircle.ReviewOpen, studycircle.CodeNotYourSubmissions},
		"a visitor":             {"", studycircle.Submission{}, studycircle.ReviewOpen, studycircle.CodeNotYourSubmissions},
		"another, once settled": {"cem", done, studycircle.ReviewSettled, studycircle.CodeNotYourSubmissions},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := studycircle.MayAnswer(test.viewer, studycircle.OwnCircle{}, test.s, studycircle.Reviewing{Phase: test.phase})
			require.Equal(t, test.code, studycircle.CodeOf(err))
		})
	}
	away := mine
	away.CircleID = "c"
	require.ErrorIs(t, studycircle.MayAnswer("bob", studycircle.OwnCircle{}, away, studycircle.Reviewing{Phase: studycircle.ReviewOpen}), studycircle.ErrNotFound)
}

func TestQuestionToAnswer(t *testing.T) {
	t.Parallel()
	all := []studycircle.Question{
		{ID: "late", AskedAt: caseNow.Add(time.Hour)}, {ID: "early", AskedAt: caseNow}, {ID: "done", AskedAt: caseNow.Add(-time.Hour), AnsweredAt: caseNow},
	}
	for _, test := range []struct {
		all  []studycircle.Question
		id   string
		want string
		code studycircle.Code
	}{
		{all, "", "early", ""},
		{all, "late", "late", ""},
		{all, "done", "", studycircle.CodeAlreadyAnswered},
		{all, "other", "", studycircle.CodeNotFound},
		{all[2:], "", "", studycircle.CodeAlreadyAnswered},
		{nil, "", "", studycircle.CodeNotFound},
	} {
		got, err := studycircle.QuestionToAnswer(test.all, test.id)
		require.Equal(t, test.code, studycircle.CodeOf(err), "%v", test)
		require.Equal(t, test.want, got.ID)
	}
	require.Equal(t, "late", all[0].ID, "the questions stay in their order")
}

// An answer comes to those whom it helps, on the page on which it does.
func TestWhoIsNotifiedOfAnAnswer(t *testing.T) {
	t.Parallel()
	s := studycircle.Submission{ID: "s", AssignmentID: "a", AssignmentTitle: "Tides", Submitter: studycircle.Person{UserID: "bob"}}
	for turn, url := range map[studycircle.Turn]string{
		studycircle.TurnLeased: "/pending-assignments", studycircle.TurnLapsed: "/pending-assignments", studycircle.TurnReviewed: "/reviews",
		studycircle.TurnReturned: "", studycircle.NoTurn: "",
	} {
		n := studycircle.AnsweredNotice(studycircle.Question{Reviewer: "cem"}, turn, s)
		require.Equal(t, url, n.URL, turn)
		got := n.Wanted()
		require.Equal(t, url != "", got, turn)
		require.Empty(t, n.ActorID)
		require.Equal(t, url != "", studycircle.MayReadQuestion(turn) == nil, turn)
	}
	asked := studycircle.AskedNotice(s, caseNow)
	require.Equal(t, "bob", asked.UserID)
	require.Empty(t, asked.ActorID)
}
