package linkhealth

import (
	"net/netip"
	"strings"

	"code.dny.dev/ssrf"
)

// platformAddresses are addresses in public ranges at which a cloud serves its
// machines credentials and configuration. The other clouds use link-local, shared or
// unique local addresses, which the guard refuses already.
var platformAddresses = []netip.Prefix{
	netip.MustParsePrefix("168.63.129.16/32"), // Azure: WireServer, DNS and health probes
}

// platformNames are the host names of such services. A name is refused before it is
// resolved, because a cloud's resolver may return any address for it.
var platformNames = []string{
	"metadata.google.internal", "metadata.goog", "instance-data.ec2.internal", "instance-data", "metadata.azure.internal",
	"metadata.azure.com",
	"metadata.platformequinix.com", "metadata.packet.net", "metadata.tencentyun.com", "metadata.oraclecloud.com",
}

// newGuard returns a check of dialled addresses that allows public ones only, on the
// ports 80 and 443 unless options say otherwise.
func newGuard(options ...ssrf.Option) *ssrf.Guardian {
	return ssrf.New(append(options, ssrf.WithDeniedV4Prefixes(platformAddresses...))...)
}

// platformHost reports whether a URL's host is that of a cloud's platform service, or
// lies below the private top-level domain "internal".
func platformHost(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "internal" || strings.HasSuffix(host, ".internal") {
		return true
	}
	for _, name := range platformNames {
		if host == name || strings.HasSuffix(host, "."+name) {
			return true
		}
	}
	return false
}
