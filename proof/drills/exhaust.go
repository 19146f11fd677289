package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Bars for honest users during an attack.
const (
	mostMemory   = 256 << 20 // RssAnon, in bytes
	mostAnswer   = 1 << 20   // half of it texts, in bytes
	mostWait     = 100 * time.Millisecond
	leastShare   = 0.99
	leastOfMost  = 0.6 // of capacity, answered at ten times the load
	attackFor    = 8 * time.Second
	attackBefore = 3 * time.Second // time for an attack to take effect
)

// programVariable names a program to test instead of the built one.
const programVariable = "STUDYCIRCLE_DRILL_PROGRAM"

// attack is one way to monopolize the node. It returns when ctx is done.
type attack struct {
	name string
	run  func(ctx context.Context, f *field) error
}

// attacks in the order they run, each on a fresh node.
var attacks = []attack{
	{"nobody", func(ctx context.Context, _ *field) error { <-ctx.Done(); return nil }},
	{"100 visitors log in with 1 MiB of nested JSON", nestedLogins},
	{"900 clients read nothing of pages, lists and scripts", readNothing},
	{"2,000 forgotten passwords of made-up addresses", madeUpAddresses},
	{"one user asks under 60 kB of blanks, each spelling twice", manySpellings},
	{"700 sign-ins begun at a silent provider", silentProvider},
	{"150 visitors send 20 kB of 900 kB and stop", stopInTheMiddle},
	{"one user opens 2,600 streams, a visitor 1,500", manyStreams},
	{"300 sign-ins at once, again and again", signInsAtOnce},
	{"small texts that render large, in every list", amplification},
}

// drillExhaust runs each attack beside honest users, between two network namespaces with send
// buffers as small as a network's: on loopback the kernel buffers four megabytes for every
// client that reads nothing.
func drillExhaust(ctx context.Context, r *report) error {
	if os.Getenv(crewVariable) != "" {
		return obey(ctx)
	}
	if os.Getenv(insideVariable) == "" {
		return betweenNamespaces(ctx)
	}
	var rows []*honest
	for _, a := range append(attacks, together) {
		if !wanted(a.name) {
			continue
		}
		h, err := tried(ctx, r, a)
		if err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
		rows = append(rows, h)
	}
	if wanted("overload") {
		if err := overload(ctx, r); err != nil {
			return err
		}
	}
	r.chapter("What honest users got")
	fmt.Println("\n| beside | answered | p50 | p99 | /livez p99 | RssAnon at most |\n|---|--:|--:|--:|--:|--:|")
	for _, h := range rows {
		fmt.Printf(
			"| %s | %.2f %% | %s | %s | %s | %d MB |\n",
			h.beside, 100*h.share(), inMs(h.p(50)), inMs(h.p(99)), inMs(h.alive()), h.memory>>20,
		)
	}
	return nil
}

// together runs all attacks at once.
var together = attack{"all of them at once", func(ctx context.Context, f *field) error {
	ended := make(chan error, len(attacks))
	for _, a := range attacks {
		go func() { ended <- a.run(ctx, f) }()
	}
	var all error
	for range attacks {
		all = errors.Join(all, <-ended)
	}
	return all
}}

// wanted reports whether to run an attack: all without arguments, otherwise those whose names
// contain an argument.
func wanted(name string) bool {
	words := os.Args[2:]
	return len(words) == 0 || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(name, w) })
}

func inMs(d time.Duration) string { return fmt.Sprintf("%.0f ms", float64(d)/1e6) }

// tried runs an attack on a fresh node and measures what honest users get meanwhile.
func tried(ctx context.Context, r *report, a attack) (h *honest, err error) {
	r.chapter("Beside: %s", a.name)
	f, err := openField(ctx)
	if err != nil {
		return h, err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	attackers, err := f.send(ctx, order{Attack: a.name})
	if err != nil {
		return h, err
	}
	err = pause(ctx, attackBefore)
	if err == nil {
		h = f.measure(ctx, attackFor)
		h.beside = a.name
	}
	found, ended := attackers.stop()
	if err := errors.Join(err, ended); err != nil {
		return h, err
	}
	r.bar(
		h.share() >= leastShare, "honest users were answered %.2f %% of %d requests %v",
		100*h.share(), len(h.waits)+h.failed, h.kinds,
	)
	r.bar(h.p(99) <= mostWait, "their waits: median %s, p99 %s", inMs(h.p(50)), inMs(h.p(99)))
	r.bar(h.alive() <= mostWait, "/livez p99 %s", inMs(h.alive()))
	r.bar(h.memory <= mostMemory, "RssAnon %d MB at most", h.memory>>20)
	for _, v := range found.Findings {
		r.bar(v.Met, "%s", v.Text)
	}
	return h, ctx.Err()
}

// field is a node in its namespace, with signed-in users.
type field struct {
	*node
	dir   string
	users []*person
	ids   []string // of assignments

	mu       sync.Mutex
	findings []finding
}

func openField(ctx context.Context) (f *field, err error) {
	dir, err := os.MkdirTemp("", "studycircle-drill-")
	if err != nil {
		return nil, err
	}
	program := builtProgram
	if other := os.Getenv(programVariable); other != "" {
		program = other
	}
	if program, err = filepath.Abs(program); err != nil {
		return nil, err
	}
	f = &field{dir: dir}
	data := filepath.Join(dir, "data")
	if f.ids, err = fillAssignments(ctx, program, dir, data); err != nil {
		return nil, err
	}
	provider := filepath.Join(dir, "oidc.json")
	entry := fmt.Sprintf(
		`[{"id":"silent","label":"Silent","issuer":"https://%s","clientId":"c","clientSecret":"s"}]`, silentAddress,
	)
	if err := os.WriteFile(provider, []byte(entry), 0o600); err != nil {
		return nil, err
	}
	f.node = &node{program: "ip", address: serverAddress, args: []string{
		"netns", "exec", os.Getenv(insideVariable), "nice", "-n", nodeNice, program, "serve", "--addr", serverAddress,
		"--data", data, "--oidc", provider, "--public-url", "http://" + serverAddress,
	}}
	if err := f.start(ctx); err != nil {
		return nil, err
	}
	err = f.signUp(ctx)
	return f, err
}

// found records an attack's own finding.
func (f *field) found(met bool, format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.findings = append(f.findings, finding{met, fmt.Sprintf(format, args...)})
}

func (f *field) close() error { return errors.Join(f.kill(), os.RemoveAll(f.dir)) }
