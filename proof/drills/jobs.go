package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// jobOutlivesNode queues an email on a node and kills the node at once.
func (s *site) jobOutlivesNode(ctx context.Context, r *report, _ *crowd) error {
	r.chapter("Emails are queued on a node that is killed at that moment")
	one := &person{
		crowd: &crowd{url: s.nodes[0].url()}, client: &http.Client{Timeout: time.Minute, Transport: &http.Transport{}},
	}
	const mails = 5
	for i := range mails {
		email := fmt.Sprintf("forgetful%d@example.org", i)
		path, body := "/api/auth/register",
			map[string]any{"name": "Forgetful", "email": email, "photoURL": "https://example.org/p.png", "password": "Circle1"}
		if t := one.once(ctx, path, http.MethodPost, path, body, nil); t.failed() {
			return fmt.Errorf("%s: %d %w", path, t.status, t.err)
		}
	}
	for i := range mails {
		path := "/api/auth/password/forgot"
		if t := one.once(
			ctx, path, http.MethodPost, path, map[string]any{"email": fmt.Sprintf("forgetful%d@example.org", i)}, nil,
		); t.failed() {
			return fmt.Errorf("%s: %d %w", path, t.status, t.err)
		}
	}
	killed := time.Now()
	if err := s.nodes[0].kill(); err != nil {
		return err
	}
	var sent, by map[string]int
	var last time.Duration
	var err error
	for time.Since(killed) < 4*time.Minute {
		before := len(sent)
		if sent, _, err = s.resetMails(); err != nil {
			return err
		}
		if len(sent) > before {
			last = time.Since(killed)
		}
		if len(sent) == mails {
			break
		}
		if err := pause(ctx, 100*time.Millisecond); err != nil {
			return err
		}
	}
	// A second email would arrive within the next polls.
	if err := pause(ctx, 3*time.Second); err != nil {
		return err
	}
	if sent, by, err = s.resetMails(); err != nil {
		return err
	}
	twice := 0
	for _, n := range sent {
		if n > 1 {
			twice++
		}
	}
	r.bar(len(sent) == mails && twice == 0, "of %d emails %d were sent, %d of them twice; by node: %v; the last %s "+
		"after the kill", mails, len(sent), twice, by, last.Round(time.Millisecond))
	return s.nodes[0].start(ctx)
}

// resetMails counts reset emails by address and node.
func (s *site) resetMails() (byAddress, byNode map[string]int, err error) {
	files, err := filepath.Glob(filepath.Join(s.dir, "*", "mail", "*.eml"))
	if err != nil {
		return nil, nil, err
	}
	byAddress, byNode = map[string]int{}, map[string]int{}
	for _, file := range files {
		text, err := os.ReadFile(file) //nolint:gosec // the drill's own folder
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		_, after, found := strings.Cut(string(text), "forgetful")
		if !found || !strings.Contains(string(text), "/auth/reset?token=") {
			continue
		}
		byAddress[after[:1]]++
		byNode[filepath.Base(filepath.Dir(filepath.Dir(file)))]++
	}
	return byAddress, byNode, nil
}
