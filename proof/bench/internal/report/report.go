// Package report stores results, formats them and compares them. It does not know how they were
// measured.
package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"studycircle/proof/bench/internal/proc"
)

// The servers of the comparison, in the order they are shown and asked.
const (
	Floor          = "floor"
	Nginx          = "nginx"
	PocketBase     = "pocketbase"
	PocketBaseFull = "pocketbase-full"
	SQLite         = "sqlite"
	Postgres       = "postgres"
)

// Names are the servers' names in tables.
var Names = map[string]string{
	Floor: "floor", Nginx: "nginx", PocketBase: "PocketBase", PocketBaseFull: "PocketBase, synchronous=FULL",
	SQLite: "StudyCircle, SQLite", Postgres: "StudyCircle, PostgreSQL",
}

// Order is the order in which servers are shown.
var Order = []string{Floor, Nginx, PocketBase, PocketBaseFull, SQLite, Postgres}

// Results are the figures of one run.
type Results struct {
	When    time.Time         `json:"when"`
	Version string            `json:"version"` // of the product
	Quick   bool              `json:"quick"`
	Size    int               `json:"size"` // assignments
	Rounds  int               `json:"rounds"`
	Seconds float64           `json:"secondsPerRound"`
	Machine proc.Machine      `json:"machine"`
	Noise   Noise             `json:"noise"`
	Rows    []Row             `json:"rows"`
	Growth  []Growth          `json:"growth"`
	Start   float64           `json:"startMillis"` // until the first answer, SQLite, median
	Memory  map[string]Memory `json:"memory"`
}

// Memory is a server's peak anonymous memory over the whole run, in bytes.
type Memory struct {
	Program int64 `json:"program"`
	All     int64 `json:"all"` // including the database server's processes
}

// Noise describes how reliable the figures are.
type Noise struct {
	LoadBefore float64 `json:"loadBefore"`
	LoadAfter  float64 `json:"loadAfter"`
	// Stolen is the share of wanted processor time that the machine's host gave to others.
	Stolen float64 `json:"stolen"`
	// FloorSpread is the median over rows of (fastest - slowest) / median round of the floor.
	FloorSpread float64   `json:"floorSpread"`
	FloorWorst  float64   `json:"floorWorst"`
	SyncRates   []float64 `json:"fdatasyncsPerSecond"`
}

// Row is one kind of request.
type Row struct {
	Name     string             `json:"name"`
	Title    string             `json:"title"`
	Measures map[string]Measure `json:"measures"` // by server
	// SyncRate is the disk's fdatasyncs per second in the same minute, for rows that write.
	SyncRate float64 `json:"fdatasyncsPerSecond,omitempty"`
}

// Measure is a server's result in a row: medians over its rounds. Times are in microseconds.
type Measure struct {
	Rate    float64   `json:"rate"` // requests per second; 0 with a single client
	P50     float64   `json:"p50"`
	P99     float64   `json:"p99"`
	CPU     float64   `json:"cpu"`
	Errors  int       `json:"errors,omitempty"`
	Clients int       `json:"clients"`
	Rates   []float64 `json:"rates,omitempty"` // of each round
}

// Growth is the cost of one kind of request at each size, with a single client.
type Growth struct {
	Name   string         `json:"name"`
	Title  string         `json:"title"`
	Server string         `json:"server"`
	Sizes  map[int]Single `json:"sizes"`
}

// Single is the cost of a single request, in microseconds.
type Single struct {
	P50 float64 `json:"p50"`
	CPU float64 `json:"cpu"`
}

// Median returns the median of a few figures.
func Median(of []float64) float64 {
	if len(of) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(of))
	if n := len(sorted); n%2 == 0 {
		return (sorted[n/2-1] + sorted[n/2]) / 2
	}
	return sorted[len(sorted)/2]
}

// Ratio returns a's rate divided by b's or, with a single client, b's time divided by a's: more
// is always better. It returns 0 if either was not measured.
func (r Row) Ratio(a, b string) float64 {
	of, to := r.Measures[a], r.Measures[b]
	switch {
	case of.Rate > 0 && to.Rate > 0:
		return of.Rate / to.Rate
	case of.Rate == 0 && to.Rate == 0 && of.P50 > 0 && to.P50 > 0:
		return to.P50 / of.P50
	}
	return 0
}

// Measured computes the floor's noise from the rows.
func (r *Results) Measured() {
	var spreads []float64
	for _, row := range r.Rows {
		rates := row.Measures[Floor].Rates
		if middle := Median(rates); middle > 0 {
			spreads = append(spreads, (slices.Max(rates)-slices.Min(rates))/middle)
		}
	}
	if len(spreads) > 0 {
		r.Noise.FloorSpread, r.Noise.FloorWorst = Median(spreads), slices.Max(spreads)
	}
}

// Save writes the results as NAME.json and NAME.md.
func (r *Results) Save(dir, name string) error {
	text, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return cmp.Or(
		os.WriteFile(filepath.Join(dir, name+".json"), append(text, '\n'), 0o644),
		os.WriteFile(filepath.Join(dir, name+".md"), []byte(r.Markdown()), 0o644))
}

// Load reads results.
func Load(name string) (*Results, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var r Results
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &r, nil
}
