// Command drills breaks a running system on purpose and reports what its users noticed. It uses
// the built program, a real balancer and a real PostgreSQL on this machine. Each drill prints
// its figures and fails if a bar is missed.
package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

// drills by name.
var drills = map[string]func(context.Context, *report) error{
	"alerts":   drillAlerts,
	"balanced": drillBalanced,
	"crash":    drillCrash,
	"exhaust":  drillExhaust,
	"many":     drillMany,
	"nodes":    drillNodes,
	"power":    drillPower,
	"restore":  drillRestore,
	"upgrade":  drillUpgrade,
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if len(os.Args) < 2 || drills[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: drills "+strings.Join(slices.Sorted(maps.Keys(drills)), "|"))
		os.Exit(2) //nolint:gocritic // stop has nothing left to do
	}
	r := &report{}
	start := time.Now()
	err := drills[os.Args[1]](ctx, r)
	if err == nil && r.missed > 0 {
		err = fmt.Errorf("%d bars missed", r.missed)
	}
	if errors.Is(err, context.Canceled) {
		err = errors.New("stopped")
	}
	fmt.Printf("%s: %s\n", os.Args[1], time.Since(start).Round(time.Second))
	if err != nil {
		fmt.Fprintln(os.Stderr, "drills:", err)
		os.Exit(1)
	}
}

// report collects a drill's findings.
type report struct {
	missed int
	quiet  bool // prints only missed bars
}

// say prints a figure without a bar.
func (*report) say(format string, args ...any) { fmt.Printf("  "+format+"\n", args...) }

// chapter prints a heading for the following figures.
func (*report) chapter(format string, args ...any) { fmt.Printf("\n"+format+"\n", args...) }

// bar prints a figure and whether it meets its bar.
func (r *report) bar(met bool, format string, args ...any) {
	mark := "ok    "
	if !met {
		mark = "MISSED"
		r.missed++
	}
	if met && r.quiet {
		return
	}
	fmt.Printf("  %s  %s\n", mark, fmt.Sprintf(format, args...))
}

// pause waits for a duration or until ctx is done.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
