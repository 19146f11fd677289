package nodetest

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle"
)

// A roster of 10,000 lines with one wrong changes nothing and names the line. The same without it, sent twice at once
// with the addresses in other cases and scripts, does everything once.
func TestLargeRosterTwiceAtOnce(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada, bob := n.user(t, "Ada"), n.user(t, "Bob").confirmed(t)
		id := ada.circle(t, "Readers")
		lines := []string{"email,name,label", "BOB@Example.org,Bob Bold,Red"}
		for i := range studycircle.MaxRoster - 1 {
			address := fmt.Sprintf("person%d@example.org", i)
			switch i % 3 {
			case 0:
				address = strings.ToUpper(address)
			case 1:
				address = fmt.Sprintf("学生%d@例え.jp", i)
			}
			lines = append(lines, fmt.Sprintf("%s,Person %d,Red", address, i))
		}
		const wrong = 5_000
		broken := append([]string{}, lines...)
		broken[wrong-1] = "no-address,Fay,Red"
		a := ada.roster(t, id, "", broken...).refused(t, http.StatusUnprocessableEntity, studycircle.CodeInvalid)
		refused := a.json(t)["errors"].([]any)
		require.Len(t, refused, 1)
		require.InDelta(t, wrong, refused[0].(doc)["line"], 0)
		require.Equal(t, []string{"Ada owner"}, ada.members(t, id, ""))

		file := strings.Join(lines, "\n")
		sent := []string{file, strings.ToUpper(lines[0]) + "\n" + strings.ToLower(strings.TrimPrefix(file, lines[0]+"\n"))}
		answers := make([]*answer, len(sent))
		together(t, len(sent), func(i int) error {
			// The names differ in case: the roster that comes second changes them.
			var err error
			answers[i], err = ada.persist(t.Context(), http.MethodPost, "/api/circle/"+id+"/roster", raw(sent[i]), csvFile)
			return err
		})
		total := func(part string) (sum float64) {
			for _, a := range answers {
				sum += a.is(t, http.StatusOK).json(t)[part].(float64)
			}
			return sum
		}
		require.InDelta(t, 1, total("added"), 0)
		require.InDelta(t, studycircle.MaxRoster-1, total("invited"), 0)
		require.InDelta(t, studycircle.MaxRoster, total("changed")+total("unchanged"), 0)
		require.Len(t, bob.members(t, id, ""), 2)
		invitations := ada.get(t, "/api/circle/"+id+"/invitations?limit=1").is(t, http.StatusOK).json(t)
		require.InDelta(t, studycircle.MaxRoster-1, invitations["pagination"].(doc)["total"], 0)
	})
}
