package store

import (
	"context"
	"errors"
	"time"

	"studycircle"
	"studycircle/internal/store/db"
	"studycircle/internal/store/engine"
)

// LockAccount returns an account, locked against changes and sign-ins by others
// until tx ends; ErrNotFound.
func (tx *Tx) LockAccount(ctx context.Context, userID string) (_ studycircle.Account, err error) {
	defer tx.operation(&err, "Tx.LockAccount")
	row, err := tx.Queries.LockUser(ctx, userID)
	return toAccount(row), err
}

// HasSession reports whether a user's session is still open.
func (tx *Tx) HasSession(ctx context.Context, userID, sessionID string) (_ bool, err error) {
	defer tx.operation(&err, "Tx.HasSession")
	_, err = tx.Queries.UserSession(ctx, db.UserSessionParams{ID: sessionID, UserID: userID})
	return found(err)
}

// ContestAccount removes the password of an account whose address was not verified, and records that its data may
// belong to another person; ErrNotFound for any other account.
func (tx *Tx) ContestAccount(ctx context.Context, userID string, now time.Time) (err error) {
	defer tx.operation(&err, "Tx.ContestAccount")
	return mustAffect(tx.Queries.ContestUser(ctx, db.ContestUserParams{ID: userID, Now: micros(now)}))
}

// ClaimAccount gives an account with an unverified address to the owner
// of the address, once; ErrNotFound for any other account.
func (tx *Tx) ClaimAccount(ctx context.Context, userID string, now time.Time) (err error) {
	defer tx.operation(&err, "Tx.ClaimAccount")
	return mustAffect(tx.Queries.ClaimUser(ctx, db.ClaimUserParams{ID: userID, Now: micros(now)}))
}

// InsertProviderLink links a provider's user to one of ours; CodeAlreadyLinked if one of them is linked at that
// issuer, ErrNotFound if the user is gone.
func (tx *Tx) InsertProviderLink(ctx context.Context, l studycircle.ProviderLink) (err error) {
	defer tx.operation(&err, "Tx.InsertProviderLink")
	err = tx.Queries.InsertProviderLink(ctx, db.InsertProviderLinkParams{
		Issuer: l.Issuer, Subject: l.Subject, UserID: l.UserID, Provider: l.Provider, Email: l.Email,
		LinkedAt: micros(l.LinkedAt),
	})
	if tx.Engine.Fault(err) == engine.Unique {
		return &studycircle.Error{
			Code: studycircle.CodeAlreadyLinked, Message: "This is linked to an account already.", Err: err,
		}
	}
	return tx.orGone(err)
}

// ProviderLink returns the link of a provider's user, or ErrNotFound.
func (r *reads) ProviderLink(ctx context.Context, issuer, subject string) (_ studycircle.ProviderLink, err error) {
	defer r.operation(&err, "reads.ProviderLink")
	row, err := r.query.GetProviderLink(ctx, db.GetProviderLinkParams{Issuer: issuer, Subject: subject})
	return toProviderLink(row), err
}

// ProviderLinksOf returns a user's links, oldest first.
func (r *reads) ProviderLinksOf(ctx context.Context, userID string) (_ []studycircle.ProviderLink, err error) {
	defer r.operation(&err, "reads.ProviderLinksOf")
	rows, err := r.query.ProviderLinksOfUser(ctx, userID)
	out := make([]studycircle.ProviderLink, len(rows))
	for n, row := range rows {
		out[n] = toProviderLink(row)
	}
	return out, err
}

// UseProviderLink stores the provider's latest data; ErrNotFound if the link is gone.
func (tx *Tx) UseProviderLink(ctx context.Context, l studycircle.ProviderLink) (err error) {
	defer tx.operation(&err, "Tx.UseProviderLink")
	return mustAffect(tx.Queries.UseProviderLink(ctx, db.UseProviderLinkParams{
		Issuer: l.Issuer, Subject: l.Subject, Provider: l.Provider, Email: l.Email,
	}))
}

// DeleteProviderLink deletes a link; ErrNotFound.
func (tx *Tx) DeleteProviderLink(ctx context.Context, issuer, subject string) (err error) {
	defer tx.operation(&err, "Tx.DeleteProviderLink")
	return mustAffect(tx.Queries.DeleteProviderLink(ctx, db.DeleteProviderLinkParams{Issuer: issuer, Subject: subject}))
}

// DeleteCredentials deletes all of a user's links and passkeys.
func (tx *Tx) DeleteCredentials(ctx context.Context, userID string) (err error) {
	defer tx.operation(&err, "Tx.DeleteCredentials")
	return errors.Join(tx.Queries.DeleteProviderLinksOfUser(ctx, userID), tx.Queries.DeletePasskeysOfUser(ctx, userID))
}

// InsertPasskey adds a passkey; CodeAlreadyLinked if its credential is known, ErrNotFound if the user is gone.
func (tx *Tx) InsertPasskey(ctx context.Context, k studycircle.Passkey) (err error) {
	defer tx.operation(&err, "Tx.InsertPasskey")
	err = tx.Queries.InsertPasskey(ctx, db.InsertPasskeyParams{
		ID: k.ID, UserID: k.UserID, CredentialID: k.CredentialID, Name: k.Name, Credential: k.Credential,
		CreatedAt: micros(k.CreatedAt),
	})
	if tx.Engine.Fault(err) == engine.Unique {
		return &studycircle.Error{Code: studycircle.CodeAlreadyLinked, Message: "This passkey is known already.", Err: err}
	}
	return tx.orGone(err)
}

// PasskeyByCredential returns the passkey of a credential id, or ErrNotFound.
func (s *Store) PasskeyByCredential(ctx context.Context, credentialID string) (_ studycircle.Passkey, err error) {
	defer s.operation(&err, "Store.PasskeyByCredential")
	row, err := s.engine.Queries().GetPasskeyByCredential(ctx, credentialID)
	return toPasskey(row), err
}

// PasskeysOf returns a user's passkeys, oldest first.
func (r *reads) PasskeysOf(ctx context.Context, userID string) (_ []studycircle.Passkey, err error) {
	defer r.operation(&err, "reads.PasskeysOf")
	rows, err := r.query.PasskeysOfUser(ctx, userID)
	out := make([]studycircle.Passkey, len(rows))
	for n, row := range rows {
		out[n] = toPasskey(row)
	}
	return out, err
}

// RenamePasskey gives a user's passkey another name; ErrNotFound.
func (tx *Tx) RenamePasskey(ctx context.Context, userID, id, name string) (_ studycircle.Passkey, err error) {
	defer tx.operation(&err, "Tx.RenamePasskey")
	row, err := tx.Queries.RenamePasskey(ctx, db.RenamePasskeyParams{ID: id, UserID: userID, Name: name})
	return toPasskey(row), err
}

// UsePasskey stores a passkey's credential after a sign-in; ErrNotFound if it
// is gone.
func (tx *Tx) UsePasskey(ctx context.Context, id, credential string, now time.Time) (err error) {
	defer tx.operation(&err, "Tx.UsePasskey")
	return mustAffect(tx.Queries.UsePasskey(ctx, db.UsePasskeyParams{
		ID: id, Credential: credential, LastUsedAt: optionalMicros(now),
	}))
}

// DeletePasskey removes a user's passkey; ErrNotFound.
func (tx *Tx) DeletePasskey(ctx context.Context, userID, id string) (err error) {
	defer tx.operation(&err, "Tx.DeletePasskey")
	return mustAffect(tx.Queries.DeletePasskey(ctx, db.DeletePasskeyParams{ID: id, UserID: userID}))
}

// TicketUsed reports whether a ticket was used.
func (s *Store) TicketUsed(ctx context.Context, ticketHash string) (_ bool, err error) {
	defer s.operation(&err, "Store.TicketUsed")
	_, err = s.engine.Queries().GetUsedTicket(ctx, ticketHash)
	return found(err)
}

// UseTicket uses a ticket: ErrNotFound the second time. expires is when the ticket becomes invalid anyway.
func (tx *Tx) UseTicket(ctx context.Context, ticketHash string, expires time.Time) (err error) {
	defer tx.operation(&err, "Tx.UseTicket")
	return mustAffect(tx.Queries.UseTicket(ctx, db.UseTicketParams{TicketHash: ticketHash, ExpiresAt: micros(expires)}))
}

// found reports whether a query for one row found it.
func found(err error) (bool, error) {
	if isMissing(err) {
		return false, nil
	}
	return err == nil, err
}

func toAccount(r db.User) studycircle.Account {
	return studycircle.Account{User: toUser(r), PasswordHash: r.PasswordHash, ContestedAt: optionalInstant(r.ContestedAt)}
}

func toProviderLink(r db.ProviderLink) studycircle.ProviderLink {
	return studycircle.ProviderLink{
		Issuer: r.Issuer, Subject: r.Subject, UserID: r.UserID, Provider: r.Provider, Email: r.Email,
		LinkedAt: instant(r.LinkedAt),
	}
}

func toPasskey(r db.Passkey) studycircle.Passkey {
	return studycircle.Passkey{
		ID: r.ID, UserID: r.UserID, CredentialID: r.CredentialID, Name: r.Name, Credential: r.Credential,
		CreatedAt: instant(r.CreatedAt), LastUsedAt: optionalInstant(r.LastUsedAt),
	}
}
