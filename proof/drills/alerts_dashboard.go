package main

import (
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
)

const dashboardFile = "release/monitoring/dashboard.json"

// onlyInFaults are panels that are empty in a service without faults, with the reason.
var onlyInFaults = map[string]string{
	"Failing with 5xx": "there is no series of a status before the first answer with it",
}

// dashboard are the expressions of the dashboard that no Prometheus has answered yet.
type dashboard struct {
	size int

	mu      sync.Mutex
	missing map[string]string // panels by expression
}

// values are the expression and the label of a variable.
var values = regexp.MustCompile(`^label_values\((.+), (\w+)\)$`)

// readDashboard reads the expressions of the dashboard's panels, and of its variables.
func readDashboard() (*dashboard, error) {
	text, err := os.ReadFile(dashboardFile)
	if err != nil {
		return nil, err
	}
	var found struct {
		Templating struct {
			List []struct{ Name, Query string }
		}
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &found); err != nil {
		return nil, err
	}
	d := &dashboard{missing: map[string]string{}}
	// The values of the variables, as Grafana puts them in for all nodes and a scrape every second.
	concrete := strings.NewReplacer("$job", jobName, "$instance", ".*", "$__rate_interval", "10s")
	for _, v := range found.Templating.List {
		if of := values.FindStringSubmatch(v.Query); of != nil {
			d.missing["count by ("+of[2]+") ("+concrete.Replace(of[1])+")"] = "variable " + v.Name
		}
	}
	for _, p := range found.Panels {
		for _, t := range p.Targets {
			d.missing[concrete.Replace(t.Expr)] = p.Title
		}
	}
	d.size = len(d.missing)
	return d, nil
}

// ask asks a Prometheus for the expressions that none has answered with a number before: those of onlyInFaults during a
// fault, and the others at rest.
func (d *dashboard) ask(ctx context.Context, p *prometheus, inFault bool) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for expr, panel := range maps.Clone(d.missing) {
		if (onlyInFaults[panel] != "") != inFault {
			continue
		}
		var found struct{ Result []struct{ Value []any } }
		if err := p.get(ctx, "/api/v1/query", url.Values{"query": {expr}}, &found); err != nil {
			return err
		}
		for _, series := range found.Result {
			if len(series.Value) == 2 && series.Value[1] != "NaN" {
				delete(d.missing, expr)
				break
			}
		}
	}
	return nil
}

// judge reports the expressions without series.
func (d *dashboard) judge(r *report) {
	for _, panel := range slices.Sorted(maps.Keys(onlyInFaults)) {
		r.say("%s, %q: asked during a fault, because %s", dashboardFile, panel, onlyInFaults[panel])
	}
	r.bar(len(d.missing) == 0, "%s: %d of %d expressions have series", dashboardFile, d.size-len(d.missing), d.size)
	for expr, panel := range d.missing {
		r.say("%q has none: %s", panel, expr)
	}
}
