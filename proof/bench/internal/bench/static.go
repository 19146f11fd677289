package bench

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"regexp"

	"studycircle/proof/bench/internal/load"
	"studycircle/proof/bench/internal/peer"
	"studycircle/proof/bench/internal/report"
)

var scriptName = regexp.MustCompile(`/assets/[^"']+\.js`)

var gzip = map[string]string{"Accept-Encoding": "gzip"}

// staticRows returns the rows of files and of answers without a body, for servers that have
// such answers.
func (r *run) staticRows(ctx context.Context) ([]row, error) {
	s := r.servers[report.SQLite]
	path, script, err := largestScript(ctx, s)
	if err != nil {
		return nil, err
	}
	nginx, err := r.Tree.StartNginx(ctx, path, script)
	if err != nil {
		return nil, err
	}
	r.servers[report.Nginx] = nginx
	rows := []row{{
		name: "script", title: fmt.Sprintf("the app's script, gzip, %d kB", len(script.Body)/1000),
		on: []string{report.Floor, report.Nginx, report.SQLite},
		read: &read{path: func(*peer.API) string { return path }, header: gzip,
			check: func(_ *run, _ *peer.Server, _ int, a load.Answer) error {
				if len(a.Body) != len(script.Body) {
					return fmt.Errorf("%d bytes, want %d", len(a.Body), len(script.Body))
				}
				return nil
			}},
	}}
	conditional, err := r.notModified(ctx, s)
	return append(rows, conditional...), err
}

// largestScript returns the largest script of the home page, compressed.
func largestScript(ctx context.Context, s *peer.Server) (path string, script load.Answer, err error) {
	home, _, err := load.Once(ctx, s.URL, load.Request{Method: http.MethodGet, Path: "/"}, nil)
	if err != nil {
		return "", script, err
	}
	for _, name := range scriptName.FindAllString(string(home.Body), -1) {
		answer, _, err := load.Once(ctx, s.URL, load.Request{Method: http.MethodGet, Path: name}, gzip)
		if err != nil {
			return "", script, err
		}
		if answer.Header.Get("Content-Encoding") == "gzip" && len(answer.Body) > len(script.Body) {
			path, script = name, answer
		}
	}
	if path == "" {
		err = errors.New("the home page has no compressed script: run make build first")
	}
	return path, script, err
}

// notModified returns requests with If-None-Match for answers with an ETag.
func (r *run) notModified(ctx context.Context, s *peer.Server) ([]row, error) {
	id := fmt.Sprintf(ours(one), r.set.Size-1)
	var rows []row
	for _, asked := range []struct{ name, title, path string }{
		{"one-unchanged", "one assignment, If-None-Match", id},
		{"list-unchanged", "list, page 1, If-None-Match", ours(first(page))},
	} {
		answer, _, err := load.Once(ctx, s.URL, load.Request{Method: http.MethodGet, Path: asked.path}, nil)
		if err != nil {
			return nil, err
		}
		tag := map[string]string{"If-None-Match": answer.Header.Get("ETag")}
		again, _, err := load.Once(ctx, s.URL, load.Request{Method: http.MethodGet, Path: asked.path}, tag)
		if err != nil {
			return nil, err
		}
		if again.Status != http.StatusNotModified {
			r.Say(asked.title + ": left out, there is no 304")
			continue
		}
		rows = append(rows, row{name: asked.name, title: asked.title, on: []string{
			report.Floor, report.SQLite, report.Postgres,
		},
			read: &read{path: func(*peer.API) string { return asked.path }, header: tag, status: http.StatusNotModified}})
	}
	return rows, nil
}

// ours returns a path of the product's API.
func ours(path func(*peer.API) string) string { return path(peer.Ours) }
