package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"studycircle"
	"studycircle/internal/app"
	"studycircle/internal/service"
	"studycircle/internal/store"
)

// operatorFlags are the flags of the commands that print what they did.
type operatorFlags struct {
	databaseFlags
	JSON bool `name:"json" help:"Print JSON, for programs."`
}

// with runs f with the use cases on an open database.
func (f operatorFlags) with(ctx context.Context, do func(*service.Service) error) error {
	return withStore(ctx, f.config(), func(s *store.Store) error { return do(app.Unlimited(s, time.Now)) })
}

// print writes v as JSON, or a sentence.
func (f operatorFlags) print(v any, sentence string) error {
	if f.JSON {
		return json.NewEncoder(os.Stdout).Encode(v)
	}
	fmt.Println(sentence)
	return nil
}

// lines lets write put a line for each thing: as JSON, an object on each, otherwise columns.
func (f operatorFlags) lines(write func(put func(v any, columns ...any) error) error) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	err := write(func(v any, columns ...any) error {
		if f.JSON {
			return json.NewEncoder(os.Stdout).Encode(v)
		}
		_, err := fmt.Fprintln(w, strings.Join(texts(columns), "\t"))
		return err
	})
	return errors.Join(err, w.Flush())
}

func texts(values []any) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = fmt.Sprint(v)
	}
	return out
}

// orNil returns nil for the zero Time.
func orNil(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

type inviteCommand struct {
	operatorFlags
	PublicURL string        `default:"http://127.0.0.1:8080" placeholder:"URL" help:"Address people use, as for serve."`
	Uses      int64         `default:"1" help:"How many accounts the address opens; 0 for any number."`
	Expires   time.Duration `default:"720h" placeholder:"TIME" help:"How long the address works, a year at most."`
	Email     string        `placeholder:"ADDRESS" help:"The only email address that may register with it."`
}

// Run prints the address, whose secret is not stored.
func (c inviteCommand) Run(ctx context.Context) error {
	public, err := parsePublicURL(c.PublicURL)
	if err != nil {
		return err
	}
	in := studycircle.ServerInvitation{OnlyEmail: c.Email, ExpiresAt: time.Now().Add(c.Expires).UTC()}
	if c.Uses != 0 {
		in.Uses = &c.Uses
	}
	return c.with(ctx, func(s *service.Service) error {
		made, secret, err := s.InviteToServer(ctx, in)
		if err != nil {
			return err
		}
		address := public.JoinPath("auth/register").String() + "#" + secret
		return c.print(struct {
			ID        string    `json:"_id"`
			URL       string    `json:"url"`
			Uses      *int64    `json:"uses"`
			Email     string    `json:"email,omitempty"`
			ExpiresAt time.Time `json:"expiresAt"`
		}{made.ID, address, made.Uses, made.OnlyEmail, made.ExpiresAt.Truncate(time.Second)}, address)
	})
}

type invitationsCommand struct {
	List   invitationsList   `cmd:"" help:"List the operator's invitations, oldest first. Expired ones are removed."`
	Revoke invitationsRevoke `cmd:"" help:"End an invitation: no one registers by it any more."`
}

type invitationsList struct{ operatorFlags }

// Run prints a line for each invitation: as JSON, an object on each.
func (c invitationsList) Run(ctx context.Context) error {
	return c.with(ctx, func(s *service.Service) error {
		all, err := s.ServerInvitations(ctx)
		if err != nil {
			return err
		}
		return c.lines(func(put func(v any, columns ...any) error) error {
			for _, i := range all {
				left := "any"
				if i.Uses != nil {
					left = fmt.Sprint(*i.Uses)
				}
				err := put(struct {
					ID        string    `json:"_id"`
					UsesLeft  *int64    `json:"usesLeft"`
					Email     string    `json:"email,omitempty"`
					CreatedAt time.Time `json:"createdAt"`
					ExpiresAt time.Time `json:"expiresAt"`
				}{i.ID, i.Uses, i.OnlyEmail, i.CreatedAt, i.ExpiresAt}, i.ID, left, i.ExpiresAt.Format(time.RFC3339), i.OnlyEmail)
				if err != nil {
					return err
				}
			}
			return nil
		})
	})
}

type invitationsRevoke struct {
	operatorFlags
	ID string `arg:"" help:"The invitation's id, as list prints it."`
}

// Run revokes an invitation. Running servers refuse it at once.
func (c invitationsRevoke) Run(ctx context.Context) error {
	return c.with(ctx, func(s *service.Service) error {
		err := s.RevokeServerInvitation(ctx, c.ID)
		if studycircle.CodeOf(err) == studycircle.CodeNotFound {
			return fmt.Errorf("there is no invitation %s", c.ID)
		}
		if err != nil {
			return err
		}
		return c.print(struct {
			ID      string `json:"_id"`
			Revoked bool   `json:"revoked"`
		}{c.ID, true}, c.ID+" is revoked.")
	})
}
