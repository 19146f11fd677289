package transfer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle/internal/transfer"
)

func TestReadAccounts(t *testing.T) {
	accounts, err := transfer.ReadAccounts(strings.NewReader("\ufeffADA@old.example; ada@new.example\r\n\r\nbob@old.example;bob@new.example"))
	require.NoError(t, err)
	require.Equal(t, map[string]string{"ada@old.example": "ada@new.example", "bob@old.example": "bob@new.example"}, accounts)
	for text, reason := range map[string]string{
		"":                                 "line 1: there is nothing",
		"archive,here\n":                   `line 1: "archive" is not an email address`,
		"a@x.org,b@x.org,c@x.org":          "line 1: a line has two addresses",
		"a@x.org,b@x.org\na@x.org,c@x.org": "line 2: an earlier line has the same address",
		"a@x.org,b@x.org\nc@x.org,B@x.org": "line 2: an earlier line has the same address",
		"a@x.org,b@x.org\nc@x.org,\n":      `line 2: "" is not an email address`,
	} {
		_, err := transfer.ReadAccounts(strings.NewReader(text))
		require.ErrorContains(t, err, reason, text)
	}
}
