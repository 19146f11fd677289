package service

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"reflect"
	"time"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store"
)

// Notifications returns a page of viewer's notifications, newest first, all or only unread ones, with their number
// and the number of unread ones.
func (s *Service) Notifications(
	ctx context.Context, viewer studycircle.User, unread bool, p studycircle.Page,
) (list []studycircle.Notification, total, unreadTotal int64, err error) {
	return s.store.Notifications(ctx, s.as(viewer), unread, p)
}

// NotificationDetails returns the details of a page of viewer's notifications, by their ids.
func (s *Service) NotificationDetails(
	ctx context.Context, viewer studycircle.User, list []studycircle.Notification,
) (map[string]studycircle.NotificationDetail, error) {
	return s.store.NotificationDetails(ctx, s.as(viewer).Party(), list)
}

// ReadNotifications marks those of the given notifications that are viewer's as read, and returns how many were
// unread.
func (s *Service) ReadNotifications(ctx context.Context, viewer studycircle.User, ids []string) (n int64, err error) {
	var known []string
	for _, id := range ids {
		if studycircle.ValidID(id) { // see assignmentOf
			known = append(known, id)
		}
	}
	err = s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		n, err = tx.ReadNotifications(ctx, viewer.ID, known, s.clock())
		return err
	})
	return n, gone(err)
}

// ReadNotificationsUntil marks one of viewer's notifications and all older ones as read, and returns how many were
// unread. A transaction marks a few thousand, so that other writes do not wait long.
func (s *Service) ReadNotificationsUntil(
	ctx context.Context, viewer studycircle.User, id string,
) (all int64, err error) {
	if !studycircle.ValidID(id) { // see assignmentOf
		return 0, nil
	}
	for n := int64(1); n > 0 && err == nil; all += n {
		err = s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
			n, err = tx.ReadNotificationsUntil(ctx, viewer.ID, id, s.clock())
			return err
		})
		if err != nil {
			return all, gone(err)
		}
	}
	return all, nil
}

// Preferences returns viewer's preferences.
func (s *Service) Preferences(ctx context.Context, viewer studycircle.User) (studycircle.Preferences, error) {
	p, err := s.store.Preferences(ctx, viewer.ID)
	if p.TimeZone == "" {
		p.TimeZone = "UTC"
	}
	return p, err
}

var settingsLimit = limit.Window{
	Name: "settings", Max: 120, Per: time.Hour,
	Message: "You have changed your settings a lot within the hour. Please try again in %s.",
}

// PutPreferences changes viewer's preferences; CodeInvalid, CodeRateLimited.
func (s *Service) PutPreferences(
	ctx context.Context, viewer studycircle.User, p studycircle.Preferences,
) (out studycircle.Preferences, err error) {
	use := limit.Use{Window: settingsLimit, Subject: viewer.ID, At: s.clock()}
	return out, gone(s.changePreferences(ctx, viewer.ID, use, func(
		before studycircle.Preferences,
	) (studycircle.Preferences, error) {
		out, err = p.Clean(before)
		return out, err
	}))
}

func (s *Service) changePreferences(
	ctx context.Context, userID string, use limit.Use,
	change func(before studycircle.Preferences) (studycircle.Preferences, error),
) error {
	return s.store.Write(ctx, s.as(studycircle.User{ID: userID}), func(ctx context.Context, tx *store.Tx) error {
		before, err := tx.LockPreferences(ctx, userID)
		if err != nil {
			return err
		}
		unchanged := before
		unchanged.Channels = maps.Clone(before.Channels) // change may write to the map
		after, err := change(before)
		if err != nil || reflect.DeepEqual(after, unchanged) {
			return err
		}
		if err := s.use(ctx, tx, use); err != nil {
			return err
		}
		return tx.PutPreferences(ctx, userID, after)
	})
}

// TellTimeZone stores the time zone of viewer's browser if viewer has none yet, and reports whether it did;
// CodeInvalid.
func (s *Service) TellTimeZone(ctx context.Context, viewer studycircle.User, zone string) (told bool, err error) {
	p := studycircle.DefaultPreferences()
	p.TimeZone = zone
	if _, err := p.Clean(p); err != nil {
		return false, err
	}
	err = s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		told, err = tx.TellTimeZone(ctx, viewer.ID, zone)
		return err
	})
	return told, gone(err)
}

// StopMails ends a user's emails of one kind or, if kind is "", of all kinds that a digest gathers. ErrNotFound if
// the account is gone.
func (s *Service) StopMails(ctx context.Context, userID string, kind studycircle.NotificationKind) error {
	return s.changePreferences(ctx, userID, limit.Use{}, func(p studycircle.Preferences) (studycircle.Preferences, error) {
		for k, c := range p.Channels {
			if kind == "" || k == kind {
				c.Mail = false
				p.Channels[k] = c
			}
		}
		return p, nil
	})
}

// NewCalendar creates viewer's private calendar and returns its secret, of which only a hash is stored. The previous
// secret stops working.
func (s *Service) NewCalendar(ctx context.Context, viewer studycircle.User) (secret string, err error) {
	secret = studycircle.NewSecret()
	err = s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		return tx.PutCalendar(ctx, viewer.ID, hashOf(secret), s.clock())
	})
	return secret, gone(err)
}

// hashOf needs neither salt nor stretching: a secret is 256 random bits.
func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Calendar returns the creation time of viewer's private calendar; ErrNotFound.
func (s *Service) Calendar(ctx context.Context, viewer studycircle.User) (time.Time, error) {
	return s.store.Calendar(ctx, viewer.ID)
}

// DeleteCalendar ends viewer's calendar and reports whether there was one.
func (s *Service) DeleteCalendar(ctx context.Context, viewer studycircle.User) (was bool, err error) {
	err = s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		was, err = tx.DeleteCalendar(ctx, viewer.ID)
		return err
	})
	return was, gone(err)
}

// CalendarEvents returns the events of the calendar with a secret, soonest due first. The secret is the only
// authorization. ErrNotFound.
func (s *Service) CalendarEvents(ctx context.Context, secret string) ([]studycircle.CalendarEvent, error) {
	userID, err := s.store.CalendarOwner(ctx, hashOf(secret))
	if err != nil {
		return nil, err
	}
	return s.store.CalendarEvents(ctx, s.as(studycircle.User{ID: userID}))
}
