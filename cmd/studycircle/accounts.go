package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"path/filepath"
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/app"
	"studycircle/internal/mail"
	"studycircle/internal/openid"
	"studycircle/internal/service"
	"studycircle/internal/store"
)

// accountFlags are the flags of serve that concern accounts.
type accountFlags struct {
	SMTPURL            string   `name:"smtp-url" secret:"" placeholder:"URL" help:"Email server, as smtp://user:password@host:587 or smtps://host:465. Without one, emails are written to the data folder."`
	MailFrom           string   `placeholder:"ADDRESS" help:"Sender of emails. Default: no-reply at the public host."`
	GoogleClientID     string   `placeholder:"ID" help:"Client id from Google, for Continue with Google."`
	GoogleClientSecret string   `secret:"" placeholder:"SECRET" help:"Client secret from Google."`
	OIDC               string   `name:"oidc" placeholder:"FILE" help:"Other OpenID providers: a JSON array of {id, label, issuer, clientId, clientSecret}."`
	Moderators         []string `placeholder:"ADDRESS" help:"Moderators, by verified email addresses: a@x.org,b@y.org."`
	Operators          []string `placeholder:"ADDRESS" help:"Users who see the state of the server at /admin, by verified email addresses: a@x.org,b@y.org."`
	TrustedProxies     []string `placeholder:"CIDR" help:"Proxies whose X-Forwarded-For is trusted, for example 10.0.0.0/8,::1."`
	Registration       string   `default:"open" enum:"open,invited,closed" help:"Who may register: everyone, people with an invitation, or no one."`
	EnrolDomains       []string `placeholder:"DOMAIN" help:"Domains whose verified addresses join the circles of rosters without being asked: school.example,x.org. All others get an invitation."`
	Hall               string   `default:"on" enum:"on,read,off" help:"What is in no circle: open to all, only read, or off."`
	RateLimits         string   `default:"on" enum:"on,off" help:"Limits on attempts; off is for load tests on loopback."`
}

// accounts adds the flags to the configuration.
func (c serveCommand) accounts(ctx context.Context, config *app.Config) error {
	config.Limits = c.RateLimits == "on"
	config.Registration, config.Hall = studycircle.RegistrationMode(c.Registration), studycircle.HallMode(c.Hall)
	config.Moderators, config.Operators = studycircle.ModeratorsOf(c.Moderators), studycircle.AddressesOf(c.Operators)
	for _, text := range c.TrustedProxies {
		p, err := netip.ParsePrefix(text)
		if a, single := netip.ParseAddr(text); single == nil {
			p, err = netip.PrefixFrom(a, a.BitLen()), nil
		}
		if err != nil {
			return fmt.Errorf("--trusted-proxies: %q is neither an address nor a network like 10.0.0.0/8", text)
		}
		config.TrustedProxies = append(config.TrustedProxies, p.Masked())
	}
	var err error
	if config.EnrolDomains, err = studycircle.DomainsOf(c.EnrolDomains); err != nil {
		return fmt.Errorf("--enrol-domains: %w", err)
	}
	if config.Providers, err = openid.Entries(c.GoogleClientID, c.GoogleClientSecret, c.OIDC); err != nil {
		return err
	}
	from, err := mail.From(c.Brand, c.MailFrom, config.PublicURL)
	if err != nil {
		return fmt.Errorf("--mail-from: %w", err)
	}
	if c.SMTPURL != "" {
		config.Mail, err = mail.SMTP(c.SMTPURL, from)
		return err
	}
	folder := filepath.Join(c.Data, "mail")
	config.Mail = mail.Folder(folder, from)
	slog.InfoContext(ctx, "no --smtp-url: emails are written as .eml files", "folder", folder)
	return nil
}

type usersCommand struct {
	List        usersList          `cmd:"" help:"List users by their addresses."`
	Invite      inviteCommand      `cmd:"" help:"Print an address with which people register, also with --registration=invited."`
	Invitations invitationsCommand `cmd:"" help:"List invitations to register, or revoke one."`
	Suspend     suspendCommand     `cmd:"" help:"End a user's sessions and refuse further sign-ins."`
	Restore     unsuspend          `cmd:"" help:"Let a suspended user sign in again."`
}

type usersList struct{ operatorFlags }

// userLine is a user as it is printed.
type userLine struct {
	ID             string     `json:"_id"`
	Email          string     `json:"email"`
	Name           string     `json:"name"`
	CreatedAt      time.Time  `json:"createdAt"`
	VerifiedAt     *time.Time `json:"verifiedAt"`
	SuspendedAt    *time.Time `json:"suspendedAt"`
	ModeratorSince *time.Time `json:"moderatorSince"`
}

func (l userLine) state() string {
	switch {
	case l.SuspendedAt != nil:
		return "suspended"
	case l.VerifiedAt == nil:
		return "unverified"
	default:
		return "verified"
	}
}

// Run prints a line for each user: as JSON, an object on each.
func (c usersList) Run(ctx context.Context) error {
	return c.with(ctx, func(s *service.Service) error {
		return c.lines(func(put func(v any, columns ...any) error) error {
			return s.EachUser(ctx, func(u studycircle.User) error {
				line := userLine{
					u.ID, u.Email, u.DisplayName, u.CreatedAt, orNil(u.EmailVerifiedAt), orNil(u.SuspendedAt), orNil(u.ModeratorSince),
				}
				return put(line, line.Email, line.state(), line.CreatedAt.Format(time.RFC3339), oneLine(line.Name))
			})
		})
	})
}

type suspendCommand struct {
	operatorFlags
	Email string `arg:"" help:"The user's e-mail address."`
}

// Run suspends a user. Running servers notice within five seconds.
func (c suspendCommand) Run(ctx context.Context) error {
	return c.setSuspended(ctx, c.Email, time.Now())
}

type unsuspend struct {
	operatorFlags
	Email string `arg:"" help:"The user's e-mail address."`
}

// Run ends a suspension.
func (c unsuspend) Run(ctx context.Context) error {
	return c.setSuspended(ctx, c.Email, time.Time{})
}

// setSuspended suspends an account at an instant, or restores it if that is zero. Earlier
// sessions and emailed links stay invalid after a restore.
func (f operatorFlags) setSuspended(ctx context.Context, email string, at time.Time) error {
	email = strings.TrimSpace(email)
	return withStore(ctx, f.config(), func(s *store.Store) error {
		var ended int64
		err := s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			id, err := tx.SetSuspended(ctx, studycircle.NormalizeEmail(email), at)
			if err != nil {
				return err
			}
			if ended, err = tx.DeleteSessionsOf(ctx, id, ""); err != nil {
				return err
			}
			return tx.DeleteActionCodesOf(ctx, id)
		})
		if err != nil {
			return noAccount(err, email)
		}
		sentence := fmt.Sprintf("%s is suspended. Sessions ended: %d.", email, ended)
		if at.IsZero() {
			sentence = email + " may sign in again."
		}
		return f.print(struct {
			Email     string `json:"email"`
			Suspended bool   `json:"suspended"`
			Sessions  int64  `json:"sessionsEnded"`
		}{studycircle.NormalizeEmail(email), !at.IsZero(), ended}, sentence)
	})
}

// noAccount words the error about an address without an account.
func noAccount(err error, email string) error {
	if studycircle.CodeOf(err) == studycircle.CodeNotFound {
		return fmt.Errorf("there is no account with the address %s", strings.TrimSpace(email))
	}
	return err
}
