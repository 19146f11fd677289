// Package report keeps what was measured, writes it for people and for the next
// comparison, and compares. It knows nothing of how it was measured.
package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"studycircle/bench/internal/proc"
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

// Names are how the servers are called in tables.
var Names = map[string]string{
	Floor: "floor", Nginx: "nginx", PocketBase: "PocketBase", PocketBaseFull: "PocketBase, synchronous=FULL",
	SQLite: "StudyCircle, SQLite", Postgres: "StudyCircle, PostgreSQL",
}

// Order is the servers in the order they are shown.
var Order = []string{Floor, Nginx, PocketBase, PocketBaseFull, SQLite, Postgres}

// Results are everything that one run measured.
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

// Memory is a server's peak of anonymous memory over the whole run, in bytes.
type Memory struct {
	Program int64 `json:"program"`
	All     int64 `json:"all"` // with the database server's processes
}

// Noise says how far the figures can be believed.
type Noise struct {
	LoadBefore float64 `json:"loadBefore"`
	LoadAfter  float64 `json:"loadAfter"`
	// Stolen is which share of the processors' time that it wanted the machine's host gave to others.
	Stolen float64 `json:"stolen"`
	// FloorSpread is the median over rows of (fastest - slowest) / median round of the floor.
	FloorSpread float64   `json:"floorSpread"`
	FloorWorst  float64   `json:"floorWorst"`
	SyncRates   []float64 `json:"fdatasyncsPerSecond"`
}

// Row is one thing that all are asked.
type Row struct {
	Name     string             `json:"name"`
	Title    string             `json:"title"`
	Measures map[string]Measure `json:"measures"` // by server
	// SyncRate is the disk's fdatasyncs a second in the same minute, for rows that write.
	SyncRate float64 `json:"fdatasyncsPerSecond,omitempty"`
}

// Measure is what one server gave in one row: medians over its rounds. Times are
// in microseconds.
type Measure struct {
	Rate    float64   `json:"rate"` // requests a second; 0 where a single client asked
	P50     float64   `json:"p50"`
	P99     float64   `json:"p99"`
	CPU     float64   `json:"cpu"`
	Errors  int       `json:"errors,omitempty"`
	Clients int       `json:"clients"`
	Rates   []float64 `json:"rates,omitempty"` // of each round
}

// Growth is what one thing costs at each size, asked by a single client.
type Growth struct {
	Name   string         `json:"name"`
	Title  string         `json:"title"`
	Server string         `json:"server"`
	Sizes  map[int]Single `json:"sizes"`
}

// Single is the cost of a request by itself, in microseconds.
type Single struct {
	P50 float64 `json:"p50"`
	CPU float64 `json:"cpu"`
}

// Median of a few figures.
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

// Ratio is a's rate over b's; where a single client asked, b's time over a's, so
// that more is always better. It is 0 where either was not measured.
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

// Measured makes the noise's figures about the floor from the rows.
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
