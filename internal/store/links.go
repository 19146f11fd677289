package store

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/tables"
)

// TakeLinks leases some of the links that are due for a check, those that have waited longest, until a time after now
// that no other lease has. It writes nothing if there is none.
func (s *Store) TakeLinks(
	ctx context.Context, now, until time.Time, most int,
) (taken []studycircle.LinkToCheck, err error) {
	defer s.operation(&err, "Store.TakeLinks")
	waiting, err := s.engine.Queries().LinksWait(ctx, optionalMicros(now))
	if err != nil || waiting == 0 {
		return nil, err
	}
	err = s.Write(ctx, studycircle.System(), func(ctx context.Context, tx *Tx) error {
		if taken, err = tx.linksToCheck(ctx, now, most); err != nil {
			return err
		}
		for i := range taken {
			taken[i].Lease = until
			if err := tx.Queries.LeaseLink(ctx, db.LeaseLinkParams{
				ID: taken[i].SubmissionID, LookAt: optionalMicros(until),
			}); err != nil {
				return err
			}
		}
		return nil
	})
	return taken, err
}

func (tx *Tx) linksToCheck(ctx context.Context, now time.Time, most int) ([]studycircle.LinkToCheck, error) {
	rows, err := tx.Queries.LinksToCheck(ctx, db.LinksToCheckParams{LookAt: optionalMicros(now), Most: int64(most)})
	found := make([]studycircle.LinkToCheck, len(rows))
	for i, r := range rows {
		found[i] = studycircle.LinkToCheck{
			SubmissionID: r.ID, DocsLink: r.DocsLink, Open: r.Status != string(studycircle.Completed),
			Several: r.ReviewsNeeded > 0, Due: optionalInstant(r.DueAt),
			Submitter: studycircle.Person{UserID: r.SubmitterID, DisplayName: r.Name, Email: r.Email},
			Before: studycircle.LinkHealth{
				Result: studycircle.LinkResult(r.Result), CheckedAt: optionalInstant(r.CheckedAt), Names: r.Names,
			},
		}
	}
	return found, err
}

// PutLinkHealth stores the result of checking a link, and the time of the next check, zero for never; if the result
// changed, the submitter is notified. It stores nothing if the link has changed meanwhile, or another node has taken
// it over.
func (tx *Tx) PutLinkHealth(
	ctx context.Context, l studycircle.LinkToCheck, h studycircle.LinkHealth, next time.Time,
) (err error) {
	defer tx.operation(&err, "Tx.PutLinkHealth")
	n, err := tx.Queries.PutLinkCheck(ctx, db.PutLinkCheckParams{
		ID: l.SubmissionID, LookAt: optionalMicros(l.Lease), Result: string(h.Result), CheckedAt: optionalMicros(h.CheckedAt),
		Names: h.Names, Next: optionalMicros(next),
	})
	news := h.Result != l.Before.Result || h.Names != l.Before.Names
	if err == nil && n > 0 && news && l.Submitter.UserID != "" {
		tx.Announce(studycircle.Event{
			Kind: studycircle.OwnSubmission, ID: l.SubmissionID, Audience: studycircle.Audience(l.Submitter.UserID),
		})
	}
	return err
}

// LinkHealth returns the result of checking a submission's link, and the facts that decide whether viewer may read
// it; ErrNotFound.
func (s *Store) LinkHealth(
	ctx context.Context, v studycircle.Viewer, submissionID string,
) (_ studycircle.LinkHealth, _ studycircle.LinkFacts, err error) {
	defer s.operation(&err, "Store.LinkHealth", submissionID)
	r, err := s.engine.Queries().LinkFacts(ctx, db.LinkFactsParams{ID: submissionID, Viewer: v.UserID()})
	f := studycircle.LinkFacts{
		SubmitterID: r.Submitter, CreatorID: r.Creator, CircleID: r.CircleID, Several: r.ReviewsNeeded > 0,
	}
	if r.LeasedUntil > 0 {
		f.LeasedUntil = instant(r.LeasedUntil)
	}
	return studycircle.LinkHealth{
		Result: studycircle.LinkResult(r.Result), CheckedAt: optionalInstant(r.CheckedAt), Names: r.Names,
	}, f, err
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
		return err
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
