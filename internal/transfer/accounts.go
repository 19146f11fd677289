package transfer

import (
	"errors"
	"fmt"
	"io"

	"studycircle"
	"studycircle/internal/csvfile"
)

// ReadAccounts reads People.Accounts from a table without headings: an address in the archive, and one here. The error
// of a bad line is a *csvfile.Error.
func ReadAccounts(file io.Reader) (map[string]string, error) {
	table, err := csvfile.Open(file)
	if err != nil {
		return nil, err
	}
	accounts, taken := map[string]string{}, map[string]bool{}
	add := func(r csvfile.Row) error {
		if len(r.Cells) != 2 {
			return &csvfile.Error{Line: r.Line, Err: errors.New("a line has two addresses, in the archive and here")}
		}
		var pair [2]string
		for i, cell := range r.Cells {
			if pair[i] = studycircle.NormalizeEmail(cell); !studycircle.ValidEmail(pair[i]) {
				return &csvfile.Error{Line: r.Line, Err: fmt.Errorf("%q is not an email address", cell)}
			}
		}
		if accounts[pair[0]] != "" || taken[pair[1]] {
			return &csvfile.Error{Line: r.Line, Err: errors.New("an earlier line has the same address")}
		}
		accounts[pair[0]], taken[pair[1]] = pair[1], true
		return nil
	}
	if err := add(csvfile.Row{Line: table.Line, Cells: table.Headings}); err != nil {
		return nil, err
	}
	for r, err := range table.Rows() {
		if err == nil {
			err = table.Check(r)
		}
		if err == nil {
			err = add(r)
		}
		if err != nil {
			return nil, err
		}
	}
	return accounts, nil
}
