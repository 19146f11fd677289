package report

import (
	"strings"
	"testing"
)

// results returns one row with the given requests per second of floor, PocketBase and product,
// and one row of growth by a factor.
func results(floor, pocketBase, sqlite float64, errors int, factor float64) *Results {
	return &Results{
		Rows: []Row{{Name: "list", Title: "list", Measures: map[string]Measure{
			Floor: {Rate: floor}, PocketBase: {Rate: pocketBase}, SQLite: {Rate: sqlite, Errors: errors},
		}}},
		Growth: []Growth{{Name: "list", Title: "list", Server: SQLite, Sizes: map[int]Single{
			1_000: {P50: 100}, 10_000: {P50: 1000}, 100_000: {P50: 100 * factor},
		}}},
	}
}

func TestCompare(t *testing.T) {
	before := results(1000, 100, 500, 0, 1.2)
	for _, test := range []struct {
		name  string
		now   *Results
		worse int
		text  string
	}{
		{"the same", results(1000, 100, 500, 0, 1.2), 0, "as before"},
		{"a machine half as fast", results(500, 50, 250, 0, 1.2), 0, "as before"},
		{"within the tolerance", results(1000, 100, 380, 0, 1.2), 0, "as before"},
		{"slower", results(1000, 100, 370, 0, 1.2), 2, "WORSE"},
		{"slower than the floor only", results(1500, 100, 500, 0, 1.2), 1, "WORSE"},
		{"faster", results(1000, 100, 700, 0, 1.2), 0, "better"},
		{"errors", results(1000, 100, 500, 3, 1.2), 1, "errors"},
		{"grows a little more", results(1000, 100, 500, 0, 1.7), 0, "as before"},
		{"grows much more", results(1000, 100, 500, 0, 1.9), 1, "WORSE"},
		{"a row that is not measured any more", &Results{}, 0, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			table, worse := Compare(before, test.now)
			if len(worse) != test.worse || !strings.Contains(table, test.text) {
				t.Errorf("%v are worse, want %d, and %q in\n%s", worse, test.worse, test.text, table)
			}
		})
	}
}

func TestCompareTimesOfASingleClient(t *testing.T) {
	alone := func(pocketBase, sqlite float64) *Results {
		return &Results{Rows: []Row{{Name: "search", Measures: map[string]Measure{PocketBase: {P50: pocketBase}, SQLite: {P50: sqlite}}}}}
	}
	for _, test := range []struct {
		now   *Results
		worse int
	}{{alone(2000, 100), 0}, {alone(2000, 200), 1}, {alone(4000, 200), 0}, {alone(2000, 50), 0}} {
		if table, worse := Compare(alone(2000, 100), test.now); len(worse) != test.worse {
			t.Errorf("%v are worse, want %d\n%s", worse, test.worse, table)
		}
	}
}

func TestCompareUnsteadyRows(t *testing.T) {
	of := func(sqlite float64) *Results {
		r := results(1000, 100, sqlite, 0, 1.2)
		r.Rows[0].Name = "list-random"
		return r
	}
	for _, test := range []struct {
		now   *Results
		worse int
	}{{of(310), 0}, {of(290), 2}} {
		if table, worse := Compare(of(500), test.now); len(worse) != test.worse {
			t.Errorf("%v are worse, want %d\n%s", worse, test.worse, table)
		}
	}
}

func TestTakeReplacesRemeasuredRows(t *testing.T) {
	now := results(1000, 100, 300, 0, 5)
	now.Rows = append(now.Rows, Row{Name: "other", Title: "other", Measures: map[string]Measure{Floor: {Rate: 10}, SQLite: {Rate: 9}}})
	before := results(1000, 100, 500, 0, 1.2)
	if _, worse := Compare(before, now); len(worse) != 3 {
		t.Errorf("%v are worse, want the row's two and its growth", worse)
	}
	now.Take(results(1000, 100, 490, 0, 1.3))
	if table, worse := Compare(before, now); len(worse) > 0 {
		t.Errorf("%v are worse\n%s", worse, table)
	}
	if other, found := find(now.Rows, "other"); !found || other.Measures[SQLite].Rate != 9 {
		t.Error("a row that was not remeasured changed")
	}
}

func TestMedian(t *testing.T) {
	for _, test := range []struct {
		of   []float64
		want float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{5, 1, 3}, 3}, {[]float64{4, 1, 3, 2}, 2.5}} {
		if got := Median(test.of); got != test.want {
			t.Errorf("median of %v is %v, want %v", test.of, got, test.want)
		}
	}
}

func TestFigures(t *testing.T) {
	for want, got := range map[string]string{
		"1,234,567": thousands(1234567), "999": thousands(999), "3.5": thousands(3.46),
		"0.35": ratio(0.349), "0.001": ratio(0.00099), "1,200": ratio(1200), "–": ratio(0),
		"850 µs": micros(850), "12.3 ms": micros(12345), "2.35 s": micros(2345678),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
