package engine

import (
	"slices"
	"strings"

	"studycircle/internal/store/words"
)

// Index declares a full-text index: its name is that of the table that a migration creates for it, the same for every
// noun.
type Index struct {
	Name string
	// Parted reports that the first marker of each document names one of many parts, usually small, and that a search
	// names the parts that it is in.
	Parted bool
}

// Doc is an index's entry for one row.
type Doc struct {
	// Title and All are its words, those of the title and all of them, each once and in order, separated by spaces:
	// see words.Distinct.
	Title, All string
	// Markers are artificial words that narrow a search: lower-case letters and digits.
	Markers []string
}

// NewDoc splits texts into words. Matches in title come first.
func NewDoc(title, body string, markers ...string) Doc {
	first, rest := words.Cut(title), words.Cut(body)
	return Doc{words.Distinct(first), words.Distinct(append(rest, first...)), markers}
}

// With returns d with the words of a further text that is not part of the title.
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

// Equal reports whether an index stores the same entry for both.
func (d Doc) Equal(other Doc) bool {
	return d.Title == other.Title && d.All == other.All && strings.Join(d.Markers, " ") == strings.Join(other.Markers, " ")
}

// Change is the change of one row's entry in an index.
type Change struct {
	Index *Index
	Place int64
	Old   bool // the index has an entry, which is removed
	Put   bool // Doc is added
	Doc   Doc
}

// Match is a search: for all words, the last one as a prefix, and all markers, in some parts of an index.
type Match struct {
	Index   *Index
	Words   []string
	Markers []string
	// Parts are the markers of the parts, none where the index has none. They hold each part once, in an order that is
	// the same for each search of the same parts.
	Parts []string
}

// Merged merges all changes of one position into one, and returns them by index, in the order in which they were
// first named.
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
