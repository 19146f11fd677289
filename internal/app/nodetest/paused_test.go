package nodetest

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/store/engine"
	"studycircle/internal/teststore"
	"studycircle/internal/transfer"
)

// ownAccount returns c's account.
func (c *client) ownAccount(t *testing.T) studycircle.User {
	t.Helper()
	found, err := c.n.app.Store.AccountByEmail(t.Context(), c.email)
	require.NoError(t, err)
	return found.User
}

var anyWork = studycircle.SubmissionInput{DocsLink: "https://docs.example.org/1"}

// stored returns an assignment as the database has it.
func (n *node) stored(t *testing.T, id string) studycircle.Assignment {
	t.Helper()
	a, err := n.app.Store.Assignment(t.Context(), studycircle.System(), id)
	require.NoError(t, err)
	return a
}

// The first work is handed in while the creator changes the way of reviewing: either the change is refused and the work
// is the old settings', or the work is the new ones'.
func TestFirstWorkBesideAChangeOfReviewing(t *testing.T) {
	several := []any{"reviewsNeeded", 2, "marks", 20, "rubric", twoCriteria()}
	average, one, two := studycircle.MarkByAverage, int64(1), int64(2)
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		creator, submitter := ada.ownAccount(t), bob.ownAccount(t)
		for name, c := range map[string]struct {
			before []any
			change func(*studycircle.AssignmentInput)
		}{
			"one review to two":  {nil, func(in *studycircle.AssignmentInput) { in.Reviews = &two }},
			"two reviews to one": {several, func(in *studycircle.AssignmentInput) { in.Reviews = &one }},
			"rubric and marks": {several, func(in *studycircle.AssignmentInput) {
				in.Marks, in.Rubric = 5, &studycircle.Rubric{Criteria: []studycircle.Criterion{
					{Title: "All", Levels: []studycircle.RubricLevel{{Label: "Poor"}, {Label: "Good", Marks: 5}}},
				}}
			}},
			"no rubric":       {several, func(in *studycircle.AssignmentInput) { in.Marks, in.NoRubric = 80, true }},
			"way to the mark": {several, func(in *studycircle.AssignmentInput) { in.MarkBy = &average }},
		} {
			for _, paused := range []string{"handing in", "changing an assignment"} {
				of := ada.publish(t, c.before...)
				before := n.stored(t, of)
				in := studycircle.AssignmentInput{
					Title: "Changed", Description: before.Description, Thumbnail: before.Thumbnail, Marks: before.Marks, Level: before.Level, DueDate: before.Due.String(),
				}
				c.change(&in)
				var id string
				handIn := func(ctx context.Context) (err error) {
					id, err = n.app.Service.Submit(ctx, submitter, of, anyWork)
					return err
				}
				change := func(ctx context.Context) error {
					_, err := n.app.Service.UpdateAssignment(ctx, creator, of, in, func(studycircle.OwnCircle, studycircle.Assignment) error { return nil })
					return err
				}
				var changed, handed error
				if paused == "handing in" {
					handed, changed = teststore.Beside(t, n.database, paused, handIn, change)
				} else {
					changed, handed = teststore.Beside(t, n.database, paused, change, handIn)
				}
				what := fmt.Sprintf("%s, paused %s", name, paused)
				require.NoError(t, handed, what)
				after := n.stored(t, of)
				if changed != nil {
					require.Equal(t, studycircle.CodeAlreadyTaken, studycircle.CodeOf(changed), "%s: %v", what, changed)
					require.Equal(t, before, after, what)
				}
				stored, err := n.app.Store.Submission(t.Context(), studycircle.System(), id)
				require.NoError(t, err)
				require.Equal(t, []any{after.Reviews, after.Marks, after.Title}, []any{stored.Reviews, stored.Marks, stored.AssignmentTitle}, "%s: work under settings that do not apply", what)
				require.Equal(t, changed == nil, after.Title == "Changed", what)
				require.Equal(t, paused == "changing an assignment", changed == nil, "%s: the first one wins", what)
			}
		}
	})
}

// Work is handed in while a moderator hides its assignment: it is refused, or its title is hidden, too.
func TestWorkBesideHidingItsAssignment(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		submitter, reader := bob.ownAccount(t), ada.ownAccount(t)
		for _, reviews := range []int{1, 2} {
			for _, paused := range []string{"handing in", "hiding an assignment"} {
				what := fmt.Sprintf("%d reviews, paused %s", reviews, paused)
				of := ada.publish(t, "title", "Canary", "reviewsNeeded", reviews)
				there := n.user(t, fmt.Sprint("Eve", reviews, len(paused))).submit(t, of)
				var id string
				handIn := func(ctx context.Context) (err error) {
					id, err = n.app.Service.Submit(ctx, submitter, of, anyWork)
					return err
				}
				hide := func(ctx context.Context) error { return n.hides(ctx, of) }
				var hidden, handed error
				if paused == "handing in" {
					handed, hidden = teststore.Beside(t, n.database, paused, handIn, hide)
				} else {
					hidden, handed = teststore.Beside(t, n.database, paused, hide, handIn)
				}
				require.NoError(t, hidden, what)
				visible := func() (titles []string) {
					found, total, err := n.app.Service.PendingSubmissions(t.Context(), reader, studycircle.Hall, studycircle.Page{Number: 1, Limit: 100})
					require.NoError(t, err)
					require.Len(t, found, int(total), what)
					for _, s := range found {
						titles = append(titles, s.AssignmentTitle)
					}
					return titles
				}
				require.NotContains(t, visible(), "Canary", what)
				ids := []string{there}
				if handed == nil {
					ids = append(ids, id)
				} else {
					require.ErrorIs(t, handed, studycircle.ErrNotFound, what)
				}
				for _, id := range ids {
					stored, err := n.app.Store.Submission(t.Context(), studycircle.System(), id)
					require.NoError(t, err)
					require.Equal(t, studycircle.HiddenTitle, stored.AssignmentTitle, what)
				}
				n.moderate(t, studycircle.Restore, studycircle.OfAssignment, of)
				if reviews == 1 {
					require.Len(t, visible(), len(ids), what)
				}
				n.moderate(t, studycircle.Hide, studycircle.OfAssignment, of)
				require.Empty(t, visible(), what)
			}
		}
	})
}

// hides hides an assignment as a moderator.
func (n *node) hides(ctx context.Context, assignmentID string) error {
	return n.app.Store.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
		_, err := tx.Moderate(ctx, studycircle.Moderation{
			Moderator: studycircle.ByShell, Action: studycircle.Hide, Subject: studycircle.Subject{Kind: studycircle.OfAssignment, ID: assignmentID},
			Reason: "Not here", At: n.clock.now().UTC(),
		})
		return err
	})
}

// A comment is written while a moderator hides its assignment: it is refused, or its notification is gone.
func TestCommentsBesideHidingTheirAssignment(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		author, creator := bob.ownAccount(t), ada.ownAccount(t)
		for _, paused := range []string{"commenting", "hiding an assignment"} {
			of := ada.publish(t, "title", "Canary")
			hide := func(ctx context.Context) error { return n.hides(ctx, of) }
			comment := func(ctx context.Context) error {
				_, err := n.app.Service.CreateComment(ctx, author, of, studycircle.CommentInput{Text: "Seen."})
				return err
			}
			if paused == "commenting" {
				said, hidden := teststore.Beside(t, n.database, paused, comment, hide)
				require.NoError(t, said)
				require.NoError(t, hidden)
			} else {
				hidden, said := teststore.Beside(t, n.database, paused, hide, comment)
				require.NoError(t, hidden)
				require.ErrorIs(t, said, studycircle.ErrNotFound)
			}
			_, err := n.app.Store.DeliverNotices(t.Context())
			require.NoError(t, err)
			told, _, _, err := n.app.Store.Notifications(t.Context(), studycircle.ViewerOf(creator.ID), false, studycircle.Page{Number: 1, Limit: 100})
			require.NoError(t, err)
			for _, notification := range told {
				require.NotEqual(t, studycircle.NotifyComment, notification.Kind, paused)
			}
		}
	})
}

// Work is sent back while a moderator hides its assignment: the submitter is not notified of its title.
func TestSendingWorkBackBesideHidingItsAssignment(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		creator, submitter := ada.ownAccount(t), bob.ownAccount(t)
		for _, reviews := range []int{1, 2} {
			for _, paused := range []string{"committing", "hiding an assignment"} {
				what := fmt.Sprintf("%d reviews, paused %s", reviews, paused)
				of := ada.publish(t, "title", "Canary", "reviewsNeeded", reviews)
				id := bob.submit(t, of)
				hide := func(ctx context.Context) error { return n.hides(ctx, of) }
				sendBack := func(ctx context.Context) error {
					return n.app.Service.SendBack(ctx, creator, id, studycircle.Reason{Words: "Without a title page."})
				}
				var sent, hidden error
				if paused == "committing" {
					sent, hidden = teststore.Beside(t, n.database, paused, sendBack, hide)
				} else {
					hidden, sent = teststore.Beside(t, n.database, paused, hide, sendBack)
				}
				require.NoError(t, hidden, what)
				require.NoError(t, sent, what)
				n.tellsAll(t)
				told, _, _, err := n.app.Store.Notifications(
					t.Context(), studycircle.ViewerOf(submitter.ID), false, studycircle.Page{Number: 1, Limit: 100},
				)
				require.NoError(t, err)
				for _, notification := range told {
					require.NotEqual(t, "Canary", notification.Title, what)
				}
			}
		}
	})
}

// The mark of an exemplar is changed while one of its reviews is stored: the review is measured by the new mark.
func TestReviewOfAnExemplarBesideAChangeOfItsMark(t *testing.T) {
	const part = "SELECT part_p || ' ' || part_m || ' ' || part_xx || ' ' || part_xe || ' ' || part_xd FROM reviews WHERE submission_id = $1"
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		creator := ada.ownAccount(t)
		measured := map[string]string{}
		for order, reviewer := range map[string]*client{"one by one": n.user(t, "Bob"), "committing": n.user(t, "Cem")} {
			account := reviewer.ownAccount(t)
			of := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
			id := ada.post(t, "/api/assignment/"+of+"/exemplars", exemplar(18)).is(t, http.StatusCreated).json(t)["insertedId"].(string)
			require.Equal(t, id, reviewer.task(t, of)["submissionId"])
			review := func(ctx context.Context) error {
				_, err := n.app.Service.Grade(ctx, account, id, studycircle.ReviewInput{Mark: new(int64(12))})
				return err
			}
			change := func(ctx context.Context) error {
				_, err := n.app.Service.ChangeExemplar(ctx, creator, of, id, studycircle.ExemplarMark{Mark: 3, Reason: "It is empty."})
				return err
			}
			if order == "one by one" {
				require.NoError(t, review(t.Context()))
				require.NoError(t, change(t.Context()))
			} else {
				reviewed, changed := teststore.Beside(t, n.database, order, review, change)
				require.NoError(t, reviewed)
				require.NoError(t, changed)
			}
			var text string
			require.NoError(t, n.app.Store.Engine().Reads().QueryRowContext(t.Context(), part, id).Scan(&text))
			measured[order] = text
		}
		require.Equal(t, measured["one by one"], measured["committing"])
	})
}

// The address of a member changes while their circle is imported: the account that had it is the member.
func TestImportOfACircleBesideAChangeOfAddress(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		n.user(t, "Ada")
		bob := n.user(t, "Bob")
		verify := func(ctx context.Context, tx *store.Tx) error {
			for _, email := range []string{"ada@example.org", "bob@example.org"} {
				account, err := tx.AccountByEmail(ctx, email)
				if err != nil {
					return err
				}
				if err := tx.VerifyEmail(ctx, account.ID, n.clock.now()); err != nil {
					return err
				}
			}
			return nil
		}
		require.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), verify))
		account := bob.ownAccount(t)
		file := zipped(t, map[string]string{
			"circle.jsonl":  `{"_id":"` + studycircle.NewID(n.clock.now()) + `","name":"Readers","createdAt":"2026-01-01T00:00:00Z"}` + "\n",
			"members.jsonl": `{"email":"bob@example.org","displayName":"Bob","role":"member"}` + "\n",
		})
		load := func(ctx context.Context) error {
			_, err := transfer.ImportCircle(
				ctx, n.app.Store, file, transfer.People{Owner: "ada@example.org", ByAddress: true}, n.clock.now(),
				func(int) {}, func() { engine.At(ctx, "importing") },
			)
			return err
		}
		move := func(ctx context.Context) error {
			return n.app.Store.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
				found, err := tx.LockAccount(ctx, account.ID)
				if err != nil {
					return err
				}
				now := n.clock.now()
				return tx.ChangeEmail(ctx, found, "robert@example.org", now, now)
			})
		}
		imported, moved := teststore.Beside(t, n.database, "importing", load, move)
		require.NoError(t, imported)
		require.NoError(t, moved)
		joined, _, err := n.app.Store.CirclesOf(t.Context(), studycircle.ViewerOf(account.ID), studycircle.Page{Number: 1, Limit: 10})
		require.NoError(t, err)
		require.Len(t, joined, 1)
	})
}
