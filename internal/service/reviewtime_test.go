package service

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// overdue is a store in which all leases, submissions and assignments are overdue; writes about the ids in bad fail
// with fault.
type overdue struct {
	ReviewStore
	Transactions
	leases, due, scales []string
	fault               error
	tries               int
}

// page returns up to 100 of those left, after the first skip.
func page(left []string, skip int) []string {
	return left[min(skip, len(left)):min(skip+100, len(left))]
}

func without(all []string, one string) (rest []string) {
	for _, id := range all {
		if id != one {
			rest = append(rest, id)
		}
	}
	return rest
}

func (s *overdue) LapsedLeases(_ context.Context, _ time.Time, skip int) (held []studycircle.HeldLease, err error) {
	for _, id := range page(s.leases, skip) {
		held = append(held, studycircle.HeldLease{SubmissionID: id})
	}
	return held, nil
}

func (s *overdue) DueReviews(_ context.Context, _ time.Time, skip int) ([]string, error) {
	return page(s.due, skip), nil
}

func (s *overdue) ReviewRequestsWait(context.Context, time.Time) (bool, error) { return false, nil }

func (s *overdue) ChangedScales(_ context.Context, _ int64, skip int) ([]string, error) {
	return page(s.scales, skip), nil
}

func (s *overdue) ReviewedAfter(_ context.Context, id, after string) ([]string, error) {
	if after != "" {
		return nil, nil
	}
	return []string{id}, nil
}

func (s *overdue) Write(ctx context.Context, _ studycircle.Viewer, f func(context.Context, Tx) error) error {
	s.tries++
	tx := overdueTx{s: s}
	return f(ctx, Tx{LeaseTx: tx, ReviewTx: tx, ExemplarTx: tx})
}

type overdueTx struct {
	LeaseTx
	ReviewTx
	ExemplarTx
	s *overdue
}

func (tx overdueTx) try(id string) error {
	if strings.Contains(id, "bad") {
		return tx.s.fault
	}
	return nil
}

func (tx overdueTx) LapseLease(_ context.Context, _, id string, _ time.Time) (bool, error) {
	if err := tx.try(id); err != nil {
		return false, err
	}
	tx.s.leases = without(tx.s.leases, id)
	return true, nil
}

// LoadReviewCase returns a submission that another node has settled meanwhile.
func (tx overdueTx) LoadReviewCase(_ context.Context, id, _ string) (studycircle.ReviewCase, error) {
	if err := tx.try(id); err != nil {
		return studycircle.ReviewCase{}, err
	}
	tx.s.due = without(tx.s.due, id)
	return studycircle.ReviewCase{}, studycircle.ErrNotFound
}

func (tx overdueTx) Exemplar(context.Context, string) (studycircle.Exemplar, error) {
	return studycircle.Exemplar{}, studycircle.ErrNotFound
}

func (tx overdueTx) ScaleRenewed(_ context.Context, id string, _ int64) error {
	tx.s.scales = without(tx.s.scales, id)
	return nil
}

// named returns n ids, of which each third and the first 120 are bad.
func named(kind string, n int) (ids []string) {
	for i := range n {
		word := "good"
		if i < 120 || i%3 == 0 {
			word = "bad"
		}
		ids = append(ids, fmt.Sprintf("%s-%03d-%s", kind, i, word))
	}
	return ids
}

// A row that cannot be written is left for the next run, and the other rows are written.
func TestOneBadRowStopsNoOthers(t *testing.T) {
	store := &overdue{leases: named("lease", 350), due: named("due", 350), scales: named("scale", 350), fault: errors.New("a bad row")}
	require.NoError(t, New(Store{ReviewStore: store, Transactions: store}, time.Now, nil).PassTime(t.Context()))
	for _, left := range [][]string{store.leases, store.due, store.scales} {
		require.NotEmpty(t, left)
		for _, id := range left {
			require.Contains(t, id, "bad")
		}
	}
	store.fault = nil
	require.NoError(t, New(Store{ReviewStore: store, Transactions: store}, time.Now, nil).PassTime(t.Context()))
	for _, left := range [][]string{store.leases, store.due, store.scales} {
		require.Empty(t, left)
	}
}

// While the database is away, no row is tried twice.
func TestAnOutageStopsTheRun(t *testing.T) {
	store := &overdue{leases: named("lease", 350), due: named("due", 350), scales: named("scale", 350), fault: studycircle.Errorf(studycircle.CodeUnavailable, "away")}
	require.Equal(t, studycircle.CodeUnavailable, studycircle.CodeOf(New(Store{ReviewStore: store, Transactions: store}, time.Now, nil).PassTime(t.Context())))
	require.Equal(t, 3, store.tries)
}
