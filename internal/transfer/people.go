package transfer

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"studycircle"
	"studycircle/internal/record"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
)

// People say which accounts the people of an imported circle have here.
type People struct {
	Owner     string            // the address of the user who owns the circle here
	Accounts  map[string]string // addresses here of members, by their addresses in the archive
	ByAddress bool              // a member has the account here with the same address
}

func (im *circleImporter) parseMember(line []byte) (studycircle.Member, error) {
	return parse(line, func(r record.Member) (studycircle.Member, error) {
		u, m, err := r.Noun(im.now)
		return studycircle.Member{Membership: m, Account: studycircle.Person{
			UserID: u.ID, Email: u.Email, DisplayName: u.DisplayName, PhotoURL: u.PhotoURL,
		}}, err
	})
}

// addPeople finds out which members have an account here, and opens accounts for those whose address has none.
func (im *circleImporter) addPeople(ctx context.Context, tx *store.Tx, members []studycircle.Member) error {
	addresses, users := make([]string, len(members)), make([]studycircle.User, len(members)) // of their accounts
	for i, m := range members {
		addresses[i] = cmp.Or(im.people.Accounts[m.Account.Email], m.Account.Email)
		users[i] = studycircle.User{
			ID: m.Account.UserID, Email: addresses[i], DisplayName: m.Account.DisplayName, PhotoURL: m.Account.PhotoURL,
			CreatedAt: im.now,
		}
	}
	if err := im.accounts(ctx, tx, users); err != nil { // before the question, so that no address is registered after it
		return err
	}
	inUse, err := bulk.AccountsInUse(ctx, tx.Tx, addresses)
	if err != nil {
		return err
	}
	for i, m := range members {
		own, address := m.Account.Email, addresses[i]
		proved, used := inUse[address]
		_, mapped := im.people.Accounts[own]
		if used && !proved {
			return &bulk.RowError{Row: i, Err: errUnproved(address)}
		}
		if used && !mapped && !im.people.ByAddress && address != im.owner.Email {
			im.names[own] = m.Account.DisplayName
			continue
		}
		if other, taken := im.takenBy[address]; taken && other != own {
			return &bulk.RowError{Row: i, Err: fmt.Errorf("%s and %s would have one account, %s", other, own, address)}
		}
		im.here[own], im.takenBy[address] = address, own
	}
	return nil
}

// errUnproved refuses an account that another user may have opened: they would see what is its owner's.
func errUnproved(address string) error {
	return fmt.Errorf("the account of %s has not verified its address; ask its owner to, then import again", address)
}

// mappedMembers reports whether all people to whom the operator gives an account are members.
func (im *circleImporter) mappedMembers() error {
	for _, address := range slices.Sorted(maps.Keys(im.people.Accounts)) {
		if _, is := im.here[address]; !is {
			return fmt.Errorf("%s, who is given an account, is no member in %s", address, record.MembersFile)
		}
	}
	return nil
}

func (im *circleImporter) addMembers(ctx context.Context, tx *store.Tx, members []studycircle.Member) error {
	defer im.steps(len(members))
	addresses := make([]string, len(members))
	for i, m := range members {
		addresses[i] = cmp.Or(im.here[m.Account.Email], m.Account.Email)
	}
	known, err := tx.Rostered(ctx, im.circleID, addresses, im.now)
	if err != nil {
		return err
	}
	owners, err := tx.Owners(ctx, im.circleID)
	if err != nil {
		return err
	}
	var in studycircle.Enrollments
	seen := map[string]bool{}
	for i, m := range members {
		of := known[addresses[i]]
		if seen[addresses[i]] {
			continue
		}
		seen[addresses[i]] = true
		if _, is := im.here[m.Account.Email]; !is {
			if of.Member.Role == "" {
				im.apart++
			}
			continue
		}
		if before := of.Member; before.Role != "" {
			if im.fresh { // the owner, whose role is what the operator says
				after := before
				after.Label, after.Name, after.FamilyName, after.SourceID = m.Label, m.Name, m.FamilyName, m.SourceID
				in.Changed = append(in.Changed, studycircle.MemberChanged{Before: before, After: after})
			}
			continue
		}
		if m.Role == studycircle.CircleOwner {
			owners++
		}
		if err := studycircle.MayHaveCircle(of.Have, m.Role); err != nil {
			return &bulk.RowError{Row: i, Err: err}
		}
		if owners > studycircle.MaxOwners {
			return &bulk.RowError{
				Row: i, Err: fmt.Errorf("role: a circle has at most %d owners, with the one who imports it", studycircle.MaxOwners),
			}
		}
		m.CircleID, m.UserID = im.circleID, im.ids[addresses[i]]
		in.Added = append(in.Added, m.Membership)
	}
	im.members += len(in.Added)
	return tx.Enroll(ctx, im.circleID, in, im.now)
}
