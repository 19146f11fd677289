package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"

	"studycircle"
	"studycircle/internal/csvfile"
	"studycircle/internal/service"
	"studycircle/internal/store"
	"studycircle/internal/transfer"
)

type circlesCommand struct {
	List    circlesList    `cmd:"" help:"List circles with their members and owners."`
	Archive circlesArchive `cmd:"" help:"Make a circle read-only, or end that."`
	Owner   circlesOwner   `cmd:"" help:"Make a user an owner, for a circle whose owners are gone."`
	Import  circlesImport  `cmd:"" help:"Import a circle that its owner has exported, on this server or another."`
	Roster  circlesRoster  `cmd:"" help:"Let the people of a list join a circle, as an organizer uploads it."`
}

// circleLine is a circle as it is printed.
type circleLine struct {
	ID         string     `json:"_id"`
	Name       string     `json:"name"`
	Members    int64      `json:"members"`
	Owners     []string   `json:"owners"`
	CreatedAt  time.Time  `json:"createdAt"`
	ArchivedAt *time.Time `json:"archivedAt"`
	DeletedAt  *time.Time `json:"deletedAt"`
}

func lineOf(c studycircle.OwnedCircle) circleLine {
	return circleLine{
		c.ID, c.Name, c.Members, append([]string{}, c.Owners...), c.CreatedAt, orNil(c.ArchivedAt), orNil(c.DeletedAt),
	}
}

func (l circleLine) state() string {
	switch {
	case l.DeletedAt != nil:
		return "deleted"
	case l.ArchivedAt != nil:
		return "archived"
	default:
		return "open"
	}
}

type circlesList struct{ operatorFlags }

// Run prints a line for each circle: as JSON, an object on each.
func (c circlesList) Run(ctx context.Context) error {
	return c.with(ctx, func(s *service.Service) error {
		return c.lines(func(put func(v any, columns ...any) error) error {
			return s.EachCircle(ctx, func(found studycircle.OwnedCircle) error {
				line := lineOf(found)
				return put(line, line.ID, line.state(), line.Members, oneLine(line.Name), strings.Join(line.Owners, ","))
			})
		})
	})
}

type circlesArchive struct {
	operatorFlags
	ID   string `arg:"" help:"The circle's id, as list prints it."`
	Undo bool   `help:"End the archiving."`
}

// Run archives a circle, or ends that. Running servers notice at once.
func (c circlesArchive) Run(ctx context.Context) error {
	return c.with(ctx, func(s *service.Service) error {
		changed, err := s.ArchiveAnyCircle(ctx, c.ID, !c.Undo)
		if err != nil {
			return noCircle(err, c.ID)
		}
		state := "archived"
		if c.Undo {
			state = "open"
		}
		return c.print(changedCircle{c.ID, state, changed}, fmt.Sprintf("%s is %s.%s", c.ID, state, already(changed)))
	})
}

type circlesOwner struct {
	operatorFlags
	ID    string `arg:"" help:"The circle's id, as list prints it."`
	Email string `arg:"" help:"The user's email address."`
}

// Run makes a user an owner of a circle.
func (c circlesOwner) Run(ctx context.Context) error {
	return c.with(ctx, func(s *service.Service) error {
		changed, err := s.MakeOwner(ctx, c.ID, c.Email)
		if err != nil {
			return noCircle(err, c.ID+", or no account "+c.Email)
		}
		email := studycircle.NormalizeEmail(c.Email)
		return c.print(struct {
			ID      string `json:"_id"`
			Owner   string `json:"owner"`
			Changed bool   `json:"changed"`
		}{c.ID, email, changed}, fmt.Sprintf("%s is an owner of %s.%s", email, c.ID, already(changed)))
	})
}

type circlesImport struct {
	operatorFlags
	File  string `arg:"" help:"The exported circle, a ZIP archive."`
	Owner string `required:"" placeholder:"ADDRESS" help:"The email address of the user who owns the circle here; without an account they claim one by password reset."`

	Map          string `type:"existingfile" placeholder:"FILE" help:"Whose accounts the members in the archive have here: lines of an address in the archive, a comma, and an address here."`
	MapByAddress bool   `help:"Give each member in the archive the account here with the same address. For archives whose makers you trust: they may say that anyone wrote anything."`
}

// Run imports a circle and prints how many records are new.
func (c circlesImport) Run(ctx context.Context) error {
	people := transfer.People{Owner: c.Owner, ByAddress: c.MapByAddress}
	if c.Map != "" {
		var err error
		if people.Accounts, err = readMap(c.Map); err != nil {
			return fmt.Errorf("nothing was imported: %w", err)
		}
	}
	return withStore(ctx, c.config(), func(s *store.Store) error {
		var bar *progressbar.ProgressBar
		n, err := transfer.ImportCircle(ctx, s, c.File, people, time.Now(),
			func(lines int) { bar = progressbar.Default(int64(lines), "importing") },
			func() { _ = bar.Add(1) }) // an error of the progress bar does not stop the import
		if err != nil {
			return fmt.Errorf("nothing was imported: %w", err)
		}
		if err := analyze(ctx, s); err != nil {
			return err
		}
		return c.print(struct {
			ID          string `json:"_id"`
			Users       int    `json:"users"`
			Members     int    `json:"members"`
			Assignments int    `json:"assignments"`
			Submissions int    `json:"submissions"`
			Exemplars   int    `json:"exemplars"`
			Comments    int    `json:"comments"`
			Imported    int    `json:"imported,omitempty"`
			Apart       int    `json:"apart,omitempty"`
		}{
			n.Circle, n.Users, n.Members, n.Assignments, n.Submissions, n.Exemplars, n.Comments, n.Imported, n.Apart,
		}, fmt.Sprintf(
			"Imported into circle %s what was not there before: %d users, %d members, %d assignments, %d submissions, %d "+
				"exemplars, %d comments.",
			n.Circle, n.Users, n.Members, n.Assignments, n.Submissions, n.Exemplars, n.Comments)+apart(n))
	})
}

// apart says how many people of the archive have no account here by which they could take part.
func apart(n transfer.CircleCounts) (out string) {
	if n.Imported > 0 {
		out += fmt.Sprintf("\nPeople whose work is shown as imported, without an account: %d.", n.Imported)
	}
	if n.Apart > 0 {
		out += fmt.Sprintf(
			"\nMembers whose address has an account here and who did not join: %d. --map or --map-by-address, given with the "+
				"first import, says that the account is theirs.", n.Apart,
		)
	}
	return out
}

// readMap reads the addresses of accounts here, by addresses in an archive.
func readMap(path string) (accounts map[string]string, err error) {
	file, err := os.Open(path) //nolint:gosec // the operator names this file
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	accounts, err = transfer.ReadAccounts(file)
	if err != nil {
		err = fmt.Errorf("%s %w", filepath.Base(path), err)
	}
	return accounts, err
}

type circlesRoster struct {
	operatorFlags
	ID      string `arg:"" help:"The circle's id, as list prints it."`
	File    string `arg:"" type:"existingfile" help:"The list, a CSV file with the columns email, name, role, label, familyName, sourcedId, or a list from Moodle, Canvas, Google, Outlook, Sakai or OneRoster."`
	By      string `required:"" placeholder:"ADDRESS" help:"The email address of the organizer who invites."`
	Columns string `placeholder:"COLUMNS" help:"Columns with other headings, as email=Kontakt,name=#2."`
	DryRun  bool   `help:"Only say what would be done."`
}

// Run enrolls the people of the list. A running server sends the invitations.
func (c circlesRoster) Run(ctx context.Context) error {
	chosen, err := csvfile.Chosen(c.Columns)
	if err != nil {
		return fmt.Errorf("--columns: %w", err)
	}
	file, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	roster, err := service.ReadRoster(file, chosen)
	if err != nil {
		return fmt.Errorf("%s: %s", filepath.Base(c.File), reason(err))
	}
	return c.with(ctx, func(s *service.Service) error {
		does, err := s.EnrollRosterAs(ctx, c.ID, c.By, roster, service.RosterOptions{DryRun: c.DryRun})
		if err != nil {
			return noCircle(err, c.ID+", or "+c.By+" is no member of it")
		}
		if len(does.Refused) > 0 {
			lines := make([]error, len(does.Refused))
			for i, l := range does.Refused {
				lines[i] = fmt.Errorf("%s line %d: %s", filepath.Base(c.File), l.Line, reason(l.Err))
			}
			return fmt.Errorf("nothing was changed: %w", errors.Join(lines...))
		}
		changed := len(does.Changed) + len(does.Reworded)
		return c.print(struct {
			Added     int `json:"added"`
			Invited   int `json:"invited"`
			Changed   int `json:"changed"`
			Unchanged int `json:"unchanged"`
		}{len(does.Added), len(does.Invited), changed, does.Unchanged}, fmt.Sprintf(
			"%d joined, %d are invited, %d changed, %d stayed as they are.", len(does.Added), len(does.Invited), changed,
			does.Unchanged))
	})
}

// reason returns an error's sentence for users.
func reason(err error) string {
	if e, is := errors.AsType[*studycircle.Error](err); is {
		return studycircle.Text(e.Message, e.Args)
	}
	return err.Error()
}

// changedCircle is the JSON of a change.
type changedCircle struct {
	ID      string `json:"_id"`
	State   string `json:"state"`
	Changed bool   `json:"changed"`
}

func already(changed bool) string {
	if changed {
		return ""
	}
	return " Nothing changed."
}

func noCircle(err error, what string) error {
	if studycircle.CodeOf(err) == studycircle.CodeNotFound {
		return fmt.Errorf("there is no circle %s", what)
	}
	return err
}
