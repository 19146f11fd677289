package nodetest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/emersion/go-smtp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/api"
	"studycircle/internal/backups"
	"studycircle/internal/doctor"
	"studycircle/internal/jobs"
	"studycircle/internal/webtest"
)

// operated starts a node with op@example.org as its operator.
func (w *world) operated(t *testing.T) (n *node, op *client) {
	t.Helper()
	w.operators, w.moderators = []string{" Op@example.org", "unverified@example.org"}, []string{"mo@example.org"}
	n = w.start(t)
	return n, n.user(t, "Op").confirmed(t)
}

// overview reads the state of the server.
func (c *client) overview(t *testing.T) (out api.Overview) {
	t.Helper()
	a := c.get(t, "/api/admin").is(t, http.StatusOK)
	require.NoError(t, json.Unmarshal(a.body, &out))
	return out
}

// To all but operators with a verified address the page and its operation are as an address that does not exist.
func TestOperatorsAloneSeeTheServer(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		w.web = webtest.Built(webtest.NotFound, webtest.Page{Name: "admin", Path: "/admin", Title: "Server", Audience: "all", Only: "operators"})
		n, op := w.operated(t)
		others := map[string]*client{
			"a visitor": n.visitor(), "a user": n.user(t, "Ada").confirmed(t), "a moderator": n.user(t, "Mo").confirmed(t), "unverified": n.user(t, "Unverified"),
		}
		none := others["a user"].get(t, "/api/assignment/none").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
		for name, c := range others {
			a := c.get(t, "/api/admin").refused(t, http.StatusNotFound, studycircle.CodeNotFound)
			require.Equal(t, string(none.body), string(a.body), name)
			require.Equal(t, "no-store", a.header.Get("Cache-Control"), name)
			require.Equal(t, http.StatusNotFound, c.opens(t, "/admin"), name)
			if name != "a visitor" {
				require.Nil(t, c.sessionUser(t)["operator"], name)
			}
		}
		require.Equal(t, "no-store", op.get(t, "/api/admin").is(t, http.StatusOK).header.Get("Cache-Control"))
		require.Equal(t, http.StatusOK, op.opens(t, "/admin"))
		require.Equal(t, true, op.sessionUser(t)["operator"])
		forged := n.visitor()
		forged.token = op.token + "x"
		forged.get(t, "/api/admin").is(t, http.StatusUnauthorized)
	})
}

// sessionUser is the user as the browser's session knows them.
func (c *client) sessionUser(t *testing.T) doc {
	t.Helper()
	cookie := header{"Cookie", "session=" + c.newSession(t)}
	return c.n.visitor().get(t, "/api/auth/session", cookie).is(t, http.StatusOK).json(t)["user"].(doc)
}

// opens returns the status of a page.
func (c *client) opens(t *testing.T, path string) int {
	t.Helper()
	if c.token == "" {
		return c.get(t, path).status
	}
	return c.n.visitor().get(t, path, header{"Cookie", "session=" + c.newSession(t)}).status
}

// commands are what the commands jobs and doctor print.
type commands struct {
	jobs   map[string]int64
	failed map[string]int64
	checks []doctor.Finding
}

func (n *node) commands(t *testing.T, c backups.Config) (out commands) {
	t.Helper()
	out.jobs, out.failed = map[string]int64{}, map[string]int64{}
	require.NoError(t, jobs.Each(t.Context(), n.app.Store.Queue(), func(j jobs.Job) error {
		out.jobs[j.State]++
		if strings.HasPrefix(j.Kind, "mail ") && (j.State == "cancelled" || j.State == "discarded") {
			out.failed[j.Kind]++
		}
		return nil
	}))
	public, err := url.Parse(n.url)
	require.NoError(t, err)
	doctor.Examine(t.Context(), doctor.Config{Database: n.database, Data: n.database.Dir, PublicURL: public, Backups: c, Now: n.clock.now, Quick: true}, func(f doctor.Finding) {
		switch f.Check {
		case "database", "backup":
			out.checks = append(out.checks, f)
		case "disk", "clock": // they say what changes meanwhile
			out.checks = append(out.checks, doctor.Finding{Check: f.Check, State: f.State, Do: f.Do})
		}
	})
	return out
}

// commandsOf is an overview in the form of what the commands print.
func commandsOf(o api.Overview) (out commands) {
	out.jobs, out.failed = map[string]int64{}, map[string]int64{}
	for _, j := range o.Jobs {
		if j.State != "completed" && j.Count > 0 {
			out.jobs[j.State] = j.Count
		}
	}
	for _, f := range o.FailedMails {
		out.failed[f.Kind] = f.Count
	}
	for _, c := range o.Checks {
		f := doctor.Finding{Check: c.Check, State: doctor.State(c.State), Says: c.Says, Do: c.Do}
		if f.Check == "disk" || f.Check == "clock" {
			f.Says = ""
		}
		out.checks = append(out.checks, f)
	}
	return out
}

// After any history the page says what the commands say, and names no one.
func TestTheOverviewSaysWhatTheCommandsSay(t *testing.T) {
	worldOnBothEngines(t, func(t *testing.T, w *world) {
		if w.database.Dir == "" {
			w.database.Dir = t.TempDir() // the data folder beside PostgreSQL
		}
		if w.database.URL == "" {
			w.backups = backups.Config{Data: w.database.Dir, Dir: t.TempDir(), Every: 24 * time.Hour, Keep: 2}
		}
		w.mails.refuseWith(func(to string) error {
			if strings.HasPrefix(to, "gone") {
				return &smtp.SMTPError{Code: 550, Message: "no mailbox " + to + " token=secret"}
			}
			return nil
		})
		n, op := w.operated(t)
		ada := n.user(t, "Ada").confirmed(t)
		random := rand.New(rand.NewPCG(7, 11))
		var failed int64
		for round := range 12 {
			switch random.IntN(4) {
			case 0:
				n.browser(t).register(t, fmt.Sprintf("gone%d@example.org", round))
				failed++
			case 1:
				n.browser(t).register(t, fmt.Sprintf("eve%d@example.org", round))
			case 2:
				ada.submit(t, op.publish(t))
			case 3:
				n.sendsAllMails(t)
			}
			require.Eventually(t, func() bool { // jobs end meanwhile
				before := n.commands(t, w.backups)
				said := commandsOf(op.overview(t))
				after := n.commands(t, w.backups)
				return assert.ObjectsAreEqual(before, after) && assert.ObjectsAreEqual(before, said)
			}, time.Minute, 10*time.Millisecond)
		}
		n.sendsAllMails(t)
		a := op.get(t, "/api/admin").is(t, http.StatusOK)
		for _, private := range []string{"@", "example.org", "token", "secret", "Ada", ada.id(t)} {
			require.NotContains(t, string(a.body), private)
		}
		o := op.overview(t)
		require.Positive(t, failed)
		require.Len(t, o.FailedMails, 1)
		require.Equal(t, "mail verify", o.FailedMails[0].Kind)
		require.Equal(t, failed, o.FailedMails[0].Count)
		require.Contains(t, o.FailedMails[0].Error, "given up: not sent: not deliverable")
		require.Positive(t, o.Disk.FreeBytes)
		require.Positive(t, o.Disk.UsedBytes)
		require.Equal(t, o.KnownSchema, o.Schema)
		if w.database.URL == "" {
			require.NotNil(t, o.LastBackup)
			last, err := w.backups.Last()
			require.NoError(t, err)
			require.Equal(t, last, *o.LastBackup)
		}
	})
}

// hosts are the nodes of an overview, by their ids.
func (c *client) nodes(t *testing.T) map[string]api.Node {
	t.Helper()
	out := map[string]api.Node{}
	for _, one := range c.overview(t).Nodes {
		out[one.ID] = one
	}
	return out
}

// A node is listed with its version while it runs. One that stops says so; one that falls silent is listed for a day.
func TestNodesAreListedWhileTheyRun(t *testing.T) {
	bothEngines(t, func(t *testing.T, w *world) {
		n, op := w.operated(t)
		require.Eventually(t, func() bool { return len(op.nodes(t)) == 1 }, time.Minute, 10*time.Millisecond)
		for _, one := range op.nodes(t) {
			require.Equal(t, "test", one.Version)
			require.NotEmpty(t, one.Host)
			require.True(t, one.Answers)
			require.WithinDuration(t, w.clock.now(), one.HeardAt, time.Minute)
		}
		other, stop := w.startUntil(t)
		stopped := false
		t.Cleanup(func() {
			if !stopped {
				stop()
			}
		})
		require.Eventually(t, func() bool { return len(op.nodes(t)) == 2 }, time.Minute, 10*time.Millisecond)
		answers := 0
		for _, one := range (&client{n: other, token: op.token}).nodes(t) {
			if one.Answers {
				answers++
				require.False(t, op.nodes(t)[one.ID].Answers)
			}
		}
		require.Equal(t, 1, answers)
		stop()
		stopped = true
		require.Len(t, op.nodes(t), 1)

		silent := studycircle.Node{ID: "silent", Host: "gone", Version: "0.9", StartedAt: w.clock.now(), HeardAt: w.clock.now().Add(-studycircle.NodeKept + time.Minute)}
		require.NoError(t, n.app.Store.RecordNode(t.Context(), silent))
		require.Equal(t, "0.9", op.nodes(t)["silent"].Version)
		heard := studycircle.Node{ID: "heard", Host: "here", Version: "1.1", StartedAt: w.clock.now(), HeardAt: w.clock.now().Add(2 * time.Minute)}
		require.NoError(t, n.app.Store.RecordNode(t.Context(), heard))
		require.NotContains(t, op.nodes(t), "silent")
	})
}

// 32 nodes that start, speak and stop at once are listed exactly.
func TestConcurrentNodes(t *testing.T) {
	bothEngines(t, func(t *testing.T, w *world) {
		n, op := w.operated(t)
		require.Eventually(t, func() bool { return len(op.nodes(t)) == 1 }, time.Minute, 10*time.Millisecond)
		now := w.clock.now()
		together(t, crowd, func(i int) error {
			one := studycircle.Node{ID: fmt.Sprint("node", i), Host: "here", Version: "1", StartedAt: now, HeardAt: now}
			for range 3 {
				if err := n.app.Store.RecordNode(t.Context(), one); err != nil {
					return err
				}
				one.HeardAt = one.HeardAt.Add(time.Second)
			}
			if i%2 == 0 {
				return n.app.Store.ForgetNode(t.Context(), one.ID)
			}
			return nil
		})
		found := op.nodes(t)
		require.Len(t, found, 1+crowd/2)
		for i := 1; i < crowd; i += 2 {
			require.Equal(t, now.Add(2*time.Second).UnixMicro(), found[fmt.Sprint("node", i)].HeardAt.UnixMicro())
		}
	})
}
