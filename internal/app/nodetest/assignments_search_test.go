package nodetest

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSearchFindsWords(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		for _, a := range [][2]string{
			{"Linear algebra", "Vectors and matrices."}, {"Graph theory", "Uses some algebra, linear at times."},
			{"Algebraic curves", "Nothing in a straight line."}, {"Cooking", "100% butter; don't spare it. C++ and e-mail."},
		} {
			ada.publish(t, "title", a[0], "description", a[1])
		}
		for search, want := range map[string][]string{
			"algebra":              {"Algebraic curves", "Linear algebra", "Graph theory"}, // the title first, newest first
			"ALGEBRA":              {"Algebraic curves", "Linear algebra", "Graph theory"},
			"alg":                  {"Algebraic curves", "Linear algebra", "Graph theory"},
			"gebra":                {},
			"algebra linear":       {"Linear algebra", "Graph theory"},
			"linear algebra":       {"Linear algebra", "Graph theory"},
			"linear  algeb":        {"Linear algebra", "Graph theory"},
			"lin algebra":          {}, // only the last word is a prefix
			"algebra matrices":     {"Linear algebra"},
			"algebra butter":       {},
			"don't":                {"Cooking"},
			"100%":                 {"Cooking"},
			"%":                    {},
			"_":                    {},
			"c++":                  {"Cooking", "Algebraic curves"}, // the letter, as a prefix
			"e-mail":               {"Cooking"},
			`"linear algebra"`:     {"Linear algebra", "Graph theory"},
			"algebra*":             {"Algebraic curves", "Linear algebra", "Graph theory"},
			"algebra OR butter":    {},
			"NOT algebra":          {},
			"title:algebra":        {},
			"level:medium":         {},
			"medium":               {},
			"'":                    {},
			"') OR 1=1 --":         {},
			`\`:                    {},
			"algebra & ! | <-> ()": {"Algebraic curves", "Linear algebra", "Graph theory"},
		} {
			require.Equal(t, want, n.found(t, search), search)
		}
	})
}

// found returns the titles that a search finds.
func (n *node) found(t *testing.T, search string) []string {
	t.Helper()
	titles, _ := n.page(t, "?search="+url.QueryEscape(search))
	return titles
}

func TestSearchReadsManyScripts(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		for title, searches := range map[string][]string{
			"Éléments de géométrie": {"elements", "ÉLÉMENTS", "e\u0301le\u0301ments", "geom", "GÉOMÉTRIE"},
			"İstanbul'da ışık":      {"istanbul", "ISTANBUL", "İSTANBUL", "ışık", "IŞIK", "isik"},
			"Die große Straße":      {"strasse", "STRASSE", "straße", "STRAẞE", "gross"},
			"Ο Οδυσσέας":            {"οδυσσεας", "ΟΔΥΣΣΕΑΣ", "Οδυσσέας", "οδυσσ"},
			"Ёлка и чай":            {"елка", "ЁЛКА", "чаи", "ЧАЙ"},
			"كِتَابُ أَحْمَد":       {"كتاب", "احمد", "أحمد"},
			"हिन्दी की किताब":       {"हिन्दी", "किताब", "किता"},
			"日本語の文法":                {"日本語", "文法", "日"},
			"数学分析":                  {"数学", "分析", "学分"},
			"한국어 문법":                {"한국어", "문법", "한국"},
			"ภาษาไทย":               {"ภาษา", "ไทย"},
			"עִבְרִית":              {"עברית"},
			"ﬁnance Ⅳ ２０２６":         {"finance", "iv", "2026"},
			"𝔊𝔬𝔱𝔥𝔦𝔠":                {"gothic"},
			"𞤀𞤣𞤤𞤢𞤥":                 {"𞤀𞤣𞤤𞤢𞤥", "𞤢𞤣𞤤𞤢𞤥"},
			"ქართული":               {"ქართული", "ᲥᲐᲠᲗᲣᲚᲘ"},
			"Việt Nam":              {"viet", "VIỆT"},
		} {
			ada.publish(t, "title", title)
			for _, search := range searches {
				require.Contains(t, n.found(t, search), title, "%q should find %q", search, title)
			}
			require.NotContains(t, n.found(t, "zzz"), title)
		}
		require.Empty(t, n.found(t, "🎓"), "a picture is no word")
	})
}

func TestSearchIsPagedByLevelTitlesFirst(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		for i := range 6 {
			ada.publish(t, "title", fmt.Sprintf("Moon %d", i), "description", "x", "level", []string{"easy", "hard"}[i%2])
			ada.publish(t, "title", fmt.Sprintf("Sea %d", i), "description", "The moon again.", "level", []string{"easy", "hard"}[i%2])
		}
		all := []string{"Moon 5", "Moon 4", "Moon 3", "Moon 2", "Moon 1", "Moon 0", "Sea 5", "Sea 4", "Sea 3", "Sea 2", "Sea 1", "Sea 0"}
		for p := range 4 {
			titles, got := n.page(t, fmt.Sprintf("?search=moon&limit=4&page=%d", p+1))
			require.Equal(t, all[min(p*4, 12):min(p*4+4, 12)], titles)
			require.Equal(t, pages(float64(p+1), 4, 12, 3), got)
		}
		titles, p := n.page(t, "?search=moon&limit=5&level=hard")
		require.Equal(t, []string{"Moon 5", "Moon 3", "Moon 1", "Sea 5", "Sea 3"}, titles)
		require.Equal(t, pages(1, 5, 6, 2), p)
		titles, p = n.page(t, "?search=moon&level=medium")
		require.Empty(t, titles)
		require.Equal(t, pages(1, 10, 0, 0), p)
	})
}

func TestSearchFollowsChanges(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		first, second := ada.publish(t, "title", "Moon", "level", "easy"), ada.publish(t, "title", "Second moon")
		ada.put(t, "/api/assignment/"+first, with(assignment(), "title", "Sun", "level", "hard")).is(t, http.StatusOK)
		require.Equal(t, []string{"Second moon"}, n.found(t, "moon"))
		require.Equal(t, []string{"Sun"}, n.found(t, "sun"))
		titles, _ := n.page(t, "?search=sun&level=hard")
		require.Equal(t, []string{"Sun"}, titles)
		titles, _ = n.page(t, "?search=sun&level=easy")
		require.Empty(t, titles)
		ada.del(t, "/api/assignment/"+second).is(t, http.StatusOK)
		require.Empty(t, n.found(t, "moon"))
		_, p := n.page(t, "?search=moon")
		require.Equal(t, pages(1, 10, 0, 0), p)
	})
}
