package report

import (
	"fmt"
	"slices"
	"strings"
)

// Tolerance is the loss of a ratio that counts as noise. Two runs of one program on a quiet
// machine may differ by 15 % in a row; a check that fails without reason is soon ignored.
const Tolerance = 0.25

// unsteady rows vary more between runs. With 100,000 assignments some random pages are cached
// after their second request (0.41 to 0.57 of the floor in six runs of one program), and a
// common word is counted or already known, a millisecond apart.
var unsteady = []string{"list-random", "search-common-first"}

const unsteadyTolerance = 0.4

func tolerance(row string) float64 {
	if slices.Contains(unsteady, row) {
		return unsteadyTolerance
	}
	return Tolerance
}

// growthLimit is how many times the growth of a cost may itself increase.
const growthLimit = 1.5

// Compare compares what does not depend on the machine's speed: the product's ratios to the
// floor and to PocketBase in rows that both results have, and growth. It returns a table and,
// for each worse figure, its row's name.
func Compare(before, now *Results) (table string, worse []string) {
	var b strings.Builder
	b.WriteString("| what | who | figure | before | now | |\n| --- | --- | --- | --: | --: | --- |\n")
	line := func(name, title, server, figure string, was, is float64, bad bool) {
		verdict := "as before"
		switch {
		case bad:
			verdict = "WORSE"
			worse = append(worse, name)
		case was > 0 && is > was*(1+tolerance(name)) && figure != grown:
			verdict = "better"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", title, Names[server], figure, ratio(was), ratio(is), verdict)
	}
	for _, row := range now.Rows {
		old, found := find(before.Rows, row.Name)
		if !found {
			continue
		}
		for _, server := range []string{SQLite, Postgres} {
			for _, against := range []string{Floor, PocketBase, Nginx} {
				was, is := old.Ratio(server, against), row.Ratio(server, against)
				if was == 0 {
					continue
				}
				line(row.Name, row.Title, server, "÷ "+Names[against], was, is, is < was*(1-tolerance(row.Name)))
			}
			if m := row.Measures[server]; m.Errors > 0 {
				line(row.Name, row.Title, server, "errors", float64(old.Measures[server].Errors), float64(m.Errors), true)
			}
		}
	}
	for _, g := range now.Growth {
		for _, old := range before.Growth {
			if old.Name != g.Name || old.Server != g.Server {
				continue
			}
			was, is := old.Factor(), g.Factor()
			if was > 0 && is > 0 {
				line(g.Name, g.Title, g.Server, grown, was, is, is > max(was, 1)*growthLimit)
			}
		}
	}
	fmt.Fprintf(&b,
		"\nA ratio may fall by %.0f %% (%s by %.0f %%), growth rise by %.0f %%. Committed figures: %s, StudyCircle %s.\n",
		100*Tolerance, strings.Join(unsteady, " and "), 100*unsteadyTolerance, 100*(growthLimit-1),
		before.When.Format("2006-01-02"), before.Version)
	return b.String(), worse
}

// Take replaces rows by those measured again.
func (r *Results) Take(again *Results) {
	for i, row := range r.Rows {
		if measured, found := find(again.Rows, row.Name); found {
			r.Rows[i] = measured
		}
	}
	for i, g := range r.Growth {
		for _, measured := range again.Growth {
			if measured.Name == g.Name && measured.Server == g.Server {
				r.Growth[i] = measured
			}
		}
	}
}

const grown = "p50, largest ÷ smallest"

// Factor returns the cost at the largest size divided by that at the smallest, or 0 if unknown.
func (g Growth) Factor() float64 {
	smallest, largest := 0, 0
	for size := range g.Sizes {
		if smallest == 0 || size < smallest {
			smallest = size
		}
		largest = max(largest, size)
	}
	if smallest == largest || g.Sizes[smallest].P50 == 0 {
		return 0
	}
	return g.Sizes[largest].P50 / g.Sizes[smallest].P50
}

func find(rows []Row, name string) (Row, bool) {
	for _, row := range rows {
		if row.Name == name {
			return row, true
		}
	}
	return Row{}, false
}
