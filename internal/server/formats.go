package server

import (
	"html/template"
	"reflect"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// formats are what templates do with data beside showing it: the functions that
// the web app wraps in format(), by the same name. first-html.spec.ts compares
// what both make of the same data.
var formats = template.FuncMap{
	"day":        day,
	"nearness":   nearness,
	"written":    written,
	"writtenDay": writtenDay,
	"localPart":  localPart,
	"domainPart": domainPart,
	"initials":   initials,
	"place":      place,
	"known":      known,
	"comment":    comment,
}

// day is the calendar day that an instant was written in, yyyy/MM/dd.
func day(instant string) string {
	date, _, _ := strings.Cut(instant, "T")
	return strings.ReplaceAll(date, "-", "/")
}

// written is an instant as the API writes it.
func written(instant time.Time) string { return instant.Format(time.RFC3339Nano) }

// writtenDay is its day, UTC, yyyy/MM/dd.
func writtenDay(instant time.Time) string { return instant.Format("2006/01/02") }

// nearness is how many days from today an instant's day is; "" for one more
// than a week away, or one that cannot be read.
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
	days := int(then.Sub(from) / day)
	if days < -week || days > week {
		return ""
	}
	return strconv.Itoa(days)
}

// localPart is what stands before the @ of an e-mail address.
func localPart(address string) string {
	return strings.TrimSuffix(address, domainPart(address))
}

// domainPart is the rest, the @ included; "" for what is no address.
func domainPart(address string) string {
	if at := strings.LastIndexByte(address, '@'); at >= 0 {
		return address[at:]
	}
	return ""
}

// initials are the first characters of the first and the last word of a name.
func initials(name string) string {
	words := strings.Fields(name)
	if len(words) == 0 {
		return "?"
	}
	first := firstOf(words[0])
	if len(words) > 1 {
		first += firstOf(words[len(words)-1])
	}
	return strings.ToUpper(first)
}

func firstOf(word string) string {
	_, size := utf8.DecodeRuneInString(word)
	return word[:size]
}

// place is the form that a card has in a list of count: on the first page, one
// leads where one would stand alone in the last of three columns; the first row
// is above the fold.
func place(index, count int, page int64) string {
	switch {
	case index == 0 && page == 1 && count%3 == 1 && count > 1:
		return "lead"
	case index < 3:
		return "eager"
	}
	return "later"
}

// comment keeps a comment of React's, by which it tells neighbouring texts and
// places that wait apart; the library takes all others out.
func comment(text string) template.HTML {
	return template.HTML("<!--" + text + "-->") //nolint:gosec // of the build: data does not come here
}

// known tells whether there is a value, be it zero or empty.
func known(v any) bool {
	at := reflect.ValueOf(v)
	return at.IsValid() && (at.Kind() != reflect.Pointer || !at.IsNil())
}
