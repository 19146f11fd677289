package store

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// pageQuery spells queries for a page of rows in the order of their positions.
//
// Words and limits stand in the statements themselves, of which there are few
// hundred. With a parameter for a limit PostgreSQL takes the plan for any limit for
// dearer than it is, and makes one anew for every page: that costs more than to
// read it. Of what is joined with people it must know that it is little, or it sets
// up a table to remember them by, which costs as much as finding ten.
type pageQuery struct {
	columns   string
	table, as string
	where     string
	owner     string // column that holds whose rows are wanted; "" where all are
	position  string // column
	order     direction
	joined    string // people
}

// of is a query for limit rows from start on, of owner's where they are somebody's.
func (p pageQuery) of(owner string, start pageStart, limit int64) postgresQuery {
	q := p.from(start, limit)
	q.args = append([]any{owner}, q.args...)
	return q
}

func (p pageQuery) from(start pageStart, limit int64) postgresQuery {
	t := p.texts(start.skip > 0, limit)
	q := postgresQuery{alone: t.alone, together: t.together, args: []any{start.from}, nameless: start.version}
	if start.skip > 0 {
		q.args = append(q.args, start.skip)
	}
	return q
}

// pageTexts are all that were spelled so far, as spelling costs more than looking one
// up. They hold no data; there are two for each limit, list and level or status.
var pageTexts sync.Map

type pageKind struct {
	pageQuery
	skips bool
	limit int64
}

type pageText struct{ alone, together string }

func (p pageQuery) texts(skips bool, limit int64) pageText {
	kind := pageKind{p, skips, limit}
	known, _ := pageTexts.Load(kind)
	if t, spelled := known.(pageText); spelled {
		return t
	}
	t := kind.spelled()
	pageTexts.Store(kind, t)
	return t
}

func (p pageKind) spelled() (t pageText) {
	var names, arrays []string
	parameters := map[string]string{}
	parameter := func(name, kind string) {
		names = append(names, name)
		parameters[name] = "$" + strconv.Itoa(len(names))
		arrays = append(arrays, "(SELECT CAST("+parameters[name]+" AS "+kind+"[]))")
	}
	if p.owner != "" {
		parameter("owner", "TEXT")
	}
	parameter("first", "BIGINT")
	if p.skips {
		parameter("skip", "BIGINT")
	}
	t.alone = "SELECT " + p.columns + personColumns + " FROM (" + p.rows(parameters) + ")" + p.joined + " ORDER BY " + p.as + "." + p.sorted()
	for name := range parameters {
		parameters[name] = "w." + name
	}
	t.together = "SELECT " + p.columns + ", w.n FROM unnest(" + strings.Join(arrays, ", ") + ") WITH ORDINALITY AS w (" + strings.Join(names, ", ") +
		", n) CROSS JOIN LATERAL (" + p.rows(parameters) + ") " + p.as
	return t
}

func (p pageKind) sorted() string {
	if p.order == newestFirst {
		return p.position + " DESC"
	}
	return p.position
}

func (p pageKind) rows(parameters map[string]string) string {
	of := p.table + " WHERE " + p.where
	if p.owner != "" {
		of += " AND " + p.owner + " = " + parameters["owner"]
	}
	of += " AND " + p.position
	if p.order == newestFirst {
		of += " <= "
	} else {
		of += " >= "
	}
	first := parameters["first"]
	if p.skips {
		// An index alone tells the position of the first row after passing fewer than a
		// block has.
		first = fmt.Sprintf("(SELECT %[1]s FROM (SELECT %[1]s FROM %[2]s ORDER BY %[3]s LIMIT %[4]d) AS near ORDER BY %[3]s LIMIT 1 OFFSET %[5]s)",
			p.position, of+first, p.sorted(), blockRows, parameters["skip"])
	}
	return "SELECT * FROM " + of + first + " ORDER BY " + p.sorted() + " LIMIT " + strconv.FormatInt(p.limit, 10)
}

// quoted spells one of a few known words in SQL, and any other as what nothing equals.
func quoted[T ~string](word T, known ...T) string {
	if slices.Contains(known, word) {
		return "'" + string(word) + "'"
	}
	return "NULL"
}
