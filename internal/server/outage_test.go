package server_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// While the database is away, the user of a cookie is unknown: the page then contains no session, or the browser
// would sign its user out.
func TestAnOutageSignsNoUserOut(t *testing.T) {
	t.Parallel()
	n := start(t, nil)
	id, cookie := n.publish(t, "Angles")
	require.NoError(t, n.Close())
	for _, path := range []string{"/", "/assignments", "/assignment/" + id, "/create-assignment", "/pending-assignments", "/auth/login"} {
		got := n.ask(t, http.MethodGet, path, http.Header{"Cookie": {cookie}})
		require.Equal(t, http.StatusOK, got.StatusCode, path)
		require.NotContains(t, got.boot(t), "session", path)
		visit := n.get(t, path).boot(t)
		require.Contains(t, visit, "session", path)
		require.Nil(t, visit["session"], "without a cookie there is no session")
	}
	require.Contains(t, n.get(t, "/assignment/"+id).text, "<title>Assignment Details</title>")
}
