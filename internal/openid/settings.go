package openid

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
)

// Entry is one provider in the operator's settings.
type Entry struct {
	ID           string `json:"id"`
	Label        string `json:"label"`
	Issuer       string `json:"issuer"`
	ClientID     string `json:"clientId"`
	ClientSecret string `json:"clientSecret"`
}

// GoogleID is the id of the provider that has flags of its own.
const GoogleID = "google"

const googleIssuer = "https://accounts.google.com"

// maxSettings bounds the settings file, in bytes.
const maxSettings = 1 << 20

// Entries joins the two values of Google's flags, which may both be empty, with file's
// entries, in the order of the buttons: Google first, then as in the file. file may be
// empty; an entry google in it replaces the flags.
func Entries(googleID, googleSecret, file string) ([]Entry, error) {
	var google, others []Entry
	switch {
	case googleID != "" && googleSecret != "":
		google = []Entry{{
			ID: GoogleID, Label: "Google", Issuer: googleIssuer, ClientID: googleID, ClientSecret: googleSecret,
		}}
	case googleID != "":
		return nil, errors.New("--google-client-id needs --google-client-secret too")
	case googleSecret != "":
		return nil, errors.New("--google-client-secret needs --google-client-id too")
	}
	if file != "" {
		listed, err := load(file)
		if err != nil {
			return nil, fmt.Errorf("--oidc %s: %w", file, err)
		}
		for _, e := range listed {
			if e.ID == GoogleID {
				google = []Entry{e}
			} else {
				others = append(others, e)
			}
		}
	}
	all := slices.Concat(google, others)
	// Issuer and subject identify a person, so an issuer may appear once.
	byIssuer := map[string]string{}
	for _, e := range all {
		if other := byIssuer[e.Issuer]; other != "" {
			return nil, fmt.Errorf("the providers %q and %q have the same issuer, %s", other, e.ID, e.Issuer)
		}
		byIssuer[e.Issuer] = e.ID
	}
	return all, nil
}

func load(file string) ([]Entry, error) {
	f, err := os.Open(file) //nolint:gosec // the operator names this file
	if err != nil {
		return nil, errors.Unwrap(err) // without the file's name, which the caller adds
	}
	text, err := io.ReadAll(io.LimitReader(f, maxSettings+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if len(text) > maxSettings {
		return nil, errors.New("the file is larger than 1 MiB")
	}
	return parse(text)
}

func parse(text []byte) ([]Entry, error) {
	var entries []Entry
	// Strict, as the API is: names are case-sensitive and unique.
	if err := jsonv2.Unmarshal(text, &entries, jsonv2.RejectUnknownMembers(true)); err != nil {
		return nil, fmt.Errorf("this is not a JSON array of {id, label, issuer, clientId, clientSecret}: %w", err)
	}
	if entries == nil {
		return nil, errors.New("this is not a JSON array but null")
	}
	seen := map[string]bool{}
	for n, e := range entries {
		if err := e.check(); err != nil {
			return nil, fmt.Errorf("entry %d: %w", n+1, err)
		}
		if seen[e.ID] {
			return nil, fmt.Errorf("entry %d: the id %q is taken by an entry before it", n+1, e.ID)
		}
		seen[e.ID] = true
	}
	return entries, nil
}

var idPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,31}$`)

func (e Entry) check() error {
	for _, v := range []struct{ name, value string }{
		{"id", e.ID}, {"label", e.Label}, {"issuer", e.Issuer}, {"clientId", e.ClientID}, {"clientSecret", e.ClientSecret},
	} {
		if strings.TrimSpace(v.value) == "" {
			return fmt.Errorf("%q is missing", v.name)
		}
	}
	if !idPattern.MatchString(e.ID) {
		return fmt.Errorf("the id %q must be 1 to 32 small letters, digits and hyphens", e.ID)
	}
	return checkAddress(e.Issuer, "the issuer")
}

// checkAddress requires TLS, or an address on this machine, for addresses that get
// secrets.
func checkAddress(address, what string) error {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return fmt.Errorf("%s must be an address like https://login.example.org", what)
	}
	if u.Scheme != "https" && (u.Scheme != "http" || !loopback(u.Hostname())) {
		return fmt.Errorf("%s must start with https:// (http:// is taken on loopback only)", what)
	}
	return nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || (ip != nil && ip.IsLoopback())
}
