package api

import (
	"testing"

	"studycircle"
	"studycircle/internal/encode"
	"studycircle/internal/testfill"
)

func BenchmarkListOfTen(b *testing.B) {
	found := make([]studycircle.Assignment, 10)
	for i := range found {
		testfill.Fill(&found[i])
		found[i].Rubric, found[i].HTML = studycircle.Rubric{}, ""
		found[i].Description = "A description of some two hundred characters, as the bench has them. A description of some two hundred characters, as the bench has them. A description of some two hundred characters, as the bench has them."
	}
	p := studycircle.Page{Number: 1, Limit: 10}
	var into []byte
	b.ReportAllocs()
	for b.Loop() {
		list := AssignmentListOf(found, 100, p, nil)
		into, _ = encode.Append(into[:0], &list)
	}
}
