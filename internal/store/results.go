package store

import (
	"context"
	"database/sql"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// ResultFacts returns the facts of the newest submissions for an assignment, newest first, up to
// studycircle.MaxSorted, and the number of all.
func (s *Store) ResultFacts(
	ctx context.Context, assignmentID string,
) (facts []studycircle.ResultFacts, total int64, err error) {
	defer s.operation(&err, "Store.ResultFacts", assignmentID)
	q := s.engine.Queries()
	if total, err = q.CountResults(ctx, db.CountResultsParams{AssignmentID: optionalText(assignmentID)}); err != nil {
		return nil, 0, err
	}
	rows, err := q.ResultFacts(ctx, db.ResultFactsParams{AssignmentID: assignmentID, Most: studycircle.MaxSorted})
	if err != nil {
		return nil, 0, err
	}
	facts = make([]studycircle.ResultFacts, len(rows))
	for i, r := range rows {
		f := studycircle.ResultFacts{
			Seq: r.Seq, ID: r.ID, Submitter: studycircle.Person{UserID: r.SubmitterID.String, DisplayName: r.Name},
			Label: r.Label, Status: studycircle.Status(r.Status), Late: r.Late, Total: r.Marks, Mark: number(r.GivenMark),
			Reviewing: studycircle.Reviewing{
				Phase: studycircle.ReviewPhase(r.Phase), Reviews: r.Reviews, Wanted: r.Wanted, Asked: r.Asked,
			},
		}
		if r.Released > 1 {
			f.Lowest, f.Highest = &r.Lowest, &r.Highest
		}
		facts[i] = f
	}
	return facts, total, nil
}

func number(n sql.NullInt64) *int64 {
	if !n.Valid {
		return nil
	}
	return &n.Int64
}

// ResultsBySeq returns submissions at some positions, in their order.
func (s *Store) ResultsBySeq(
	ctx context.Context, v studycircle.Viewer, at []int64,
) (_ []studycircle.Submission, err error) {
	defer s.operation(&err, "Store.ResultsBySeq")
	rows, err := inOrder(ctx, s, v, tables.Submissions, tables.SubmissionBySeq, at, rowSeq)
	if err != nil {
		return nil, err
	}
	found := submissionsOf(rows)
	return found, s.withReviewing(ctx, v, found)
}

// Reopenings returns the appeals and reopenings of a submission, oldest first.
func (s *Store) Reopenings(ctx context.Context, submissionID string) (_ []studycircle.Reopening, err error) {
	defer s.operation(&err, "Store.Reopenings", submissionID)
	rows, err := s.engine.Queries().ReopeningsOf(ctx, submissionID)
	out := make([]studycircle.Reopening, len(rows))
	for i, r := range rows {
		out[i] = studycircle.Reopening{
			Phase: studycircle.ReviewPhase(r.Phase), At: instantOrNone(r.At), Words: r.Words, AskedAt: instantOrNone(r.AskedAt),
		}
	}
	return out, err
}

func instantOrNone(micros int64) time.Time {
	if micros == 0 {
		return time.Time{}
	}
	return instant(micros)
}

// SettledAt returns the times of the submissions' present marks, by their ids, without those that are not settled.
func (s *Store) SettledAt(
	ctx context.Context, v studycircle.Viewer, submissionIDs []string,
) (_ map[string]time.Time, err error) {
	defer s.operation(&err, "Store.SettledAt")
	if len(submissionIDs) == 0 {
		return map[string]time.Time{}, nil
	}
	keys := make([]any, len(submissionIDs))
	for i, id := range submissionIDs {
		keys[i] = id
	}
	found := tables.SettledTimes.Collect(int64(len(keys)))
	if err := s.engine.Find(ctx, v, tables.SettledTimesOf, keys, found); err != nil {
		return nil, err
	}
	out := make(map[string]time.Time, len(keys))
	for _, row := range found.All {
		out[row.SubmissionID] = row.At
	}
	return out, nil
}
