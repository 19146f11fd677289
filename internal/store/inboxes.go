package store

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// preferencesRecord is the stored form of preferences, without the time zone. A missing kind has its default, so that
// a new kind needs no migration.
type preferencesRecord struct {
	DaysBefore []int                                                `json:"daysBefore"`
	At         string                                               `json:"at"`
	Channels   map[studycircle.NotificationKind]studycircle.Channel `json:"channels"`
	Digest     studycircle.Digest                                   `json:"digest"`
}

// preferencesOf reads the preferences of an inbox; the defaults for an empty one.
func preferencesOf(zone, stored string) (studycircle.Preferences, error) {
	p := studycircle.DefaultPreferences()
	p.TimeZone = zone
	if stored == "" {
		return p, nil
	}
	var r preferencesRecord
	if err := json.Unmarshal([]byte(stored), &r); err != nil {
		return p, fmt.Errorf("read a user's preferences: %w", err)
	}
	p.DaysBefore, p.At, p.Digest = r.DaysBefore, r.At, r.Digest
	maps.Copy(p.Channels, r.Channels)
	return p, nil
}

// Preferences returns a user's preferences.
func (s *Store) Preferences(ctx context.Context, userID string) (_ studycircle.Preferences, err error) {
	defer s.operation(&err, "Store.Preferences", userID)
	row, err := s.engine.Queries().GetInbox(ctx, userID)
	if err != nil && !isMissing(err) {
		return studycircle.Preferences{}, err
	}
	return preferencesOf(row.TimeZone, row.Preferences)
}

// LockPreferences returns a user's preferences and locks them until tx ends;
// ErrNotFound. It locks the user's reminders too, which PutPreferences plans anew: they
// come before the inbox in the lock order.
func (tx *Tx) LockPreferences(ctx context.Context, userID string) (_ studycircle.Preferences, err error) {
	defer tx.operation(&err, "Tx.LockPreferences", userID)
	if err := tx.lock(ctx, tables.RemindersTo, userID); err != nil {
		return studycircle.Preferences{}, err
	}
	row, err := tx.lockInbox(ctx, userID)
	if err != nil {
		return studycircle.Preferences{}, err
	}
	return preferencesOf(row.TimeZone, row.Preferences)
}

// Withdraw deletes a user's notices and notifications of one kind about one subject.
func (tx *Tx) Withdraw(
	ctx context.Context, userID string, kind studycircle.NotificationKind, subject string,
) (err error) {
	defer tx.operation(&err, "Tx.Withdraw", userID, subject)
	if err := tx.Queries.DeleteNoticesAbout(ctx, db.DeleteNoticesAboutParams{
		UserID: userID, Kind: string(kind), Subject: subject,
	}); err != nil {
		return err
	}
	if _, err := tx.lockInbox(ctx, userID); err != nil {
		return err
	}
	n, err := tx.Queries.DeleteNotificationsAbout(ctx, db.DeleteNotificationsAboutParams{
		UserID: userID, Kind: string(kind), Subject: subject,
	})
	if n > 0 {
		tx.announceNotifications([]string{userID})
	}
	return err
}

// lockInbox is the first step of every change to a user's notifications; ErrNotFound.
func (tx *Tx) lockInbox(ctx context.Context, userID string) (db.Inbox, error) {
	row, err := tx.Queries.LockInbox(ctx, userID)
	return row, tx.orGone(err)
}

// PutPreferences stores p, after LockPreferences, and plans reminders by it.
func (tx *Tx) PutPreferences(ctx context.Context, userID string, p studycircle.Preferences) (err error) {
	defer tx.operation(&err, "Tx.PutPreferences", userID)
	stored, err := json.Marshal(preferencesRecord{p.DaysBefore, p.At, p.Channels, p.Digest})
	if err != nil {
		return fmt.Errorf("write preferences: %w", err)
	}
	err = tx.Queries.PutPreferences(ctx, db.PutPreferencesParams{
		ID: userID, TimeZone: p.TimeZone, Preferences: string(stored),
	})
	if err != nil {
		return err
	}
	return tx.Queries.ReplanReminders(ctx, userID)
}

// TellTimeZone stores a user's time zone if none is known, and reports whether it did;
// ErrNotFound.
func (tx *Tx) TellTimeZone(ctx context.Context, userID, zone string) (_ bool, err error) {
	defer tx.operation(&err, "Tx.TellTimeZone", userID)
	box, err := tx.Queries.GetInbox(ctx, userID)
	if err == nil && box.TimeZone != "" {
		return false, nil
	}
	if err != nil && !isMissing(err) {
		return false, err
	}
	if err := tx.lock(ctx, tables.RemindersTo, userID); err != nil {
		return false, err
	}
	n, err := tx.Queries.TellTimeZone(ctx, db.TellTimeZoneParams{ID: userID, TimeZone: zone})
	if err != nil || n == 0 {
		return false, tx.orGone(err)
	}
	return true, tx.Queries.ReplanReminders(ctx, userID)
}

// PutCalendar replaces the secret of a user's calendar, of which only hash is stored; ErrNotFound.
func (tx *Tx) PutCalendar(ctx context.Context, userID, hash string, now time.Time) (err error) {
	defer tx.operation(&err, "Tx.PutCalendar", userID)
	return tx.orGone(tx.Queries.PutCalendar(ctx, db.PutCalendarParams{
		UserID: userID, SecretHash: hash, CreatedAt: micros(now),
	}))
}

// Calendar returns the creation time of a user's calendar; ErrNotFound.
func (s *Store) Calendar(ctx context.Context, userID string) (_ time.Time, err error) {
	defer s.operation(&err, "Store.Calendar", userID)
	at, err := s.engine.Queries().GetCalendar(ctx, userID)
	return instant(at), err
}

// CalendarOwner returns the owner of the calendar whose secret has that hash; ErrNotFound.
func (s *Store) CalendarOwner(ctx context.Context, hash string) (_ string, err error) {
	defer s.operation(&err, "Store.CalendarOwner")
	return s.engine.Queries().CalendarOwner(ctx, hash)
}

// DeleteCalendar ends a user's calendar and reports whether there was one.
func (tx *Tx) DeleteCalendar(ctx context.Context, userID string) (_ bool, err error) {
	defer tx.operation(&err, "Tx.DeleteCalendar", userID)
	n, err := tx.Queries.DeleteCalendar(ctx, userID)
	return n > 0, err
}
