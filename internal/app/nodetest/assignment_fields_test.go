package nodetest

import (
	"encoding/json"
	"maps"
	"net/http"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/api"
	"studycircle/internal/encode"
	"studycircle/internal/grademodel"
	"studycircle/internal/markdown"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/testfill"
	"studycircle/internal/testpg"
	"studycircle/internal/teststore"
	"studycircle/internal/transfer"
)

// filledAssignment returns an assignment with a value in every field, valid where a field
// has rules.
func filledAssignment(t *testing.T, creator *client) studycircle.Assignment {
	t.Helper()
	var a studycircle.Assignment
	testfill.Fill(&a)
	testfill.Leaves(&a, func(path string, field reflect.Value) {
		require.Falsef(t, field.IsZero(), "testfill does not fill Assignment.%s", path)
	})
	account, err := creator.n.app.Store.AccountByEmail(t.Context(), creator.email)
	require.NoError(t, err)
	a.ID = "every-field"
	a.Creator = studycircle.Person{UserID: account.ID, Email: account.Email, DisplayName: account.DisplayName, PhotoURL: account.PhotoURL}
	a.HTML = markdown.Render(a.Description, 2).HTML
	a.Thumbnail, a.Level = "https://example.org/thumbnail.png", studycircle.Hard
	a.Due = studycircle.DueDateAt(time.Now().AddDate(0, 0, 3).Truncate(time.Second).UnixMicro(), 330)
	a.CreatedAt = time.Now().UTC().Truncate(time.Microsecond)
	a.UpdatedAt = a.CreatedAt.Add(time.Second)
	a.Reviews, a.Marks, a.ReviewsOwed, a.MarkBy, a.Model = 3, 17, 2, studycircle.MarkByMedian, grademodel.SC2
	a.ReviewDue = studycircle.DueDateAt(time.Now().AddDate(0, 0, 5).Truncate(time.Second).UnixMicro(), -90)
	a.HiddenReason = ""                       // an assignment with a reason is hidden and not shown
	a.CircleID = studycircle.Hall             // one of a circle is shown to its members only
	a.Extended, a.SomeExtended = false, false // set by extensions, never by an update
	a.Partial = false                         // set by a page of very long texts, never by the database
	a.Rubric = studycircle.Rubric{Criteria: []studycircle.Criterion{{Title: "Criterion", Levels: []studycircle.RubricLevel{{Label: "None", Marks: 0}, {Label: "All", Marks: 17}}}}}
	return a
}

// requireFields compares each field of an assignment but its number, which each database
// assigns.
func requireFields(t *testing.T, where string, want, got studycircle.Assignment) {
	t.Helper()
	want.Seq, got.Seq = 0, 0
	found := map[string]any{}
	testfill.Leaves(&got, func(path string, field reflect.Value) { found[path] = field.Interface() })
	testfill.Leaves(&want, func(path string, field reflect.Value) {
		assert.Equalf(t, field.Interface(), found[path], "Assignment.%s is lost: %s", path, where)
	})
}

// requireMembers compares each member of an assignment's JSON.
func requireMembers(t *testing.T, where string, want api.Assignment, got any) {
	t.Helper()
	text, err := encode.Append(nil, want)
	require.NoError(t, err)
	var members map[string]any
	require.NoError(t, json.Unmarshal(text, &members))
	found, isObject := got.(map[string]any)
	require.True(t, isObject, where)
	for name, value := range members {
		assert.Equalf(t, value, found[name], "%s is lost: %s", name, where)
	}
	assert.ElementsMatch(t, slices.Collect(maps.Keys(members)), slices.Collect(maps.Keys(found)), where)
}

// boot returns the data in a page.
func boot(t *testing.T, page *answer) map[string]any {
	t.Helper()
	_, rest, found := strings.Cut(string(page.body), `id="boot">`)
	require.True(t, found)
	text, _, _ := strings.Cut(rest, "</script>")
	var data struct{ Data map[string]any }
	require.NoError(t, json.Unmarshal([]byte(text), &data))
	return data.Data
}

// A field added to an assignment arrives wherever assignments are sent, or this test names the field and the place
// that drops it.
func TestEveryFieldOfAnAssignmentArrivesEverywhere(t *testing.T) {
	t.Parallel()
	teststore.OnBothEnginesBesidePostgres(t, func(t *testing.T, c store.Config) {
		t.Helper()
		n := worldOf(c).startWhereAsked(t)
		ada := n.user(t, "Ada")
		a := filledAssignment(t, ada)
		s := n.app.Store
		require.NoError(t, teststore.Publish(t.Context(), s, a))

		stored, err := s.Assignment(t.Context(), studycircle.ViewerOf("anyone"), a.ID)
		require.NoError(t, err)
		requireFields(t, "stored, and read by its id", a, stored)
		listed, _, err := s.Assignments(t.Context(), studycircle.ViewerOf("anyone"), studycircle.Hall, "", studycircle.Page{Number: 1, Limit: 10})
		require.NoError(t, err)
		require.Len(t, listed, 1)
		inList := a
		inList.HTML = studycircle.Unrendered
		requireFields(t, "stored, and read in a list", inList, listed[0])

		first := api.AssignmentListOf([]studycircle.Assignment{inList}, 1, studycircle.Page{Number: 1, Limit: 10}, nil).Data[0]
		one := n.visitor().get(t, "/api/assignment/"+a.ID)
		requireMembers(t, "GET /api/assignment/{id}", api.AssignmentOf(a, nil), one.json(t))
		for _, query := range []string{"", "?search=description", "?state=due-soon"} {
			list := n.visitor().get(t, "/api/assignments"+query).json(t)
			requireMembers(t, "GET /api/assignments"+query, first, list["data"].([]any)[0])
		}
		requireMembers(t, "the first HTML of an assignment", api.AssignmentOf(a, nil), boot(t, n.visitor().get(t, "/assignment/"+a.ID))["assignment"])
		requireMembers(t, "the first HTML of a list", first, boot(t, n.visitor().get(t, "/assignments"))["list"].(map[string]any)["data"].([]any)[0])

		for engine, config := range map[string]store.Config{"sqlite": {Dir: teststore.DirBeside(t)}, "postgres": {URL: testpg.DB(t)}} {
			copied := openStore(t, config)
			_, err = bulk.Copy(t.Context(), s, copied, func() {})
			require.NoError(t, err)
			got, err := copied.Assignment(t.Context(), studycircle.ViewerOf("anyone"), a.ID)
			require.NoError(t, err)
			requireFields(t, "copied to "+engine, a, got)
		}

		dir := filepath.Join(t.TempDir(), "export")
		_, err = transfer.Export(t.Context(), s, dir)
		require.NoError(t, err)
		for engine, config := range map[string]store.Config{"sqlite": {Dir: teststore.DirBeside(t)}, "postgres": {URL: testpg.DB(t)}} {
			other := openStore(t, config)
			// The node's clock may be ahead; an import has no times in the future.
			_, err = transfer.Import(t.Context(), other, dir, a.UpdatedAt.Add(time.Second), func(int) {}, func() {})
			require.NoError(t, err)
			got, err := other.Assignment(t.Context(), studycircle.ViewerOf("anyone"), a.ID)
			require.NoError(t, err)
			got.Creator.UserID = a.Creator.UserID // accounts get new ids
			requireFields(t, "exported, and imported into "+engine, a, got)
		}
	})
}

// A client of the first release changes a title and sends only the fields that it knows.
func TestAnUpdateKeepsFieldsThatItsClientDoesNotKnow(t *testing.T) {
	onBothEngines(t, func(t *testing.T, n *node) {
		ada := n.user(t, "Ada")
		a := filledAssignment(t, ada)
		require.NoError(t, teststore.Publish(t.Context(), n.app.Store, a))
		ada.put(t, "/api/assignment/"+a.ID, doc{
			"title": "Another title", "description": a.Description, "thumbnail": a.Thumbnail, "marks": a.Marks, "level": string(a.Level), "dueDate": a.Due.String(),
		}).is(t, http.StatusOK)
		got, err := n.app.Store.Assignment(t.Context(), studycircle.ViewerOf("anyone"), a.ID)
		require.NoError(t, err)
		a.Title, a.UpdatedAt = "Another title", got.UpdatedAt
		requireFields(t, "erased by a PUT that does not have it", a, got)
	})
}

func openStore(t *testing.T, config store.Config) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), config)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}
