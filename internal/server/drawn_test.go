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
	require.Contains(t, see("/", other), "drawn home for a user")
	require.Contains(t, see("/nowhere", other), "drawn not-found for a user")
	require.Contains(t, see("/assignment/"+id, other), "drawn assignment for a user")
	require.Contains(t, see("/create-assignment", creator), "drawn create for a user")
	require.Contains(t, see("/create-assignment", ""), "shell")
	require.Contains(t, see("/auth/login", ""), "drawn login")
	require.Contains(t, see("/auth/login", other), "shell", "a user is led on from there")
	require.Contains(t, see("/assignment/update/"+id, creator), "drawn update for a user")
	require.Contains(t, see("/assignment/update/none", creator), "drawn not-found for a user")
	require.Contains(t, see("/assignment/update/none", ""), "shell", "the login precedes the 404")
}

// A template that cannot be filled leaves its page to the browser, and no other page.
func TestAPageThatCannotBeDrawnIsTheShell(t *testing.T) {
	t.Parallel()
	n := start(t, func(c *app.Config) {
		web := built()
		web[".pages/visitor.home.html"] = webtest.HTML("{{.Nothing}}")
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
	require.Contains(t, pending.text, "drawn pending for a user")
	require.Equal(t, "no-store", pending.Header.Get("Cache-Control"))
	page := data(pending)["pending"].(map[string]any)
	require.InDelta(t, 1, page["totalPages"], 0)
	require.Equal(t, "https://example.org/secret-link", page["rows"].([]any)[0].(map[string]any)["docsLink"])
	ownPending := data(see("/pending-assignments", "session="+g.Secret))["pending"].(map[string]any)["rows"].([]any)
	require.Equal(t, "bo@example.org", ownPending[0].(map[string]any)["submittedBy"])

	mine := see("/attemded-assignments", "session="+g.Secret)
	require.Contains(t, mine.text, "drawn mine for a user")
	require.Equal(t, "Angles </script>", data(mine)["mine"].(map[string]any)["rows"].([]any)[0].(map[string]any)["assignmentTitle"])
	require.Empty(t, data(see("/attemded-assignments", creator))["mine"].(map[string]any)["rows"])
	past := data(see("/attemded-assignments?page=2", "session="+g.Secret))["mine"].(map[string]any)
	require.Empty(t, past["rows"])
	require.InDelta(t, 1, past["totalPages"], 0, "the app leads on to the last page")
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

	require.Len(t, data(see("/assignments?state=mine", creator))["list"].(map[string]any)["data"], 1)
	require.Len(t, data(see("/assignments?state=pending", "session="+g.Secret))["list"].(map[string]any)["data"], 1)
	require.Empty(t, data(see("/assignments?state=pending", creator))["list"].(map[string]any)["data"])
	require.Empty(t, data(see("/assignments?state=due-soon&level=none", creator)))
	visitor := see("/assignments?state=mine", "")
	require.Empty(t, data(visitor), "the app asks a visitor to sign in")
	require.NotContains(t, visitor.text, "<article")

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
	require.Contains(t, own.text, "drawn circle for a user")
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

// Readers without script get the list as text, with links to its pages.
func TestTheListIsTextAndLinks(t *testing.T) {
	t.Parallel()
	n := start(t, nil)
	require.Contains(t, n.get(t, "/assignments").text, "No assignments available.")

	g, err := n.Identity.Register(t.Context(), studycircle.Registration{
		Name: "Ada", Email: "ada@example.org", PhotoURL: "https://example.org/a.png", Password: "Secret1",
	}, "", identity.Visit{})
	require.NoError(t, err)
	today := time.Now().UTC()
	create := func(title string) {
		_, err := n.Service.CreateAssignment(t.Context(), g.User, studycircle.Hall, studycircle.AssignmentInput{
			Title: title, Description: "About <it>", Thumbnail: "https://example.org/t.png?a=1&b=2", Marks: 10,
			DueDate: today.AddDate(0, 0, 1).Format(time.DateOnly),
		})
		require.NoError(t, err)
	}
	for range 11 {
		create("Tides")
	}
	create("Two & a <b>")
	first := n.get(t, "/assignments?level=easy&search=").text
	require.Equal(t, 10, strings.Count(first, "<article"))
	require.Equal(t, 1, strings.Count(first, "lg:col-span-3"), "the first card fills its row")
	require.Equal(t, 3, strings.Count(first, `loading="eager"`))
	require.Regexp(t, `<a href="/assignment/\w+" class="[^"]*">Two &amp; a &lt;b&gt;</a>`, first)
	require.Contains(t, first, ">"+today.AddDate(0, 0, 1).Format("2006/01/02")+"</time>")
	require.Contains(t, first, `>About &lt;it&gt;</p>`)
	require.Contains(t, first, `src="https://example.org/t.png?a=1&amp;b=2"`)
	require.Contains(t, first, `rel="next" href="/assignments?level=easy&amp;page=2&amp;search="`)
	require.Contains(t, first, `<span aria-current="page">Page 1 of 2</span>`)
	require.NotContains(t, first, `rel="prev"`)
	second := n.get(t, "/assignments?page=2").text
	require.Equal(t, 2, strings.Count(second, "<article"))
	require.Contains(t, second, `rel="prev" href="/assignments?page=1"`)
	require.NotContains(t, second, `rel="next"`)
	require.NotContains(t, second, "lg:col-span-3")

	past := n.get(t, "/assignments?page=9").text
	require.NotContains(t, past, "No assignments available.", "the app leads on to the last page")
}

// Readers without script get an assignment as text.
func TestAnAssignmentIsText(t *testing.T) {
	t.Parallel()
	n := start(t, nil)
	id, creator := n.publish(t, "Angles <b>")
	for _, cookie := range []string{"", creator} {
		text := n.ask(t, http.MethodGet, "/assignment/"+id, http.Header{"Cookie": {cookie}}).text
		require.Regexp(t, `<h1[^>]*>Angles &lt;b&gt;</h1>`, text)
		require.Contains(t, text, `Second &#34;line&#34; and so on and so on`)
		require.Contains(t, text, ">2199/01/01</time>")
		require.Contains(t, text, `>Easy</span>`)
		require.Contains(t, text, `<bdi class="font-semibold">Ada &lt;/script&gt;</bdi>`)
		require.Contains(t, text, "ada@example.org")
		require.Contains(t, text, `href="/assignments"`)
	}
}
