package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

const (
	rulesFile = "release/monitoring/alerts.yml"
	// jobName is the scrape job that the rules expect.
	jobName = "studycircle"
	// shorter is what each for and each range of the rules is divided by. Thresholds are not: a fault is as large as in
	// production, or its age is put into the database. The program reads its state every ten seconds, and
	// StudyCircleStateUnknown counts more than three failed reads: its range of 15 minutes must stay above 40 seconds.
	shorter = 20
)

// rules are the alerting rules, as in their file.
type rules struct {
	Groups []struct {
		Name  string `yaml:"name"`
		Rules []rule `yaml:"rules"`
	} `yaml:"groups"`
}

// rule is an alerting rule.
type rule struct {
	Alert       string            `yaml:"alert"`
	Expr        string            `yaml:"expr"`
	For         string            `yaml:"for,omitempty"`
	Labels      map[string]string `yaml:"labels"`
	Annotations map[string]string `yaml:"annotations"`
}

// readRules reads the file and shortens its durations.
func readRules() (*rules, error) {
	file, err := os.Open(rulesFile)
	if err != nil {
		return nil, err
	}
	all, decoder := &rules{}, yaml.NewDecoder(file)
	decoder.KnownFields(true) // a field that is lost here would not be drilled
	if err := errors.Join(decoder.Decode(all), file.Close()); err != nil {
		return nil, fmt.Errorf("%s: %w", rulesFile, err)
	}
	for _, g := range all.Groups {
		for i := range g.Rules {
			if err := g.Rules[i].shorten(); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", rulesFile, g.Rules[i].Alert, err)
			}
		}
	}
	return all, nil
}

// timeRange is a range in an expression.
var timeRange = regexp.MustCompile(`\[[0-9a-z]+\]`)

// shorten divides for, and each range in the expression, by shorter.
func (r *rule) shorten() (err error) {
	if r.For != "" {
		if r.For, err = shortened(r.For); err != nil {
			return err
		}
	}
	if strings.Count(r.Expr, "[") != len(timeRange.FindAllString(r.Expr, -1)) {
		return errors.New("a range in its expression cannot be shortened")
	}
	r.Expr = timeRange.ReplaceAllStringFunc(r.Expr, func(found string) string {
		text, failed := shortened(strings.Trim(found, "[]"))
		err = errors.Join(err, failed)
		return "[" + text + "]"
	})
	return err
}

func shortened(duration string) (string, error) {
	d, err := time.ParseDuration(duration)
	return fmt.Sprintf("%dms", (d / shorter).Milliseconds()), err
}

// names returns the names of the alerts, sorted.
func (r *rules) names() (all []string) {
	for _, g := range r.Groups {
		for _, rule := range g.Rules {
			all = append(all, rule.Alert)
		}
	}
	slices.Sort(all)
	return all
}

// of returns the rule of an alert.
func (r *rules) of(alert string) rule {
	for _, g := range r.Groups {
		for _, rule := range g.Rules {
			if rule.Alert == alert {
				return rule
			}
		}
	}
	return rule{}
}

// waits returns the shortened for.
func (r rule) waits() time.Duration {
	d, _ := time.ParseDuration(r.For) // shorten has written it; without one it is 0
	return d
}

var (
	templated   = regexp.MustCompile(`\{\{[^}]*\}\}`)
	ofALabel    = regexp.MustCompile(`^\{\{ \$labels\.(\w+) \}\}$`)
	notRendered = regexp.MustCompile(`<no value>|<error|\{\{|NaN|Inf`)
)

// misrendered returns what is wrong with the annotations of an alert: labels must be those of the alert, and values
// not empty.
func (r rule) misrendered(a alert) (problems []string) {
	for name, template := range r.Annotations {
		var pattern strings.Builder
		rest := 0
		for _, at := range templated.FindAllStringIndex(template, -1) {
			pattern.WriteString(regexp.QuoteMeta(template[rest:at[0]]))
			if label := ofALabel.FindStringSubmatch(template[at[0]:at[1]]); len(label) > 0 && a.Labels[label[1]] != "" {
				pattern.WriteString(regexp.QuoteMeta(a.Labels[label[1]]))
			} else {
				pattern.WriteString(`\S+( \S+)*`)
			}
			rest = at[1]
		}
		pattern.WriteString(regexp.QuoteMeta(template[rest:]))
		got := a.Annotations[name]
		if whole := regexp.MustCompile("^" + pattern.String() + "$"); !whole.MatchString(got) ||
			notRendered.MatchString(got) {
			problems = append(problems, fmt.Sprintf("%s is not rendered: %q", name, got))
		}
	}
	return problems
}

// prometheus is a running Prometheus.
type prometheus struct {
	*helper
	url    string
	client *http.Client
}

// startPrometheus starts Debian's Prometheus on loopback, with its files in dir.
func startPrometheus(ctx context.Context, dir string, r *rules, targets []string) (*prometheus, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, err
	}
	ruled, err := yaml.Marshal(r)
	if err != nil {
		return nil, err
	}
	config, err := yaml.Marshal(map[string]any{
		"global":     map[string]any{"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "1s"},
		"rule_files": []string{"alerts.yml"},
		"scrape_configs": []any{map[string]any{
			"job_name": jobName, "static_configs": []any{map[string]any{"targets": targets}},
		}},
	})
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "prometheus.yml")
	if err := errors.Join(
		os.WriteFile(filepath.Join(dir, "alerts.yml"), ruled, 0o600), os.WriteFile(file, config, 0o600),
	); err != nil {
		return nil, err
	}
	p := &prometheus{url: "http://" +
		address, client: &http.Client{Timeout: patience}, helper: &helper{program: "prometheus", args: []string{
		"--config.file=" + file, "--storage.tsdb.path=" + filepath.Join(dir, "prometheus"), "--web.listen-address=" + address,
		"--log.level=warn",
	}}}
	if err := p.start(); err != nil {
		return nil, err
	}
	if err := awaitReady(ctx, p.url+"/-/ready", p.ended); err != nil {
		return nil, errors.Join(fmt.Errorf("prometheus: %w\n%s", err, p.log.tail()), p.kill())
	}
	return p, nil
}

// get asks the API and decodes the answer's data.
func (p *prometheus) get(ctx context.Context, path string, query url.Values, into any) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+path+"?"+query.Encode(), http.NoBody)
	if err != nil {
		return err
	}
	answer, err := p.client.Do(request)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(answer.Body)
	if err = errors.Join(err, answer.Body.Close()); err != nil {
		return err
	}
	var body struct {
		Status, Error string
		Data          json.RawMessage
	}
	if err := json.Unmarshal(text, &body); err != nil || body.Status != "success" {
		return errors.Join(fmt.Errorf("prometheus answers %s %s: %s %s", path, query, answer.Status, body.Error), err)
	}
	return json.Unmarshal(body.Data, into)
}

// checkRules returns an error for a rule that Prometheus could not evaluate.
func (p *prometheus) checkRules(ctx context.Context) error {
	var found struct {
		Groups []struct {
			Rules []struct{ Name, Health, LastError string }
		}
	}
	if err := p.get(ctx, "/api/v1/rules", nil, &found); err != nil {
		return err
	}
	var wrong []error
	for _, g := range found.Groups {
		for _, r := range g.Rules {
			if r.Health != "ok" {
				wrong = append(wrong, fmt.Errorf("rule %s: %s %s", r.Name, r.Health, r.LastError))
			}
		}
	}
	return errors.Join(wrong...)
}
