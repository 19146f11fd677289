package identity

import (
	"context"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store"
)

// invitationHash is the hash of an invitation's secret; "" for no invitation.
type invitationHash string

func invitedBy(secret string) invitationHash {
	if secret == "" {
		return ""
	}
	return invitationHash(hashSecret(secret))
}

// mayOpen decides about an account for an address before anything is written or hashed.
// CodeRateLimited; CodeRegistrationClosed, for every invitation that does not let the
// person in.
func (i *Identity) mayOpen(ctx context.Context, by invitationHash, email string, v Visit) error {
	if err := studycircle.MayRegister(i.Registration, by != ""); err != nil {
		return err
	}
	if i.Limits {
		if err := i.registrations.Spend(limit.Network(v.Address), i.clock()); err != nil {
			return err
		}
	}
	if studycircle.MayRegister(i.Registration, false) == nil {
		return nil
	}
	err := i.store.MayRegisterBy(ctx, string(by), email, i.clock())
	return i.orClosed(err)
}

// orClosed returns what the outcome of an invitation means for a registration.
func (i *Identity) orClosed(err error) error {
	if studycircle.CodeOf(err) == studycircle.CodeInternal {
		return err
	}
	return studycircle.MayRegister(i.Registration, err == nil)
}

// invited uses the invitation of a user whose account tx has inserted. Where people
// register without one, an invitation that lets no one in any more is ignored: the page of
// the invitation says so. CodeRegistrationClosed.
func (i *Identity) invited(ctx context.Context, tx *store.Tx, by invitationHash, u studycircle.User) error {
	if by == "" {
		return studycircle.MayRegister(i.Registration, false)
	}
	return i.orClosed(tx.RegisterBy(ctx, string(by), u, i.clock()))
}

// broughtInvitation is the content of a ticket that takes an invitation into a pop-up,
// whose address is logged and so must not hold the secret.
type broughtInvitation struct {
	By          invitationHash
	BindingHash string
}

// BringInvitation returns a ticket for BeginProvider that stands for an invitation, and the
// cookie that binds the ticket to the browser. It costs no write.
func (i *Identity) BringInvitation(secret string) (ticket, binding string, err error) {
	binding = studycircle.NewSecret()
	ticket, err = i.seal(inviteTicket, InviteLifetime, broughtInvitation{
		By: invitedBy(secret), BindingHash: hashSecret(binding),
	})
	return ticket, binding, err
}

// openInvitation reports whether ticket is of BringInvitation, for this browser.
func (i *Identity) openInvitation(ticket, binding string) (by invitationHash, is bool) {
	var brought broughtInvitation
	if _, ok := i.open(inviteTicket, ticket, &brought); !ok || binding == "" ||
		hashSecret(binding) != brought.BindingHash {
		return "", false
	}
	return brought.By, true
}
