package api

import (
	"net/http"
	"net/netip"
	"strings"
	"time"

	"studycircle/internal/identity"
)

// Cookie says how cookies are named and guarded.
type Cookie struct {
	// Secure is set where people reach the server over TLS.
	Secure bool
}

// prefixed makes browsers refuse the cookie from anywhere but this very host.
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

// granted is what a browser keeps of being let in.
func (c Cookie) granted(g identity.Grant) []string {
	cookies := c.known(g.Device)
	if g.Secret != "" {
		cookies = append([]string{c.cookie("session", g.Secret, identity.SessionLifetime)}, cookies...)
	}
	return cookies
}

// known marks a browser as one that signed in before.
func (c Cookie) known(device string) []string {
	if device == "" {
		return nil
	}
	return []string{c.cookie("device", device, identity.DeviceLifetime)}
}

// clear ends the session in the browser. The device stays known: that is all
// the cookie says.
func (c Cookie) clear() []string { return []string{c.cookie("session", "", -time.Second)} }

func (c Cookie) cookie(name, value string, lifetime time.Duration) string {
	return (&http.Cookie{
		Name: c.prefixed(name), Value: value, Path: "/", MaxAge: int(lifetime.Seconds()),
		HttpOnly: true, Secure: c.Secure, SameSite: http.SameSiteLaxMode,
	}).String()
}

// clientAddress is who sent r: whoever connected to us, or, where that is a
// trusted proxy, whoever the chain of trusted proxies says. What stands further
// left in X-Forwarded-For was written by the client itself.
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

// parseHop reads an address, to which some proxies add a port.
func parseHop(s string) (netip.Addr, error) {
	s = strings.TrimSpace(s)
	if with, err := netip.ParseAddrPort(s); err == nil {
		return with.Addr().Unmap(), nil
	}
	a, err := netip.ParseAddr(strings.Trim(s, "[]"))
	return a.Unmap(), err
}
