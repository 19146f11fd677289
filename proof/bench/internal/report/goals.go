package report

import (
	"fmt"
	"strings"
)

// goal is a bound for a figure of the product, on each engine where it is measured.
type goal struct {
	text string
	// figure is 0 if not measured.
	figure func(r *Results, server string) float64
	// least is the smallest value that reaches the goal on SQLite and on PostgreSQL, most the
	// greatest; 0 means no bound.
	least, most map[string]float64
	show        func(float64) string
}

func both(f float64) map[string]float64 { return map[string]float64{SQLite: f, Postgres: f} }

// times is a goal for a ratio of a row.
func times(row, against string, least map[string]float64) goal {
	return goal{text: "÷ " + Names[against], least: least, show: ratio, figure: func(r *Results, server string) float64 {
		found, _ := find(r.Rows, row)
		return found.Ratio(server, against)
	}}.of(row)
}

// p50 is a goal for the time of a row with a single client.
func p50(row string, most float64) goal {
	return goal{text: "p50", most: both(most), show: micros, figure: func(r *Results, server string) float64 {
		found, _ := find(r.Rows, row)
		return found.Measures[server].P50
	}}.of(row)
}

func (g goal) of(row string) goal {
	g.text = row + ", " + g.text
	return g
}

var goals = []goal{
	times("list-first", Floor, both(0.8)),
	times("list-random", Floor, both(0.35)),
	{text: "list-random-fresh ÷ list-first-fresh, p50", most: both(2), show: ratio, figure: func(
		r *Results, server string,
	) float64 {
		any, _ := find(r.Rows, "list-random-fresh")
		first, _ := find(r.Rows, "list-first-fresh")
		if first.Measures[server].P50 == 0 {
			return 0
		}
		return any.Measures[server].P50 / first.Measures[server].P50
	}},
	times("list-level", Floor, both(0.8)),
	p50("search-rare-first", 5_000),
	p50("search-common-first", 5_000),
	times("search-rare", Floor, both(0.5)),
	times("search-common", Floor, both(0.5)),
	times("one", Floor, both(0.6)),
	times("create", PocketBase, map[string]float64{SQLite: 10, Postgres: 6}),
	{text: "create, rows for each fdatasync", least: map[string]float64{SQLite: 1.5}, show: ratio, figure: func(
		r *Results, server string,
	) float64 {
		row, _ := find(r.Rows, "create")
		if row.SyncRate == 0 {
			return 0
		}
		return row.Measures[server].Rate / row.SyncRate
	}},
	times("submit", PocketBase, both(1)),
	times("grade", PocketBase, both(1)),
	times("pending", PocketBase, both(1)),
	times("mine", PocketBase, both(1)),
	times("script", Nginx, map[string]float64{SQLite: 0.5}),
	{text: "memory, MB", most: both(200), show: thousands, figure: func(r *Results, server string) float64 {
		return float64(r.Memory[server].Program) / (1 << 20)
	}},
	{
		text: "start to first answer, ms", most: map[string]float64{SQLite: 1000}, show: thousands,
		figure: func(r *Results, _ string) float64 { return r.Start },
	},
	{text: "growth, the worst p50, largest ÷ smallest", most: both(2), show: ratio, figure: func(
		r *Results, server string,
	) float64 {
		worst := 0.0
		for _, g := range r.Growth {
			if g.Server == server {
				worst = max(worst, g.Factor())
			}
		}
		return worst
	}},
}

// goalTable reports which goals are reached.
func (r *Results) goalTable(b *strings.Builder) {
	b.WriteString("## Goals\n\n| row, figure | on | goal | measured | |\n| --- | --- | --: | --: | --- |\n")
	for _, g := range goals {
		for _, server := range []string{SQLite, Postgres} {
			least, most := g.least[server], g.most[server]
			figure := g.figure(r, server)
			if figure == 0 || least == 0 && most == 0 {
				continue
			}
			bound, reached := "≥ "+g.show(least), figure >= least
			if most > 0 {
				bound, reached = "≤ "+g.show(most), figure <= most
			}
			verdict := "reached"
			if !reached {
				verdict = "**not reached**"
			}
			fmt.Fprintf(b, "| %s | %s | %s | %s | %s |\n", g.text, short(server), bound, g.show(figure), verdict)
		}
	}
	b.WriteString("\n")
}

// short returns the engine's name alone.
func short(server string) string { return strings.TrimPrefix(Names[server], "StudyCircle, ") }
