// Command studycircle is the product: the server and its tools.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/alecthomas/kong"
	_ "golang.org/x/crypto/x509roots/fallback" // where the machine has no certificates of authorities

	"studycircle/internal/settings"
	"studycircle/internal/store"
)

// version is set when the program is built.
var version = "dev"

type commands struct {
	Config string `placeholder:"FILE" help:"Settings file: the flags of serve in TOML, as public-url = \"https://…\". Flags and environment win over it."`

	Serve      serveCommand       `cmd:"" help:"Serve the app and its API."`
	Import     importCommand      `cmd:"" help:"Read users, assignments and submissions from a folder, all or nothing."`
	Export     exportCommand      `cmd:"" help:"Write the public data to a folder."`
	Backup     backupCommand      `cmd:"" help:"Write a copy of the embedded database, also while it is served."`
	Restore    restoreCommand     `cmd:"" help:"Put a backup in place of no database."`
	Copy       copyCommand        `cmd:"" help:"Copy everything, secrets included, to another database."`
	Grade      gradeCommand       `cmd:"" name:"grade-model" help:"Make marks of several reviews each, from a file and to a file."`
	Verify     verifyCommand      `cmd:"" help:"Check a receipt of a mark, offline."`
	Rotate     rotateKeyCommand   `cmd:"" name:"rotate-receipt-key" help:"Sign receipts with a new key. Earlier ones stay valid."`
	Users      usersCommand       `cmd:"" aliases:"user" help:"List users and invitations to register, invite people, close an account, or open it again."`
	Circles    circlesCommand     `cmd:"" help:"List circles, import or archive one, or give one an owner."`
	Moderators moderatorsCommand  `cmd:"" help:"List, appoint or dismiss moderators."`
	Moderate   moderateCommand    `cmd:"" help:"Decide on what people reported."`
	Jobs       jobsCommand        `cmd:"" help:"List background jobs, or retry emails that failed."`
	Doctor     doctorCommand      `cmd:"" help:"Check the machine, the database and the settings of serve, and say what to do."`
	TestMail   testMailCommand    `cmd:"" name:"testmail" help:"Send a test email with the settings of serve."`
	Migrate    migrateCommand     `cmd:"" help:"Bring the database's schema up to date and stop."`
	Settings   configCommand      `cmd:"" name:"config" help:"Print the settings of serve in force and where each comes from."`
	Health     healthcheckCommand `cmd:"" name:"healthcheck" help:"Report by the exit code whether the server on --addr is ready."`
	Version    versionCommand     `cmd:"" help:"Print the version."`
}

// BeforeResolve is called by kong when it knows the command line and the environment.
func (c *commands) BeforeResolve(parsed *kong.Context) error {
	for _, flag := range parsed.Model.Flags {
		if flag.Name != "config" {
			continue
		}
		file, _ := parsed.FlagValue(flag).(string) // its type in commands
		sources, err := settings.Load(file)
		if err != nil {
			return err
		}
		parsed.AddResolver(sources)
		parsed.Bind(sources)
	}
	return nil
}

type configCommand struct{ serveCommand }

// Run prints the settings.
func (configCommand) Run(parsed *kong.Context, sources *settings.Sources) error {
	return sources.Print(os.Stdout, parsed)
}

// databaseFlags select the database, for all commands.
type databaseFlags struct {
	Data     string `default:"./data" placeholder:"DIR" help:"Folder of the embedded database."`
	Database string `secret:"" placeholder:"URL" help:"A PostgreSQL database instead, as postgres://user:password@host:5432/name."`
}

func (f databaseFlags) config() store.Config { return store.Config{Dir: f.Data, URL: f.Database} }

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run() error {
	fmt.Println("studycircle", version)
	return nil
}

type migrateCommand struct{ databaseFlags }

// Run opens the database, which migrates it.
func (c migrateCommand) Run(ctx context.Context) error {
	s, err := store.Open(ctx, c.config())
	if err != nil {
		return err
	}
	fmt.Println("The schema is up to date:", store.Describe(c.config()))
	return s.Close()
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	var c commands
	parsed := kong.Parse(&c, kong.Name("studycircle"), kong.ShortUsageOnError(),
		kong.DefaultEnvars("STUDYCIRCLE"), // --public-url is STUDYCIRCLE_PUBLIC_URL
		kong.Description("Study together: publish assignments, hand in work, grade each other."),
		kong.BindTo(ctx, (*context.Context)(nil)))
	if err := parsed.Run(); err != nil {
		if errors.Is(err, context.Canceled) {
			err = errors.New("stopped")
		}
		fmt.Fprintln(os.Stderr, "studycircle:", err)
		os.Exit(1) //nolint:gocritic // stop has nothing left to do
	}
}
