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

// A notification of comments keeps references to them, so that hiding a comment removes it from the notification and
// restoring the comment adds it again. A notification without a visible comment has no position: no list, count or
// email contains it.

// maxRefs is the number of references that a notification keeps, the latest ones. Comments without a reference count
// until the notification is deleted.
const maxRefs = 32

// commentRef is a notification's reference to one of its comments.
type commentRef struct {
	id     string
	at     time.Time // when the comment was written, to the second
	hidden bool
	unread bool // when the comment was hidden
	mail   bool // an email of the comment is planned, or was when the comment was hidden
}

// The marks of references in the column comments. The comment of a reference without a mark is visible, and its email
// is sent or not wanted.
const (
	markMail         = '+' // visible, and its email is planned
	markHidden       = '-' // hidden after it was read
	markHiddenUnread = '~' // hidden before it was read
	markHiddenMail   = '=' // hidden before it was read or mailed
)

// refsOf returns n's references. The email of n contains the visible comments that no earlier email contained.
func refsOf(n *tables.NotificationRow) []commentRef {
	refs := n.Comments
	if refs == "" {
		if refs = studycircle.CommentIn(n.URL); refs == "" {
			return nil
		}
		refs = string(markMail) + refs + "." + seconds(n.CreatedAt)
	}
	var out []commentRef
	for one := range strings.SplitSeq(refs, " ") {
		id, at, _ := strings.Cut(strings.TrimLeft(one, "+-~="), ".")
		since, _ := strconv.ParseInt(at, 36, 64) // 0 comes first
		t := commentRef{id: id, at: time.Unix(since, 0)}
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

// setRefs replaces n's references.
func setRefs(n *tables.NotificationRow, refs []commentRef) {
	if len(refs) == 0 {
		n.Comments = ""
		return
	}
	words := make([]string, 0, maxRefs)
	for _, t := range refs[max(0, len(refs)-maxRefs):] {
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

// seconds encodes the time at which a comment was written.
func seconds(at time.Time) string { return strconv.FormatInt(at.Unix(), 36) }

// mailPlanned reports whether an email of n is planned and not being sent.
func mailPlanned(n *tables.NotificationRow) bool {
	return n.Mail == mailDue || n.Mail == mailQueued || n.Mail == mailDigest
}

// addRef adds a reference to the comment of a notice, if there is one, to a new notification.
func addRef(n *tables.NotificationRow, of studycircle.Notice) {
	if id := studycircle.CommentIn(of.URL); id != "" {
		n.Comments = strings.TrimLeft(n.Comments+" "+string(markMail)+id+"."+seconds(of.At), " ")
	}
}

// mergeRefs adds the references of before to those of row, in the order of time. The comments of row are new and
// their email is planned; mailed reports whether the email contains them.
func mergeRefs(before, row *tables.NotificationRow, mailed bool) {
	fresh := refsOf(row)
	for i := range fresh {
		fresh[i].mail = fresh[i].mail && mailed
	}
	refs := append(refsOf(before), fresh...)
	slices.SortStableFunc(refs, func(a, b commentRef) int { return a.at.Compare(b.at) }) // some were parked
	setRefs(row, refs)
}

// newestVisible returns the id of the newest visible comment, "" if there is none.
func newestVisible(refs []commentRef) string {
	for _, t := range slices.Backward(refs) {
		if !t.hidden {
			return t.id
		}
	}
	return ""
}

// parkComment removes a hidden comment from inboxes, from counts of unread notifications and from unsent emails, until
// unparkComment adds it again. The caller holds the comment's lock.
func (tx *Tx) parkComment(ctx context.Context, c studycircle.Comment) error {
	refs, err := tx.parkNotices(ctx, c, true)
	if err != nil {
		return err
	}
	return tx.updateRefs(ctx, c, refs, func(n *tables.NotificationRow, refs []commentRef, at int) ([]commentRef, error) {
		if t := &refs[at]; !t.hidden && n.Kind.OfComments() {
			t.hidden, t.unread = true, n.ReadAt.IsZero()
			n.Count--
		}
		return refs, nil
	})
}

// unparkComment undoes parkComment: a notification that was read stays read, and the email of a comment that was
// neither read nor mailed is planned again. The caller holds the comment's lock.
func (tx *Tx) unparkComment(ctx context.Context, c studycircle.Comment) error {
	people, err := tx.parkNotices(ctx, c, false)
	if err != nil {
		return err
	}
	var anew []studycircle.Notice // of notifications that were read while c was hidden
	var mails []studycircle.Notice
	err = tx.updateRefs(ctx, c, people, func(n *tables.NotificationRow, refs []commentRef, at int) ([]commentRef, error) {
		t := refs[at]
		if !t.hidden {
			return refs, nil
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
			return slices.Delete(refs, at, at+1), nil
		}
		refs[at] = commentRef{id: t.id, at: t.at, mail: t.mail}
		n.Count++
		if t.mail && !mailPlanned(n) {
			return refs, tx.planMailAgain(ctx, n, c.CreatedAt)
		}
		return refs, nil
	})
	if err != nil {
		return err
	}
	if err := tx.put(ctx, anew, false); err != nil {
		return err
	}
	return tx.put(ctx, mails, true)
}

// forgetComment removes a deleted comment from all notifications, notices and unsent emails. The caller holds the
// comment's lock.
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
	return tx.updateRefs(ctx, c, people, func(n *tables.NotificationRow, refs []commentRef, at int) ([]commentRef, error) {
		if !refs[at].hidden {
			n.Count--
		}
		return slices.Delete(refs, at, at+1), nil
	})
}

// parkNotices stops the delivery of a comment's notices, or resumes it, and returns the ids of the users that the
// notices are for.
func (tx *Tx) parkNotices(ctx context.Context, c studycircle.Comment, parked bool) ([]string, error) {
	at := studycircle.CommentURL(c.AssignmentID, c.ID)
	err := tx.Queries.ParkFanoutsAt(ctx, db.ParkFanoutsAtParams{AssignmentID: c.AssignmentID, Url: at, Parked: parked})
	if err != nil {
		return nil, tx.Classify(err)
	}
	people, err := tx.Queries.ParkNoticesAt(ctx, db.ParkNoticesAtParams{AssignmentID: optionalText(c.AssignmentID), Url: at, Parked: parked})
	return people, tx.Classify(err)
}

// updateRefs calls change for every notification with a reference to c, with the notification's references and the
// index of c's. Each of these notifications then names its newest visible comment. updateRefs announces the change to
// their users and to people.
func (tx *Tx) updateRefs(ctx context.Context, c studycircle.Comment, people []string,
	change func(n *tables.NotificationRow, refs []commentRef, at int) ([]commentRef, error),
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
		refs := refsOf(n)
		at := slices.IndexFunc(refs, func(t commentRef) bool { return t.id == c.ID })
		if at < 0 {
			continue
		}
		before := *n
		if refs, err = change(n, refs, at); err != nil {
			return err
		}
		if err := tx.nameNewest(ctx, n, refs, newest); err != nil {
			return err
		}
		tx.setPosition(n)
		if before.No != 0 || n.No != 0 {
			people = append(people, n.UserID)
		}
		if len(refs) == 0 && n.Count == 0 {
			if err := tx.Queries.DeleteNotification(ctx, n.ID); err != nil {
				return tx.Classify(err)
			}
			continue
		}
		setRefs(n, refs)
		changed = append(changed, t.Values(n, tables.RefColumns))
	}
	tx.announceNotifications(people)
	return tx.Classify(engine.Run(ctx, tx.Tx, tables.UpdateRefs, changed, ignoreRow))
}

// nameNewest sets the name and link of n to those of its newest visible comment. If no reference is visible, n links
// to the discussion. An email without a visible comment is not due.
func (tx *Tx) nameNewest(ctx context.Context, n *tables.NotificationRow, refs []commentRef, known map[string]studycircle.Comment) error {
	if !slices.ContainsFunc(refs, func(t commentRef) bool { return t.mail && !t.hidden }) && mailPlanned(n) && forgotten(n, refs) == 0 {
		n.Mail, n.MailAt = "", time.Time{}
	}
	id := newestVisible(refs)
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

// forgotten returns the number of n's comments without a reference.
func forgotten(n *tables.NotificationRow, refs []commentRef) int64 {
	shown := int64(0)
	for _, t := range refs {
		if !t.hidden {
			shown++
		}
	}
	return n.Count - shown
}

// setPosition gives n its position again if it has a visible comment, and removes the position if it has none.
func (tx *Tx) setPosition(n *tables.NotificationRow) {
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

// planMailAgain plans the email of a notification of which a comment, written at the given instant, is visible again.
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
