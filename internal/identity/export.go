package identity

import (
	"context"

	"studycircle"
)

// Exporter takes a user's own data, part by part.
type Exporter interface {
	Account(studycircle.Account) error
	Provider(LinkedProvider) error
	Passkey(studycircle.Passkey) error
	Session(OpenSession) error
	Assignment(studycircle.Assignment) error
	Submission(studycircle.Submission) error
	Grade(studycircle.Submission) error
	Comment(studycircle.Comment) error
	Reminder(studycircle.AskedReminder) error
	Preferences(studycircle.Preferences) error
	Notification(studycircle.Notification) error
}

// Export gives all of viewer's data to e, a few hundred rows in memory at a
// time. Before the first call of e it fails with CodeUnauthenticated where the
// account is gone.
func (i *Identity) Export(ctx context.Context, viewer studycircle.Session, e Exporter) error {
	methods, err := i.Methods(ctx, viewer)
	if err != nil {
		return err
	}
	account := methods.Account
	sessions, err := i.Sessions(ctx, viewer)
	if err != nil {
		return err
	}
	if err := e.Account(account); err != nil {
		return err
	}
	for _, p := range methods.Providers {
		if err := e.Provider(p); err != nil {
			return err
		}
	}
	for _, k := range methods.Passkeys {
		if err := e.Passkey(k); err != nil {
			return err
		}
	}
	for _, s := range sessions {
		if err := e.Session(s); err != nil {
			return err
		}
	}
	if err := i.store.EachAssignmentOf(ctx, account.ID, e.Assignment); err != nil {
		return err
	}
	if err := i.store.EachSubmissionOf(ctx, account.ID, e.Submission); err != nil {
		return err
	}
	if err := i.store.EachSubmissionGradedBy(ctx, account.ID, e.Grade); err != nil {
		return err
	}
	if err := i.store.EachCommentOf(ctx, account.ID, e.Comment); err != nil {
		return err
	}
	if err := i.store.EachReminderOf(ctx, account.ID, e.Reminder); err != nil {
		return err
	}
	preferences, err := i.store.Preferences(ctx, account.ID)
	if err != nil {
		return err
	}
	if err := e.Preferences(preferences); err != nil {
		return err
	}
	return i.store.EachNotificationOf(ctx, account.ID, e.Notification)
}
