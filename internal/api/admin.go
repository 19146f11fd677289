package api

import (
	"context"
	"maps"
	"slices"
	"time"

	"studycircle"
)

// Overview is the state of the server, for its operators. It names no user.
type Overview struct {
	At          time.Time     `json:"at"`
	Jobs        []JobCount    `json:"jobs" doc:"Background jobs by state. Those that ended are kept for a minute, failed ones for a day."`
	Oldest      []OldestJob   `json:"oldest" doc:"How long ago the oldest job that has not ended was due, by kind."`
	FailedMails []FailedMails `json:"failedMails" doc:"Emails that were given up in the last 24 hours, by kind."`
	Checks      []Check       `json:"checks" doc:"As the command doctor prints them, for the node that answers."`
	Disk        Disk          `json:"disk" doc:"The disk of the data folder of the node that answers. Both are 0 if it cannot be read."`
	Schema      int64         `json:"schema" doc:"The version of the database's schema."`
	KnownSchema int64         `json:"knownSchema" doc:"The version that the program knows."`
	LastBackup  *time.Time    `json:"lastBackup" doc:"When the node that answers made its last backup; null if there is none."`
	Nodes       []Node        `json:"nodes" doc:"The running nodes, the longest-running first. One that stopped without a word is listed for a day."`
}

// JobCount is the number of jobs in a state.
type JobCount struct {
	State string `json:"state"`
	Count int64  `json:"count"`
}

// OldestJob is the age of the oldest job of a kind.
type OldestJob struct {
	Kind    string  `json:"kind"`
	Seconds float64 `json:"seconds" doc:"0 if none is due."`
}

// FailedMails are the emails of a kind that were given up.
type FailedMails struct {
	Kind  string `json:"kind"`
	Count int64  `json:"count"`
	Error string `json:"error" doc:"Of the last one, without its address. May be empty."`
}

// Check is the result of one check.
type Check struct {
	Check string `json:"check"`
	State string `json:"state" enum:"ok,warning,failed"`
	Says  string `json:"says"`
	Do    string `json:"do,omitempty" doc:"What the operator should do; absent if all is well."`
}

// Disk is the space of a disk.
type Disk struct {
	FreeBytes uint64 `json:"freeBytes"`
	UsedBytes uint64 `json:"usedBytes"`
}

// Node is a program that serves the database.
type Node struct {
	ID        string    `json:"_id"`
	Host      string    `json:"host"`
	Version   string    `json:"version"`
	StartedAt time.Time `json:"startedAt"`
	HeardAt   time.Time `json:"heardAt" doc:"When it last said that it runs, as it does every 30 seconds."`
	Answers   bool      `json:"answers" doc:"Whether it is the node that answers."`
}

func overviewOf(o studycircle.Overview) Overview {
	out := Overview{
		At: o.At, Jobs: []JobCount{}, Oldest: []OldestJob{},
		FailedMails: make([]FailedMails, len(o.FailedMails)), Checks: make([]Check, len(o.Checks)),
		Disk: Disk{o.Disk.Free, o.Disk.Used}, Schema: o.Schema, KnownSchema: o.KnownSchema, Nodes: make([]Node, len(o.Nodes)),
	}
	for _, state := range slices.Sorted(maps.Keys(o.Jobs)) {
		out.Jobs = append(out.Jobs, JobCount{state, o.Jobs[state]})
	}
	for _, kind := range slices.Sorted(maps.Keys(o.OldestJobs)) {
		out.Oldest = append(out.Oldest, OldestJob{kind, o.OldestJobs[kind].Seconds()})
	}
	for i, f := range o.FailedMails {
		out.FailedMails[i] = FailedMails(f)
	}
	for i, c := range o.Checks {
		out.Checks[i] = Check{c.Name, c.State, c.Says, c.Do}
	}
	for i, n := range o.Nodes {
		out.Nodes[i] = Node{n.ID, n.Host, n.Version, n.StartedAt, n.HeardAt, n.ID == o.NodeID}
	}
	if !o.LastBackup.IsZero() {
		out.LastBackup = &o.LastBackup
	}
	return out
}

func (o *operations) registerAdmin(r *router) {
	operation(r, allOrSignedIn, described(tag("Operation").op("get-overview", "GET /api/admin",
		"Get the state of the server, as an operator", 401, 404),
		"For others it does not exist."),
		func(ctx context.Context, _ *struct{}) (*Overview, error) {
			found, err := o.Service.Overview(ctx, viewer(ctx).User)
			return new(overviewOf(found)), err
		})
}
