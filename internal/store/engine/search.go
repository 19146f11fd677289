package engine

import (
	"slices"
	"strings"

	"studycircle/internal/store/words"
)

// Index is a full-text index, declared once: its name is that of the table that a
// migration makes for it, alike for every noun.
type Index struct{ Name string }

// Doc is what an index holds of something.
type Doc struct {
	// Title and All are its words, those of the title and all of them, each once and
	// in order, separated by spaces: see words.Distinct.
	Title, All string
	// Markers are words that are no text, by which a search may be narrowed: lower-case
	// letters and digits.
	Markers []string
}

// NewDoc cuts texts into words. Matches in title come first.
func NewDoc(title, body string, markers ...string) Doc {
	first, rest := words.Cut(title), words.Cut(body)
	return Doc{words.Distinct(first), words.Distinct(append(rest, first...)), markers}
}

// With is d with the words of a further text, which are none of the title's.
func (d Doc) With(text string) Doc {
	more := words.Cut(text)
	if len(more) == 0 {
		return d
	}
	all := strings.Fields(d.All)
	for _, w := range more {
		if at, there := slices.BinarySearch(all, w); !there {
			all = slices.Insert(all, at, w)
		}
	}
	d.All = strings.Join(all, " ")
	return d
}

// Equal reports whether an index holds the same of both.
func (d Doc) Equal(other Doc) bool {
	return d.Title == other.Title && d.All == other.All && strings.Join(d.Markers, " ") == strings.Join(other.Markers, " ")
}

// Change is what becomes of the words at a place of an index.
type Change struct {
	Index *Index
	Place int64
	Old   bool // the index has words of it, which go
	Put   bool // Doc comes
	Doc   Doc
}

// Match is what a search asks for: all words, the last one as a prefix, and all markers.
type Match struct {
	Index   *Index
	Words   []string
	Markers []string
}

// Merged makes one change of all changes of the same place, and returns them by
// index, in the order in which they were first named.
func Merged(changes []Change) (out [][]Change) {
	type key struct {
		index *Index
		place int64
	}
	type spot struct{ group, at int }
	known := make(map[key]spot, len(changes))
	groups := map[*Index]int{}
	for _, c := range changes {
		k := key{c.Index, c.Place}
		if s, again := known[k]; again {
			c.Old = out[s.group][s.at].Old
			out[s.group][s.at] = c
			continue
		}
		g, begun := groups[c.Index]
		if !begun {
			g = len(out)
			groups[c.Index], out = g, append(out, nil)
		}
		known[k] = spot{g, len(out[g])}
		out[g] = append(out[g], c)
	}
	return out
}
