package studycircle_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"studycircle"
	"studycircle/internal/testfill"
)

func goodAssignment() studycircle.AssignmentInput {
	return studycircle.AssignmentInput{
		Title: "Tides", Description: "Why?", Thumbnail: "https://example.org/t.png", Marks: 10, DueDate: "2030-01-02T23:59:59+01:00",
	}
}

// faults returns the fields that err names, in order.
func faults(t require.TestingT, err error, code studycircle.Code) []string {
	if err == nil {
		return nil
	}
	require.Equal(t, code, studycircle.CodeOf(err))
	var e *studycircle.Error
	require.ErrorAs(t, err, &e)
	require.NotEmpty(t, e.Message)
	var names []string
	for _, f := range e.Fields {
		require.NotEmpty(t, f.Message)
		names = append(names, f.Field)
	}
	return names
}

func TestAssignmentBounds(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*studycircle.AssignmentInput)
		fault  string
	}{
		"as it is":            {func(*studycircle.AssignmentInput) {}, ""},
		"longest title":       {func(in *studycircle.AssignmentInput) { in.Title = strings.Repeat("🎓", 200) }, ""},
		"title too long":      {func(in *studycircle.AssignmentInput) { in.Title = strings.Repeat("a", 201) }, "title"},
		"blank title":         {func(in *studycircle.AssignmentInput) { in.Title = "\u200b\u3164" }, "title"},
		"line in title":       {func(in *studycircle.AssignmentInput) { in.Title = "a\nb" }, "title"},
		"broken title":        {func(in *studycircle.AssignmentInput) { in.Title = "a\xff" }, "title"},
		"longest description": {func(in *studycircle.AssignmentInput) { in.Description = strings.Repeat("é", 10_000) }, ""},
		"long description":    {func(in *studycircle.AssignmentInput) { in.Description = strings.Repeat("é", 10_001) }, "description"},
		"least marks":         {func(in *studycircle.AssignmentInput) { in.Marks = 1 }, ""},
		"most marks":          {func(in *studycircle.AssignmentInput) { in.Marks = 1000 }, ""},
		"no marks":            {func(in *studycircle.AssignmentInput) { in.Marks = 0 }, "marks"},
		"too many marks":      {func(in *studycircle.AssignmentInput) { in.Marks = 1001 }, "marks"},
		"hard":                {func(in *studycircle.AssignmentInput) { in.Level = studycircle.Hard }, ""},
		"no such level":       {func(in *studycircle.AssignmentInput) { in.Level = "Hard" }, "level"},
		"no link":             {func(in *studycircle.AssignmentInput) { in.Thumbnail = "" }, "thumbnail"},
		"no date":             {func(in *studycircle.AssignmentInput) { in.DueDate = "" }, "dueDate"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := goodAssignment()
			c.change(&in)
			got := faults(t, second(in.Clean()), studycircle.CodeInvalid)
			require.Equal(t, c.fault, strings.Join(got, " "))
		})
	}
}

func second[T any](_ T, err error) error { return err }

func TestAllFaultsAreReported(t *testing.T) {
	t.Parallel()
	_, err := studycircle.AssignmentInput{Level: "x"}.Clean()
	require.Equal(t, []string{"title", "description", "thumbnail", "marks", "level", "dueDate"}, faults(t, err, studycircle.CodeInvalid))
}

func TestLevelIsEasyWhereAbsent(t *testing.T) {
	t.Parallel()
	in, err := goodAssignment().Clean()
	require.NoError(t, err)
	require.Equal(t, studycircle.Easy, in.Level)
}

func TestCheckDue(t *testing.T) {
	t.Parallel()
	in, err := goodAssignment().Clean()
	require.NoError(t, err)
	due := in.Due().Time()
	require.NoError(t, in.CheckDue(due.Add(-time.Hour)))
	require.NoError(t, in.CheckDue(due.Add(24*time.Hour)))
	require.Equal(t, []string{"dueDate"}, faults(t, in.CheckDue(due.Add(24*time.Hour+time.Microsecond)), studycircle.CodeInvalid))
}

// Apply reports no change for the present values, and a change for any other value.
func TestApply(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string) studycircle.AssignmentInput {
			return studycircle.AssignmentInput{
				Title: rapid.SampledFrom([]string{"a", "b"}).Draw(t, label+" title"), Description: "d", Thumbnail: "https://example.org",
				Marks: rapid.Int64Range(1, 2).Draw(t, label+" marks"), Level: rapid.SampledFrom(studycircle.Levels).Draw(t, label+" level"),
				DueDate: rapid.SampledFrom([]string{"2030-01-01T00:00:00Z", "2030-01-01T01:00:00+01:00"}).Draw(t, label+" due"),
			}
		}
		clean := func(in studycircle.AssignmentInput) studycircle.AssignmentInput {
			in, err := in.Clean()
			require.NoError(t, err)
			return in
		}
		first, then := clean(draw("first")), clean(draw("then"))
		a, _ := studycircle.Assignment{ID: "x"}.Apply(first)
		b, changed := a.Apply(then)
		require.Equal(t, first != then, changed)
		require.Equal(t, "x", b.ID)
		_, again := b.Apply(then)
		require.False(t, again)
	})
}

// Apply covers every field of the input: a field added later fails this test until a change of it counts.
func TestApplyTakesEveryField(t *testing.T) {
	t.Parallel()
	apart := map[string]string{
		"DueDate":       "Clean parses it",
		"ReviewDueDate": "Clean parses it",
		"HTML":          "it changes with the description",
		"NoRubric":      "it needs a rubric to remove",
	}
	var filled studycircle.AssignmentInput
	testfill.Fill(&filled)
	before, _ := studycircle.Assignment{}.Apply(studycircle.AssignmentInput{})
	fields := reflect.TypeFor[studycircle.AssignmentInput]()
	for i := range fields.NumField() {
		field := fields.Field(i)
		if !field.IsExported() || apart[field.Name] != "" {
			continue
		}
		var in studycircle.AssignmentInput
		reflect.ValueOf(&in).Elem().Field(i).Set(reflect.ValueOf(filled).Field(i))
		after, changed := before.Apply(in)
		require.NotEqualf(t, before, after, "Apply ignores AssignmentInput.%s", field.Name)
		require.Truef(t, changed, "Apply does not report a change of AssignmentInput.%s", field.Name)
	}
}

// Concealed hides a field added to Assignment until it names that field.
func TestConcealedShowsNamedFieldsOnly(t *testing.T) {
	t.Parallel()
	var a studycircle.Assignment
	testfill.Fill(&a)
	shown := a.Concealed()
	want := map[string]any{}
	testfill.Leaves(&a, func(path string, field reflect.Value) { want[path] = field.Interface() })
	want["Title"], want["Rubric.Criteria[0].Title"], want["Rubric.Criteria[0].Levels[0].Label"] = studycircle.HiddenTitle, studycircle.HiddenTitle, "1"
	named := []string{"Seq", "ID", "Creator.", "Title", "Marks", "Level", "Due", "Reviews", "ReviewDue", "ReviewsOwed", "Rubric.", "MarkBy", "Model", "CreatedAt", "UpdatedAt", "CircleID", "LateLinks", "SomeExtended"}
	testfill.Leaves(&shown, func(path string, field reflect.Value) {
		if slices.ContainsFunc(named, func(name string) bool {
			return path == name || strings.HasSuffix(name, ".") && strings.HasPrefix(path, name)
		}) {
			require.Equal(t, want[path], field.Interface(), path)
		} else {
			require.True(t, field.IsZero(), "%s is shown of a hidden assignment", path)
		}
	})
}
