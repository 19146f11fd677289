package metrics

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// promtool, of Debian's package prometheus, checks the alerts and runs their tests.
func TestAlerts(t *testing.T) {
	t.Parallel()
	promtool, err := exec.LookPath("promtool")
	require.NoError(t, err, "scripts/packages installs it")
	for _, args := range [][]string{{"check", "rules", "alerts.yml"}, {"test", "rules", "alerts_test.yml"}} {
		c := exec.CommandContext(t.Context(), promtool, args...)
		c.Dir = "../../release/monitoring"
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
	}
}
