package receipt_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle/internal/grademodel"
	"studycircle/internal/receipt"
)

var now = time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)

// sample draws a receipt.
func sample(random *rand.Rand) receipt.Receipt {
	in := grademodel.Inputs{
		Model: grademodel.Names[random.IntN(len(grademodel.Names))], Total: 1 + random.IntN(100),
		Scale: grademodel.Scale{Usual: .1 + 1.4*random.Float64(), Noise: .05 + .35*random.Float64()},
	}
	if in.Model != grademodel.SC1 {
		in.Scale.Kappa = .25 + .75*random.Float64()
	}
	var labels []string
	for i := range 1 + random.IntN(5) {
		in.Reviews = append(in.Reviews, grademodel.Input{
			Mark: float64(random.IntN(in.Total + 1)), Strictness: float64(random.IntN(17)-8) / 20, Weight: float64(random.IntN(9)) / 4,
		})
		labels = append(labels, string(rune('A'+i)))
	}
	if grademodel.Plain(in.Model) {
		in = in.Plainly(in.Model)
	}
	r := receipt.Of(in.Settle(), labels)
	r.By, r.Day, r.N, r.Server, r.Submission = "model", "2026-11-23", 1, "https://study.example.org", "s1"
	return r
}

func TestAReceiptIsCanonicalAndVerifies(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 31))
	key := receipt.NewKey(now)
	keys := receipt.Published([]receipt.Key{receipt.NewKey(now), key})
	for range 2000 {
		text, err := sample(random).Sign(key)
		require.NoError(t, err)
		_, err = receipt.Verify(text, keys)
		require.NoError(t, err, string(text))
		var members map[string]any
		require.NoError(t, json.Unmarshal(text, &members))
		sorted, err := json.Marshal(members)
		require.NoError(t, err)
		require.Equal(t, string(sorted), string(text), "the members are in order")
	}
}

func TestEveryFlippedBitIsRefused(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(2, 31))
	key := receipt.NewKey(now)
	keys := receipt.Published([]receipt.Key{key})
	for range 20 {
		text, err := sample(random).Sign(key)
		require.NoError(t, err)
		for at := range text {
			flipped := append([]byte(nil), text...)
			flipped[at] ^= 1 << random.IntN(8)
			_, err := receipt.Verify(flipped, keys)
			require.Error(t, err, "byte %d of %s", at, flipped)
			_, err = receipt.Verify(text[:at], keys)
			require.ErrorIs(t, err, receipt.ErrFormat, "cut after %d bytes", at)
		}
		for _, more := range []string{" ", "\n", "{}"} {
			_, err = receipt.Verify(append(append([]byte(nil), text...), more...), keys)
			require.ErrorIs(t, err, receipt.ErrFormat)
		}
	}
}

func TestAReceiptOfAnotherServerOrWithAnotherMarkIsRefused(t *testing.T) {
	t.Parallel()
	key := receipt.NewKey(now)
	made := sample(rand.New(rand.NewPCG(3, 31)))
	text, err := made.Sign(key)
	require.NoError(t, err)
	_, err = receipt.Verify(text, receipt.Published([]receipt.Key{receipt.NewKey(now)}))
	require.ErrorIs(t, err, receipt.ErrKey)

	other := receipt.NewKey(now)
	other.ID = key.ID
	_, err = receipt.Verify(text, receipt.Published([]receipt.Key{other}))
	require.ErrorIs(t, err, receipt.ErrSignature)

	made.Mark++
	text, err = made.Sign(key)
	require.NoError(t, err)
	_, err = receipt.Verify(text, receipt.Published([]receipt.Key{key}))
	require.ErrorIs(t, err, receipt.ErrMark)

	made.Mark--
	for _, figure := range []*float64{made.Estimate, made.Low, made.High} {
		was := *figure
		*figure += .0001
		text, err = made.Sign(key)
		require.NoError(t, err)
		_, err = receipt.Verify(text, receipt.Published([]receipt.Key{key}))
		require.ErrorIs(t, err, receipt.ErrMark)
		*figure = was
	}

	text, err = receipt.Receipt{By: "creator", Mark: 12, Total: 20, Reviews: []receipt.Review{}}.Sign(key)
	require.NoError(t, err)
	_, err = receipt.Verify(text, receipt.Published([]receipt.Key{key}))
	require.NoError(t, err, "a mark that the creator set has no reviews")
}
