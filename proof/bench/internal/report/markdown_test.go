package report

import (
	"strings"
	"testing"
)

func TestMarkdownListsGoals(t *testing.T) {
	r := &Results{
		Rows: []Row{
			{Name: "list-first", Title: "list, page 1", Measures: map[string]Measure{
				Floor: {Rate: 1000, Rates: []float64{900, 1000, 1200}}, SQLite: {Rate: 850}, Postgres: {Rate: 500},
			}},
			{Name: "create", Title: "create", SyncRate: 1000, Measures: map[string]Measure{PocketBase: {Rate: 100}, SQLite: {Rate: 2000}, Postgres: {Rate: 590}}},
			{Name: "script", Title: "script", Measures: map[string]Measure{Nginx: {Rate: 100}, SQLite: {Rate: 60}}},
		},
		Memory: map[string]Memory{SQLite: {Program: 300 << 20}},
		Start:  1500,
		Growth: results(1, 1, 1, 0, 1.5).Growth,
	}
	r.Measured()
	text := r.Markdown()
	for _, want := range []string{
		"| list-first, ÷ floor | SQLite | ≥ 0.80 | 0.85 | reached |",
		"| list-first, ÷ floor | PostgreSQL | ≥ 0.80 | 0.50 | **not reached** |",
		"| create, ÷ PocketBase | SQLite | ≥ 10 | 20 | reached |",
		"| create, ÷ PocketBase | PostgreSQL | ≥ 6.00 | 5.90 | **not reached** |",
		"| create, rows for each fdatasync | SQLite | ≥ 1.50 | 2.00 | reached |",
		"| script, ÷ nginx | SQLite | ≥ 0.50 | 0.60 | reached |",
		"| memory, MB | SQLite | ≤ 200 | 300 | **not reached** |",
		"| start to first answer, ms | SQLite | ≤ 1,000 | 1,500 | **not reached** |",
		"| growth, the worst p50, largest ÷ smallest | SQLite | ≤ 2.00 | 1.50 | reached |",
		"StudyCircle, SQLite 2.00 rows for each, StudyCircle, PostgreSQL 0.59 rows for each.",
		"differ by 30 % in the middle row",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
}
