package nodetest

import "encoding/json"

// The contract's bounds as values of a field, shared by all calls with such a field.

// number is a JSON number in this spelling.
func number(s string) json.RawMessage { return json.RawMessage(s) }

// notText returns values that every text field refuses.
func notText() []any { return []any{5, true, nil, []any{}, []any{"a"}, doc{}, number("1.5")} }

// invisible returns texts without a visible character, though not ASCII blanks.
func invisible() []any {
	return []any{
		"", " ", "\t", "\n", "\u00a0", "\u200b\u200d", "\u00ad", "\u202e\u202c", "\ufe0f", "\u3164", "\u2800", "\u115f\u1160",
		"\uffa0", "\u2066\u2069", "\u0301", "\u2003\u3000", "\ufeff", "\U000e0041",
	}
}

func controls() []any {
	return []any{"a\x00b", "\x00", "a\x1bb", "a\x7fb", "a\u0085b", "a\u009fb", "a\x0bb", "a\x0cb", "a\x08b"}
}

func lineBreaks() []any { return []any{"a\nb", "a\rb", "a\r\nb", "a\u2028b", "a\u2029b"} }

// strange returns unusual valid texts.
func strange() []string {
	return []string{
		"a", "a\tb", "\u202ecba", "a\u2066b", "👩\u200d🚀", "e\u0301", "<script>alert(1)</script>", "'; DROP TABLE users; --",
		"مرحبا", "नमस्ते", "日本語", "🎓", "%s%n{{.}}${x}", "null", "..", "a\U0010ffff", "\U00020000", "\u200fשלום",
	}
}

func badLinks() []any {
	return append(notText(),
		"https://a b.org", " https://example.org", "https://example.org ", "https://example.org/a b", "https://example.org/\t", "https://example.org/\n",
		"https://user@example.org", "https://user:secret@example.org", "https://@example.org", "https:\\\\example.org", "https://example.org\\a",
		"javascript:alert(1)", "JavaScript:alert(1)//https://", "vbscript:x", "data:text/html,x", "ftp://example.org", "file:///etc/passwd", "mailto:a@b.org",
		"//example.org", "/a", "a", "example.org", "https:", "https://", "https:///a", "https:example.org", "http:/example.org", "https://:80", "https://?a", "https://#a",
		"https://example.org/\u202e", "https://exam\u200bple.org", "https://example.org/\x00", "https://example.org/\x7f", "https://exam\u00a0ple.org",
		"https://example.org/%zz", "https://[::1", "https://example.org:port", "https://example.org:70000", `https://a"b.org`, "https://a<b>.org", "https://a|b.org", "https://a^b.org",
		link(2049), "https://example.org/"+repeated("🎓", 2029),
	)
}

func goodLinks() []string {
	return []string{
		"http://example.org", "https://example.org/a?b=c#d", "HTTPS://EXAMPLE.ORG/", "https://example.org:8443/", "https://[2001:db8::1]/", "http://127.0.0.1/",
		"https://пример.рф/путь", "https://example.org/%20", "https://example.org/a@b", "https://example.org/?u=a:b@c", "https://example.org/日本",
		link(2048), "https://example.org/" + repeated("🎓", 2028),
	}
}

// link returns a valid link of n characters.
func link(n int) string { return "https://example.org/" + repeated("a", n-len("https://example.org/")) }

// notNumbers returns values that every whole-number field refuses, whatever its bounds.
func notNumbers() []any {
	return []any{
		"10", "", "ten", true, false, nil, []any{}, []any{10}, doc{}, number("10.5"), number("0.1"), number("1e-1"), number("-1"), number("-0.5"),
		number("10.0000000000000000001"), number("9.9999999999999999999"), number("1e-999"),
		number("1e400"), number("-1e400"), number("9223372036854775807"), number("9223372036854775808"), number("1001"), number("1e100"),
	}
}

// malformed returns bodies that every call refuses.
func malformed() map[string]string {
	return map[string]string{
		"empty": "", "blank": " \n", "null": "null", "array": `[{"title":"a"}]`, "string": `"title"`, "number": "1", "bool": "true", "cut off": `{"title":"a`,
		"open": `{"title":"a"`, "closed twice": `{}}`, "two": `{} {}`, "two lines": "{}\n{}", "trailing": `{} x`, "comma": `{"title":"a",}`, "single quotes": `{'title':'a'}`,
		"no quotes": `{title:"a"}`, "comment": `{/* */}`, "NaN": `{"marks":NaN}`, "leading zero": `{"marks":01}`, "plus": `{"marks":+1}`, "byte order mark": "\ufeff{}",
		"same name twice": `{"title":"a","title":"b"}`, "same name twice, escaped": `{"title":"a","\u0074itle":"b"}`, "unknown name twice": `{"x":1,"x":2}`,
		"same name twice, nested": `{"title":{"a":1,"a":2}}`, "invalid UTF-8": "{\"title\":\"\xff\"}", "invalid UTF-8 in a name": "{\"\xff\":1}", "overlong UTF-8": "{\"title\":\"\xc0\xaf\"}",
		"half a surrogate": `{"title":"\ud800"}`, "surrogates the wrong way": `{"title":"\udc00\ud800"}`, "raw line break": "{\"title\":\"a\nb\"}", "raw NUL": "{\"title\":\"a\x00b\"}",
		"deep arrays": `{"title":` + repeated("[", 100_000) + repeated("]", 100_000) + "}", "deep objects": repeated(`{"a":`, 100_000) + "1" + repeated("}", 100_000),
		"deep and open": repeated("[", 100_000), "form": "title=a&marks=1", "XML": "<a/>",
	}
}

// wrongMediaTypes returns media types that are not JSON in UTF-8.
func wrongMediaTypes() []string {
	return []string{
		"", "text/plain", "text/plain;charset=UTF-8", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json; charset=utf-16",
		"application/jsonx", "application/problem+json", "text/json", "*/*", "json", ";",
	}
}
