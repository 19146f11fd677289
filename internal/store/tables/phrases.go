package tables

import (
	"strings"

	"studycircle"
	"studycircle/internal/store/engine"
)

// The database holds no words of the program: a code stands for those that are shown in the place of a user's. No text
// of a user has control characters.
var (
	toCodes = strings.NewReplacer(studycircle.HiddenTitle, "\x1ahidden", studycircle.ReportedIn, "\x1acircle")
	toWords = strings.NewReplacer("\x1ahidden", studycircle.HiddenTitle, "\x1acircle", studycircle.ReportedIn)
)

// Stored returns a text with codes for the program's words.
func Stored(text string) string { return toCodes.Replace(text) }

// Shown returns a stored text with the program's words.
func Shown(stored string) string { return toWords.Replace(stored) }

// shownColumn returns a column of text in which the program's words may stand.
func shownColumn[T any](name string, field func(*T) *string) engine.Column[T] {
	return engine.Column[T]{
		Name: name, Kind: engine.Text,
		Get: func(t *T) engine.Value { return engine.Value{Text: Stored(*field(t))} },
		Set: func(t *T, v engine.Value) { *field(t) = Shown(v.Text) },
	}
}
