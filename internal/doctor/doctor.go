// Package doctor checks what a server depends on: its machine, its database and its settings. Each finding says what to
// do.
package doctor

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"studycircle"
	"studycircle/internal/backups"
	"studycircle/internal/mail"
	"studycircle/internal/store"
)

// State is the state of what a finding is about.
type State string

// The states of findings. A server works in spite of a warning.
const (
	OK      State = "ok"
	Warning State = "warning"
	Failed  State = "failed"
)

// Finding is the result of one check.
type Finding struct {
	Check string `json:"check"`
	State State  `json:"state"`
	Says  string `json:"says"`
	// Do is what the operator should do; "" if all is well.
	Do string `json:"do,omitempty"`
}

// Config names what to check.
type Config struct {
	Database store.Config
	// Data is the data folder, also beside PostgreSQL.
	Data      string
	PublicURL *url.URL
	Mail      mail.Sender
	Backups   backups.Config
	Now       func() time.Time
	// Quick leaves out the check of the embedded database's integrity, which reads all of it.
	Quick bool
}

// within bounds a check that waits for another machine.
const within = 10 * time.Second

// Machine is what Look finds.
type Machine struct {
	// Findings are those about the database, the disk, the clock and the backups.
	Findings []Finding
	Database store.Facts
	// Disk is the data folder's; zero if it cannot be read.
	Disk studycircle.Disk
	// LastBackup is the time of the last backup that the server made; zero if there is none.
	LastBackup time.Time
}

// Look runs the checks that ask no other machine than the database's.
func Look(ctx context.Context, c Config) (m Machine) {
	var err error
	m.Database, err = store.Look(ctx, c.Database, !c.Quick)
	m.Findings = append(m.Findings, c.database(m.Database, err))
	for _, check := range []func(*Machine) Finding{c.disk, c.clock, c.backups} {
		m.Findings = append(m.Findings, check(&m))
	}
	return m
}

// Examine runs all checks and calls found with each finding as soon as it is there.
func Examine(ctx context.Context, c Config, found func(Finding)) {
	for _, f := range Look(ctx, c).Findings {
		found(f)
	}
	found(c.mail(ctx))
	found(c.address(ctx))
	if c.PublicURL.Scheme == "https" {
		found(c.certificate(ctx))
	}
}

func (c Config) database(f store.Facts, err error) Finding {
	out := Finding{Check: "database", State: Failed}
	switch {
	case err != nil && c.Database.URL != "":
		out.Says, out.Do = err.Error(), "Start PostgreSQL, or correct --database."
	case err != nil:
		out.Says, out.Do = err.Error(),
			"Stop the server, keep a copy of the data folder, and restore the last backup into an empty one."
	case f.Schema == 0:
		out.State, out.Says, out.Do = Warning, "There is no database yet.",
			"Start the server, which creates it, or correct --data."
	case f.Schema > f.Known:
		out.Says, out.Do = fmt.Sprintf("Its schema %d is newer than this program, which knows %d.", f.Schema, f.Known),
			"Use the newer release."
	case f.Schema < f.Known:
		out.State, out.Says, out.Do = Warning,
			fmt.Sprintf("Its schema %d is upgraded to %d at the next start.", f.Schema, f.Known), "Back up first."
	default:
		out.State, out.Says = OK, fmt.Sprintf("Its schema %d is that of this program.", f.Schema)
		if c.Database.URL == "" && !c.Quick {
			out.Says += " It is intact."
		}
	}
	return out
}

// leastFree is the least free space, in bytes, on a disk that may be written to.
const leastFree = 1 << 30

func (c Config) disk(m *Machine) Finding {
	out := Finding{Check: "disk", State: Failed}
	dir, err := existing(c.Data)
	if err == nil {
		err = tryWriting(dir)
	}
	if err != nil {
		out.Says, out.Do = err.Error(), "Let the server's user write into the data folder, or correct --data."
		return out
	}
	m.Disk, err = spaceOf(dir)
	free := m.Disk.Free
	out.Says = fmt.Sprintf("%.1f GB are free at %s.", float64(free)/1e9, c.Data)
	switch {
	case err != nil:
		out.State, out.Says, out.Do = Warning, err.Error(), "Look at the free space yourself."
	case free < leastFree/10:
		out.Do = "Free some space: without it the server refuses writes."
	case free < leastFree || free < uint64(m.Database.Bytes): //nolint:gosec // a size is not negative
		out.State, out.Do = Warning, "Free some space: an upgrade copies the database first."
	default:
		out.State = OK
	}
	return out
}

// tryWriting writes a file into a folder and removes it.
func tryWriting(dir string) error {
	probe, err := os.CreateTemp(dir, ".studycircle-doctor-*")
	if err != nil {
		return err
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// existing returns the data folder, or the nearest folder above it that exists: the server creates the rest.
func existing(dir string) (string, error) {
	for {
		_, err := os.Stat(dir)
		if !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return dir, err
		}
		dir = filepath.Dir(dir)
	}
}

// mostAhead is the greatest difference between two clocks.
const mostAhead = 5 * time.Minute

func (c Config) clock(m *Machine) Finding { return Clock(m.Database, c.Now()) }

// Clock compares this machine's time with what the database knows.
func Clock(f store.Facts, now time.Time) Finding {
	now = now.UTC()
	out := Finding{
		Check: "clock", State: Failed,
		Do: "Synchronize the clock, for example with systemd-timesyncd: due dates and sessions depend on it.",
	}
	ahead := now.Sub(f.Now)
	switch {
	case !f.Now.IsZero() && ahead.Abs() > mostAhead:
		out.Says = fmt.Sprintf("It differs from the database's by %s.", ahead.Round(time.Second))
	case f.Latest.After(now.Add(mostAhead)):
		out.Says = fmt.Sprintf(
			"It is %s, and a session was used at %s.", now.Format(time.RFC3339), f.Latest.Format(time.RFC3339),
		)
	default:
		out.State, out.Says, out.Do = OK, "It is "+now.Format(time.RFC3339)+".", ""
	}
	return out
}

func (c Config) mail(ctx context.Context) Finding {
	out := Finding{
		Check: "mail", State: Warning, Says: "Emails are written into a folder and not sent.",
		Do: "Give --smtp-url, so that users get their emails.",
	}
	server, is := c.Mail.(mail.Checker)
	if !is {
		return out
	}
	return Mail(ctx, server)
}

// Mail tries an email server.
func Mail(ctx context.Context, server mail.Checker) Finding {
	if err := server.Check(ctx); err != nil {
		return Finding{"mail", Failed, err.Error(), mail.Advice}
	}
	return Finding{"mail", OK, "The email server accepts this one.", ""}
}

func (c Config) address(ctx context.Context) Finding {
	out := Finding{
		"public address", Failed, "",
		"Start the server, correct --public-url, or the proxy, the name or the firewall in front.",
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	address := c.PublicURL.JoinPath("livez").String()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		out.Says = err.Error()
		return out
	}
	response, err := (&http.Client{Timeout: within}).Do(request)
	if err != nil {
		out.Says = err.Error()
		return out
	}
	if err := response.Body.Close(); err != nil || response.StatusCode != http.StatusOK {
		out.Says = fmt.Sprintf("%s says %s.", address, response.Status)
		return out
	}
	return Finding{"public address", OK, address + " answers.", ""}
}

// renewBefore is how long before its end a certificate should have been renewed.
const renewBefore = 14 * 24 * time.Hour

func (c Config) certificate(ctx context.Context) Finding {
	out := Finding{"certificate", Failed, "", "Renew it: --tls-cert, or the proxy's. With --acme-email, look at the log."}
	host, port := c.PublicURL.Hostname(), c.PublicURL.Port()
	if port == "" {
		port = "443"
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	conn, err := (&tls.Dialer{Config: &tls.Config{ServerName: host, MinVersion: tls.VersionTLS12}}).DialContext(
		ctx, "tcp", host+":"+port,
	)
	if err != nil {
		out.Says = err.Error()
		return out
	}
	encrypted, is := conn.(*tls.Conn)
	if err := conn.Close(); err != nil || !is || len(encrypted.ConnectionState().PeerCertificates) == 0 {
		out.Says = "It cannot be read."
		return out
	}
	until := encrypted.ConnectionState().PeerCertificates[0].NotAfter.UTC()
	out.Says = "It ends on " + until.Format(time.DateOnly) + "."
	switch left := until.Sub(c.Now()); {
	case left <= 0:
	case left < renewBefore:
		out.State = Warning
	default:
		out.State, out.Do = OK, ""
	}
	return out
}

func (c Config) backups(m *Machine) Finding {
	out := Finding{Check: "backup", State: Warning}
	if c.Database.URL != "" {
		return Finding{"backup", OK, "PostgreSQL has tools of its own, which are not looked at.", ""}
	}
	if c.Backups.Dir == "" {
		out.Says, out.Do = "The server makes none.",
			"Give --backup-dir, a folder on another disk, or run studycircle backup daily."
		return out
	}
	last, err := c.Backups.Last()
	m.LastBackup = last
	switch age := c.Now().Sub(last); {
	case err != nil:
		out.State, out.Says, out.Do = Failed, err.Error(), "Let the server's user read and write --backup-dir."
	case last.IsZero():
		out.Says, out.Do = "There is none yet.", "Start the server, which makes one at once."
	case age > 2*c.Backups.Every:
		out.State, out.Says, out.Do = Failed, fmt.Sprintf("The last one is %s old.", age.Round(time.Minute)),
			"Look for \"background job failed\" in the log."
	default:
		out.State, out.Says = OK, "The last one is of "+last.Format(time.RFC3339)+"."
	}
	return out
}

// ErrFailed says that a check failed.
var ErrFailed = errors.New("a check failed")
