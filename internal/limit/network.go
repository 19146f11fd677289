package limit

import "net/netip"

// Network returns the network that an address is counted under: IPv6 gives every
// household a /64.
func Network(address string) string {
	a, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	a = a.Unmap().WithZone("")
	if a.Is6() {
		p, _ := a.Prefix(64) // 64 bits fit any IPv6 address
		return p.String()
	}
	return a.String()
}
