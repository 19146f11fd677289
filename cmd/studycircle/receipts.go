package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"studycircle/internal/receipt"
	"studycircle/internal/store"
)

type verifyCommand struct {
	File string `arg:"" help:"A receipt, as downloaded from /api/submissions/ID/receipt."`
	Keys string `required:"" placeholder:"KEYS.json" help:"The server's keys, as downloaded from /.well-known/studycircle-keys."`
}

// Run checks a receipt without a server: its signature, and that its reviews make its mark.
func (c verifyCommand) Run() error {
	text, err := readSmall(c.File)
	if err != nil {
		return err
	}
	published, err := readSmall(c.Keys)
	if err != nil {
		return err
	}
	var keys receipt.PublicKeys
	if err := json.Unmarshal(published, &keys); err != nil {
		return fmt.Errorf("%s has no keys: %w", c.Keys, err)
	}
	r, err := receipt.Verify(text, keys)
	if err != nil {
		return fmt.Errorf("the receipt is not valid: %w", err)
	}
	fmt.Printf(
		"The receipt is valid: %d of %d for submission %s of %s, settled on %s.\n",
		r.Mark, r.Total, r.Submission, r.Server, r.Day,
	)
	return nil
}

// readSmall reads a file of at most a megabyte.
func readSmall(name string) ([]byte, error) {
	file, err := os.Open(name) //nolint:gosec // the user names this file
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }() // nothing was written
	const most = 1 << 20
	text, err := io.ReadAll(io.LimitReader(file, most+1))
	if err == nil && len(text) > most {
		err = errors.New(name + " is larger than a receipt or its keys can be")
	}
	return text, err
}

type rotateKeyCommand struct{ databaseFlags }

// Run makes a new key sign receipts.
func (c rotateKeyCommand) Run(ctx context.Context) error {
	s, err := store.Open(ctx, c.config())
	if err != nil {
		return err
	}
	key, err := receipt.Rotate(ctx, s, time.Now())
	if err := errors.Join(err, s.Close()); err != nil {
		return err
	}
	fmt.Printf("Key %s signs receipts from now on. Earlier receipts stay valid.\n", key.ID)
	return nil
}
