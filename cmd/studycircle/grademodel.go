package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"studycircle/internal/csvfile"
	"studycircle/internal/grademodel"
)

type gradeCommand struct {
	Reviews   string `required:"" placeholder:"R.csv" help:"Reviews to grade: assignment,submission,reviewer,mark,total."`
	Exemplars string `placeholder:"K.csv" help:"Marks known beforehand: assignment,submission,mark."`
	Columns   string `placeholder:"COLUMNS" help:"Columns with other headings in the files, as submission=Abgabe,mark=#4."`
	Model     string `enum:"SC2,SC1K,SC1,mean,median" default:"SC2" help:"Model: ${enum}."`
	Out       string `required:"" placeholder:"E.csv" help:"File to write, in place of an older one."`
}

// The columns of the files; the first line of each names them.
var (
	reviewColumns   = []string{"assignment", "submission", "reviewer", "mark", "total"}
	exemplarColumns = []string{"assignment", "submission", "mark"}
)

// gradeColumns are the columns of the output. Mean and median have none after the mark;
// SC1 has no kappa.
var gradeColumns = []string{
	"assignment", "submission", "reviews", "estimate", "mark", "low80", "high80", "open", "usual", "noise", "kappa",
}

func columnsOf(model string) []string {
	switch model {
	case grademodel.Mean, grademodel.Median:
		return gradeColumns[:5]
	case grademodel.SC1:
		return gradeColumns[:10]
	default:
		return gradeColumns
	}
}

// Run grades the reviews in the files. If a line is wrong, it writes nothing.
func (c gradeCommand) Run(ctx context.Context) error {
	out, err := newOutput(c.Out, c.Reviews, c.Exemplars)
	if err != nil {
		return fmt.Errorf("nothing was graded: %w", err)
	}
	class := newReviewedClass()
	chosen, err := csvfile.Chosen(c.Columns)
	if err != nil {
		return fmt.Errorf("nothing was graded: --columns: %w", err)
	}
	if err := (tableFile{c.Reviews, reviewColumns, chosen}).read(ctx, class.addReview); err != nil {
		return fmt.Errorf("nothing was graded: %w", err)
	}
	if c.Exemplars != "" {
		maps.DeleteFunc(chosen, func(column, _ string) bool { return !slices.Contains(exemplarColumns, column) })
		if err := (tableFile{c.Exemplars, exemplarColumns, chosen}).read(ctx, class.addExemplar); err != nil {
			return fmt.Errorf("nothing was graded: %w", err)
		}
	}
	class.sort()
	if err := out.write(ctx, columnsOf(c.Model), class.rows(c.Model)); err != nil {
		return fmt.Errorf("nothing was graded: %w", err)
	}
	fmt.Printf("Graded %d submissions by %d reviews to %s.\n", len(class.submissions), class.reviews, c.Out)
	return nil
}

// reviewedClass is the content of the files: submissions of any number of assignments.
type reviewedClass struct {
	submissions []reviewedSubmission
	reviews     int
	index       map[submissionKey]int
	reviewLines map[reviewKey]int // the line of each review, for errors about duplicates
	names       map[string]name   // interned names, which keep no lines in memory
}

type name struct {
	text   string
	number uint32
}

type submissionKey struct{ assignment, submission string }

// reviewKey is the number of a submission and, in its lower half, of a reviewer's name.
type reviewKey uint64

type reviewedSubmission struct {
	key       submissionKey
	line      int // its first line
	knownLine int
	model     grademodel.Submission
}

func newReviewedClass() *reviewedClass {
	return &reviewedClass{index: map[submissionKey]int{}, reviewLines: map[reviewKey]int{}, names: map[string]name{}}
}

func (c *reviewedClass) addReview(t *csvfile.Table, line int, row []string) error {
	total, err := parseTotal(t, row[4])
	if err != nil {
		return err
	}
	mark, err := parseMark(t, row[3], total)
	if err != nil {
		return err
	}
	at, known := c.index[submissionKey{row[0], row[1]}]
	if !known {
		at = len(c.submissions)
		key := submissionKey{c.name(row[0]).text, c.name(row[1]).text}
		c.index[key] = at
		c.submissions = append(c.submissions, reviewedSubmission{
			key: key, line: line, model: grademodel.Submission{Assignment: key.assignment, Total: total},
		})
	}
	sub := &c.submissions[at]
	if sub.model.Total != total {
		return fmt.Errorf("the total of submission %q is %d here and %d in line %d", row[1], total, sub.model.Total, sub.line)
	}
	reviewer := c.name(row[2])
	key := reviewKey(at)<<32 | reviewKey(reviewer.number)
	if first, twice := c.reviewLines[key]; twice {
		return fmt.Errorf("%q has reviewed submission %q in line %d already", reviewer.text, row[1], first)
	}
	c.reviewLines[key] = line
	sub.model.Reviews = append(sub.model.Reviews, grademodel.Review{Reviewer: reviewer.text, Mark: mark})
	c.reviews++
	return nil
}

func (c *reviewedClass) addExemplar(t *csvfile.Table, line int, row []string) error {
	at, known := c.index[submissionKey{row[0], row[1]}]
	if !known {
		return fmt.Errorf("submission %q of assignment %q has no reviews", row[1], row[0])
	}
	sub := &c.submissions[at]
	if sub.model.Known != nil {
		return fmt.Errorf("submission %q has a known mark in line %d already", row[1], sub.knownLine)
	}
	mark, err := parseMark(t, row[2], sub.model.Total)
	if err != nil {
		return err
	}
	sub.model.Known, sub.knownLine = &mark, line
	return nil
}

func (c *reviewedClass) name(s string) name {
	if known, ok := c.names[s]; ok {
		return known
	}
	own := name{text: strings.Clone(s), number: uint32(len(c.names))} //nolint:gosec // fewer names than bytes of the file; Clone, as a field keeps its whole line in memory
	c.names[own.text] = own
	return own
}

// sort orders submissions by bytes, as they are written.
func (c *reviewedClass) sort() {
	slices.SortFunc(c.submissions, func(a, b reviewedSubmission) int {
		return cmp.Or(cmp.Compare(a.key.assignment, b.key.assignment), cmp.Compare(a.key.submission, b.key.submission))
	})
}

// rows grades and yields the rows of the output; the next row overwrites each.
func (c *reviewedClass) rows(model string) iter.Seq[[]string] {
	subs := make([]grademodel.Submission, len(c.submissions))
	for i, s := range c.submissions {
		subs[i] = s.model
	}
	settlements := grademodel.ModelOf(model).Grade(subs)
	columns := len(columnsOf(model))
	return func(yield func([]string) bool) {
		row := make([]string, 0, len(gradeColumns))
		for i, s := range settlements {
			row = append(row[:0], csvfile.Text(c.submissions[i].key.assignment), csvfile.Text(c.submissions[i].key.submission),
				strconv.Itoa(len(s.Reviews)), fourDecimals(s.Estimate), strconv.Itoa(s.Mark), fourDecimals(s.Low),
				fourDecimals(s.High), fourDecimals(s.Open), fourDecimals(s.UsualMark), fourDecimals(s.Scale.Noise),
				fourDecimals(s.Scale.Kappa))
			if !yield(row[:columns]) {
				return
			}
		}
	}
}

func fourDecimals(x float64) string { return strconv.FormatFloat(x, 'f', 4, 64) }

// maxTotal is far above any total in use.
const maxTotal = 1_000_000

var errTotal = errors.New("a total is a whole number from 1 to 1000000")

func parseTotal(t *csvfile.Table, text string) (int, error) {
	x, err := t.Number(text)
	if errors.Is(err, csvfile.ErrThousands) {
		return 0, fmt.Errorf("the total %w", err)
	}
	if err != nil || x < 1 || x > maxTotal || x != math.Trunc(x) {
		return 0, fmt.Errorf("the total is %q: %w", text, errTotal)
	}
	return int(x), nil
}

// parseMark accepts fractions too, because marks of other systems have halves.
func parseMark(t *csvfile.Table, text string, total int) (float64, error) {
	x, err := t.Number(text)
	if err != nil {
		return 0, fmt.Errorf("the mark %w", err)
	}
	if x < 0 || x > float64(total) {
		return 0, fmt.Errorf("the mark %q is not from 0 to the total, %d", text, total)
	}
	return x + 0, nil // + 0 turns −0 into 0
}
