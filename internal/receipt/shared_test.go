package receipt_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle/internal/receipt"
)

var update = flag.Bool("update", false, "write the golden file anew")

// Files of receipts for verifiers in other languages: the first line has the public keys, of which the first signs, each
// further line is a receipt. make drill-receipts adds a file of 10,000.
func TestReceiptsSharedWithOtherLanguages(t *testing.T) {
	t.Parallel()
	if *update {
		writeReceipts(t, "receipts.txt", 300)
	}
	if text := os.Getenv("STUDYCIRCLE_TEST_RECEIPTS"); text != "" {
		n, err := strconv.Atoi(text)
		require.NoError(t, err)
		writeReceipts(t, "many.txt", n)
	}
	names, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	require.NoError(t, err)
	require.NotEmpty(t, names)
	for _, name := range names {
		content, err := os.ReadFile(name)
		require.NoError(t, err)
		lines := bytes.Split(bytes.TrimSpace(content), []byte("\n"))
		var keys receipt.PublicKeys
		require.NoError(t, json.Unmarshal(lines[0], &keys))
		models := map[string]int{}
		for i, text := range lines[1:] {
			r, err := receipt.Verify(text, keys)
			require.NoError(t, err, "%s", text)
			models[r.Model]++
			flipped := bytes.Clone(text)
			flipped[i*31%len(flipped)] ^= 1 << (i % 8)
			_, err = receipt.Verify(flipped, keys)
			require.Error(t, err, "%s", flipped)
		}
		require.Len(t, models, 6, "each model, and marks that a creator set")
	}
}

func writeReceipts(t *testing.T, name string, n int) {
	t.Helper()
	random := rand.New(rand.NewPCG(uint64(n), 57))
	seed := func() []byte {
		out := make([]byte, 32)
		for i := range out {
			out[i] = byte(random.IntN(256))
		}
		return out
	}
	signs, other := receipt.Key{ID: "signs", Seed: seed(), Day: "2026-11-26"}, receipt.Key{ID: "other", Seed: seed(), Day: "2026-11-25"}
	text, err := json.Marshal(receipt.Published([]receipt.Key{signs, other}))
	require.NoError(t, err)
	lines := [][]byte{text}
	for range n {
		r := sample(random)
		if random.IntN(20) == 0 {
			r = receipt.Receipt{By: "creator", Day: r.Day, Mark: r.Mark, N: 2, Reviews: []receipt.Review{}, Server: r.Server, Submission: r.Submission, Total: r.Total}
		}
		text, err := r.Sign(signs)
		require.NoError(t, err)
		lines = append(lines, text)
	}
	require.NoError(t, os.WriteFile(filepath.Join("testdata", name), append(bytes.Join(lines, []byte("\n")), '\n'), 0o600))
}
