// Command pocketbase is PocketBase with the collections of this comparison and a
// command fill, which creates and fills them. With POCKETBASE_SYNCHRONOUS=FULL
// commits wait for the disk; by default PocketBase's do not.
package main

import (
	"log"
	"os"
	"strings"

	"github.com/pocketbase/dbx"
	"github.com/pocketbase/pocketbase"
	"github.com/pocketbase/pocketbase/core"
	"github.com/spf13/cobra"

	"studycircle/proof/bench/internal/seed"
)

// pragmas are PocketBase's own (core.DefaultDBConnect) but for the last.
const pragmas = "?_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=journal_size_limit(200000000)" +
	"&_pragma=foreign_keys(ON)&_pragma=temp_store(MEMORY)&_pragma=cache_size(-32000)&_pragma=synchronous"

func main() {
	config := pocketbase.Config{DBConnect: core.DefaultDBConnect, HideStartBanner: true}
	if mode := os.Getenv("POCKETBASE_SYNCHRONOUS"); mode != "" {
		config.DBConnect = func(path string) (*dbx.DB, error) { return dbx.Open("sqlite", path+pragmas+"("+mode+")") }
	}
	app := pocketbase.NewWithConfig(config)
	var set seed.Set
	fill := &cobra.Command{
		Use: "fill", Short: "Create and fill the collections, resuming where it stopped", SilenceUsage: true,
		RunE: func(*cobra.Command, []string) error { return fillAll(app, set) },
	}
	fill.Flags().Uint64Var(&set.Seed, "seed", 1, "seed of the content")
	fill.Flags().IntVar(&set.Size, "size", 1000, "assignments")
	app.RootCmd.AddCommand(fill)
	if err := app.Start(); err != nil {
		log.Fatal(strings.TrimSpace(err.Error()))
	}
}
