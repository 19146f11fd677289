package studycircle_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

func TestTimeline(t *testing.T) {
	t.Parallel()
	day := func(n int) time.Time { return time.Date(2026, 2, n, 12, 0, 0, 0, time.UTC) }
	handedIn := studycircle.Submission{Status: studycircle.Pending, SubmittedAt: day(1)}
	graded := studycircle.Submission{Status: studycircle.Completed, SubmittedAt: day(1), Grade: &studycircle.Grade{Mark: 7, MarkedAt: day(3)}}
	made := studycircle.Settlement{At: day(4), By: studycircle.SettledByModel, Reason: studycircle.SettleEnough, Mark: 12}
	decided := studycircle.Settlement{At: day(9), By: studycircle.SettledByCreator, Reason: studycircle.SettleAppeal, Mark: 14}
	appeal := studycircle.Reopening{Phase: studycircle.ReviewAppealed, At: day(5), Words: "Too low."}
	asked := appeal
	asked.AskedAt = day(7)
	unknown := studycircle.Reopening{Phase: studycircle.ReviewReopened}

	type kinds = []studycircle.StepKind
	for name, tt := range map[string]struct {
		history studycircle.History
		past    kinds
		now     kinds
		next    kinds
	}{
		"one grade, pending": {
			studycircle.History{Submission: handedIn},
			kinds{studycircle.StepHandedIn}, kinds{studycircle.StepGrade}, nil,
		},
		"one grade, given": {
			studycircle.History{Submission: graded},
			kinds{studycircle.StepHandedIn, studycircle.StepSettled}, nil, nil,
		},
		"open to review": {
			studycircle.History{Submission: handedIn, Reviewing: studycircle.Reviewing{Phase: studycircle.ReviewOpen, SettleAt: day(20)}},
			kinds{studycircle.StepHandedIn}, kinds{studycircle.StepReviews}, nil,
		},
		"no review in time": {
			studycircle.History{Submission: handedIn, Reviewing: studycircle.Reviewing{Phase: studycircle.ReviewUnattended}},
			kinds{studycircle.StepHandedIn}, kinds{studycircle.StepUnattended}, nil,
		},
		"appealed": {
			studycircle.History{
				Submission: graded, Settlements: []studycircle.Settlement{made}, Reopenings: []studycircle.Reopening{appeal},
				Reviewing: studycircle.Reviewing{Phase: studycircle.ReviewAppealed, SettleAt: day(20)}, Decides: true,
			},
			kinds{studycircle.StepHandedIn, studycircle.StepSettled, studycircle.StepAppeal},
			kinds{studycircle.StepNewReviewers}, kinds{studycircle.StepDecision},
		},
		"appealed, without a creator": {
			studycircle.History{
				Submission: graded, Settlements: []studycircle.Settlement{made}, Reopenings: []studycircle.Reopening{appeal},
				Reviewing: studycircle.Reviewing{Phase: studycircle.ReviewAppealed, SettleAt: day(20)},
			},
			kinds{studycircle.StepHandedIn, studycircle.StepSettled, studycircle.StepAppeal},
			kinds{studycircle.StepNewReviewers}, kinds{studycircle.StepModel},
		},
		"the creator was asked": {
			studycircle.History{
				Submission: graded, Settlements: []studycircle.Settlement{made}, Reopenings: []studycircle.Reopening{asked},
				Reviewing: studycircle.Reviewing{Phase: studycircle.ReviewAppealed, Asked: true, SettleAt: day(20)}, Decides: true,
			},
			kinds{studycircle.StepHandedIn, studycircle.StepSettled, studycircle.StepAppeal, studycircle.StepAsked},
			kinds{studycircle.StepDecision}, kinds{studycircle.StepModel},
		},
		"an appeal decided": {
			studycircle.History{
				Submission: graded, Settlements: []studycircle.Settlement{made, decided}, Reopenings: []studycircle.Reopening{asked},
				Reviewing: studycircle.Reviewing{Phase: studycircle.ReviewSettled},
			},
			kinds{studycircle.StepHandedIn, studycircle.StepSettled, studycircle.StepAppeal, studycircle.StepAsked, studycircle.StepSettled}, nil, nil,
		},
		"a reopening of unknown time follows the first mark": {
			studycircle.History{
				Submission: graded, Settlements: []studycircle.Settlement{made, decided}, Reopenings: []studycircle.Reopening{unknown},
				Reviewing: studycircle.Reviewing{Phase: studycircle.ReviewSettled},
			},
			kinds{studycircle.StepHandedIn, studycircle.StepSettled, studycircle.StepReopened, studycircle.StepSettled}, nil, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := map[studycircle.StepTime]kinds{}
			for _, step := range tt.history.Timeline() {
				got[step.Time] = append(got[step.Time], step.Kind)
			}
			require.Equal(t, tt.past, got[studycircle.StepPast])
			require.Equal(t, tt.now, got[studycircle.StepNow])
			require.Equal(t, tt.next, got[studycircle.StepNext])
		})
	}

	steps := studycircle.History{Submission: graded}.Timeline()
	require.Equal(t, studycircle.Day(day(1)), steps[0].Day)
	require.Equal(t, studycircle.Day(day(3)), steps[1].Day)
	require.EqualValues(t, 7, *steps[1].Mark)
	require.Equal(t, studycircle.SettledByGrader, steps[1].By)
}
