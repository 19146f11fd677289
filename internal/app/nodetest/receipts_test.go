package nodetest

import (
	"encoding/json"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle/internal/receipt"
)

// publicKeys returns a node's published keys.
func publicKeys(t *testing.T, n *node) (keys receipt.PublicKeys) {
	t.Helper()
	body := n.visitor().get(t, "/.well-known/studycircle-keys").is(t, http.StatusOK).body
	require.NoError(t, json.Unmarshal(body, &keys))
	return keys
}

func TestReceiptOfAMark(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob")
		of := ada.publish(t, "reviewsNeeded", 2, "marks", 20)
		id := bob.submit(t, of)
		at := "/api/submissions/" + id
		bob.get(t, at+"/receipt").is(t, http.StatusNotFound)
		reviewers := n.people(t, "Cem", "Dot", "Eve")
		for i, c := range reviewers[:2] {
			require.Equal(t, id, c.task(t, of)["submissionId"])
			c.patch(t, at, doc{"marks": 12 + 2*i}).is(t, http.StatusOK)
		}
		reviewers[2].get(t, at+"/receipt").is(t, http.StatusNotFound)
		n.visitor().get(t, at+"/receipt").is(t, http.StatusUnauthorized)
		first := bob.get(t, at+"/receipt").is(t, http.StatusOK).body
		require.Equal(t, string(first), string(ada.get(t, at+"/receipt").is(t, http.StatusOK).body), "the creator gets the same")
		r, err := receipt.Verify(first, publicKeys(t, n))
		require.NoError(t, err, string(first))
		require.EqualValues(t, r.Mark, bob.own(t, id)["givenMark"])
		require.Equal(t, []any{n.public, id, int64(20), "SC1K", "model", 2}, []any{r.Server, r.Submission, r.Total, r.Model, r.By, len(r.Reviews)})

		before := publicKeys(t, n)
		_, err = receipt.Rotate(t.Context(), n.app.Store, n.clock.now())
		require.NoError(t, err)
		_, err = receipt.Verify(first, publicKeys(t, n))
		require.NoError(t, err, "earlier receipts stay valid")
		ada.post(t, at+"/reopen", doc{"reason": "Agreed.", "action": "set-mark", "mark": 17}).is(t, http.StatusOK)
		second := bob.get(t, at+"/receipt").is(t, http.StatusOK).body
		r, err = receipt.Verify(second, publicKeys(t, n))
		require.NoError(t, err)
		require.Equal(t, []any{int64(17), "", "creator", int64(2)}, []any{r.Mark, r.Model, r.By, r.N})
		_, err = receipt.Verify(second, before)
		require.ErrorIs(t, err, receipt.ErrKey, "the new key signs")
	})
}

// When reviewers delete their accounts, the receipt stays the same, byte by byte, also under a key that is not the
// newest.
func TestReceiptsOutliveAccounts(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		of, bob := n.user(t, "Ada").publish(t, "reviewsNeeded", 2, "marks", 20), n.user(t, "Bob")
		id := bob.submit(t, of)
		reviewers := n.people(t, "Cem", "Dot")
		reviewedBy(t, of, reviewers, 12, 14)
		at := "/api/submissions/" + id + "/receipt"
		before := bob.get(t, at).is(t, http.StatusOK).body
		for _, c := range reviewers {
			c.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		}
		require.Equal(t, string(before), string(bob.get(t, at).is(t, http.StatusOK).body))
		bob.del(t, "/api/auth/account").is(t, http.StatusNoContent)
		_, err := receipt.Rotate(t.Context(), n.app.Store, n.clock.now())
		require.NoError(t, err)
		r, err := receipt.Verify(before, publicKeys(t, n))
		require.NoError(t, err, "what bob kept is valid without his account")
		require.Equal(t, id, r.Submission)
	})
}

// Concurrent requests for the first receipt and concurrent rotations lose no key.
func TestKeysOfReceiptsAtOnce(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		const clients = 32
		ids := make([]string, clients)
		var wait sync.WaitGroup
		for i := range clients {
			wait.Go(func() {
				keys, err := receipt.Keys(t.Context(), n.app.Store, n.clock.now())
				if err == nil {
					ids[i] = keys[0].ID
				}
			})
		}
		wait.Wait()
		for _, id := range ids {
			require.Equal(t, ids[0], id)
		}
		require.NotEmpty(t, ids[0])
		failed := make([]error, clients)
		for i := range clients {
			wait.Go(func() { _, failed[i] = receipt.Rotate(t.Context(), n.app.Store, n.clock.now()) })
		}
		wait.Wait()
		for _, err := range failed {
			require.NoError(t, err)
		}
		require.Len(t, publicKeys(t, n).Keys, clients+1)
	})
}
