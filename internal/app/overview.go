package app

import (
	"context"
	"log/slog"
	"os"
	"time"

	"studycircle"
	"studycircle/internal/doctor"
	"studycircle/internal/jobs"
	"studycircle/internal/periodic"
)

// self returns this program as a node.
func self(c Config) studycircle.Node {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return studycircle.Node{ID: studycircle.NewBlindID(), Host: host, Version: c.Version, StartedAt: c.Now().UTC()}
}

// recordNode is the job that records that the node runs.
func (a *App) recordNode(now func() time.Time) periodic.Job {
	return periodic.Job{
		Name: "recording the node", Every: studycircle.NodeHeard, Timeout: 10 * time.Second,
		Meaning: "operators do not see that it runs", OnEachNode: true,
		Run: func(ctx context.Context) error {
			n := a.node
			n.HeardAt = now().UTC()
			return a.Store.RecordNode(ctx, n)
		},
	}
}

// forgetNode removes the node that stops from those that run.
func (a *App) forgetNode(ctx context.Context) {
	if err := a.Store.ForgetNode(ctx, a.node.ID); err != nil {
		slog.WarnContext(ctx, "recording that the node stops failed", "error", err)
	}
}

// overview returns the function that reads what the command doctor, the command jobs and the metrics read.
func (a *App) overview(c Config) func(context.Context) (studycircle.Overview, error) {
	examined := doctor.Config{Database: c.Database, Data: c.Database.Dir, Backups: c.Backups, Now: c.Now, Quick: true}
	return func(ctx context.Context) (studycircle.Overview, error) {
		state, err := a.Store.Monitored(ctx, c.Now())
		if err != nil {
			return studycircle.Overview{}, err
		}
		failed, err := jobs.FailedMails(ctx, a.Store.Queue())
		if err != nil {
			return studycircle.Overview{}, err
		}
		nodes, err := a.Store.Nodes(ctx)
		if err != nil {
			return studycircle.Overview{}, err
		}
		m := doctor.Look(ctx, examined)
		out := studycircle.Overview{
			At: c.Now().UTC(), Jobs: state.Jobs, OldestJobs: state.OldestJobs, FailedMails: failed,
			Disk: m.Disk, Schema: m.Database.Schema, KnownSchema: m.Database.Known, LastBackup: m.LastBackup,
			Nodes: nodes, NodeID: a.node.ID,
		}
		for _, f := range m.Findings {
			out.Checks = append(out.Checks, studycircle.Check{Name: f.Check, State: string(f.State), Says: f.Says, Do: f.Do})
		}
		return out, nil
	}
}
