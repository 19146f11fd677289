package identity

import (
	"context"
	"encoding/base64"
	"strings"
	"time"

	"studycircle"
	"studycircle/internal/limit"
	"studycircle/internal/store"
)

// The limits. Limits by account are counted in the store, for all nodes; limits by
// address in memory.
var (
	pairFailures    = limit.Window{Name: "signin-pair", Max: 10, Per: 15 * time.Minute, Message: tooManyFailures}
	accountFailures = limit.Window{Name: "signin-account", Max: 100, Per: time.Hour, Message: tooManyFailures}
	addressFailures = limit.Window{Name: "signin-address", Max: 100, Per: time.Hour, Message: tooManyFailures}
	// A browser that the account knows has its own count, so that attempts of others,
	// even from the same network, do not lock its user out.
	deviceBurst    = limit.Window{Name: "signin-device", Max: 10, Per: 15 * time.Minute, Message: tooManyFailures}
	deviceFailures = limit.Window{Name: "signin-device-hour", Max: 100, Per: time.Hour, Message: tooManyFailures}

	addressRegistrations = limit.Window{
		Name: "register", Max: 20, Per: time.Hour,
		Message: "Too many accounts were opened from your network. Please try again in %s.",
	}
	resetMails = limit.Window{
		Name: "mail-reset", Max: 5, Per: time.Hour, Message: "Too many emails were requested. Please try again in %s.",
	}
	changeMails = limit.Window{
		Name: "mail-change", Max: 5, Per: time.Hour, Message: "Too many emails were requested. Please try again in %s.",
	}
	changeMailsTo = limit.Window{
		Name: "mail-change-to", Max: 5, Per: 24 * time.Hour,
		Message: "Too many emails were requested. Please try again in %s.",
	}
	invitedMails = limit.Window{
		Name: "mail-invited", Max: 5, Per: 24 * time.Hour, Message: "Too many emails were requested. Please try again in %s.",
	}
	verifyMails = limit.Window{
		Name: "mail-verify", Max: 5, Per: time.Hour, Message: "Too many emails were requested. Please try again in %s.",
	}
)

// plenty always leaves room, also for stamps of nodes whose clocks are ahead.
const plenty = 1 << 20

const tooManyFailures = "Too many failed attempts to sign in. Please try again in %s."

// subject is the key of an account, or a part of it, in the store's counts. It is a MAC:
// for an address without an account it is the only trace, and it reveals no address.
func (i *Identity) subject(parts ...string) string {
	return base64.RawURLEncoding.EncodeToString(i.mac("limit", strings.Join(parts, "\n"))[:18])
}

// attempt is one attempt to prove the password of an account.
type attempt struct {
	i             *Identity
	network       string
	pair, account string
	device        string // "" for an unknown browser
}

func (i *Identity) attempt(email, device string, v Visit) attempt {
	a := attempt{i: i, network: limit.Network(v.Address), account: i.subject(email)}
	a.pair = i.subject(email, a.network)
	if device != "" {
		a.device = i.subject(email, "device", device)
	}
	return a
}

type waiter func(ctx context.Context, w limit.Window, subject string, now time.Time) (time.Duration, error)

// check returns CodeRateLimited if another failure would exceed a limit. It runs before
// the password is checked and again within the transaction, so that concurrent guesses
// count as if they came one after the other.
func (a attempt) check(ctx context.Context, wait waiter) error {
	if !a.i.Limits {
		return nil
	}
	now := a.i.clock()
	if err := a.i.failures.Check(a.network, now); err != nil {
		return err
	}
	pair, err := wait(ctx, pairFailures, a.pair, now)
	if err != nil {
		return err
	}
	broad, subject := accountFailures, a.account
	if a.device != "" {
		broad, subject = deviceFailures, a.device
		if pair > 0 {
			if pair, err = wait(ctx, deviceBurst, a.device, now); err != nil {
				return err
			}
		}
	}
	if pair > 0 {
		return pairFailures.Refuse(pair)
	}
	long, err := wait(ctx, broad, subject, now)
	if err == nil && long > 0 {
		err = broad.Refuse(long)
	}
	return err
}

// failed counts a wrong password and returns errCredential; or, with nothing counted,
// CodeRateLimited if concurrent attempts used up the limit.
func (a attempt) failed(ctx context.Context) error {
	if !a.i.Limits {
		return errCredential
	}
	now := a.i.clock()
	if err := a.i.failures.Spend(a.network, now); err != nil {
		return err
	}
	err := a.i.write(ctx, func(ctx context.Context, tx *store.Tx) error {
		pair := tx.Spend(ctx, pairFailures, a.pair, now)
		if a.device == "" {
			if pair != nil {
				return pair
			}
			return tx.Spend(ctx, accountFailures, a.account, now)
		}
		if pair != nil && studycircle.CodeOf(pair) != studycircle.CodeRateLimited {
			return pair
		}
		burst := tx.Spend(ctx, deviceBurst, a.device, now)
		if burst != nil && (pair != nil || studycircle.CodeOf(burst) != studycircle.CodeRateLimited) {
			return burst
		}
		return tx.Spend(ctx, deviceFailures, a.device, now)
	})
	if err != nil {
		return err
	}
	return errCredential
}
