package peer

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"

	"studycircle/proof/bench/internal/load"
	"studycircle/proof/bench/internal/proc"
)

// Prebuilt is a prepared answer of the floor.
type Prebuilt struct {
	Status int
	Header http.Header
	Body   []byte
}

// Prebuild prepares an answer for the floor. The server adds date and length itself.
func Prebuild(a load.Answer) Prebuilt {
	header := a.Header.Clone()
	header.Del("Date")
	return Prebuilt{Status: a.Status, Header: header, Body: a.Body}
}

// StartFloor starts the floor: bare net/http that answers each path with prepared bytes,
// whatever the query.
func (t Tree) StartFloor(ctx context.Context, answers map[string]Prebuilt) (*Server, error) {
	text, err := json.Marshal(answers)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "bench-floor-")
	if err != nil {
		return nil, err
	}
	remove := func() error { return os.RemoveAll(dir) }
	name := filepath.Join(dir, "answers.json")
	if err := os.WriteFile(name, text, 0o600); err != nil {
		return nil, err
	}
	p, err := proc.Start(command(ctx, t.built("floor"), name))
	if err != nil {
		return nil, err
	}
	address, err := p.Await(ctx, "listening on ")
	return &Server{
		Name: "floor", URL: "http://" + address, Program: p, Costs: []*proc.Process{p}, stop: []func() error{remove, p.Stop},
	}, err
}
