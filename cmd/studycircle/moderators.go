package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"studycircle"
	"studycircle/internal/service"
)

type moderatorsCommand struct {
	List   moderatorsList   `cmd:"" help:"List the moderators whom --moderators names and whom add has appointed."`
	Add    moderatorsAdd    `cmd:"" help:"Appoint a user with a verified address a moderator."`
	Remove moderatorsRemove `cmd:"" help:"End an appointment."`
}

// namedFlags are the flags of serve that name moderators.
type namedFlags struct {
	operatorFlags
	Moderators []string `placeholder:"ADDRESS" help:"Moderators by the settings, as for serve."`
}

type moderatorsList struct{ namedFlags }

// moderatorLine is a moderator as it is printed.
type moderatorLine struct {
	Email string `json:"email"`
	// By is what names the moderator: the settings, an appointment or both.
	By string `json:"by"`
}

// Run prints a line for each moderator: as JSON, an object on each.
func (c moderatorsList) Run(ctx context.Context) error {
	return c.with(ctx, func(s *service.Service) error {
		appointed, err := s.AppointedModerators(ctx)
		if err != nil {
			return err
		}
		return c.lines(func(put func(v any, columns ...any) error) error {
			for _, l := range c.all(appointed) {
				if err := put(l, l.Email, l.By); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// all returns the moderators of the settings and those who were appointed, each once.
func (c moderatorsList) all(appointed []studycircle.User) (out []moderatorLine) {
	named := studycircle.ModeratorsOf(c.Moderators)
	by := map[string]string{}
	for email := range named {
		by[email] = "settings"
	}
	for _, u := range appointed {
		by[u.Email] = strings.TrimPrefix(by[u.Email]+", appointment", ", ")
	}
	for email, by := range by {
		out = append(out, moderatorLine{email, by})
	}
	slices.SortFunc(out, func(a, b moderatorLine) int { return cmp.Compare(a.Email, b.Email) })
	return out
}

type moderatorsAdd struct {
	operatorFlags
	Email string `arg:"" name:"address" help:"The user's email address."`
}

// Run appoints a moderator. Running servers notice within five seconds.
func (c moderatorsAdd) Run(ctx context.Context) error {
	return c.with(ctx, func(s *service.Service) error {
		changed, err := s.AppointModerator(ctx, c.Email)
		if studycircle.CodeOf(err) == studycircle.CodeInvalid {
			return fmt.Errorf("%s has not verified the address", studycircle.NormalizeEmail(c.Email))
		}
		if err != nil {
			return noAccount(err, c.Email)
		}
		return c.printModerator(c.Email, true, changed)
	})
}

type moderatorsRemove struct {
	namedFlags
	Email string `arg:"" name:"address" help:"The user's email address."`
}

// Run ends an appointment. Running servers notice within five seconds.
func (c moderatorsRemove) Run(ctx context.Context) error {
	email := studycircle.NormalizeEmail(c.Email)
	named := studycircle.ModeratorsOf(c.Moderators)[email]
	return c.with(ctx, func(s *service.Service) error {
		changed, err := s.DismissModerator(ctx, c.Email)
		switch {
		case named && (err == nil || studycircle.CodeOf(err) == studycircle.CodeNotFound):
			return fmt.Errorf("the settings name %s: take the address out of --moderators", email)
		case err != nil:
			return noAccount(err, c.Email)
		}
		return c.printModerator(c.Email, false, changed)
	})
}

func (f operatorFlags) printModerator(email string, is, changed bool) error {
	email = studycircle.NormalizeEmail(email)
	state := "a moderator"
	if !is {
		state = "no moderator"
	}
	return f.print(struct {
		Email     string `json:"email"`
		Moderator bool   `json:"moderator"`
		Changed   bool   `json:"changed"`
	}{email, is, changed}, fmt.Sprintf("%s is %s.%s", email, state, already(changed)))
}
