package store

import (
	"context"
	"errors"
	"time"

	"studycircle"
	"studycircle/internal/jobs"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
	"studycircle/internal/store/tables"
)

// User returns a user by id, or ErrNotFound.
func (r *reads) User(ctx context.Context, id string) (_ studycircle.User, err error) {
	defer r.operation(&err, "reads.User", id)
	row, err := r.query.GetUser(ctx, id)
	return toUser(row), err
}

// AccountByEmail returns the account with a normalized address, or ErrNotFound.
func (r *reads) AccountByEmail(ctx context.Context, email string) (_ studycircle.Account, err error) {
	defer r.operation(&err, "reads.AccountByEmail")
	if !studycircle.ValidEmail(email) {
		return studycircle.Account{}, studycircle.ErrNotFound // PostgreSQL fails on a NUL in a text
	}
	row, err := r.query.GetUserByEmail(ctx, email)
	return toAccount(row), err
}

// Account returns an account by id, or ErrNotFound.
func (s *Store) Account(ctx context.Context, id string) (_ studycircle.Account, err error) {
	defer s.operation(&err, "Store.Account", id)
	row, err := s.engine.Queries().GetUser(ctx, id)
	if err != nil {
		return studycircle.Account{}, err
	}
	account := toAccount(row)
	box, err := s.engine.Queries().GetInbox(ctx, id)
	if isMissing(err) {
		return account, nil
	}
	account.MailsRefusedAt = optionalInstant(box.RefusedAt)
	return account, err
}

// InsertAccount adds an account; CodeEmailInUse if the address is taken.
func (tx *Tx) InsertAccount(ctx context.Context, a studycircle.Account) (err error) {
	defer tx.operation(&err, "Tx.InsertAccount")
	err = tx.Queries.InsertUser(ctx, db.InsertUserParams{
		ID: a.ID, Email: a.Email, DisplayName: a.DisplayName, PhotoUrl: a.PhotoURL,
		PasswordHash: a.PasswordHash, CreatedAt: micros(a.CreatedAt), EmailVerifiedAt: optionalMicros(a.EmailVerifiedAt),
	})
	if tx.Engine.Fault(err) == engine.Unique {
		return &studycircle.Error{
			Code: studycircle.CodeEmailInUse, Err: err,
			Message: "An account with this email address already exists. Try to sign in, or reset its password.",
		}
	}
	return err
}

// UpdateProfile changes the name and photo of a user; ErrNotFound.
func (tx *Tx) UpdateProfile(ctx context.Context, userID string, p studycircle.Profile) (err error) {
	defer tx.operation(&err, "Tx.UpdateProfile", userID)
	n, err := tx.Queries.UpdateProfile(ctx, db.UpdateProfileParams{
		ID: userID, DisplayName: p.DisplayName, PhotoUrl: p.PhotoURL,
	})
	if err := mustAffect(n, err); err != nil {
		return err
	}
	return tx.reindexMember(ctx, userID)
}

// ReplacePasswordHash stores a new hash, which may be the same, if the old one is still stored and the user is not
// suspended; ErrNotFound otherwise. It locks the account until tx ends.
func (tx *Tx) ReplacePasswordHash(ctx context.Context, userID, oldHash, newHash string) (err error) {
	defer tx.operation(&err, "Tx.ReplacePasswordHash", userID)
	n, err := tx.Queries.UpdatePasswordHash(ctx, db.UpdatePasswordHashParams{
		ID: userID, OldHash: oldHash, NewHash: newHash,
	})
	return mustAffect(n, err)
}

// ResetPassword replaces the hash of a user who has proved the address; ErrNotFound.
func (tx *Tx) ResetPassword(ctx context.Context, userID, newHash string, now time.Time) (err error) {
	defer tx.operation(&err, "Tx.ResetPassword", userID)
	return mustAffect(tx.Queries.ResetPassword(ctx, db.ResetPasswordParams{
		ID: userID, PasswordHash: newHash, Now: micros(now),
	}))
}

// VerifyEmail records that the user has verified the address, and accepts emails again; ErrNotFound.
func (tx *Tx) VerifyEmail(ctx context.Context, userID string, now time.Time) (err error) {
	defer tx.operation(&err, "Tx.VerifyEmail", userID)
	if err := mustAffect(tx.Queries.VerifyEmail(ctx, db.VerifyEmailParams{ID: userID, Now: micros(now)})); err != nil {
		return err
	}
	return tx.Queries.AcceptMails(ctx, userID)
}

// SetSuspended suspends an account, or restores it if at is zero, and returns its id; ErrNotFound. The address is
// normalized.
func (tx *Tx) SetSuspended(ctx context.Context, email string, at time.Time) (_ string, err error) {
	defer tx.operation(&err, "Tx.SetSuspended")
	ids, err := tx.Queries.SetSuspended(ctx, db.SetSuspendedParams{Email: email, SuspendedAt: optionalMicros(at)})
	if err == nil && len(ids) == 0 {
		err = studycircle.ErrNotFound
	}
	if err != nil {
		return "", err
	}
	return ids[0], nil
}

// DeleteAccount removes a user with their sessions and pending submissions.
// Their assignments, graded submissions and comments stay, without an author, and their circles get another owner.
// ErrNotFound.
func (tx *Tx) DeleteAccount(ctx context.Context, userID string, now time.Time) (err error) {
	defer tx.operation(&err, "Tx.DeleteAccount", userID)
	tx = &Tx{tx.Tx, tx.reads, studycircle.ViewerOf(userID).Party()} // who leaves the circles
	if err := tx.lockDeletion(ctx, userID); err != nil {
		return err
	}
	if err := tx.leaveCircles(ctx, userID, now); err != nil {
		return err
	}
	reviewed, err := tx.discardAllOf(ctx, userID)
	if err != nil {
		return err
	}
	if err := errors.Join(tx.Queries.DeleteSelfAssessmentsOf(ctx, optionalText(userID)), tx.Queries.DeleteOwnSavedRubrics(
		ctx, optionalText(userID),
	)); err != nil {
		return err
	}
	bases, err := tx.pendingBases(ctx, userID)
	if err != nil {
		return err
	}
	ended, err := tx.Queries.EndReviewedSubmissionsOf(ctx, db.EndReviewedSubmissionsOfParams{
		SubmitterID: optionalText(userID), EndedAt: optionalMicros(now),
	})
	if err != nil {
		return err
	}
	withdrawn, err := tx.Queries.DeletePendingSubmissionsOf(ctx, optionalText(userID))
	if err != nil {
		return err
	}
	for _, e := range ended {
		withdrawn = append(withdrawn, db.DeletePendingSubmissionsOfRow(e))
	}
	for _, w := range withdrawn {
		tables.AnnounceSubmission(tx, studycircle.SubmissionWithdrawn, w.CircleID, w.ID, "", w.ReviewsNeeded)
		of := bases[w.AssignmentID.String]
		tables.AnnounceResults(tx, w.CircleID, of.ID, of.CreatorID)
		tables.CountWork(tx, of, -1)
		if w.ReviewsNeeded == 0 && !of.Hidden {
			tx.Count(tables.PendingScope(w.CircleID), w.Seq, -1)
		}
	}
	if err := tx.forgetDiscussions(ctx, userID); err != nil {
		return err
	}
	if err := tx.Queries.DeleteRemindersOfUser(ctx, userID); err != nil {
		return err
	}
	if err := tx.forgetInbox(ctx, userID); err != nil {
		return err
	}
	// The schema's ON DELETE rules remove the user from all other tables.
	if err := mustAffect(tx.Queries.DeleteUser(ctx, userID)); err != nil {
		return err
	}
	// Reviews they gave stay under a pseudonym: no mark changes. A transaction that
	// stores a review of theirs locks their account, so it has ended by now.
	if err := tx.renameReviewer(ctx, userID, studycircle.NewBlindID()); err != nil {
		return err
	}
	for _, assignmentID := range reviewed {
		if err := tx.discarded(ctx, assignmentID); err != nil {
			return err
		}
	}
	if err := jobs.ForgetUser(ctx, tx.Tx, userID); err != nil {
		return err
	}
	return tx.Engine.DropCounts(ctx, tx.Tx, tables.FiguresOf(userID)...)
}

// renameReviewer puts a pseudonym in place of a deleted user in the reviews they gave, with their questions, and
// removes the questions of which no review came.
func (tx *Tx) renameReviewer(ctx context.Context, userID, pseudonym string) error {
	return errors.Join(
		tx.Queries.ForgetQuestionsOf(ctx, userID),
		tx.Queries.RenameReviewer(ctx, db.RenameReviewerParams{Reviewer: userID, Pseudonym: pseudonym}),
		tx.Queries.RenameAsker(ctx, db.RenameAskerParams{Reviewer: userID, Pseudonym: pseudonym}),
	)
}

// mustAffect returns ErrNotFound for a statement that changed no row.
func mustAffect(n int64, err error) error {
	if err == nil && n == 0 {
		return studycircle.ErrNotFound
	}
	return err
}
