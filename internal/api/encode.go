package api

import (
	"strconv"
	"time"
	"unicode/utf8"

	"studycircle"
)

// What is read most is written by hand into one buffer, with the bytes that
// encoding/json would write: a fuzz test holds both against each other.

// appendAssignment appends a as Assignment is encoded.
func appendAssignment(b []byte, a studycircle.Assignment) []byte {
	b = append(b, `{"_id":`...)
	b = appendString(b, a.ID)
	b = append(b, `,"title":`...)
	b = appendString(b, a.Title)
	b = append(b, `,"description":`...)
	b = appendString(b, a.Description)
	b = append(b, `,"thumbnail":`...)
	b = appendString(b, a.Thumbnail)
	b = append(b, `,"marks":`...)
	b = strconv.AppendInt(b, a.Marks, 10)
	b = append(b, `,"level":`...)
	b = appendString(b, string(a.Level))
	b = append(b, `,"dueDate":`...)
	b = appendTime(b, a.Due.Time())
	email, name := creator(a)
	b = append(b, `,"creatorEmail":`...)
	b = appendString(b, email)
	b = append(b, `,"creatorName":`...)
	b = appendString(b, name)
	b = append(b, `,"createdAt":`...)
	b = appendTime(b, a.CreatedAt)
	b = append(b, `,"updatedAt":`...)
	b = appendTime(b, a.UpdatedAt)
	return append(b, '}')
}

// appendList appends a page as AssignmentList is encoded.
func appendList(b []byte, found []studycircle.Assignment, total int64, p studycircle.Page) []byte {
	b = append(b, `{"data":[`...)
	for i, a := range found {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendAssignment(b, a)
	}
	b = append(b, `],"pagination":{"page":`...)
	b = strconv.AppendInt(b, p.Number, 10)
	b = append(b, `,"limit":`...)
	b = strconv.AppendInt(b, p.Limit, 10)
	b = append(b, `,"total":`...)
	b = strconv.AppendInt(b, total, 10)
	b = append(b, `,"totalPages":`...)
	b = strconv.AppendInt(b, p.Pages(total), 10)
	return append(b, "}}"...)
}

func appendTime(b []byte, t time.Time) []byte {
	b = append(b, '"')
	b = t.AppendFormat(b, time.RFC3339Nano)
	return append(b, '"')
}

const hexDigits = "0123456789abcdef"

// appendString appends s as a JSON string. What is no valid UTF-8 becomes U+FFFD.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	done := 0 // s[:done] is in b
	for i := 0; i < len(s); {
		if len(s)-i >= 8 {
			e := s[i : i+8]
			if allPlain(uint64(e[0]) | uint64(e[1])<<8 | uint64(e[2])<<16 | uint64(e[3])<<24 |
				uint64(e[4])<<32 | uint64(e[5])<<40 | uint64(e[6])<<48 | uint64(e[7])<<56) {
				i += 8
				continue
			}
		}
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		size := 1
		var r rune
		if c >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
			// U+2028 and U+2029 end a line in old JavaScript.
			if (r != utf8.RuneError || size > 1) && r != '\u2028' && r != '\u2029' {
				i += size
				continue
			}
		}
		b = append(b, s[done:i]...)
		switch {
		case r == utf8.RuneError:
			b = append(b, `\ufffd`...)
		case r != 0:
			b = append(b, `\u202`...)
			b = append(b, hexDigits[r&0xf])
		default:
			b = appendEscaped(b, c)
		}
		i += size
		done = i
	}
	b = append(b, s[done:]...)
	return append(b, '"')
}

// allPlain tells whether the eight bytes of a number are ASCII that a JSON string
// holds as it is: neither below ' ' nor '"' nor '\\'. A difference borrows from the
// next byte only where its own is one of those.
func allPlain(w uint64) bool {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	return (w|(w-' '*ones)|((w^'"'*ones)-ones)|((w^'\\'*ones)-ones))&tops == 0
}

// appendEscaped appends a character that no JSON string holds as it is.
func appendEscaped(b []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\b':
		return append(b, `\b`...)
	case '\f':
		return append(b, `\f`...)
	case '\n':
		return append(b, `\n`...)
	case '\r':
		return append(b, `\r`...)
	case '\t':
		return append(b, `\t`...)
	}
	return append(b, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&0xf])
}
