package api

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"studycircle"
	"studycircle/internal/csvfile"
	"studycircle/internal/grademodel"
	"studycircle/internal/identity"
)

var errRead = errors.New("the database has gone")

// A file that cannot be completed breaks the connection, and an error before its first row is answered as usual.
func TestFilesAreCompleteOrBroken(t *testing.T) {
	t.Parallel()
	send := func(rows int, err error) func(context.Context, *download) error {
		return func(_ context.Context, d *download) error {
			if rows < 0 {
				return err
			}
			d.begin("name", "mark")
			for range rows {
				if err := d.out.Row("Ada", "12"); err != nil {
					return err
				}
			}
			return err
		}
	}
	for name, c := range map[string]struct {
		rows   int
		err    error
		broken bool
	}{
		"complete": {3, nil, false}, "refused": {-1, errRead, false}, "broken before a row": {0, errRead, true}, "broken after rows": {50_000, errRead, true},
	} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if err := sendFile(r.Context(), w, &FileInput{}, "download-marks", send(c.rows, c.err)); err != nil {
				w.WriteHeader(http.StatusInternalServerError)
			}
		}))
		status, err := fetched(t.Context(), server.URL)
		server.Close()
		if c.broken {
			require.Error(t, err, name)
			continue
		}
		require.NoError(t, err, name)
		require.Equal(t, c.err == nil, status == http.StatusOK, name)
	}
}

// fetched reads an answer to its end.
func fetched(ctx context.Context, address string) (status int, err error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, err
	}
	response, err := (&http.Client{Timeout: time.Minute}).Do(request)
	if err != nil {
		return 0, err
	}
	_, err = io.Copy(io.Discard, response.Body)
	return response.StatusCode, errors.Join(err, response.Body.Close())
}

// The grade model makes of a file of reviews what it makes of the reviews themselves, to the last digit: codes and the
// order of lines change nothing.
func TestTheModelReadsFilesOfReviews(t *testing.T) {
	t.Parallel()
	const submissions, each = 1000, 4
	random := rand.New(rand.NewPCG(30, 1))
	want := make([]grademodel.Submission, submissions)
	reviews := make([][]studycircle.ReleasedReview, submissions)
	for i := range want {
		want[i] = grademodel.Submission{Assignment: "a", Total: 20}
		for j := range each {
			who, mark := fmt.Sprintf("u%d", (i+j*37+1)%submissions), random.IntN(21)
			want[i].Reviews = append(want[i].Reviews, grademodel.Review{Reviewer: who, Mark: float64(mark)})
			reviews[i] = append(reviews[i], studycircle.ReleasedReview{AssignmentID: "a", SubmissionID: fmt.Sprintf("s%04d", i), Reviewer: who, Mark: int64(mark), Total: 20})
		}
	}
	var file bytes.Buffer
	o, d := &operations{Config: Config{Identity: &identity.Identity{}}}, &download{out: csvfile.NewWriter(&file)}
	require.NoError(t, d.out.Row(reviewColumns...))
	for _, of := range reviews {
		require.NoError(t, o.reviewRows(d)(of))
	}
	require.NoError(t, d.out.Flush())

	got := make([]grademodel.Submission, submissions)
	table, err := csvfile.Open(&file)
	require.NoError(t, err)
	require.Equal(t, reviewColumns, table.Headings)
	for row, err := range table.Rows() {
		require.NoError(t, err)
		at, err := strconv.Atoi(row.Cells[1][1:])
		require.NoError(t, err)
		mark, err := strconv.Atoi(row.Cells[3])
		require.NoError(t, err)
		got[at].Assignment, got[at].Total = row.Cells[0], 20
		got[at].Reviews = append(got[at].Reviews, grademodel.Review{Reviewer: strings.Clone(row.Cells[2]), Mark: float64(mark)})
	}
	for _, model := range []string{grademodel.SC2, grademodel.SC1} {
		right, read := grademodel.ModelOf(model).Grade(want), grademodel.ModelOf(model).Grade(got)
		for i := range right {
			require.Equal(t, right[i].Estimate, read[i].Estimate, "%s %d", model, i) //nolint:testifylint // to the last digit
			require.Equal(t, right[i].Mark, read[i].Mark)
		}
	}
}
