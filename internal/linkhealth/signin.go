package linkhealth

import (
	"net/netip"
	"strings"
)

// Everything, for a Checker that dials any address.
var (
	everything4 = netip.MustParsePrefix("0.0.0.0/0")
	everything6 = netip.MustParsePrefix("::/0")
)

// signInHosts do nothing but sign people in. Services where documents lie send there
// whoever has no account, or none that may read.
var signInHosts = map[string]bool{
	"accounts.google.com": true, "accounts.youtube.com": true,
	"login.microsoftonline.com": true, "login.microsoftonline.us": true, "login.partner.microsoftonline.cn": true,
	"login.microsoft.com": true, "login.live.com": true, "login.windows.net": true,
	"appleid.apple.com": true, "idmsa.apple.com": true, "account.apple.com": true,
	"login.yahoo.com": true, "account.box.com": true, "account.proton.me": true, "accounts.zoho.com": true, "accounts.zoho.eu": true,
	"id.atlassian.com": true, "auth.atlassian.com": true, "passport.yandex.ru": true, "passport.yandex.com": true,
	"auth.openai.com": true, "auth.services.adobe.com": true, "signin.aws.amazon.com": true,
}

// signInDomains are those under which each organisation has a host that signs in.
var signInDomains = []string{".okta.com", ".oktapreview.com", ".auth0.com", ".onelogin.com", ".b2clogin.com", ".ciamlogin.com", ".duosecurity.com"}

// signInHost tells whether a host is known to sign people in.
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

// canonical is a host's name as it is compared.
func canonical(host string) string { return strings.TrimSuffix(strings.ToLower(host), ".") }
