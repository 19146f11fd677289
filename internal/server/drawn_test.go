package server_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/identity"
)

func TestPagesAreDrawnForWhoLooks(t *testing.T) {
	t.Parallel()
	n := start(t, nil)
	id, creator := n.publish(t, "Angles")
	g, err := n.Identity.Register(t.Context(), studycircle.Registration{
		Name: `Bo "><script>`, Email: "bo@example.org", PhotoURL: "https://example.org/b.png?a=1&b='2'", Password: "Secret1",
	}, identity.Visit{})
	require.NoError(t, err)
	other := "session=" + g.Secret
	see := func(path, cookie string) string {
		return n.ask(t, http.MethodGet, path, http.Header{"Cookie": {cookie}}).text
	}
	bo := `<img alt="Bo &#34;&gt;&lt;script&gt;" src="https://example.org/b.png?a=1&amp;b=&#39;2&#39;">`
	require.Contains(t, see("/", other), bo+"drawn home for a user")
	require.Contains(t, see("/nowhere", other), bo+"drawn not-found for a user")
	require.Contains(t, see("/assignment/"+id, other), "drawn assignment for a user")
	require.Contains(t, see("/assignment/"+id, creator), "drawn assignment-own")
	require.Contains(t, see("/create-assignment", creator), "drawn create-assignment")
	require.Contains(t, see("/create-assignment", ""), "shell")
	require.Contains(t, see("/auth/login", ""), "drawn login")
	require.Contains(t, see("/auth/login", other), "shell", "a user is led on from there")
	require.Contains(t, see("/assignments", other), `<a href="/assignment/`+id+`">Angles</a>`)

	session, err := n.Identity.Authenticate(t.Context(), g.AccessToken)
	require.NoError(t, err)
	_, err = n.Identity.UpdateProfile(t.Context(), session, studycircle.Profile{DisplayName: "Bo"})
	require.NoError(t, err)
	require.Contains(t, see("/", other), `<img alt="Bo" src="data:image/svg+xml,blank">`)
}

func TestTheListIsDrawnWithItsCards(t *testing.T) {
	t.Parallel()
	n := start(t, nil)
	require.Contains(t, n.get(t, "/assignments").text, "drawn assignments-empty")
	require.Contains(t, n.get(t, `/assignments?search="><i>`).text, `[&#34;&gt;&lt;i&gt;]drawn assignments-none`)

	g, err := n.Identity.Register(t.Context(), studycircle.Registration{
		Name: "Ada", Email: "ada@example.org", PhotoURL: "https://example.org/a.png", Password: "Secret1",
	}, identity.Visit{})
	require.NoError(t, err)
	today := time.Now().UTC()
	create := func(title string, due time.Time) {
		_, err := n.Service.CreateAssignment(t.Context(), g.User, studycircle.AssignmentInput{
			Title: title, Description: "?", Thumbnail: "https://example.org/t.png", Marks: 10, DueDate: due.Format(time.DateOnly),
		})
		require.NoError(t, err)
	}
	for _, title := range []string{"five", "four", "three"} {
		create(title, today.AddDate(1, 0, 0))
	}
	create("Two & a <b>", today.AddDate(0, 0, 1))
	text := n.get(t, "/assignments?level=easy&search=").text
	require.Contains(t, text, `<option value=""><option value="easy" selected=""><b>Two &amp; a &lt;b&gt;</b>`, "the first of four is the lead")
	require.Equal(t, 2, strings.Count(text, "<p>"))
	require.Contains(t, text, "<i>10</i>drawn assignments")

	create("one", today)
	text = n.get(t, "/assignments").text
	require.Contains(t, text, `<option value="" selected=""><option value="easy"><p>one `+today.Format("2006/01/02")+` <s>today</s></p>`+
		`<p>Two &amp; a &lt;b&gt; `+today.AddDate(0, 0, 1).Format("2006/01/02")+` <s>tomorrow</s></p>`)
	require.Equal(t, today.Format(time.DateOnly), n.get(t, "/assignments").boot(t)["today"])
	require.Contains(t, n.get(t, "/assignments?page=9").text, "shell", "the app leads on to the last page")
}
