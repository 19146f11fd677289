package nodetest

import (
	"net/http"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/transfer"
)

// imported imports lines of the three kinds into n.
func (n *node) imported(t *testing.T, files map[string]string) {
	t.Helper()
	dir := t.TempDir()
	for name, lines := range files {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(lines), 0o600))
	}
	_, err := transfer.Import(t.Context(), n.app.Store, dir, time.Now(), func(int) {}, func() {})
	require.NoError(t, err)
}

// Fields that an import does not know are absent or Anonymous, never empty.
func TestImportedWork(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		n.imported(t, map[string]string{
			"assignments.jsonl": `{"_id":"old","title":"Old","description":"d","thumbnail":"https://example.org","marks":7,"level":"hard","dueDate":"1999-12-31"}` + "\n",
			"submissions.jsonl": `{"_id":"lost","assignmentTitle":"Gone","marks":9,"submittedBy":"ada@example.org","docsLink":"https://example.org/d"}` + "\n" +
				`{"_id":"nobodys","assignmentTitle":"Gone","marks":9,"docsLink":"https://example.org/d","status":"completed","givenMark":3}` + "\n",
		})
		old := n.visitor().get(t, "/api/assignment/old").is(t, http.StatusOK).json(t)
		require.Equal(t, "unknown", old["creatorEmail"])
		require.Equal(t, "Anonymous", old["creatorName"])
		require.Equal(t, "1999-12-31T23:59:59Z", old["dueDate"])
		require.Equal(t, true, bob.own(t, bob.submit(t, "old"))["late"])

		for _, s := range []doc{ada.own(t, "lost"), bob.pending(t)[0]} {
			require.Equal(t, "lost", s["_id"])
			require.NotContains(t, s, "assignmentId")
			require.Equal(t, "Gone", s["assignmentTitle"])
			require.InDelta(t, 9, s["marks"], 0)
		}
		bob.grade(t, "lost", 9)
		bob.patch(t, "/api/submissions/nobodys", doc{"marks": 1}).refused(t, http.StatusConflict, studycircle.CodeAlreadyGraded)
	})
}

// A user known only by email address has an account that no password opens.
func TestImportedUsersCannotSignInYet(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		n.imported(t, map[string]string{"users.jsonl": `{"email":"Grace@example.org","displayName":"Grace"}` + "\n"})
		for _, guess := range []string{"", password} {
			n.visitor().post(t, "/api/auth/login", doc{"email": "grace@example.org", "password": guess}).
				refused(t, http.StatusUnauthorized, studycircle.CodeInvalidCredential)
		}
		n.visitor().post(t, "/api/auth/register", newcomer()).refused(t, http.StatusConflict, studycircle.CodeEmailInUse)
	})
}
