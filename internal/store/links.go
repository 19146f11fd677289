package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

const selectLinksToCheck = `
SELECT t.id, s.docs_link, s.status, s.reviews_needed, COALESCE(u.display_name, ''), COALESCE(u.email, ''), COALESCE(s.submitter_id, ''), a.due_at,
	t.result, t.checked_at, t.names
FROM link_checks t JOIN submissions s ON s.id = t.id LEFT JOIN users u ON u.id = s.submitter_id LEFT JOIN exemplars e ON e.id = s.id
LEFT JOIN assignments a ON a.id = COALESCE(s.assignment_id, e.assignment_id)
WHERE t.look_at <= $1 ORDER BY t.look_at LIMIT $2`

// TakeLinks leases some of the links that are due for a check, those that have waited longest, until a time after now
// that no other lease has. It writes nothing if there is none.
func (s *Store) TakeLinks(ctx context.Context, now, until time.Time, most int) (taken []studycircle.LinkToCheck, err error) {
	defer operation(&err, "Store.TakeLinks")
	waiting, err := s.engine.Queries().LinksWait(ctx, optionalMicros(now))
	if err != nil || waiting == 0 {
		return nil, s.classify(err)
	}
	err = s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *Tx) error {
		if taken, err = tx.linksToCheck(ctx, now, most); err != nil {
			return err
		}
		for i := range taken {
			taken[i].Lease = until
			if err := tx.Queries.LeaseLink(ctx, db.LeaseLinkParams{ID: taken[i].SubmissionID, LookAt: optionalMicros(until)}); err != nil {
				return tx.Classify(err)
			}
		}
		return nil
	})
	return taken, err
}

func (tx *Tx) linksToCheck(ctx context.Context, now time.Time, most int) (found []studycircle.LinkToCheck, err error) {
	rows, err := tx.DB.QueryContext(ctx, selectLinksToCheck+tx.Engine.SkipLocked(), micros(now), int64(most))
	if err != nil {
		return nil, tx.Classify(err)
	}
	defer func() { err = errors.Join(tx.Classify(err), rows.Close()) }()
	for rows.Next() {
		var l studycircle.LinkToCheck
		var status string
		var reviews int64
		var due, checked sql.NullInt64
		if err := rows.Scan(&l.SubmissionID, &l.DocsLink, &status, &reviews, &l.Submitter.DisplayName, &l.Submitter.Email, &l.Submitter.UserID, &due,
			&l.Before.Result, &checked, &l.Before.Names); err != nil {
			return nil, err
		}
		l.Open, l.Several, l.Due, l.Before.CheckedAt = studycircle.Status(status) != studycircle.Completed, reviews > 0, optionalInstant(due), optionalInstant(checked)
		found = append(found, l)
	}
	return found, rows.Err()
}

// PutLinkHealth stores the result of checking a link, and the time of the next check, zero for never; if the result
// changed, the submitter is notified. It stores nothing if the link has changed meanwhile, or another node has taken
// it over.
func (tx *Tx) PutLinkHealth(ctx context.Context, l studycircle.LinkToCheck, h studycircle.LinkHealth, next time.Time) (err error) {
	defer operation(&err, "Tx.PutLinkHealth")
	n, err := tx.Queries.PutLinkCheck(ctx, db.PutLinkCheckParams{
		ID: l.SubmissionID, LookAt: optionalMicros(l.Lease), Result: string(h.Result), CheckedAt: optionalMicros(h.CheckedAt), Names: h.Names, Next: optionalMicros(next),
	})
	news := h.Result != l.Before.Result || h.Names != l.Before.Names
	if err == nil && n > 0 && news && l.Submitter.UserID != "" {
		tx.Announce(studycircle.Event{Kind: studycircle.OwnSubmission, ID: l.SubmissionID, Audience: studycircle.Audience(l.Submitter.UserID)})
	}
	return tx.Classify(err)
}

// LinkHealth returns the result of checking a submission's link, and the facts that decide whether viewer may read
// it; ErrNotFound.
func (s *Store) LinkHealth(ctx context.Context, v studycircle.Viewer, submissionID string) (_ studycircle.LinkHealth, _ studycircle.LinkFacts, err error) {
	defer operation(&err, "Store.LinkHealth", submissionID)
	r, err := s.engine.Queries().LinkFacts(ctx, db.LinkFactsParams{ID: submissionID, Viewer: v.UserID()})
	f := studycircle.LinkFacts{SubmitterID: r.Submitter, CreatorID: r.Creator, Several: r.ReviewsNeeded > 0}
	if r.LeasedUntil > 0 {
		f.LeasedUntil = instant(r.LeasedUntil)
	}
	return studycircle.LinkHealth{Result: studycircle.LinkResult(r.Result), CheckedAt: optionalInstant(r.CheckedAt), Names: r.Names}, f, s.classify(err)
}

// withLinks adds the state of their links to submissions without a mark.
func (s *Store) withLinks(ctx context.Context, v studycircle.Viewer, subs []studycircle.Submission) error {
	var ids []any
	for i := range subs {
		if subs[i].Status == studycircle.Pending {
			ids = append(ids, subs[i].ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	found := tables.LinkChecks.Collect(int64(len(ids)))
	if err := s.engine.Find(ctx, v, tables.LinkCheckByID, ids, found); err != nil {
		return s.classify(err)
	}
	of := make(map[string]studycircle.LinkHealth, len(found.All))
	for _, c := range found.All {
		of[c.ID] = c.LinkHealth
	}
	for i := range subs {
		subs[i].Link = of[subs[i].ID]
	}
	return nil
}
