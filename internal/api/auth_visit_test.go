package api

import (
	"net/http"
	"net/netip"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestClientAddress(t *testing.T) {
	trusted := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("::1/128")}
	for _, c := range []struct {
		name, peer string
		forwarded  []string
		want       string
	}{
		{"straight", "192.0.2.1:5", nil, "192.0.2.1"},
		{"straight, with a header of its own", "192.0.2.1:5", []string{"198.51.100.7"}, "192.0.2.1"},
		{"through a proxy", "10.0.0.1:5", []string{"198.51.100.7"}, "198.51.100.7"},
		{"through a proxy on IPv6", "[::1]:5", []string{"2001:db8::7"}, "2001:db8::7"},
		{"through a mapped address", "[::ffff:10.0.0.1]:5", []string{"198.51.100.7"}, "198.51.100.7"},
		{"through two", "10.0.0.1:5", []string{"198.51.100.7, 10.0.0.2"}, "198.51.100.7"},
		{"in two headers", "10.0.0.1:5", []string{"198.51.100.7", "10.0.0.2"}, "198.51.100.7"},
		{"spoofed in front", "10.0.0.1:5", []string{"203.0.113.1, 198.51.100.7"}, "198.51.100.7"},
		{"spoofed as a proxy of ours", "10.0.0.1:5", []string{"203.0.113.1, 10.9.9.9, 198.51.100.7"}, "198.51.100.7"},
		{"with a port", "10.0.0.1:5", []string{"198.51.100.7:4711"}, "198.51.100.7"},
		{"with brackets", "10.0.0.1:5", []string{"[2001:db8::7]:4711"}, "2001:db8::7"},
		{"garbage", "10.0.0.1:5", []string{"198.51.100.7, unknown"}, "10.0.0.1"},
		{"nothing", "10.0.0.1:5", []string{""}, "10.0.0.1"},
		{"only proxies", "10.0.0.1:5", []string{"10.0.0.3, 10.0.0.2"}, "10.0.0.3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := &http.Request{RemoteAddr: c.peer, Header: http.Header{"X-Forwarded-For": c.forwarded}}
			assert.Equal(t, c.want, clientAddress(r, trusted))
		})
	}
}

func TestDeviceInWords(t *testing.T) {
	for agent, want := range map[string]string{
		"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Safari/537.36 Edg/141.0": "Edge on Windows",
		"Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0 Mobile Safari/537.36":              "Chrome on Android",
		"Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15": "Safari on macOS",
		"Mozilla/5.0 (iPad; CPU OS 19_0 like Mac OS X) AppleWebKit/605.1.15 CriOS/141.0 Mobile/15E148 Safari/604.1":             "Chrome on iPad",
		"curl/8.5.0": "curl", "Linux": "Unknown browser on Linux", "": "Unknown device", "<script>": "Unknown device",
	} {
		assert.Equal(t, want, device(agent))
	}
}
