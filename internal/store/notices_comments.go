package store

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// A notification of comments remembers which ones it stands for, so that a hidden
// comment leaves it and comes back. Without a comment that shows it has no position, and
// no list, count or email has it.

// tellings is how many comments a notification remembers, the latest. Earlier ones count
// until it is gone.
const tellings = 32

// telling is one comment that a notification stands for.
type telling struct {
	id     string
	at     time.Time // when it was written, to the second
	hidden bool
	unread bool // when it was hidden
	mail   bool // an email of it is planned, or was when it was hidden
}

// The marks of tellings in the column comments. A comment without one shows, and its
// email is sent or not wanted.
const (
	markMail         = '+' // shows, and its email is planned
	markHidden       = '-' // hidden after it was read
	markHiddenUnread = '~' // hidden before it was read
	markHiddenMail   = '=' // hidden before it was read or mailed
)

// tellingsOf returns the comments that n stands for. Its email is of those that show and
// were not mailed.
func tellingsOf(n *tables.NotificationRow) []telling {
	told := n.Comments
	if told == "" {
		if told = studycircle.CommentIn(n.URL); told == "" {
			return nil
		}
		told = string(markMail) + told + "." + seconds(n.CreatedAt)
	}
	var out []telling
	for one := range strings.SplitSeq(told, " ") {
		id, at, _ := strings.Cut(strings.TrimLeft(one, "+-~="), ".")
		since, _ := strconv.ParseInt(at, 36, 64) // 0 comes first
		t := telling{id: id, at: time.Unix(since, 0)}
		switch one[0] {
		case markMail:
			t.mail = mailPlanned(n)
		case markHidden:
			t.hidden = true
		case markHiddenUnread:
			t.hidden, t.unread = true, true
		case markHiddenMail:
			t.hidden, t.unread, t.mail = true, true, true
		}
		out = append(out, t)
	}
	return out
}

// setTellings has n stand for some comments.
func setTellings(n *tables.NotificationRow, told []telling) {
	if len(told) == 0 {
		n.Comments = ""
		return
	}
	words := make([]string, 0, tellings)
	for _, t := range told[max(0, len(told)-tellings):] {
		mark := ""
		switch {
		case t.hidden && t.unread && t.mail:
			mark = string(markHiddenMail)
		case t.hidden && t.unread:
			mark = string(markHiddenUnread)
		case t.hidden:
			mark = string(markHidden)
		case t.mail:
			mark = string(markMail)
		}
		words = append(words, mark+t.id+"."+seconds(t.at))
	}
	n.Comments = strings.Join(words, " ")
}

// seconds spells when a comment was written.
func seconds(at time.Time) string { return strconv.FormatInt(at.Unix(), 36) }

// mailPlanned reports whether an email of n is to be sent and is not on its way.
func mailPlanned(n *tables.NotificationRow) bool {
	return n.Mail == mailDue || n.Mail == mailQueued || n.Mail == mailDigest
}

// addTold adds the comment that a notice is of, if any, to a notification that is being
// made.
func addTold(n *tables.NotificationRow, of studycircle.Notice) {
	if id := studycircle.CommentIn(of.URL); id != "" {
		n.Comments = strings.TrimLeft(n.Comments+" "+string(markMail)+id+"."+seconds(of.At), " ")
	}
}

// gatherTold adds to what row stands for, which is new and has its email planned, what
// before does, in the order of time. mailed says that the email is of the new ones.
func gatherTold(before, row *tables.NotificationRow, mailed bool) {
	fresh := tellingsOf(row)
	for i := range fresh {
		fresh[i].mail = fresh[i].mail && mailed
	}
	told := append(tellingsOf(before), fresh...)
	slices.SortStableFunc(told, func(a, b telling) int { return a.at.Compare(b.at) }) // some were parked
	setTellings(row, told)
}

// newestTold returns the newest of the comments that show, "" where none is known.
func newestTold(told []telling) string {
	for _, t := range slices.Backward(told) {
		if !t.hidden {
			return t.id
		}
	}
	return ""
}

// parkComment takes away what is told of a comment that is hidden, from inboxes, from
// counts of unread notifications and from emails that are not sent, until unparkComment.
// Call it under the comment's lock.
func (tx *Tx) parkComment(ctx context.Context, c studycircle.Comment) error {
	told, err := tx.parkNotices(ctx, c, true)
	if err != nil {
		return err
	}
	return tx.retell(ctx, c, told, func(n *tables.NotificationRow, told []telling, at int) ([]telling, error) {
		if t := &told[at]; !t.hidden && n.Kind.OfComments() {
			t.hidden, t.unread = true, n.ReadAt.IsZero()
			n.Count--
		}
		return told, nil
	})
}

// unparkComment undoes parkComment: what was read is read, and what was neither read nor
// mailed is mailed. Call it under the comment's lock.
func (tx *Tx) unparkComment(ctx context.Context, c studycircle.Comment) error {
	people, err := tx.parkNotices(ctx, c, false)
	if err != nil {
		return err
	}
	var anew []studycircle.Notice // of what was read meanwhile without c
	var mails []studycircle.Notice
	err = tx.retell(ctx, c, people, func(n *tables.NotificationRow, told []telling, at int) ([]telling, error) {
		t := told[at]
		if !t.hidden {
			return told, nil
		}
		if t.unread && !n.ReadAt.IsZero() {
			notice := studycircle.Notice{
				UserID: n.UserID, Kind: n.Kind, Subject: n.Subject, AssignmentID: n.AssignmentID, CircleID: n.CircleID, Title: n.Title,
				URL: studycircle.CommentURL(c.AssignmentID, c.ID), ActorID: c.Author.UserID, At: c.CreatedAt,
			}
			if t.mail {
				mails = append(mails, notice)
			} else {
				anew = append(anew, notice)
			}
			return slices.Delete(told, at, at+1), nil
		}
		told[at] = telling{id: t.id, at: t.at, mail: t.mail}
		n.Count++
		if t.mail && !mailPlanned(n) {
			return told, tx.planMailAgain(ctx, n, c.CreatedAt)
		}
		return told, nil
	})
	if err != nil {
		return err
	}
	if err := tx.put(ctx, anew, false); err != nil {
		return err
	}
	return tx.put(ctx, mails, true)
}

// forgetComment takes away for good what is told of a comment that is deleted. Call it
// under the comment's lock.
func (tx *Tx) forgetComment(ctx context.Context, c studycircle.Comment) error {
	people, err := tx.parkNotices(ctx, c, true)
	if err != nil {
		return err
	}
	at := studycircle.CommentURL(c.AssignmentID, c.ID)
	if err := tx.Queries.DeleteFanoutsAt(ctx, db.DeleteFanoutsAtParams{AssignmentID: c.AssignmentID, Url: at}); err != nil {
		return tx.Classify(err)
	}
	if _, err := tx.Queries.DeleteNoticesAt(ctx, db.DeleteNoticesAtParams{AssignmentID: optionalText(c.AssignmentID), Url: at}); err != nil {
		return tx.Classify(err)
	}
	return tx.retell(ctx, c, people, func(n *tables.NotificationRow, told []telling, at int) ([]telling, error) {
		if !told[at].hidden {
			n.Count--
		}
		return slices.Delete(told, at, at+1), nil
	})
}

// parkNotices keeps what waits to be delivered of a comment from being delivered, or
// ends that, and returns whom it is for.
func (tx *Tx) parkNotices(ctx context.Context, c studycircle.Comment, parked bool) ([]string, error) {
	at := studycircle.CommentURL(c.AssignmentID, c.ID)
	err := tx.Queries.ParkFanoutsAt(ctx, db.ParkFanoutsAtParams{AssignmentID: c.AssignmentID, Url: at, Parked: parked})
	if err != nil {
		return nil, tx.Classify(err)
	}
	people, err := tx.Queries.ParkNoticesAt(ctx, db.ParkNoticesAtParams{AssignmentID: optionalText(c.AssignmentID), Url: at, Parked: parked})
	return people, tx.Classify(err)
}

// retell changes all notifications that stand for c: change is called with one, what it
// stands for, and the index of c in that. They then name the newest comment that shows. It
// announces to their users and to people that their notifications have changed.
func (tx *Tx) retell(ctx context.Context, c studycircle.Comment, people []string,
	change func(n *tables.NotificationRow, told []telling, at int) ([]telling, error),
) error {
	args := []any{c.AssignmentID, c.ID, c.ThreadID, studycircle.CommentURL(c.AssignmentID, c.ID), "%" + c.ID + "%"}
	if err := tx.lock(ctx, tables.InboxesAboutComment, args...); err != nil {
		return err
	}
	t := tables.Notifications
	found := t.Collect(0)
	err := engine.Select(ctx, tx.DB, found, tables.NotificationsOfComment, args...)
	if err != nil {
		return tx.Classify(err)
	}
	newest := map[string]studycircle.Comment{c.ID: c}
	var changed [][]any
	for i := range found.All {
		n := &found.All[i]
		told := tellingsOf(n)
		at := slices.IndexFunc(told, func(t telling) bool { return t.id == c.ID })
		if at < 0 {
			continue
		}
		before := *n
		if told, err = change(n, told, at); err != nil {
			return err
		}
		if err := tx.nameNewest(ctx, n, told, newest); err != nil {
			return err
		}
		tx.placeTold(n)
		if before.No != 0 || n.No != 0 {
			people = append(people, n.UserID)
		}
		if len(told) == 0 && n.Count == 0 {
			if err := tx.Queries.DeleteNotification(ctx, n.ID); err != nil {
				return tx.Classify(err)
			}
			continue
		}
		setTellings(n, told)
		changed = append(changed, t.Values(n, tables.RetoldColumns))
	}
	tx.announceNotifications(people)
	return tx.Classify(engine.Run(ctx, tx.Tx, tables.Retell, changed, ignoreRow))
}

// nameNewest has n name and link to the newest comment that shows. Where that is none that
// n remembers, it links to the discussion. An email of which no comment shows is not due.
func (tx *Tx) nameNewest(ctx context.Context, n *tables.NotificationRow, told []telling, known map[string]studycircle.Comment) error {
	if !slices.ContainsFunc(told, func(t telling) bool { return t.mail && !t.hidden }) && mailPlanned(n) && forgotten(n, told) == 0 {
		n.Mail, n.MailAt = "", time.Time{}
	}
	id := newestTold(told)
	if id == "" {
		if n.Count > 0 {
			n.URL, n.Actor = "/assignment/"+n.AssignmentID, studycircle.Person{}
		}
		return nil
	}
	c, there := known[id]
	if !there {
		var err error
		c, err = findIn(ctx, tx, tx.viewer.Moderator(), tables.Comments, tables.CommentByID, id)
		if err != nil {
			return err
		}
		known[id] = c
	}
	n.URL, n.Actor, n.CreatedAt = studycircle.CommentURL(c.AssignmentID, c.ID), c.Author, c.CreatedAt
	return nil
}

// forgotten returns how many comments n stands for without remembering which.
func forgotten(n *tables.NotificationRow, told []telling) int64 {
	shown := int64(0)
	for _, t := range told {
		if !t.hidden {
			shown++
		}
	}
	return n.Count - shown
}

// placeTold gives n its position back where something that it stands for shows, and takes it
// away where nothing does.
func (tx *Tx) placeTold(n *tables.NotificationRow) {
	scope := tables.UnreadScope(n.UserID)
	if !n.ReadAt.IsZero() {
		scope = tables.ReadScope(n.UserID)
	}
	switch {
	case n.Count == 0 && n.No != 0:
		tx.Count(scope, n.No, -1)
		n.No, n.KeptNo = 0, n.No
	case n.Count > 0 && n.No == 0 && n.KeptNo != 0:
		tx.Count(scope, n.KeptNo, 1)
		n.No, n.KeptNo = n.KeptNo, 0
	}
}

// planMailAgain plans the email of a notification whose comment of an instant shows again.
func (tx *Tx) planMailAgain(ctx context.Context, n *tables.NotificationRow, at time.Time) error {
	row, err := tx.lockInbox(ctx, n.UserID)
	if err != nil {
		return err
	}
	box := &inbox{refused: row.RefusedAt.Valid}
	if box.preferences, err = preferencesOf(row.TimeZone, row.Preferences); err != nil {
		return err
	}
	due := *n
	due.CreatedAt = at
	tx.planMail(&due, box, tables.NotificationRow{}, box.preferences.Channels[n.Kind].Mail)
	n.Mail, n.MailAt = due.Mail, due.MailAt
	if box.digest.IsZero() {
		return nil
	}
	return tx.Classify(tx.Queries.SetDigest(ctx, db.SetDigestParams{ID: n.UserID, DigestAt: micros(box.digest)}))
}
