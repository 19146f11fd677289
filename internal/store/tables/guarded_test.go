package tables_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// guarded are the tables whose rows Visible decides on.
const guarded = "assignments|comments|reactions|submissions|reviews|review_queue|review_states|settlements|reopenings|exemplars|link_checks|reports|reminders|notices|notifications|taken|moderation_log|review_assignments"

// unguarded are the other tables, by what decides who reads their rows.
var unguarded = map[string]string{
	"the account, or a secret that the caller knows":  "users|sessions|passkeys|provider_links|action_codes|email_changes|used_tickets|server_invitations|rate_limits|calendars|sent_requests",
	"the policy of circles, as MaySeeCircle":          "circles|circle_members|circle_member_words|circle_invitations|circle_requests|circle_joins|awaited_joins|circle_refusals|circle_removals|circle_listings",
	"the guarded row that they are a part of":         "review_turns|review_versions|review_questions|review_requests|review_totals|self_assessments|extensions|notification_comments|inboxes",
	"their user, whose own they are":                  "phrases|saved_rubrics",
	"the guarded rows that a search or a count finds": "search_words|search_gone|search_stale|assignment_search|circle_search|listing_search|page_counts|page_deltas",
	"nothing: the server alone reads them":            "events|event_log|fanouts|fanouts_apart|circle_fanouts|mails|nodes|settings|river_job|river_leader|river_queue|river_notification",
}

// exceptions lists the reads of guarded tables without their guard, by the reason for it. A named query is listed by
// its name, others by a few of their words or by their file.
var exceptions = map[string][]string{
	"it reads the viewer's own rows by the viewer's id": {
		"RemindersOf", "ReactionsOfUser", "CouldNotOpen", "CountDigest", "NotificationPlace", "TakenMarks", "ReportOf",
		"ReactionsAfter", "ExemplarsBy", "RepliesBy", "AppealsBy", "ReservedReview", "LeasesIn", "SelfAssessmentsBy", "VersionsBy", "OwnTitles",
	},
	"the caller has read the assignment, the comment or the work as the viewer": {
		"ParticipantsOf", "TakesPart", "EarlierAttempts", "RemindedAt", "ThreadsBefore", "CountResults", "Results", "ResultFacts", "ReviewedWork", "ReopeningsOf", "CountSubmissionsOf", "ReviewsOf", "GetReview", "SettlementsOf",
		"CountSubmitters", "ShortageFacts", "LabelsOf", "WorksFor", "LiveAssignmentsOf", "GetExemplar", "ExemplarsOf", "LinkFacts", "RecordsWithout", "GetReport", "ReviewFacts", "WorkOf", "ExemplarsFor", "VersionsOfReviewsOn", "HiddenIn",
		"SELECT * FROM (SELECT * FROM comments WHERE listed AND thread_id = ",
	},
	"it offers work to review, which stands whatever became of the assignment": {
		"NextShort", "NextShortOf", "NextWide", "NextWideOf", "ReviewableInCircles", "ReviewableInHall", "UnattendedInCircles", "UnattendedInHall", "WaitingFor", "WaitingInCircles",
		"ReviewersOf", "ReviewedBy", "RingOf",
	},
	"it works in the background, or by an operator's command, as System": {
		"LinksWait", "NoticesWait", "WritersAfter", "FanoutsFor", "MembersConcerned", "DueReviews", "ReviewedAfter", "RememberedQueue", "WithdrawableReviewsOf",
		"WrongTaken", "WrongFigures", "RemindersWait", "DueReminders", "LinksToCheck", "DueReviewRequests", "AnyNoticesWait", "MailsDue", "LiveAssignmentsIn", "Monitored", "TurnsOfQueued", "RequestsOfReviewers", "ChangedQueues", "DueShortages", "ModerationLog", "QueuedWorks",
		"../tables/figures.go", "../tables/import.go", "t.user_id = $1 AND t.mail = 'digesting'",
	},
	"it changes the notifications of others after a write, and shows them to no one": {"NotifiedOfComment", "IsPlaceTaken"},
}

// Every SELECT of the store that reads a guarded table has the guard's condition, or is listed with a reason.
func TestReadsOfGuardedTablesAreGuarded(t *testing.T) {
	t.Parallel()
	from := regexp.MustCompile(`(?i)\b(?:FROM|JOIN)\s+(?:` + guarded + `)\b`)
	reads := regexp.MustCompile(`(?is)^\s*(?:--[^\n]*\n|\s)*(?:WITH|SELECT)\b`)
	locks := regexp.MustCompile(`(?s)^\s*(?:--[^\n]*\n)*WITH mine AS MATERIALIZED .*\n(?:DELETE|UPDATE)\b`) // a change of the rows that it locks
	used := map[string]bool{}
	for where, text := range statements(t) {
		if !from.MatchString(text) || !reads.MatchString(text) || locks.MatchString(text) || strings.Contains(text, "{guard}") {
			continue
		}
		name, excepted := "", false
		for _, some := range exceptions {
			for _, e := range some {
				if where == e || strings.HasPrefix(where, e+":") || strings.Contains(text, e) {
					name, excepted = e, true
				}
			}
		}
		used[name] = true
		assert.True(t, excepted, "%s reads a guarded table without its guard:\n%s", where, text)
	}
	for reason, some := range exceptions {
		for _, e := range some {
			assert.True(t, used[e], "nothing is excepted as %q (%s)", e, reason)
		}
	}
}

// statements returns all SQL of the store: sqlc's queries by their names, and the texts in Go.
func statements(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, file := range files(t, ".sql") {
		if !strings.Contains(file, "queries") {
			continue
		}
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, q := range strings.Split(string(text), "-- name: ")[1:] {
			name, body, _ := strings.Cut(q, "\n")
			all[strings.Fields(name)[0]] = body
		}
	}
	for _, file := range files(t, ".go") {
		if strings.HasSuffix(file, "_test.go") || strings.Contains(file, "/db/") || strings.Contains(file, "storetest") {
			continue
		}
		maps.Copy(all, literals(t, file))
	}
	return all
}

func files(t *testing.T, ending string) (found []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir("..", func(path string, _ fs.DirEntry, err error) error {
		if strings.HasSuffix(path, ending) {
			found = append(found, path)
		}
		return err
	}))
	return found
}

// literals returns the string literals in a file by their positions, with the parts added to them: {guard} stands for
// a call that spells a guard's condition.
func literals(t *testing.T, file string) map[string]string {
	t.Helper()
	set, out := token.NewFileSet(), map[string]string{}
	parsed, err := parser.ParseFile(set, file, nil, 0)
	require.NoError(t, err)
	inside := map[ast.Node]bool{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		e, is := n.(ast.Expr)
		if !is || inside[e] {
			return true
		}
		switch e.(type) {
		case *ast.BinaryExpr, *ast.BasicLit:
		default:
			return true
		}
		ast.Inspect(e, func(n ast.Node) bool {
			if n != nil {
				inside[n] = true
			}
			return true
		})
		if text := spelled(e); text != "" {
			at := set.Position(e.Pos())
			out[at.Filename+":"+strconv.Itoa(at.Line)+":"+strconv.Itoa(at.Column)] = text
		}
		return true
	})
	return out
}

func spelled(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		return spelled(e.X) + spelled(e.Y)
	case *ast.ParenExpr:
		return spelled(e.X)
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if e.Kind != token.STRING || err != nil {
			return ""
		}
		return text
	case *ast.CallExpr:
		called := ""
		switch f := e.Fun.(type) {
		case *ast.Ident:
			called = f.Name
		case *ast.SelectorExpr:
			called = f.Sel.Name
		}
		if slices.Contains([]string{"visible", "visibleIn", "Spell", "assignmentCondition"}, called) {
			return "{guard}"
		}
	}
	return ""
}

// composing are the places of SQL that is put together: the declarations of nouns, what
// spells them, the counted pages of any noun, and what is an engine's own.
var composing = []string{"tables", "engine", "pages", "sqlite", "postgres", "migrations"}

// SQL is either a query of sqlc's or stands where it is composed: see docs/adding.md.
func TestSQLStandsInItsTwoPlaces(t *testing.T) {
	t.Parallel()
	sql := regexp.MustCompile(`\b(?:SELECT|INSERT INTO|DELETE FROM|UPDATE \w+ SET|RETURNING|FROM \w+|WHERE|ORDER BY|LIMIT|IN \(|IS NULL)\b|\$[1-9]|\w = \?`)
	looked := 0
	for _, file := range files(t, ".go") {
		place := strings.Split(filepath.ToSlash(file), "/")[1]
		if strings.HasSuffix(file, "_test.go") || place == "db" || place == "storetest" || slices.Contains(composing, place) {
			continue
		}
		looked++
		for where, text := range literals(t, file) {
			assert.NotRegexp(t, sql, text, "%s: SQL belongs into queries/ or tables/", where)
		}
	}
	require.Greater(t, looked, 30)
}

// Every table of the schema is guarded, or is listed with what decides in place of the guard.
func TestEveryTableIsGuardedOrListed(t *testing.T) {
	t.Parallel()
	change := regexp.MustCompile(`(?i)\b(?:CREATE (?:VIRTUAL |UNLOGGED )?TABLE (?:IF NOT EXISTS )?|(DROP) TABLE (?:IF EXISTS )?)(\w+)|\bALTER TABLE (\w+) RENAME TO (\w+)`)
	for _, engine := range []string{"sqlite", "postgres"} {
		var names []string // of all migrations, by number
		of := map[string]string{}
		for _, file := range files(t, ".sql") {
			if in := filepath.Base(filepath.Dir(file)); in == "migrations" || in == engine {
				names, of[filepath.Base(file)] = append(names, filepath.Base(file)), file
			}
		}
		slices.Sort(names)
		tables := map[string]bool{}
		for _, name := range names {
			text, err := os.ReadFile(of[name])
			require.NoError(t, err)
			up, _, _ := strings.Cut(string(text), "-- +goose Down")
			for _, found := range change.FindAllStringSubmatch(up, -1) {
				drop, one, before, after := found[1], found[2], found[3], found[4]
				delete(tables, before)
				tables[one+after] = drop == ""
			}
		}
		listed := strings.Split(guarded, "|")
		for _, some := range unguarded {
			listed = append(listed, strings.Split(some, "|")...)
		}
		for name, stands := range tables {
			if stands {
				assert.Contains(t, listed, name, "%s: say what decides who reads a row of %s", engine, name)
			}
		}
		require.Greater(t, len(tables), 60)
		if engine == "sqlite" { // the search indexes of PostgreSQL are one table
			for _, name := range listed {
				assert.True(t, tables[name], "%s: there is no table %s", engine, name)
			}
		}
	}
}

// A table of guarded rows is declared with their guard, and no other is.
func TestTablesAreDeclaredWithTheirGuard(t *testing.T) {
	t.Parallel()
	names := regexp.MustCompile(`^(?:` + guarded + `)$`)
	for _, file := range files(t, ".go") {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		require.NoError(t, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			call, is := n.(*ast.CallExpr)
			if !is || len(call.Args) < 2 {
				return true
			}
			if f, is := call.Fun.(*ast.SelectorExpr); !is || f.Sel.Name != "NewTable" {
				return true
			}
			guard, is := call.Args[1].(*ast.SelectorExpr)
			name, open := spelled(call.Args[0]), is && guard.Sel.Name == "Unguarded"
			assert.Equal(t, names.MatchString(name), !open, "%s: the table %s is declared with the other guard", file, name)
			return true
		})
	}
}
