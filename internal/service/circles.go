package service

import (
	"context"
	"time"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/markdown"
	"studycircle/internal/store"
)

// circleLimit is the most circles that a user creates in an hour.
var circleLimit = limit.Window{
	Name: "circle", Max: 60, Per: time.Hour,
	Message: "You have created a lot of circles within the hour. Please try again in %s.",
}

// circleHeadings is the level of the largest headings in descriptions of circles.
const circleHeadings = 2

// Circles returns a page of viewer's circles, by name, and their number.
func (s *Service) Circles(
	ctx context.Context, viewer studycircle.User, p studycircle.Page,
) ([]studycircle.OwnCircle, int64, error) {
	return s.store.CirclesOf(ctx, s.as(viewer), p)
}

// DeletedCircles returns a page of the deleted circles that viewer can restore, by name, and their number.
func (s *Service) DeletedCircles(
	ctx context.Context, viewer studycircle.User, p studycircle.Page,
) ([]studycircle.Circle, int64, error) {
	return s.store.DeletedCirclesOf(ctx, s.as(viewer), s.clock().Add(-studycircle.CircleRestorable), p)
}

// Circle returns a circle to a member. ErrNotFound.
func (s *Service) Circle(ctx context.Context, viewer studycircle.User, id string) (c studycircle.OwnCircle, err error) {
	if !studycircle.ValidID(id) { // see assignmentOf
		return c, studycircle.ErrNotFound
	}
	if c, err = s.store.Circle(ctx, s.as(viewer), id); err != nil {
		return c, err
	}
	return c, studycircle.MaySeeCircle(c.Mine, c.Circle)
}

// CreateCircle adds a circle, owned by viewer, and returns its id. CodeInvalid, CodeTooManyCircles, CodeRateLimited.
func (s *Service) CreateCircle(
	ctx context.Context, viewer studycircle.User, in studycircle.CircleInput,
) (string, error) {
	in, err := in.Clean()
	if err != nil {
		return "", err
	}
	now := s.clock()
	c := studycircle.Circle{
		ID: studycircle.NewID(now), HTML: markdown.Render(in.Description, circleHeadings).HTML, CreatedAt: now,
	}
	c.Set(in, now)
	return c.ID, s.store.Write(ctx, s.as(viewer), func(ctx context.Context, tx *store.Tx) error {
		have, err := tx.LockHoldings(ctx)
		if err != nil {
			return err
		}
		if err := studycircle.MayHaveCircle(have, studycircle.CircleOwner); err != nil {
			return err
		}
		if err := tx.InsertCircle(ctx, c); err != nil {
			return orAccountGone(err)
		}
		return s.use(ctx, tx, limit.Use{Window: circleLimit, Subject: viewer.ID, At: now})
	})
}

// orAccountGone returns ErrAccountGone for a row that refers to the viewer's account, which is missing.
func orAccountGone(err error) error {
	if studycircle.CodeOf(err) == studycircle.CodeNotFound {
		return studycircle.ErrAccountGone
	}
	return err
}

// UpdateCircle changes the settings of a circle, which change returns for those before, if unchanged admits its present
// state. It reports whether anything changed. CodeInvalid, ErrNotFound, CodeNotOwner, CodeCircleArchived, CodeChanged.
func (s *Service) UpdateCircle(
	ctx context.Context, viewer studycircle.User, id string, change func(studycircle.CircleInput) studycircle.CircleInput,
	unchanged func(studycircle.Circle) error,
) (changed bool, err error) {
	if _, err := change(studycircle.NewCircle).Clean(); err != nil {
		return false, err // before the circle is read, also to users who are not members
	}
	err = s.inCircle(ctx, viewer, id, studycircle.MayChangeCircle, func(
		ctx context.Context, tx *store.Tx, c studycircle.OwnCircle,
	) error {
		in, err := change(c.CircleInput).Clean()
		if err != nil {
			return err
		}
		if err := unchanged(c.Circle); err != nil {
			return err
		}
		if changed = c.CircleInput != in; !changed {
			return nil
		}
		c.HTML, c.UpdatedAt = markdown.Render(in.Description, circleHeadings).HTML, s.clock()
		c.Set(in, c.UpdatedAt)
		return tx.UpdateCircle(ctx, c.Circle)
	})
	return changed, err
}

// DeleteCircle hides a circle from everyone; its owners can restore it for some time. ErrNotFound, CodeNotOwner.
func (s *Service) DeleteCircle(ctx context.Context, viewer studycircle.User, id string) error {
	return s.inCircle(ctx, viewer, id, studycircle.MayOwn, func(
		ctx context.Context, tx *store.Tx, _ studycircle.OwnCircle,
	) error {
		return tx.SetCircleDeleted(ctx, id, s.clock())
	})
}

// RestoreCircle shows a deleted circle again, and reports whether it was deleted. ErrNotFound.
func (s *Service) RestoreCircle(ctx context.Context, viewer studycircle.User, id string) (changed bool, err error) {
	may := func(m studycircle.Membership, c studycircle.Circle) error {
		return studycircle.MayRestoreCircle(m, c, s.clock())
	}
	err = s.inCircle(ctx, viewer, id, may, func(ctx context.Context, tx *store.Tx, c studycircle.OwnCircle) error {
		if changed = !c.DeletedAt.IsZero(); !changed {
			return nil
		}
		return tx.SetCircleDeleted(ctx, id, time.Time{})
	})
	return changed, err
}

// inCircle runs do in a transaction that has locked a circle and the accounts of others, if viewer may. ErrNotFound.
func (s *Service) inCircle(
	ctx context.Context, viewer studycircle.User, id string, may func(studycircle.Membership, studycircle.Circle) error,
	do func(context.Context, *store.Tx, studycircle.OwnCircle) error, others ...string,
) error {
	return s.write(ctx, viewer, id, func(ctx context.Context, tx *store.Tx) error {
		c, err := tx.LockCircle(ctx, id, others...)
		if err != nil {
			return err
		}
		if err := may(c.Mine, c.Circle); err != nil {
			return err
		}
		return do(ctx, tx, c)
	})
}
