package server_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/app"
	"studycircle/internal/identity"
	"studycircle/internal/webtest"
)

func TestPagesAreDrawnForTheirViewer(t *testing.T) {
	t.Parallel()
	n := start(t, nil)
	id, creator := n.publish(t, "Angles")
	g, err := n.Identity.Register(t.Context(), studycircle.Registration{
		Name: `Bo "><script>`, Email: "bo@example.org", PhotoURL: "https://example.org/b.png?a=1&b=2", Password: "Secret1",
	}, "", identity.Visit{})
	require.NoError(t, err)
	other := "session=" + g.Secret
	see := func(path, cookie string) string {
		return n.ask(t, http.MethodGet, path, http.Header{"Cookie": {cookie}}).text
	}
	bo := `<img alt="Bo &#34;&gt;&lt;script&gt;" src="https://example.org/b.png?a=1&amp;b=2">`
	require.Contains(t, see("/", other), bo+"drawn home for a user")
	require.Contains(t, see("/nowhere", other), bo+"drawn not-found for a user")
	require.Contains(t, see("/assignment/"+id, other), "drawn assignment for a user")
	require.Contains(t, see("/create-assignment", creator), "drawn create for a user")
	require.Contains(t, see("/create-assignment", ""), "shell")
	require.Contains(t, see("/auth/login", ""), "drawn login")
	require.Contains(t, see("/auth/login", other), "shell", "a user is led on from there")
	require.Contains(t, see("/assignment/update/"+id, creator), "drawn update for a user")
	require.Contains(t, see("/assignment/update/none", creator), "drawn not-found for a user")
	require.Contains(t, see("/assignment/update/none", ""), "shell", "the login precedes the 404")

	session, err := n.Identity.Authenticate(t.Context(), g.AccessToken)
	require.NoError(t, err)
	_, err = n.Identity.UpdateProfile(t.Context(), session, studycircle.Profile{DisplayName: "Bo"})
	require.NoError(t, err)
	require.Contains(t, see("/", other), `<img alt="Bo" src="">`)
}

// A template that cannot be filled leaves its page to the browser, and no other page.
func TestAPageThatCannotBeDrawnIsTheShell(t *testing.T) {
	t.Parallel()
	n := start(t, func(c *app.Config) {
		web := built()
		web[".pages/visitor.home.html"] = webtest.HTML("{{$.assignment.title}}")
		c.Web = web
	})
	for range 2 {
		home := n.get(t, "/")
		require.Equal(t, http.StatusOK, home.StatusCode)
		require.Contains(t, home.text, "shell")
		require.Contains(t, n.get(t, "/auth/login").text, "drawn login")
	}
}

// A page for users contains its user's data, and no data for other viewers.
func TestPagesOfUsersCarryTheirData(t *testing.T) {
	t.Parallel()
	n := start(t, nil)
	id, creator := n.publish(t, "Angles </script>")
	g, err := n.Identity.Register(t.Context(), studycircle.Registration{
		Name: "Bo", Email: "bo@example.org", PhotoURL: "https://example.org/b.png", Password: "Secret1",
	}, "", identity.Visit{})
	require.NoError(t, err)
	_, err = n.Service.Submit(t.Context(), g.User, id, studycircle.SubmissionInput{DocsLink: "https://example.org/secret-link", Note: "secret note"})
	require.NoError(t, err)
	see := func(path, cookie string) answer {
		return n.ask(t, http.MethodGet, path, http.Header{"Cookie": {cookie}})
	}
	data := func(a answer) map[string]any { return a.boot(t)["data"].(map[string]any) }

	pending := see("/pending-assignments", creator)
	require.Contains(t, pending.text, "[Angles &lt;/script&gt;]drawn pending")
	require.Equal(t, "no-store", pending.Header.Get("Cache-Control"))
	page := data(pending)["pending"].(map[string]any)
	require.InDelta(t, 1, page["totalPages"], 0)
	require.Equal(t, "https://example.org/secret-link", page["rows"].([]any)[0].(map[string]any)["docsLink"])
	require.Contains(t, see("/pending-assignments", "session="+g.Secret).text, "[Angles &lt;/script&gt; own]drawn pending")

	require.Contains(t, see("/attemded-assignments", "session="+g.Secret).text, "[Angles &lt;/script&gt;]drawn mine")
	require.Empty(t, data(see("/attemded-assignments", creator))["mine"].(map[string]any)["rows"])
	require.Contains(t, see("/attemded-assignments?page=2", "session="+g.Secret).text, "shell", "the app leads on to the last page")
	for _, query := range []string{"?page=none", "?page=0", "?page=9007199254740993"} {
		require.Empty(t, data(see("/attemded-assignments"+query, creator)), query)
		require.Empty(t, data(see("/pending-assignments"+query, creator)), query)
	}

	own := see("/dashboard", "session="+g.Secret)
	require.Contains(t, own.text, "drawn dashboard")
	require.InDelta(t, 1, data(own)["dashboard"].(map[string]any)["taken"].(map[string]any)["pending"], 0)
	require.NotContains(t, own.text, "secret")
	created := data(see("/dashboard", creator))["dashboard"].(map[string]any)["created"].(map[string]any)
	require.InDelta(t, 1, created["submissions"], 0)

	require.Contains(t, see("/assignments?state=mine", creator).text, `value="mine" selected=""`)
	require.Len(t, data(see("/assignments?state=pending", "session="+g.Secret))["list"].(map[string]any)["data"], 1)
	require.Empty(t, data(see("/assignments?state=pending", creator))["list"].(map[string]any)["data"])
	require.Empty(t, data(see("/assignments?state=due-soon&level=none", creator)))
	visitor := see("/assignments?state=mine", "")
	require.Empty(t, data(visitor), "the app asks a visitor to sign in")
	require.Contains(t, visitor.text, "shell")

	for _, path := range []string{"/pending-assignments", "/attemded-assignments", "/dashboard", "/assignment/update/" + id} {
		for _, cookie := range []string{"", "session=made-up"} {
			got := see(path, cookie)
			require.Equal(t, http.StatusOK, got.StatusCode)
			require.Contains(t, got.text, "shell", path)
			require.Empty(t, data(got), path)
			require.NotContains(t, got.text, "secret", path)
		}
	}
}

// To users who are not members, a circle is a page that does not exist.
func TestCirclesAreDrawnForTheirMembers(t *testing.T) {
	t.Parallel()
	n := start(t, nil)
	register := func(name string) identity.Grant {
		g, err := n.Identity.Register(t.Context(), studycircle.Registration{
			Name: name, Email: name + "@example.org", PhotoURL: "https://example.org/b.png", Password: "Secret1",
		}, "", identity.Visit{})
		require.NoError(t, err)
		return g
	}
	owner, stranger := register("Ada"), register("Bo")
	in := studycircle.NewCircle
	in.Name = "Biology </title>"
	id, err := n.Service.CreateCircle(t.Context(), owner.User, in)
	require.NoError(t, err)
	see := func(cookie string) answer {
		return n.ask(t, http.MethodGet, "/circle/"+id, http.Header{"Cookie": {cookie}})
	}
	own := see("session=" + owner.Secret)
	require.Contains(t, own.text, "<h1>Biology &lt;/title&gt;</h1>drawn circle for a user")
	require.Contains(t, own.text, "<title>Biology &lt;/title&gt; | Circle | ")
	require.Equal(t, "no-store", own.Header.Get("Cache-Control"))
	refused := see("session=" + stranger.Secret)
	require.Equal(t, http.StatusNotFound, refused.StatusCode)
	visitor := see("")
	require.Contains(t, visitor.text, "shell", "the login precedes the 404")
	for _, got := range []answer{refused, visitor} {
		require.NotContains(t, got.text, "Biology")
	}
}

func TestTheListIsDrawnWithItsCards(t *testing.T) {
	t.Parallel()
	n := start(t, nil)
	require.Contains(t, n.get(t, "/assignments").text, "nonedrawn list")
	require.Contains(t, n.get(t, `/assignments?search="><i>`).text, `<input value="&#34;&gt;&lt;i&gt;">`)

	g, err := n.Identity.Register(t.Context(), studycircle.Registration{
		Name: "Ada", Email: "ada@example.org", PhotoURL: "https://example.org/a.png", Password: "Secret1",
	}, "", identity.Visit{})
	require.NoError(t, err)
	today := time.Now().UTC()
	create := func(title string, due time.Time) {
		_, err := n.Service.CreateAssignment(t.Context(), g.User, studycircle.Hall, studycircle.AssignmentInput{
			Title: title, Description: "?", Thumbnail: "https://example.org/t.png", Marks: 10, DueDate: due.Format(time.DateOnly),
		})
		require.NoError(t, err)
	}
	for _, title := range []string{"five", "four", "three"} {
		create(title, today.AddDate(1, 0, 0))
	}
	create("Two & a <b>", today.AddDate(0, 0, 1))
	text := n.get(t, "/assignments?level=easy&search=").text
	require.Contains(t, text, `<option value="easy" selected=""><i class="lead"></i><p>Two &amp; a &lt;b&gt; `+today.AddDate(0, 0, 1).Format("2006/01/02")+`, tomorrow</p>`)
	require.Equal(t, 2, strings.Count(text, `<i class="eager">`))
	require.Contains(t, text, `<i class="later"></i><p>five `+today.AddDate(1, 0, 0).Format("2006/01/02")+"</p>drawn list")

	create("one", today)
	text = n.get(t, "/assignments").text
	require.Contains(t, text, `<option value="easy"><i class="eager"></i><p>one `+today.Format("2006/01/02")+`, today</p>`)
	require.Equal(t, today.Format(time.DateOnly), n.get(t, "/assignments").boot(t)["today"])
	require.Contains(t, n.get(t, "/assignments?page=9").text, "shell", "the app leads on to the last page")
}

// Near due dates are relative to the day of the node's clock.
func TestTodayIsTheClocksDay(t *testing.T) {
	t.Parallel()
	n := start(t, func(c *app.Config) { c.Now = func() time.Time { return time.Now().AddDate(0, 0, 2) } })
	require.Equal(t, time.Now().UTC().AddDate(0, 0, 2).Format(time.DateOnly), n.get(t, "/assignments").boot(t)["today"])
}
