package testpg_test

import (
	"bufio"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/testengine"
	"studycircle/internal/testpg"
)

// orphanEnv makes this test binary start a cluster, print its folder, and wait to be
// killed.
const orphanEnv = "TESTPG_ORPHAN"

func leaveOrphan() {
	cluster, err := testpg.Start()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stdout, cluster.URL("postgres"))
	select {}
}

// folder returns a cluster's folder, read from its socket's address.
func folder(t *testing.T, dsn string) string {
	t.Helper()
	u, err := url.Parse(dsn)
	require.NoError(t, err)
	return u.Query().Get("host")
}

func TestStopLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	testengine.Need(t, testengine.Postgres)
	cluster, err := testpg.Start()
	require.NoError(t, err)
	dir := folder(t, cluster.URL("postgres"))
	require.DirExists(t, dir)

	require.NoError(t, cluster.Stop())
	require.NoDirExists(t, dir)
	require.NoError(t, cluster.Stop(), "a second Stop")
}

func TestKilledTestsLeaveNothingBehind(t *testing.T) {
	t.Parallel()
	testengine.Need(t, testengine.Postgres)
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), orphanEnv+"=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	dsn, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	dir := folder(t, dsn[:len(dsn)-1])
	require.DirExists(t, dir)

	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	require.Eventually(t, func() bool {
		_, err := os.Stat(dir)
		return os.IsNotExist(err)
	}, time.Minute, 20*time.Millisecond)
}

func TestStartTakesSettings(t *testing.T) {
	t.Parallel()
	testengine.Need(t, testengine.Postgres)
	cluster, err := testpg.Start("fsync=on", "max_connections=17")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cluster.Stop()) })
	conn := connect(t, cluster.URL("postgres"))

	for setting, want := range map[string]string{"fsync": "on", "max_connections": "17"} {
		var got string
		require.NoError(t, conn.QueryRow(t.Context(), "SELECT current_setting($1)", setting).Scan(&got))
		require.Equal(t, want, got, setting)
	}
}

func TestStartReportsTheServersOutput(t *testing.T) {
	t.Parallel()
	testengine.Need(t, testengine.Postgres)
	_, err := testpg.Start("no_such_setting=1")
	require.ErrorContains(t, err, "no_such_setting")
}
