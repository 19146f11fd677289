package api

import (
	"net/http"
	"net/netip"
	"strings"
	"time"

	"studycircle/internal/identity"
)

// Cookie says how cookies are named and protected.
type Cookie struct {
	// Secure is set if clients reach the server over TLS.
	Secure bool
}

// prefixed returns the name of a cookie that browsers accept from this host only.
func (c Cookie) prefixed(name string) string {
	if c.Secure {
		return "__Host-" + name
	}
	return name
}

// Secret returns the session secret that r carries, or "".
func (c Cookie) Secret(r *http.Request) string { return c.value(r, "session") }

func (c Cookie) value(r *http.Request, name string) string {
	cookie, err := r.Cookie(c.prefixed(name))
	if err != nil {
		return ""
	}
	return cookie.Value
}

// granted are the cookies of a browser that has signed in.
func (c Cookie) granted(g identity.Grant) []string {
	cookies := c.known(g.Device)
	if g.Secret != "" {
		cookies = append([]string{c.cookie("session", g.Secret, identity.SessionLifetime)}, cookies...)
	}
	return cookies
}

// known marks a browser as one that has signed in before.
func (c Cookie) known(device string) []string {
	if device == "" {
		return nil
	}
	return []string{c.cookie("device", device, identity.DeviceLifetime)}
}

// clear removes the session cookie. The device cookie stays: it says only that the browser
// is known.
func (c Cookie) clear() []string { return []string{c.cookie("session", "", -time.Second)} }

func (c Cookie) cookie(name, value string, lifetime time.Duration) string {
	return (&http.Cookie{
		Name: c.prefixed(name), Value: value, Path: "/", MaxAge: int(lifetime.Seconds()),
		HttpOnly: true, Secure: c.Secure, SameSite: http.SameSiteLaxMode,
	}).String()
}

// clientAddress returns the address that r came from: the peer or, if the peer is a
// trusted proxy, the last address in X-Forwarded-For that no trusted proxy has. Entries
// further left are written by the client.
func clientAddress(r *http.Request, trusted []netip.Prefix) string {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	address := peer.Addr().Unmap()
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for n := len(hops) - 1; n >= 0 && contains(trusted, address); n-- {
		before, err := parseHop(hops[n])
		if err != nil {
			break
		}
		address = before
	}
	return address.String()
}

func contains(prefixes []netip.Prefix, a netip.Addr) bool {
	for _, p := range prefixes {
		if p.Contains(a) {
			return true
		}
	}
	return false
}

// parseHop parses an address of X-Forwarded-For, to which some proxies add a port.
func parseHop(s string) (netip.Addr, error) {
	s = strings.TrimSpace(s)
	if with, err := netip.ParseAddrPort(s); err == nil {
		return with.Addr().Unmap(), nil
	}
	a, err := netip.ParseAddr(strings.Trim(s, "[]"))
	return a.Unmap(), err
}
