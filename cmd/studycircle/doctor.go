package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"time"

	"studycircle/internal/app"
	"studycircle/internal/doctor"
	"studycircle/internal/mail"
)

type doctorCommand struct {
	serveCommand
	JSON  bool `name:"json" help:"Print JSON, an object on each line, for programs."`
	Quick bool `help:"Do not check the embedded database's integrity, which reads all of it."`
}

// Run prints a finding for each check. Its error says that one failed.
func (c doctorCommand) Run(ctx context.Context) error {
	config, err := c.lookedAt(ctx)
	if err != nil {
		return err
	}
	kept, err := c.backups(c.databaseFlags)
	if err != nil {
		return err
	}
	failed := false
	doctor.Examine(ctx, doctor.Config{
		Database: c.config(), Data: c.Data, PublicURL: config.PublicURL, Mail: config.Mail, Backups: kept, Now: time.Now,
		Quick: c.Quick,
	}, func(f doctor.Finding) {
		failed = failed || f.State == doctor.Failed
		if c.JSON {
			err = errors.Join(err, json.NewEncoder(os.Stdout).Encode(f))
			return
		}
		fmt.Printf("%-8s %-15s %s\n", f.State, f.Check, oneLine(f.Says))
		if f.Do != "" {
			fmt.Printf("%24s %s\n", "", f.Do)
		}
	})
	if failed {
		err = errors.Join(err, doctor.ErrFailed)
	}
	return err
}

// lookedAt returns the settings of a server that is not started here.
func (c serveCommand) lookedAt(ctx context.Context) (config app.Config, err error) {
	at, err := net.ResolveTCPAddr("tcp", c.Addr)
	if err != nil {
		return config, fmt.Errorf("--addr: %w", err)
	}
	if config.PublicURL, err = c.publicURL(at); err != nil {
		return config, err
	}
	err = c.accounts(ctx, &config)
	return config, err
}

type testMailCommand struct {
	serveCommand
	To string `arg:"" name:"address" help:"Where to send the email."`
}

// Run sends an email at once, past the queue.
func (c testMailCommand) Run(ctx context.Context) error {
	config, err := c.lookedAt(ctx)
	if err != nil {
		return err
	}
	err = config.Mail.Send(ctx, mail.Message{
		To: c.To, Subject: c.Brand + ": a test email",
		Text: "This email shows that " + strings.TrimSuffix(config.PublicURL.String(), "/") + " can send emails.\n",
	})
	if err != nil {
		return fmt.Errorf("the email was not sent: %w", err)
	}
	fmt.Println(
		"Sent. If it does not arrive, look into the spam folder, and at the SPF and DKIM records of the sender's domain.",
	)
	return nil
}
