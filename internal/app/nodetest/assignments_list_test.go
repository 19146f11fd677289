package nodetest

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// page reads a list and returns the titles in order and the pagination.
func (n *node) page(t *testing.T, query string) (titles []string, pagination doc) {
	t.Helper()
	list := n.visitor().get(t, "/api/assignments"+query).is(t, http.StatusOK).json(t)
	require.ElementsMatch(t, []string{"data", "pagination"}, fields(list))
	titles = []string{}
	for _, a := range list["data"].([]any) {
		titles = append(titles, a.(doc)["title"].(string))
	}
	return titles, list["pagination"].(doc)
}

func pages(page, limit, total, totalPages float64) doc {
	return doc{"page": page, "limit": limit, "total": total, "totalPages": totalPages}
}

func TestEmptyList(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		for query, limit := range map[string]float64{"": 10, "?search=x": 10, "?level=easy": 10, "?limit=3&level=&search=": 3} {
			titles, p := n.page(t, query)
			require.Empty(t, titles)
			require.Equal(t, pages(1, limit, 0, 0), p)
		}
	})
}

func TestListIsPagedNewestFirst(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		var newest []string
		byLevel := map[string][]string{}
		for i := range 23 {
			title, level := fmt.Sprintf("Number %02d", i), string(studycircle.Levels[i%3])
			ada.publish(t, "title", title, "level", level)
			newest = slices.Insert(newest, 0, title)
			byLevel[level] = slices.Insert(byLevel[level], 0, title)
		}
		check := func(query string, want []string, p doc) {
			t.Helper()
			titles, got := n.page(t, query)
			require.Equal(t, want, titles, query)
			require.Equal(t, p, got, query)
		}
		check("", newest[:10], pages(1, 10, 23, 3))
		check("?page=2", newest[10:20], pages(2, 10, 23, 3))
		check("?page=3", newest[20:], pages(3, 10, 23, 3))
		check("?page=4", []string{}, pages(4, 10, 23, 3))
		check("?page=9223372036854775807", []string{}, pages(9223372036854775807, 10, 23, 3))
		check("?limit=1&page=23", newest[22:], pages(23, 1, 23, 23))
		check("?limit=100", newest, pages(1, 100, 23, 1))
		check("?limit=23", newest, pages(1, 23, 23, 1))
		check("?level=&search=&colour=blue&Page=7", newest[:10], pages(1, 10, 23, 3))
		check("?search=%20%09%20", newest[:10], pages(1, 10, 23, 3))
		for level, titles := range byLevel {
			check("?limit=5&level="+level, titles[:5], pages(1, 5, float64(len(titles)), 2))
			check("?limit=5&page=2&level="+level, titles[5:], pages(2, 5, float64(len(titles)), 2))
		}
	})
}

func TestListFollowsChanges(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		var ids []string
		for i := range 5 {
			ids = append(ids, ada.publish(t, "title", fmt.Sprint(i), "level", "easy"))
		}
		ada.put(t, "/api/assignment/"+ids[1], with(assignment(), "title", "one", "level", "hard")).is(t, http.StatusOK)
		ada.del(t, "/api/assignment/"+ids[3]).is(t, http.StatusOK)
		for query, want := range map[string][]string{
			"?limit=2": {"4", "2"}, "?limit=2&page=2": {"one", "0"}, "?level=hard": {"one"}, "?level=easy": {"4", "2", "0"}, "?level=medium": {},
		} {
			titles, _ := n.page(t, query)
			require.Equal(t, want, titles, query)
		}
		_, p := n.page(t, "?limit=2")
		require.Equal(t, pages(1, 2, 4, 2), p)
	})
}

func TestListRefusesBadParameters(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		for query, location := range map[string]string{
			"page=0": "query.page", "page=-1": "query.page", "page=x": "query.page", "page=1.5": "query.page", "page=1e3": "query.page",
			"page=99999999999999999999": "query.page", "page=%00": "query.page", "page=0x1": "query.page",
			"limit=0": "query.limit", "limit=101": "query.limit", "limit=-5": "query.limit", "limit=ten": "query.limit",
			"level=EASY": "query.level", "level=impossible": "query.level", "level=%00": "query.level", "level=easy,hard": "query.level",
			"search=%00": "query.search", "search=a%FFb": "query.search", "search=%1b": "query.search", "search=" + repeated("a", 201): "query.search",
			"search=" + repeated("%F0%9F%8E%93", 201): "query.search",
			"search=100%": "query.search", "search=a;b": "query.search", "x=1&search=%zz": "query.search", "page=%2": "query.page",
		} {
			n.visitor().get(t, "/api/assignments?"+query).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, location)
		}
		both := n.visitor().get(t, "/api/assignments?page=0&limit=0&level=x")
		both.refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid, "query.page", "query.limit", "query.level")
		for _, good := range []string{"search=" + repeated("a", 200), "search=" + repeated("%F0%9F%8E%93", 200), "limit=1", "limit=100", "other=100%", "a;b&page=1"} {
			n.visitor().get(t, "/api/assignments?"+good).is(t, http.StatusOK)
		}
	})
}
