package nodetest

import (
	"context"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle/internal/store"
	"studycircle/internal/store/bulk"

	"studycircle"
)

// New texts are Markdown; older ones look as they did.
func TestDescriptionsAndFeedbackAreMarkdown(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		of := ada.publish(t, "description", "# Read\n\n*twice* <b>")
		at := "/api/assignment/" + of
		got := n.visitor().get(t, at).is(t, http.StatusOK).json(t)
		require.Equal(t, "markdown", got["format"])
		require.Equal(t, "<h2>Read</h2>\n<p><em>twice</em> &lt;b&gt;</p>\n", got["html"])
		require.Equal(t, "# Read\n\n*twice* <b>", got["description"])

		old := studycircle.Assignment{
			ID: studycircle.NewID(n.clock.now()), Title: "Old", Description: "As *typed*", Thumbnail: "https://example.org/a.png", Marks: 50,
			Level: studycircle.Easy, Due: studycircle.DueDateAt(n.clock.now().UnixMicro(), 0), CreatedAt: n.clock.now(), UpdatedAt: n.clock.now(),
		}
		require.NoError(t, n.app.Store.Write(t.Context(), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			_, err := bulk.ImportAssignments(ctx, tx.Tx, []studycircle.Assignment{old})
			return err
		}))
		got = n.visitor().get(t, "/api/assignment/"+old.ID).is(t, http.StatusOK).json(t)
		require.Equal(t, "plain", got["format"])
		require.NotContains(t, got, "html")

		id := bob.submit(t, of)
		ada.patch(t, "/api/submissions/"+id, doc{"marks": 5, "feedback": "**Good**, see [this](https://example.org)"}).is(t, http.StatusOK)
		graded := bob.own(t, id)
		require.Equal(t, "markdown", graded["format"])
		require.Equal(t, `<p><strong>Good</strong>, see <a href="https://example.org" rel="nofollow ugc noopener">this</a></p>`+"\n", graded["html"])
		other := bob.submit(t, of)
		ada.patch(t, "/api/submissions/"+other, doc{"marks": 5}).is(t, http.StatusOK)
		for _, field := range []string{"format", "html", "feedback"} {
			require.NotContains(t, bob.own(t, other), field)
		}

		ada.put(t, at, with(assignment(), "description", "Plainly")).is(t, http.StatusOK)
		require.Equal(t, "<p>Plainly</p>\n", n.visitor().get(t, at).json(t)["html"])
	})
}
