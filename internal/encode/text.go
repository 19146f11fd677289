package encode

import (
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// AppendText appends s as a JSON string. Invalid UTF-8 becomes U+FFFD.
func AppendText(b []byte, s string) []byte {
	if plain(s) {
		b = append(b, '"')
		b = append(b, s...)
		return append(b, '"')
	}
	b, _ = jsontext.AppendQuote(b, s) // it reports invalid UTF-8, which it has mended
	return b
}

// plain reports, eight bytes at a time, whether s needs no escapes: it is ASCII without
// control characters, quotation marks and backslashes. It may report false for such a
// text too.
func plain(s string) bool {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	at := 0
	for ; len(s)-at >= 8; at += 8 {
		w := uint64(s[at]) | uint64(s[at+1])<<8 | uint64(s[at+2])<<16 | uint64(s[at+3])<<24 |
			uint64(s[at+4])<<32 | uint64(s[at+5])<<40 | uint64(s[at+6])<<48 | uint64(s[at+7])<<56
		// Taking one more than it has from a byte sets its highest bit.
		if (w|(w-ones*' ')|((w^ones*'"')-ones)|((w^ones*'\\')-ones))&high != 0 {
			return false
		}
	}
	for _, c := range []byte(s[at:]) {
		if c < ' ' || c == '"' || c == '\\' || c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
