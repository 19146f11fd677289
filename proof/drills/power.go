package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"syscall"
)

const (
	powerCuts = 50
	diskBytes = 192 << 20
)

// drillPower keeps the database on a disk image. A power cut is a copy of the image while the
// program is stopped: it contains what had reached the disk and nothing that was in memory.
// Each copy is then mounted as the machine would find it. Needs root and loop devices.
func drillPower(ctx context.Context, r *report) (err error) {
	dir, err := os.MkdirTemp("", "studycircle-drill-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	disk, data := filepath.Join(dir, "disk"), filepath.Join(dir, "data")
	if err := errors.Join(os.WriteFile(disk, nil, 0o600), os.Truncate(disk, diskBytes)); err != nil {
		return err
	}
	if err := run(ctx, nil, "mkfs.ext4", "-q", disk); err != nil {
		return fmt.Errorf("create the disk: %w", err)
	}
	unmount, err := mount(ctx, disk, data)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unmount()) }()
	n, err := newNode(builtProgram, dir, "data", "--rate-limits", "off")
	if err != nil {
		return err
	}
	if err := n.start(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.kill()) }()
	c := newCrowd(ctx, n.url(), writers)
	defer c.end()
	r.chapter("%d power cuts under %d writers on SQLite", powerCuts, writers)
	broken := 0
	for cut := range powerCuts {
		if err := c.awaitWrites(ctx, (cut+1)*writesBetween); err != nil {
			return errors.Join(err, errors.New(n.log.tail()))
		}
		found := &report{quiet: true}
		if err := c.cutPower(ctx, found, n, dir, disk); err != nil {
			return fmt.Errorf("cut %d: %w", cut+1, err)
		}
		if found.missed > 0 {
			broken++
		}
	}
	c.end()
	r.bar(broken == 0,
		"acknowledged: %d assignments, %d submissions, %d grades; cuts with missing or broken data: %d of %d",
		len(c.assignments), len(c.submissions), len(c.grades), broken, powerCuts)
	return nil
}

// cutPower copies the disk and checks the copy.
func (c *crowd) cutPower(ctx context.Context, r *report, n *node, dir, disk string) (err error) {
	if err := n.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		return err
	}
	// Writes acknowledged by now were on the disk before.
	told := &crowd{}
	c.mu.Lock()
	told.assignments, told.submissions, told.grades = maps.Clone(c.assignments), maps.Clone(c.submissions),
		maps.Clone(c.grades)
	c.mu.Unlock()
	found := filepath.Join(dir, "found")
	err = run(ctx, nil, "cp", "--sparse=always", disk, found+".disk")
	if err := errors.Join(err, n.cmd.Process.Signal(syscall.SIGCONT)); err != nil {
		return err
	}
	unmount, err := mount(ctx, found+".disk", found)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unmount(), os.Remove(found+".disk")) }()
	return told.checkSQLite(ctx, r, filepath.Join(found, "studycircle.db"))
}

// mount mounts a disk image in a folder.
func mount(ctx context.Context, disk, folder string) (unmount func() error, err error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	if err := run(ctx, nil, "mount", "-o", "loop", disk, folder); err != nil {
		return nil, fmt.Errorf("mount %s (this drill needs root and loop devices): %w", disk, err)
	}
	return func() error { return run(context.WithoutCancel(ctx), nil, "umount", folder) }, nil
}
