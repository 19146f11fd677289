package server

import (
	"fmt"
	"html/template"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// formats are the functions that templates call with data: those that the web
// app wraps in format(), by the same name, and the operators of its components
// (web/src/lib/template/operators.ts). TestTheFirstHTMLIsWhatReactDraws compares
// what both sides make of the same data.
var formats = template.FuncMap{
	"day":        day,
	"nearness":   nearness,
	"writtenDay": writtenDay,
	"localPart":  localPart,
	"domainPart": domainPart,
	"initials":   initials,
	"place":      place,
	"comment":    comment,

	"truthy":  truthy,
	"falsy":   falsy,
	"present": present,
	"given":   given,
	"same":    same,
	"text":    textOf,
	"spelled": spelled,
}

// day returns the calendar day in the text of an instant, yyyy/MM/dd.
func day(instant string) string {
	date, _, _ := strings.Cut(instant, "T")
	return strings.ReplaceAll(date, "-", "/")
}

// writtenDay returns the day of an instant in UTC, yyyy/MM/dd.
func writtenDay(instant time.Time) string { return instant.Format("2006/01/02") }

// nearness returns how near an instant's day is to today, "tomorrow" or "3 days ago", in the words of
// Intl.RelativeTimeFormat in English. It is "" for a day more than a week away and for an invalid instant.
func nearness(instant, today string) string {
	const day, week = 24 * time.Hour, 7
	date, _, _ := strings.Cut(instant, "T")
	then, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return ""
	}
	from, err := time.Parse(time.DateOnly, today)
	if err != nil {
		return ""
	}
	switch days := int(then.Sub(from) / day); {
	case days < -week || days > week:
		return ""
	case days == 0:
		return "today"
	case days == 1:
		return "tomorrow"
	case days == -1:
		return "yesterday"
	case days > 0:
		return "in " + strconv.Itoa(days) + " days"
	default:
		return strconv.Itoa(-days) + " days ago"
	}
}

// localPart returns an email address up to its last @, which is included.
func localPart(address string) string {
	return strings.TrimSuffix(address, domainPart(address))
}

// domainPart returns the rest; "" for an invalid address.
func domainPart(address string) string {
	if at := strings.LastIndexByte(address, '@'); at >= 0 {
		return address[at+1:]
	}
	return ""
}

// initials returns the first characters of the first and the last word of a name, in upper case by all of Unicode's
// rules, as browsers do: ß becomes SS.
func initials(name string) string {
	words := strings.FieldsFunc(name, func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' })
	if len(words) == 0 {
		return "?"
	}
	first := firstOf(words[0])
	if len(words) > 1 {
		first += firstOf(words[len(words)-1])
	}
	return cases.Upper(language.Und).String(first)
}

func firstOf(word string) string {
	_, size := utf8.DecodeRuneInString(word)
	return word[:size]
}

// place returns the form of a card in a list of count cards. On the first page, one card leads if otherwise a card
// would be alone in the last of three columns; the first row is above the fold.
func place(index, count int, page int64) string {
	switch {
	case index == 0 && page == 1 && count%3 == 1 && count > 1:
		return "lead"
	case index < 3:
		return "eager"
	}
	return "later"
}

// comment keeps a comment of React's, which separates neighbouring texts and marks Suspense boundaries; the library
// removes all other comments.
func comment(text string) template.HTML {
	return template.HTML("<!--" + text + "-->") //nolint:gosec // of the build, never data
}

// truthy reports whether JavaScript takes v, as JSON has it, for true: an empty
// list is true, the empty string is not.
func truthy(v any) bool {
	at := reflect.ValueOf(v)
	switch at.Kind() {
	case reflect.Invalid:
		return false
	case reflect.Pointer:
		return !at.IsNil() && truthy(at.Elem().Interface())
	case reflect.Slice, reflect.Map:
		return !at.IsNil()
	case reflect.Struct:
		return true
	default:
		return !at.IsZero()
	}
}

// falsy returns the text that React draws for a falsy v: zero is a text, everything else is empty.
func falsy(v any) string {
	at := reflect.ValueOf(v)
	if at.Kind() == reflect.Pointer {
		at = at.Elem()
	}
	if at.CanInt() || at.CanFloat() {
		return "0"
	}
	return ""
}

// present reports whether v is not null in JSON.
func present(v any) bool {
	at := reflect.ValueOf(v)
	switch at.Kind() {
	case reflect.Invalid:
		return false
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return !at.IsNil()
	default:
		return true
	}
}

// given reports whether JSON has a field with omitempty or omitzero whose value
// is v.
func given(v any) bool {
	at := reflect.ValueOf(v)
	if at.Kind() == reflect.Slice || at.Kind() == reflect.Map {
		return at.Len() > 0
	}
	return at.IsValid() && !at.IsZero()
}

// same reports whether a === b. It refuses values that JavaScript would compare
// by identity.
func same(a, b any) (bool, error) {
	x, y := scalar(a), scalar(b)
	if x == nil || y == nil {
		return x == nil && y == nil, nil
	}
	if reflect.TypeOf(x) != reflect.TypeOf(y) {
		return false, fmt.Errorf("%T is never the same as %T", a, b)
	}
	return x == y, nil
}

// scalar returns v as a string, a float64 or a bool; nil for null, and lists and structs unchanged.
func scalar(v any) any {
	at := reflect.ValueOf(v)
	switch {
	case !at.IsValid():
		return nil
	case at.Kind() == reflect.Pointer:
		if at.IsNil() {
			return nil
		}
		return scalar(at.Elem().Interface())
	case at.CanInt():
		return float64(at.Int())
	case at.CanFloat():
		return at.Float()
	case at.Kind() == reflect.String:
		return at.String()
	default:
		return v
	}
}

// textOf returns the text that React draws for v: none for null and for a bool, JSON's for an instant and a number.
func textOf(v any) any {
	switch v := v.(type) {
	case nil, bool:
		return ""
	case time.Time:
		return v.Format(time.RFC3339Nano)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	if at := reflect.ValueOf(v); at.Kind() == reflect.Pointer {
		if at.IsNil() {
			return ""
		}
		return textOf(at.Elem().Interface())
	}
	return v
}

// spelled returns the text that React writes for v in attributes that spell out a bool: aria-pressed="true".
func spelled(v any) any {
	at := reflect.ValueOf(v)
	if at.Kind() == reflect.Bool {
		return strconv.FormatBool(at.Bool())
	}
	return textOf(v)
}
