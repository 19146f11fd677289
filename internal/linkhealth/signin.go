package linkhealth

import (
	"net/netip"
	"strings"
)

// All addresses, for a Checker with Any.
var (
	everything4 = netip.MustParsePrefix("0.0.0.0/0")
	everything6 = netip.MustParsePrefix("::/0")
)

// signInHosts only sign users in. Document services redirect there without a session, or
// with one that may not read.
var signInHosts = map[string]bool{
	"accounts.google.com": true, "accounts.youtube.com": true,
	"login.microsoftonline.com": true, "login.microsoftonline.us": true, "login.partner.microsoftonline.cn": true,
	"login.microsoft.com": true, "login.live.com": true, "login.windows.net": true,
	"appleid.apple.com": true, "idmsa.apple.com": true, "account.apple.com": true,
	"login.yahoo.com": true, "account.box.com": true, "account.proton.me": true, "accounts.zoho.com": true,
	"accounts.zoho.eu": true,
	"id.atlassian.com": true, "auth.atlassian.com": true, "passport.yandex.ru": true, "passport.yandex.com": true,
	"auth.openai.com": true, "auth.services.adobe.com": true, "signin.aws.amazon.com": true,
}

// signInDomains are domains below which each organisation has a sign-in host.
var signInDomains = []string{
	".okta.com", ".oktapreview.com", ".auth0.com", ".onelogin.com", ".b2clogin.com", ".ciamlogin.com", ".duosecurity.com",
}

// signInHost reports whether a host is a known sign-in host.
func signInHost(host string) bool {
	host = canonical(host)
	if signInHosts[host] {
		return true
	}
	for _, d := range signInDomains {
		if strings.HasSuffix(host, d) {
			return true
		}
	}
	return false
}

// canonical returns a host's name in the form that is compared.
func canonical(host string) string { return strings.TrimSuffix(strings.ToLower(host), ".") }
