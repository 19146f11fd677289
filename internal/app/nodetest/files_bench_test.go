package nodetest

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"runtime/debug"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/store"
	"studycircle/internal/store/bulk"
	"studycircle/internal/store/engine"
)

// benchClass is the number of members, submissions and reviews of BenchmarkFiles.
const benchClass = 100_000

// BenchmarkFiles measures the files of a circle of 100,000 members in which each has handed in and given one review of
// an assignment, and who owes what there. Files have 100,000 rows; bounds are five seconds and 64 MB. MB is by how much
// the memory of the process grew at most, with the embedded database and the client.
//
//	go test ./internal/app/nodetest -run '^$' -bench Files -benchtime 3x
func BenchmarkFiles(b *testing.B) {
	onEnginesForReal(b, func(b *testing.B, n *node) {
		b.Helper()
		ada := n.user(b, "Ada")
		circle := ada.circle(b, "Class")
		of := ada.publish(b, "circleId", circle, "reviewsNeeded", 2, "marks", 20)
		n.classOf(b, circle, of)
		for _, k := range []struct {
			name, path string
			rows       int
		}{
			{"marks.csv", "/api/circle/" + circle + "/marks.csv", benchClass + 1},
			{"marks.csv with codes", "/api/circle/" + circle + "/marks.csv?codes=true", benchClass + 1},
			{"results.csv", "/api/assignment/" + of + "/results.csv", benchClass},
			{"results.csv with codes", "/api/assignment/" + of + "/results.csv?codes=true", benchClass},
			{"reviews.csv", "/api/assignment/" + of + "/reviews.csv", benchClass},
			{"reviews.csv of the circle", "/api/circle/" + circle + "/reviews.csv", benchClass},
			{"owes", "/api/assignment/" + of + "/owes?limit=100", 0},
			{"a page of marks", "/api/circle/" + circle + "/marks?limit=100&page=900", 0},
		} {
			b.Run(k.name, func(b *testing.B) {
				var most int64
				clock := n.processors(b)
				began := clock()
				for b.Loop() {
					b.StopTimer()
					peak := grows(b)
					b.StartTimer()
					lines := ada.counts(b, k.path)
					b.StopTimer()
					most = max(most, peak())
					b.StartTimer()
					if k.rows > 0 {
						require.Equal(b, k.rows+1, lines)
					}
				}
				b.ReportMetric(float64(most)/1e6, "MB")
				b.ReportMetric((clock()-began).Seconds()/float64(b.N), "cpu-s/file")
				b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/file")
			})
		}
	})
}

// counts downloads a file and returns the number of its lines.
func (c *client) counts(b *testing.B, path string) (lines int) {
	b.Helper()
	r, err := http.NewRequestWithContext(b.Context(), http.MethodGet, c.n.url+path, nil)
	require.NoError(b, err)
	r.Header.Set("Authorization", "Bearer "+c.token)
	response, err := c.n.http.Do(r)
	require.NoError(b, err)
	defer func() { require.NoError(b, response.Body.Close()) }()
	require.Equal(b, http.StatusOK, response.StatusCode)
	text := bufio.NewScanner(response.Body)
	text.Buffer(nil, 1<<20)
	for text.Scan() {
		lines++
	}
	require.NoError(b, text.Err())
	return lines
}

// grows returns freed memory to the system and watches the process's own memory, without files that it maps, from then
// on. peak ends that and returns by how many bytes the memory grew at most.
func grows(b *testing.B) (peak func() int64) {
	b.Helper()
	debug.FreeOSMemory()
	before := ownMemory()
	var most int64
	ended, end := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for every := time.NewTicker(2 * time.Millisecond); ; {
			select {
			case <-end:
				every.Stop()
				return
			case <-every.C:
				most = max(most, ownMemory())
			}
		}
	}()
	return func() int64 {
		close(end)
		<-ended
		return max(most, ownMemory()) - before
	}
}

var ownMemoryLine = regexp.MustCompile(`RssAnon:\s+(\d+) kB`)

// ownMemory reads RssAnon of proc_pid_status(5), in bytes; 0 if it cannot.
func ownMemory() int64 {
	text, err := os.ReadFile("/proc/self/status")
	found := ownMemoryLine.FindSubmatch(text)
	if err != nil || found == nil {
		return 0
	}
	n, _ := strconv.ParseInt(string(found[1]), 10, 64) // digits
	return n << 10
}

// classOf fills a circle with benchClass members who have handed in for an assignment, whose work is marked, and who
// have given one review each.
func (n *node) classOf(b *testing.B, circleID, assignmentID string) {
	b.Helper()
	now := n.clock.now()
	counted := fmt.Sprintf("WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < %d) ", benchClass-1)
	n.exec(b, "INSERT INTO users (id, email, display_name, photo_url, password_hash, created_at) "+counted+
		"SELECT 'u' || i, 'u' || i || '@example.org', 'Cleo Clay ' || i, 'https://example.org/' || i || '.png', '', 0 FROM n")
	n.exec(b, "INSERT INTO circle_members (circle_id, user_id, role, label, name, joined_at) "+counted+
		"SELECT '"+circleID+"', 'u' || i, 'member', 'Section ' || (i % 20), 'Clay, Cleo ' || i, 0 FROM n")
	n.exec(b, "UPDATE circles SET members = (SELECT COUNT(*) FROM circle_members m WHERE m.circle_id = circles.id)")
	const batch = 5000
	for from := 0; from < benchClass; from += batch {
		var all []studycircle.Submission
		for i := from; i < from+batch; i++ {
			all = append(all, studycircle.Submission{
				ID: fmt.Sprint("s", i), AssignmentID: assignmentID, Submitter: studycircle.Person{UserID: fmt.Sprint("u", i)}, AssignmentTitle: "Tides", CircleID: circleID,
				Marks: 20, DocsLink: "https://example.org", Status: studycircle.Completed, SubmittedAt: now, Reviews: 2,
				Grade: &studycircle.Grade{Mark: int64(i % 21), Feedback: "A: Clear, and well argued.", MarkedAt: now.Add(time.Hour)},
			})
		}
		require.NoError(b, n.app.Store.Write(engine.WithLongWrite(b.Context(), engine.LongSamples), studycircle.System(), func(ctx context.Context, tx *store.Tx) error {
			_, err := bulk.ImportSubmissions(ctx, tx.Tx, all)
			return err
		}))
	}
	n.exec(b, "INSERT INTO reviews (id, submission_id, assignment_id, reviewer, label, mark, levels, feedback, given_at, reply, part_p, part_m, part_xx, part_xe, part_xd, circle_id) "+counted+
		fmt.Sprintf("SELECT 'r' || i, 's' || i, '%s', 'u' || ((i + 1) %% %d), 'A', i %% 21, '', 'Clear', 0, '', 0, 0, 0, 0, 0, '%s' FROM n", assignmentID, benchClass, circleID))
	if n.database.URL != "" { // as autovacuum does within a minute
		n.exec(b, "ANALYZE")
	}
}
