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

// A copy has every field of the assignment but those that make it another one.
func TestACopyHasEveryField(t *testing.T) {
	t.Parallel()
	var from studycircle.Assignment
	testfill.Fill(&from)
	from.MarkBy, from.Due = studycircle.MarkByMedian, studycircle.DueDateAt(from.Due.Micros(), 60)
	from.ReviewDue = studycircle.DueDateAt(from.Due.Micros()+3*24*3_600_000_000, 60)
	in, err := studycircle.CopyInput{DueDate: "2002-01-01T10:00:00-05:00"}.Clean(from.CreatedAt)
	require.NoError(t, err)
	again, err := from.Again(in)
	require.NoError(t, err)
	copied, _ := studycircle.Assignment{}.Apply(again)
	require.Equal(t, "2002-01-01T10:00:00-05:00", copied.Due.String())
	require.Equal(t, "2002-01-04T10:00:00-05:00", copied.ReviewDue.String())
	found := map[string]any{}
	testfill.Leaves(&copied, func(path string, field reflect.Value) { found[path] = field.Interface() })
	its := []string{
		"Seq", "ID", "Creator.UserID", "Creator.Email", "Creator.DisplayName", "Creator.PhotoURL", "Partial", "Due", "Model",
		"ReviewDue", "CreatedAt", "UpdatedAt", "CircleID", "HiddenReason", "SomeExtended", "Extended",
	}
	testfill.Leaves(&from, func(path string, field reflect.Value) {
		if !slices.Contains(its, path) {
			require.Equal(t, field.Interface(), found[path], "a copy loses Assignment.%s", path)
		}
	})
}

// A review due date keeps its distance in days and its time of day.
func TestAReviewDueDateMovesAlong(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ due, reviewDue, copied, want string }{
		"a term later": {
			"2030-02-01T23:59:59+01:00", "2030-02-08T23:59:59+01:00", "2030-09-06T23:59:59+02:00", "2030-09-13T23:59:59+02:00",
		},
		// RunestoneInteractive/RunestoneServer#1532: the date was copied without its time.
		"another time of day": {
			"2030-02-01T08:00:00Z", "2030-02-03T17:30:00Z", "2030-05-01T09:00:00Z", "2030-05-03T18:30:00Z",
		},
		"clocks changed between the two": {
			"2030-03-29T23:59:59+01:00", "2030-04-02T23:59:59+02:00", "2031-01-10T23:59:59+01:00", "2031-01-14T23:59:59+01:00",
		},
		"a leap day":         {"2027-02-27T12:00:00Z", "2027-03-01T12:00:00Z", "2028-02-27T12:00:00Z", "2028-02-29T12:00:00Z"},
		"a day, from a time": {"2030-02-01", "2030-02-08", "2030-03-01T12:00:00-08:00", "2030-03-08T12:00:00-08:00"},
		"offsets far apart":  {"2030-02-01T23:00:00+12:00", "2030-02-01T20:00:00-11:00", "2031-02-01T12:00:00Z", "2031-02-02T08:00:00Z"},
		"too far":            {"2030-02-01", "9990-02-01", "2040-02-01", ""},
	} {
		in := goodAssignment()
		in.DueDate, in.Reviews, in.ReviewDueDate = c.due, new(int64(3)), &c.reviewDue
		in, err := in.Clean()
		require.NoError(t, err, name)
		from, _ := studycircle.Assignment{}.Apply(in)
		to, err := studycircle.CopyInput{DueDate: c.copied}.Clean(from.Due.Time())
		require.NoError(t, err, name)
		again, err := from.Again(to)
		if c.want == "" {
			require.Equal(t, []string{"dueDate"}, faults(t, err, studycircle.CodeInvalid), name)
			continue
		}
		require.NoError(t, err, name)
		copied, _ := studycircle.Assignment{}.Apply(again)
		require.Equal(t, c.want, copied.ReviewDue.String(), name)
		require.NoError(t, copied.CheckReviewing(), name)
	}
}
