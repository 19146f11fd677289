package main

import (
	"net"
	"net/http"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/metrics"
)

func TestMetricsHaveAnAddressOfTheirOwn(t *testing.T) {
	t.Parallel()
	at, err := listenFlags{Addr: "127.0.0.1:0", MetricsAddr: "127.0.0.1:0"}.listen(t.Context())
	require.NoError(t, err)
	at.publish(t.Context(), metrics.New("1.2.3"))
	address := "http://" + at.metrics.Addr().String() + "/metrics"
	client := &http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}
	status, _, text := get(t, client, address)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, text, `studycircle_build_info{`)
	at.close()
	_, err = at.metrics.Accept() // another program may have taken the port since
	require.ErrorIs(t, err, net.ErrClosed)
}

// Metrics that cannot be read are noticed when they are missed: too late.
func TestAnAddressOfMetricsThatIsTakenStopsTheStart(t *testing.T) {
	t.Parallel()
	taken, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer func() { require.NoError(t, taken.Close()) }()
	c := serveCommand{listenFlags: listenFlags{Addr: "127.0.0.1:0", MetricsAddr: taken.Addr().String()}}
	c.Brand, c.Data, c.RateLimits = "StudyCircle", filepath.Join(t.TempDir(), "data"), "on"
	require.ErrorContains(t, c.Run(t.Context()), "cannot listen on "+taken.Addr().String())
	require.NoDirExists(t, c.Data, "refused before anything is touched")
}
