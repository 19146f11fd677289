package nodetest

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

// Names are found as users without their letters on the keyboard type them, by every search: of assignments, of their
// creators, of members, of circles, and of the participants of a discussion.
func TestSearchFoldsLettersOfTheirOwn(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		circle := ada.circle(t, "Readers")
		for _, test := range []struct{ name, search, from string }{
			{"Łukasz", "lukasz", ""},
			{"Đặng", "dang", ""},
			{"Ørsted", "orsted", ""},
			{"Æsop", "aesop", ""},
			{"Weiß", "weiss", ""},
			{"Yıldız", "yildiz", ""},
			{"Żółć", "zolc", "KISS #1141"},
			{"Østerbro", "Osterbro", "bootstrap-table #8003"},
			{"tromsø", "Tromso", "normalize-diacritics #108"},
			{"GØTTERDÄMMERUNG", "gotterdammerung", "MegaMek #6538"},
			{"Halévy", "halevy", "lobid-gnd #181"},
			{"ąćęłńóśźż", "acelnoszz", "uni-algo #31"},
			{"Þórður", "thordur", ""},
			{"Œuvre", "oeuvre", ""},
			{"Ħamrun", "hamrun", ""},
			{"Ŧeŋ", "ten", ""},
			{"Əliyev", "eliyev", ""},
			{"Kɔfi", "kofi", ""},
			{"Hawaiʻi", "hawaii", ""},
			{"ǿre", "ore", ""},
		} {
			who := n.user(t, test.name+" Unique")
			ada.admits(t, circle, "member", who)
			for _, search := range []string{test.search, test.name} {
				at := fmt.Sprintf("%s by %q %s", test.name, search, test.from)
				require.Equal(t, []string{test.name + " Unique member"}, ada.members(t, circle, "search="+url.QueryEscape(search+" unique")), at)
			}
			who.publish(t, "title", "Of "+test.name, "description", "Plain.")
			require.Equal(t, []string{"Of " + test.name}, n.found(t, "of "+test.search), test.name)
			require.Equal(t, []string{"Of " + test.name}, n.found(t, "unique "+test.search), "the creator's name")
			listed := ada.circle(t, test.name+" circle", "listed", true)
			list := ada.get(t, "/api/circles?listed=true&search="+url.QueryEscape(test.search)).is(t, http.StatusOK).json(t)["data"].([]any)
			require.Len(t, list, 1, test.name)
			require.Equal(t, listed, list[0].(doc)["_id"])
		}
		work := ada.publish(t, "title", "Talk")
		who := n.user(t, "Łucja Ø")
		who.post(t, "/api/assignment/"+work+"/comments", doc{"text": "Hello."}).is(t, http.StatusCreated)
		found := ada.get(t, "/api/assignment/"+work+"/participants?search=lucja+o").is(t, http.StatusOK)
		require.Contains(t, string(found.body), "Łucja")
	})
}
