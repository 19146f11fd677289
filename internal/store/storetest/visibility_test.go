package storetest

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store"
	"studycircle/internal/teststore"
)

// seen is the state of an object, as the test wrote it.
type seen struct {
	id    string
	facts studycircle.Facts
}

// In every state of an assignment or a comment, the store returns it, by id and in lists,
// to exactly those viewers to whom Visible shows it.
func TestTheStoreShowsWhatIsVisible(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		t.Helper()
		r := rand.New(rand.NewPCG(7, 11))
		ada, bo := b.user(t, "Ada"), b.user(t, "Bo")
		people := []studycircle.User{ada, bo}
		b.group(t, "book", ada, bo)
		b.group(t, "gone", ada, bo)
		b.exec(t, "UPDATE circles SET deleted_at = 1 WHERE id = 'gone'")
		b.group(t, "adas", ada)
		b.group(t, "none")
		members := map[string]map[string]bool{"book": {ada.ID: true, bo.ID: true}, "adas": {ada.ID: true}}
		circles := []string{studycircle.Hall, studycircle.Hall, "book", "adas", "none", "gone"}
		var assignments, comments []seen
		for i := range 80 {
			a := b.assignmentIn(t, circles[i%len(circles)], people[r.IntN(2)], studycircle.Easy, fmt.Sprint("Tides ", i), "Read.")
			f := studycircle.Facts{CircleID: a.CircleID, Object: studycircle.ObjectAssignment, CreatorID: a.Creator.UserID, Deleted: r.IntN(3) == 0, Hidden: r.IntN(3) == 0}
			for range r.IntN(3) {
				comments = append(comments, b.someComment(t, r, people[r.IntN(2)], a, f))
			}
			b.makeSo(t, a.ID, f)
			assignments = append(assignments, seen{a.ID, f})
		}
		for name, v := range b.viewersOf(ada, bo) {
			asThem := func(all []seen) []seen {
				all = slices.Clone(all)
				for i := range all {
					all[i].facts.Member = members[all[i].facts.CircleID][v.UserID()]
				}
				return all
			}
			assignments, comments := asThem(assignments), asThem(comments)
			for _, a := range assignments {
				_, err := b.Assignment(t.Context(), v, a.id)
				b.showsTo(t, v, a, err, name)
			}
			for _, c := range comments {
				_, err := b.Comment(t.Context(), v, c.id)
				b.showsTo(t, v, c, err, name)
			}
			for _, circleID := range circles[1:] {
				in := slices.DeleteFunc(slices.Clone(assignments), func(s seen) bool { return s.facts.CircleID != circleID })
				assert.ElementsMatch(t, visibleTo(v, in), b.listed(t, v, circleID), "the list of %s in %q", name, circleID)
			}
		}
	})
}

func (*bundle) viewersOf(ada, bo studycircle.User) map[string]studycircle.Viewer {
	out := map[string]studycircle.Viewer{"nobody": {}, "a visitor": studycircle.Visitor(), "anyone": anyone, "system": studycircle.System()}
	for _, u := range []studycircle.User{ada, bo} {
		v := studycircle.ViewerOf(u.ID)
		maps.Copy(out, map[string]studycircle.Viewer{
			u.DisplayName: v, u.DisplayName + " as author": v.Author(), u.DisplayName + " as party": v.Party(), u.DisplayName + " as moderator": v.Moderator(),
		})
	}
	for name, v := range maps.Clone(out) {
		out[name+" without the hall"] = studycircle.HallOff.As(v)
	}
	return out
}

// showsTo requires that a read returned exactly what is visible.
func (*bundle) showsTo(t *testing.T, v studycircle.Viewer, s seen, err error, name string) {
	t.Helper()
	if studycircle.Visible(v, s.facts) {
		require.NoError(t, err, "%s reads %+v", name, s.facts)
		return
	}
	require.ErrorIs(t, err, studycircle.ErrNotFound, "%s reads %+v", name, s.facts)
}

func visibleTo(v studycircle.Viewer, all []seen) (ids []string) {
	for _, s := range all {
		if studycircle.Visible(v, s.facts) {
			ids = append(ids, s.id)
		}
	}
	return ids
}

// listed returns the ids of all assignments that v gets by lists. Counts know the live
// ones only, so the list is read as one page from its beginning.
func (b *bundle) listed(t *testing.T, v studycircle.Viewer, circleID string) (ids []string) {
	t.Helper()
	found, _, err := b.Assignments(t.Context(), v, circleID, studycircle.Easy, studycircle.Page{Number: 1, Limit: 100})
	require.NoError(t, err)
	for _, a := range found {
		ids = append(ids, a.ID)
	}
	return ids
}

// group adds a circle, by its id, with some members.
func (b *bundle) group(t *testing.T, id string, members ...studycircle.User) {
	t.Helper()
	b.exec(t, "INSERT INTO circles (id, name, sort_key, joining, publishing, grading, created_at, updated_at) VALUES ('"+id+"', 'Circle "+id+"', '"+id+"', 'invite', 'members', 'members', 1, 1)")
	for _, u := range members {
		b.exec(t, "INSERT INTO circle_members (circle_id, user_id, role, joined_at) VALUES ('"+id+"', '"+u.ID+"', 'member', 1)")
	}
}

// assignmentIn is assignment in a circle.
func (b *bundle) assignmentIn(t *testing.T, circleID string, creator studycircle.User, level studycircle.Level, title, description string) studycircle.Assignment {
	t.Helper()
	a := sample(creator, level, title, description)
	a.CircleID = circleID
	require.NoError(t, teststore.Publish(t.Context(), b.Store, a))
	stored, err := b.Assignment(t.Context(), studycircle.System(), a.ID)
	require.NoError(t, err)
	return stored
}

// makeSo sets the facts of an assignment directly, bypassing the use cases.
func (b *bundle) makeSo(t *testing.T, id string, f studycircle.Facts) {
	t.Helper()
	for column, is := range map[string]bool{"deleted_at = 1": f.Deleted, "hidden_reason = 'spam'": f.Hidden} {
		if is {
			b.exec(t, "UPDATE assignments SET "+column+" WHERE id = '"+id+"'")
		}
	}
}

func (b *bundle) exec(t *testing.T, query string) {
	t.Helper()
	b.do(t, func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.DB.ExecContext(ctx, query)
		return err
	})
}

// someComment adds a comment on a and makes it listed or not, hidden or not.
func (b *bundle) someComment(t *testing.T, r *rand.Rand, author studycircle.User, a studycircle.Assignment, of studycircle.Facts) seen {
	t.Helper()
	c := studycircle.Comment{
		ID: studycircle.NewID(now), AssignmentID: a.ID, CircleID: a.CircleID, Author: studycircle.Person{UserID: author.ID}, Text: "Hm.", HTML: "<p>Hm.</p>", CreatedAt: now,
	}
	b.do(t, func(ctx context.Context, tx *store.Tx) error { return tx.InsertComment(ctx, c) })
	of.Object, of.OwnerID, of.Unlisted, of.CommentHidden = studycircle.ObjectComment, author.ID, r.IntN(2) == 0, r.IntN(2) == 0
	for column, is := range map[string]bool{"listed = FALSE": of.Unlisted, "hidden_at = 1": of.CommentHidden} {
		if is {
			b.exec(t, "UPDATE comments SET "+column+" WHERE id = '"+c.ID+"'")
		}
	}
	return seen{c.ID, of}
}

// Submissions, reports and personal objects have their own rules, in every state of the assignment.
func TestTheStoreShowsAttachedThingsToTheirViewers(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		t.Helper()
		ada, bo := b.user(t, "Ada"), b.user(t, "Bo")
		a := b.assignment(t, ada, studycircle.Easy, "Tides", "Read.")
		s := handIn(a, bo)
		require.NoError(t, handedIn(t.Context(), b.Store, s))
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			_, _, err := tx.InsertReport(ctx, studycircle.Report{
				ID: studycircle.NewID(now), Subject: studycircle.Subject{Kind: studycircle.OfAssignment, ID: a.ID}, Reason: "Spam.", CreatedAt: now,
			}, bo.ID)
			return err
		})
		_, _, _, err := b.Notifications(t.Context(), studycircle.ViewerOf(ada.ID), false, studycircle.Page{Number: 1, Limit: 10})
		require.NoError(t, err) // delivers them
		b.makeSo(t, a.ID, studycircle.Facts{Deleted: true})
		for name, v := range b.viewersOf(ada, bo) {
			_, err := b.Submission(t.Context(), v, s.ID)
			b.showsTo(t, v, seen{facts: studycircle.Facts{Object: studycircle.ObjectWork, CreatorID: ada.ID, OwnerID: bo.ID, Deleted: true}}, err, name+", work")

			reports, _, err := b.Reports(t.Context(), v, studycircle.Hall, studycircle.Page{Number: 1, Limit: 10})
			require.NoError(t, err)
			assert.Equal(t, studycircle.Visible(v, studycircle.Facts{Object: studycircle.ObjectReport}), len(reports) == 1, "%s, reports", name)

			if v.UserID() == "" {
				continue
			}
			found, _, _, err := b.Notifications(t.Context(), v, false, studycircle.Page{Number: 1, Limit: 10})
			require.NoError(t, err)
			personal := studycircle.Facts{Object: studycircle.ObjectPersonal, OwnerID: ada.ID, Deleted: true}
			assert.Equal(t, studycircle.Visible(v, personal), slices.ContainsFunc(found, func(n studycircle.Notification) bool { return n.UserID == ada.ID }), "%s, notifications", name)
		}
	})
}

// Work, notifications and lists of a circle are its members', and a former member keeps their own work as a party.
func TestTheStoreShowsWhatIsInACircleToItsMembers(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		t.Helper()
		ada, bo := b.user(t, "Ada"), b.user(t, "Bo")
		b.group(t, "book", ada, bo)
		a := b.assignmentIn(t, "book", ada, studycircle.Easy, "Tides", "Read.")
		s := handIn(a, bo)
		s.CircleID = "book"
		require.NoError(t, submit(t.Context(), b.Store, studycircle.ViewerOf(bo.ID), a.ID, limit.Use{}, func(studycircle.OwnCircle, studycircle.Assignment) (studycircle.Submission, error) { return s, nil }))
		b.do(t, func(ctx context.Context, tx *store.Tx) error {
			_, err := tx.SetReminder(ctx, bo.ID, a.ID, true, now)
			return err
		})
		member := map[string]bool{ada.ID: true, bo.ID: true}
		check := func(state string) {
			t.Helper()
			for name, v := range b.viewersOf(ada, bo) {
				in := member[v.UserID()]
				name := state + ", " + name
				facts := studycircle.Facts{Object: studycircle.ObjectWork, CreatorID: ada.ID, OwnerID: bo.ID, CircleID: "book", Member: in}
				_, err := b.Submission(t.Context(), v, s.ID)
				b.showsTo(t, v, seen{facts: facts}, err, name)

				system := v.Role() == studycircle.RoleSystem
				page := studycircle.Page{Number: 1, Limit: 10}
				pending, _, err := b.PendingSubmissions(t.Context(), v, "book", now, page)
				require.NoError(t, err)
				own := v.UserID() == bo.ID && v.Role().Base() == studycircle.RoleParty
				assert.Equal(t, in || system || own, len(pending) == 1, "%s, pending", name)
				found, _, err := b.SearchAssignments(t.Context(), v, "book", "tides", "", page)
				require.NoError(t, err)
				live := v.Role() == studycircle.RoleNone
				assert.Equal(t, (in || system) && !live, len(found) == 1, "%s, search", name)
				for _, read := range []func() (int, int64, error){
					func() (int, int64, error) {
						found, n, err := b.SearchAssignments(t.Context(), v, studycircle.Hall, "tides", "", page)
						return len(found), n, err
					},
					func() (int, int64, error) {
						found, n, err := b.Assignments(t.Context(), v, studycircle.Hall, "", page)
						return len(found), n, err
					},
					func() (int, int64, error) {
						found, n, err := b.AssignmentsDueSoon(t.Context(), v, studycircle.Hall, "", now, page)
						return len(found), n, err
					},
					func() (int, int64, error) {
						found, n, err := b.PendingSubmissions(t.Context(), v, studycircle.Hall, now, page)
						return len(found), n, err
					},
				} {
					n, total, err := read()
					require.NoError(t, err)
					assert.Zero(t, n, "%s, the hall", name)
					assert.Zero(t, total, "%s, the hall's total", name)
				}
				if v.UserID() == "" {
					continue
				}
				for _, state := range []studycircle.State{studycircle.StateMine, studycircle.StatePending, studycircle.StateOpen} {
					_, total, err := b.AssignmentsByState(t.Context(), v, studycircle.Hall, state, "", page)
					require.NoError(t, err)
					assert.Zero(t, total, "%s, the hall's %s", name, state)
				}
				progress, err := b.Progress(t.Context(), v, []string{a.ID}, now)
				require.NoError(t, err)
				assert.Equal(t, in, len(progress) == 1, "%s, progress", name)
				events, err := b.CalendarEvents(t.Context(), v)
				require.NoError(t, err)
				assert.Equal(t, in && v.UserID() == bo.ID, len(events) == 1, "%s, calendar", name)
				d, err := b.Dashboard(t.Context(), v, now)
				require.NoError(t, err)
				assert.Equal(t, in && v.UserID() == ada.ID, len(d.Waiting) == 1, "%s, waiting", name)
				assert.Equal(t, in && v.UserID() == bo.ID, len(d.Due) == 1, "%s, due", name)
				notices, _, _, err := b.Notifications(t.Context(), v, false, page)
				require.NoError(t, err)
				assert.Equal(t, in && v.UserID() == ada.ID, len(notices) == 1, "%s, notifications", name)
				role, err := b.RoleIn(t.Context(), v.UserID(), "book")
				require.NoError(t, err)
				assert.Equal(t, in, role != "")
			}
		}
		check("both are members")
		b.exec(t, "DELETE FROM circle_members WHERE user_id = '"+bo.ID+"'")
		member[bo.ID] = false
		check("Bo has left")
		b.exec(t, "UPDATE circles SET deleted_at = 1")
		clear(member)
		check("the circle is deleted")
	})
}

// A circle's notices reach those who are members when they are delivered, and its emails those who are members when
// they are sent.
func TestNoticesOfACircleReachItsMembersAtDelivery(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, b *bundle) {
		t.Helper()
		ada, bo := b.user(t, "Ada"), b.user(t, "Bo")
		b.group(t, "book", ada, bo)
		notify := func(subject string) {
			t.Helper()
			b.do(t, func(_ context.Context, tx *store.Tx) error {
				for _, u := range []studycircle.User{ada, bo} {
					tx.Notify(studycircle.Notice{UserID: u.ID, Kind: studycircle.NotifyGraded, Subject: subject, CircleID: "book", Title: "Tides", URL: "/attemded-assignments", At: now})
				}
				return nil
			})
		}
		deliver := func() (held map[string]int) {
			t.Helper()
			for n := 1; n > 0; {
				var err error
				n, err = b.DeliverNotices(t.Context())
				require.NoError(t, err)
			}
			rows, err := b.plain.QueryContext(t.Context(), "SELECT user_id FROM notifications")
			require.NoError(t, err)
			defer func() { require.NoError(t, rows.Close()) }()
			held = map[string]int{}
			for rows.Next() {
				var id string
				require.NoError(t, rows.Scan(&id))
				held[id]++
			}
			require.NoError(t, rows.Err())
			return held
		}
		notify("one")
		require.Equal(t, map[string]int{ada.ID: 1, bo.ID: 1}, deliver())
		notify("two")
		b.exec(t, "DELETE FROM circle_members WHERE user_id = '"+bo.ID+"'")
		require.Equal(t, map[string]int{ada.ID: 2, bo.ID: 1}, deliver())
		notify("three")
		b.exec(t, "UPDATE circles SET archived_at = 1")
		require.Equal(t, map[string]int{ada.ID: 2, bo.ID: 1}, deliver())
		b.exec(t, "UPDATE circles SET archived_at = NULL")

		b.exec(t, "UPDATE users SET email_verified_at = 1")
		b.exec(t, "UPDATE notifications SET id = 'mail' || user_id, mail = 'queued' WHERE subject = 'one'")
		for _, u := range []studycircle.User{ada, bo} {
			out, err := b.TakeMail(t.Context(), u.ID, "mail"+u.ID, false, now)
			require.NoError(t, err)
			require.Equal(t, u.ID == ada.ID, len(out.Notifications) == 1, u.DisplayName)
		}
		b.exec(t, "UPDATE notifications SET mail = 'digest', mail_at = NULL")
		for _, u := range []studycircle.User{ada, bo} {
			out, err := b.TakeMail(t.Context(), u.ID, "", false, now)
			require.NoError(t, err)
			require.Equal(t, u.ID == ada.ID, len(out.Notifications) == 2, u.DisplayName)
		}
	})
}
