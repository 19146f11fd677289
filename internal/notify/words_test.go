package notify

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// rendered is one row of testdata/sentences.json, which the web app's test reads, too.
type rendered struct {
	Kind  studycircle.NotificationKind `json:"kind"`
	Count int64                        `json:"count"`
	Actor string                       `json:"actor"`
	Due   string                       `json:"due,omitempty"`
	Text  string                       `json:"text"`
}

func TestSentencesOfEveryKind(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("testdata/sentences.json")
	require.NoError(t, err)
	var want, got []rendered
	require.NoError(t, json.Unmarshal(data, &want))
	for _, kind := range studycircle.NotificationKinds {
		for _, count := range []int64{1, 3} {
			for _, actor := range []string{"", "Ben"} {
				due := ""
				if kind == studycircle.NotifyPublished || kind == studycircle.NotifyMoved {
					due = "2026/12/01"
				}
				text, action := render(kind, count, parameters{"Tides", actor, "History 10A", due})
				require.NotEmpty(t, action, kind)
				require.NotEmpty(t, calls(kind), kind)
				got = append(got, rendered{kind, count, actor, due, text})
			}
		}
	}
	require.Equal(t, want, got)
}
