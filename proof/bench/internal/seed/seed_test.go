package seed

import (
	"strings"
	"testing"
)

func TestTitlesHaveTheirWords(t *testing.T) {
	for _, size := range []int{1_000, 100_000} {
		s := Set{Seed: 1, Size: size}
		words := map[string]int{}
		for n := range size {
			for word := range strings.FieldsSeq(s.Assignment(n).Title) {
				words[word]++
			}
		}
		for _, word := range CommonWords {
			if n := words[word]; n < size*45/100 || n > size*55/100 {
				t.Errorf("%d of %d titles have %q, not half", n, size, word)
			}
		}
		for n := range RareWords {
			if got := words[RareWord(n)]; got != s.RareCount() {
				t.Errorf("%d of %d titles have %q, want %d", got, size, RareWord(n), s.RareCount())
			}
		}
	}
}

func TestSubmissions(t *testing.T) {
	s := Set{Seed: 1, Size: 1_000}
	own := map[string]int{}
	for k := range s.Submissions() {
		sub := s.Submission(k)
		own[sub.By.Email]++
		if sub.By.ID == sub.Of.Creator.ID {
			t.Errorf("%s: the submitter is the creator", sub.ID)
		}
		if sub.Pending != (k%PerAssignment == 0) {
			t.Errorf("%s: pending is %v", sub.ID, sub.Pending)
		}
		if sub.Mark > sub.Of.Marks {
			t.Errorf("%s: %d of %d marks", sub.ID, sub.Mark, sub.Of.Marks)
		}
	}
	for n := range Accounts {
		if got := own[Account(n).Email]; got != s.Own(n) {
			t.Errorf("account %d has %d submissions, want %d", n, got, s.Own(n))
		}
	}
}

func TestPartsCoverTheContentOnce(t *testing.T) {
	s := Set{Seed: 1, Size: 1_000}
	records := 0
	for _, part := range s.Parts(300) {
		records += part.Records(s)
	}
	if want := s.Size + s.Submissions() + s.Users(); records != want {
		t.Errorf("%d records, want %d", records, want)
	}
}
