package identity

import (
	"context"

	"studycircle"
	"studycircle/internal/store"
)

// Own is everything that is stored about a user. An export reads the long parts from Rows, by
// its methods Each…Of and Each…By, a few hundred rows in memory at a time.
type Own struct {
	Methods
	Sessions []studycircle.OpenSession
	Rows     *store.Store
}

// Own returns what is stored about viewer; CodeUnauthenticated if the account is gone.
func (i *Identity) Own(ctx context.Context, viewer studycircle.Session) (Own, error) {
	methods, err := i.Methods(ctx, viewer)
	if err != nil {
		return Own{}, err
	}
	sessions, err := i.Sessions(ctx, viewer)
	return Own{methods, sessions, i.store}, err
}
