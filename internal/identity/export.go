package identity

import (
	"context"

	"studycircle"
)

// GradedSubmission is a submission that the user of an export graded, without its
// submitter.
type GradedSubmission struct{ studycircle.Submission }

// AnsweredQuestion is a question that the user of an export answered.
type AnsweredQuestion struct{ studycircle.Question }

// Export calls item with everything that is stored about viewer, a few hundred rows in
// memory at a time. It begins with a studycircle.Account and goes on in this order:
//
//   - LinkedProvider, studycircle.Passkey, studycircle.OpenSession
//   - studycircle.Assignment, studycircle.Submission, GradedSubmission
//   - studycircle.Comment, studycircle.AskedReminder
//   - studycircle.Preferences, once, and studycircle.Notification
//   - studycircle.GivenReview, studycircle.ReviewReply, studycircle.Appeal
//   - studycircle.Exemplar, studycircle.GivenReaction, studycircle.Report
//   - studycircle.OwnCircle, studycircle.Invitation, studycircle.AskedCircle
//   - studycircle.ReviewVersion, studycircle.SelfAssessment, studycircle.Question, AnsweredQuestion
//   - studycircle.SavedRubric, studycircle.Phrases, once
//
// It returns CodeUnauthenticated before the first call if the account is gone, and the
// first error of item.
func (i *Identity) Export(ctx context.Context, viewer studycircle.Session, item func(any) error) error {
	methods, err := i.Methods(ctx, viewer)
	if err != nil {
		return err
	}
	userID := methods.Account.ID
	sessions, err := i.Sessions(ctx, viewer)
	if err != nil {
		return err
	}
	if err := item(methods.Account); err != nil {
		return err
	}
	for _, part := range []func() error{
		func() error { return all(methods.Providers, item) },
		func() error { return all(methods.Passkeys, item) },
		func() error { return all(sessions, item) },
		func() error { return i.store.EachAssignmentOf(ctx, userID, each[studycircle.Assignment](item)) },
		func() error { return i.store.EachSubmissionOf(ctx, userID, each[studycircle.Submission](item)) },
		func() error {
			return i.store.EachSubmissionGradedBy(ctx, userID, func(s studycircle.Submission) error { return item(GradedSubmission{s}) })
		},
		func() error { return i.store.EachCommentOf(ctx, userID, each[studycircle.Comment](item)) },
		func() error { return i.store.EachReminderOf(ctx, userID, each[studycircle.AskedReminder](item)) },
		func() error {
			p, err := i.store.Preferences(ctx, userID)
			if err != nil {
				return err
			}
			return item(p)
		},
		func() error { return i.store.EachNotificationOf(ctx, userID, each[studycircle.Notification](item)) },
		func() error { return i.store.EachReviewBy(ctx, userID, each[studycircle.GivenReview](item)) },
		func() error { return i.store.EachReplyBy(ctx, userID, each[studycircle.ReviewReply](item)) },
		func() error { return i.store.EachAppealBy(ctx, userID, each[studycircle.Appeal](item)) },
		func() error { return i.store.EachExemplarBy(ctx, userID, each[studycircle.Exemplar](item)) },
		func() error { return i.store.EachReactionBy(ctx, userID, each[studycircle.GivenReaction](item)) },
		func() error { return i.store.EachReportBy(ctx, userID, each[studycircle.Report](item)) },
		func() error { return i.store.EachMembershipOf(ctx, userID, each[studycircle.OwnCircle](item)) },
		func() error { return i.store.EachInvitationBy(ctx, userID, each[studycircle.Invitation](item)) },
		func() error { return i.store.EachRequestBy(ctx, userID, each[studycircle.AskedCircle](item)) },
		func() error { return i.store.EachReviewVersionBy(ctx, userID, each[studycircle.ReviewVersion](item)) },
		func() error { return i.store.EachSelfAssessmentBy(ctx, userID, each[studycircle.SelfAssessment](item)) },
		func() error { return i.store.EachQuestionBy(ctx, userID, each[studycircle.Question](item)) },
		func() error {
			return i.store.EachAnswerBy(ctx, userID, func(q studycircle.Question) error { return item(AnsweredQuestion{q}) })
		},
		func() error { return i.store.EachSavedRubricBy(ctx, userID, each[studycircle.SavedRubric](item)) },
		func() error {
			p, err := i.store.Phrases(ctx, userID)
			if err != nil {
				return err
			}
			return item(p)
		},
	} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// each is item for values of one type.
func each[T any](item func(any) error) func(T) error { return func(v T) error { return item(v) } }

// all calls item with each element of list.
func all[T any](list []T, item func(any) error) error {
	for _, v := range list {
		if err := item(v); err != nil {
			return err
		}
	}
	return nil
}
