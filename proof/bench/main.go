// Command bench measures StudyCircle beside its peers. README.md describes it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"studycircle/proof/bench/internal/bench"
	"studycircle/proof/bench/internal/peer"
	"studycircle/proof/bench/internal/report"
)

const usage = `usage: bench [flags] serving | check | fill

serving  measure, print the table and write it to results/
check    run the short bench and compare with the committed results; exit 1 if a figure is worse
fill     fill the databases only

Filled databases are kept in proof/bench/.data or $STUDYCIRCLE_BENCH_DATA.

`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		stop()
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.Usage = func() {
		_, _ = fmt.Fprint(flags.Output(), usage)
		flags.PrintDefaults()
	}
	quick := flags.Bool("quick", false, "stop at 100,000 assignments; about five minutes")
	seed := flags.Uint64("seed", 1, "seed of the content")
	size := flags.Int("size", 0, "number of assignments instead of 1,000,000 (100,000 with -quick); writes no results")
	only := flags.String("only", "", "comma-separated rows to measure; writes no results")
	alone := flags.Bool("alone", false, "measure growth only, with one client at all sizes; writes no results")
	engines := flags.String("engines", strings.Join(peer.Engines, ","), "comma-separated engines to fill")
	repository := flags.String("repository", ".", "folder of the product's repository")
	if err := flags.Parse(os.Args[1:]); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return nil
		}
		return errors.New("invalid flags")
	}
	options, err := settings(*repository, *quick || flags.Arg(0) == "check", *seed, *size)
	if err != nil {
		return err
	}
	if *only != "" {
		options.Only = strings.Split(*only, ",")
	}
	if options.Alone = *alone; *only != "" && !options.Alone {
		options.Growth, options.Sizes = false, options.Sizes[len(options.Sizes)-1:]
	}
	if flags.NArg() == 1 {
		if err := options.Tree.Lock(); err != nil {
			return err
		}
	}
	switch flags.Arg(0) {
	case "fill":
		return bench.Fill(ctx, options, strings.Split(*engines, ","))
	case "serving":
		return serving(ctx, options, *only == "" && *size == 0 && !*alone)
	case "check":
		return check(ctx, options)
	}
	flags.Usage()
	return errors.New("expected a command: serving, check or fill")
}

// Rounds per row, and the length of a round, of the full bench.
const (
	wholeRounds = 5
	wholeRound  = 2 * time.Second
)

// settings returns the options of the full or the quick bench. All output is below the sources,
// ignored by git.
func settings(repository string, quick bool, seed uint64, size int) (bench.Options, error) {
	root, err := filepath.Abs(repository)
	if err != nil {
		return bench.Options{}, err
	}
	data := os.Getenv("STUDYCIRCLE_BENCH_DATA")
	if data == "" {
		data = filepath.Join(root, "proof", "bench", ".data")
	}
	start := time.Now()
	o := bench.Options{
		Tree: peer.Tree{Repository: root, Build: filepath.Join(root, "proof", "bench", ".build"), Data: data}, Seed: seed,
		Growth: true, Sizes: []int{1_000, 100_000, 1_000_000}, Rounds: wholeRounds, Round: wholeRound, Quick: quick,
		Say: func(text string) { fmt.Printf("%5.0f s  %s\n", time.Since(start).Seconds(), text) },
	}
	if quick {
		o.Sizes, o.Rounds, o.Round = []int{1_000, 100_000}, 3, time.Second
	}
	if size > 0 {
		o.Sizes = append(slices.DeleteFunc(o.Sizes, func(s int) bool { return s >= size }), size)
	}
	return o, nil
}

func (name resultName) path(root string) string {
	return filepath.Join(root, "proof", "bench", "results", string(name)+".json")
}

type resultName string

func nameOf(quick bool) resultName {
	if quick {
		return "serving-quick"
	}
	return "serving"
}

func serving(ctx context.Context, o bench.Options, save bool) error {
	results, err := bench.Run(ctx, o, version(ctx, o.Tree.Program()))
	if err != nil {
		return err
	}
	fmt.Println("\n" + results.Markdown())
	if !save {
		return nil
	}
	return results.Save(filepath.Join(o.Tree.Repository, "proof", "bench", "results"), string(nameOf(o.Quick)))
}

func check(ctx context.Context, o bench.Options) error {
	before, err := report.Load(nameOf(true).path(o.Tree.Repository))
	if err != nil {
		return fmt.Errorf("read committed results: %w", err)
	}
	now, err := bench.Run(ctx, o, version(ctx, o.Tree.Program()))
	if err != nil {
		return err
	}
	table, worse := report.Compare(before, now)
	fmt.Println("\n" + table)
	if len(worse) == 0 {
		return nil
	}
	fmt.Printf("%d figures are worse. Measuring their rows again with full rounds.\n", len(worse))
	o.Only, o.Rounds, o.Round = worse, wholeRounds, wholeRound
	again, err := bench.Run(ctx, o, now.Version)
	if err != nil {
		return err
	}
	now.Take(again)
	table, worse = report.Compare(before, now)
	fmt.Println("\n" + table)
	if len(worse) > 0 {
		return fmt.Errorf("%d figures are worse than the committed ones beyond the tolerance, twice", len(worse))
	}
	return nil
}

func version(ctx context.Context, program string) string {
	out, err := exec.CommandContext(ctx, program, "version").Output()
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(strings.TrimPrefix(string(out), "studycircle"))
}
