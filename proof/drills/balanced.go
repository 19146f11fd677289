package main

import (
	"context"
	"errors"
	"os"
	"os/exec"
)

// browserTests are the browser tests that need no flags, emails or files of their server.
var browserTests = []string{
	"main-job", "list", "live", "submissions", "forms", "home", "visitor", "last-page", "keyboard",
}

// drillBalanced runs unmodified tests against three nodes behind a balancer: browser tests with
// the main job, then the API's HTTP tests.
func drillBalanced(ctx context.Context, r *report) (err error) {
	s, err := openSite(ctx, builtProgram)
	if err != nil {
		return err
	}
	r.chapter("The browser's main job, and its tests of lists, forms and live events, through the balancer")
	args := []string{"--prefix", "web", "run", "--silent", "e2e", "--"}
	for _, name := range browserTests {
		args = append(args, "product/"+name+".spec.ts")
	}
	err = run(ctx, []string{"STUDYCIRCLE_E2E_URL=" + s.url()}, "npm", args...)
	r.bar(err == nil, "the browser's tests: %s", verdict(err))
	if err := errors.Join(s.close(), ctx.Err()); err != nil {
		return err
	}
	r.chapter("The API's HTTP tests, three nodes and a balancer of its own for each test")
	err = run(
		ctx, []string{"STUDYCIRCLE_TEST_BALANCED=1"}, "go", "test", "-count=1", "./internal/app/nodetest",
		"-run", "/postgres",
	)
	r.bar(err == nil, "internal/app/nodetest on PostgreSQL: %s", verdict(err))
	return ctx.Err()
}

func verdict(err error) string {
	if err != nil {
		return err.Error()
	}
	return "passed"
}

// run forwards a program's output.
func run(ctx context.Context, environment []string, program string, args ...string) error {
	cmd := exec.CommandContext(ctx, program, args...) //nolint:gosec // the drill names it
	cmd.Env = append(os.Environ(), environment...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return cmd.Run()
}
