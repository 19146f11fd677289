package studycircle

import (
	"fmt"
	"strings"
	"time"
)

// Addresses is a set of users by their verified email addresses, as a setting names them.
type Addresses map[string]bool

// AddressesOf returns the set of these addresses, normalized.
func AddressesOf(emails []string) Addresses {
	a := Addresses{}
	for _, email := range emails {
		a[NormalizeEmail(email)] = true
	}
	return a
}

// Include reports whether u is in the set. An address that its user has not verified does not count.
func (a Addresses) Include(u User) bool { return !u.EmailVerifiedAt.IsZero() && a[u.Email] }

// Domains is a set of domains of email addresses, as a setting names them.
type Domains map[string]bool

// EveryDomain includes every verified address. No setting names it.
var EveryDomain = Domains{"*": true}

// DomainsOf returns the set of these domains, normalized, or an error about one that is none.
func DomainsOf(names []string) (Domains, error) {
	d := Domains{}
	for _, name := range names {
		domain, valid := cleanDomain(strings.TrimSpace(name))
		if !valid {
			return nil, fmt.Errorf("%q is no domain of email addresses, like school.example", name)
		}
		d[domain] = true
	}
	return d, nil
}

// Include reports whether u's address is verified and in one of the domains. A subdomain is another domain.
func (d Domains) Include(u User) bool {
	_, domain, _ := strings.Cut(u.Email, "@")
	return !u.EmailVerifiedAt.IsZero() && (d[domain] || d["*"])
}

// MayOperate allows only operators to read the state of the server. To others it does not exist: ErrNotFound.
func MayOperate(viewer User, operators Addresses) error {
	if !operators.Include(viewer) {
		return ErrNotFound
	}
	return nil
}

// Overview is the state of the server as its operators see it. It names no user.
type Overview struct {
	At time.Time
	// Jobs are the numbers of background jobs by state.
	Jobs map[string]int64
	// OldestJobs are, by kind, how long ago the oldest job that has not ended was due; 0 if none is.
	OldestJobs map[string]time.Duration
	// FailedMails are the emails that were given up in the last 24 hours.
	FailedMails []FailedMails
	// Checks are those of the database, the disk, the clock and the backups.
	Checks []Check
	// Disk is the disk of the data folder.
	Disk Disk
	// Schema is the version of the database's schema, KnownSchema the program's.
	Schema, KnownSchema int64
	// LastBackup is the time of the last backup that the server made; zero if there is none.
	LastBackup time.Time
	// Nodes are the running nodes, the longest-running first, and those that were last heard within NodeKept.
	Nodes []Node
	// NodeID is the node that answers: disk, clock and backups are its own.
	NodeID string
}

// FailedMails are the emails of one kind that were given up.
type FailedMails struct {
	Kind  string
	Count int64
	// Error is that of the last one. It names no address.
	Error string
}

// Check is the result of one check.
type Check struct {
	Name  string
	State string // ok, warning or failed
	Says  string
	// Do is what the operator should do; "" if all is well.
	Do string
}

// Disk is the space of a disk in bytes. The zero Disk is unknown.
type Disk struct{ Free, Used uint64 }

// Times of nodes.
const (
	// NodeHeard is the interval at which a node records that it runs.
	NodeHeard = 30 * time.Second
	// NodeKept is how long a node that stopped without a word is listed.
	NodeKept = 24 * time.Hour
)

// Node is a running program that serves the database.
type Node struct {
	ID string
	// Host is the name of its machine.
	Host, Version      string
	StartedAt, HeardAt time.Time
}
