package studycircle

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Bounds of a rubric.
const (
	MaxCriteria    = 10
	MinLevels      = 2
	MaxLevels      = 6
	MaxRubricTitle = 200
	MaxLevelLabel  = 200
)

// Rubric is the criteria by which a submission is reviewed. The zero Rubric is none.
type Rubric struct {
	Criteria []Criterion `json:"criteria"`
}

// Criterion is one aspect of a submission.
type Criterion struct {
	Title  string        `json:"title"`
	Levels []RubricLevel `json:"levels"`
}

// RubricLevel is a degree to which a criterion is met, with its marks.
type RubricLevel struct {
	Label string `json:"label"`
	Marks int64  `json:"marks"`
}

// Empty reports whether r has no criteria.
func (r Rubric) Empty() bool { return len(r.Criteria) == 0 }

// Size returns the number of bytes of r's texts.
func (r Rubric) Size() (n int) {
	for _, c := range r.Criteria {
		n += len(c.Title)
		for _, l := range c.Levels {
			n += len(l.Label)
		}
	}
	return n
}

// String returns r as stored: JSON, "" for none.
func (r Rubric) String() string {
	if r.Empty() {
		return ""
	}
	text, _ := json.Marshal(r) // texts and numbers never fail
	return string(text)
}

// ParseRubric reads the result of String. An unreadable text gives the empty Rubric.
func ParseRubric(text string) (r Rubric) {
	if text == "" || json.Unmarshal([]byte(text), &r) != nil {
		return Rubric{}
	}
	return r
}

// Total returns the sum of all criteria's highest levels.
func (r Rubric) Total() (total int64) {
	for _, c := range r.Criteria {
		highest := c.Levels[0].Marks
		for _, l := range c.Levels {
			highest = max(highest, l.Marks)
		}
		total += highest
	}
	return total
}

// Mark returns the sum of the chosen levels, one for each criterion, counted from 0; ok is false for an invalid
// choice.
func (r Rubric) Mark(levels []int64) (mark int64, ok bool) {
	if len(levels) != len(r.Criteria) {
		return 0, false
	}
	for i, at := range levels {
		if at < 0 || at >= int64(len(r.Criteria[i].Levels)) {
			return 0, false
		}
		mark += r.Criteria[i].Levels[at].Marks
	}
	return mark, true
}

// ChosenLevel is a criterion with the chosen level, in words.
type ChosenLevel struct{ Criterion, Level string }

// Chosen returns the chosen levels in words; none for an invalid choice.
func (r Rubric) Chosen(levels []int64) (chosen []ChosenLevel) {
	if _, ok := r.Mark(levels); !ok {
		return nil
	}
	for i, at := range levels {
		chosen = append(chosen, ChosenLevel{r.Criteria[i].Title, r.Criteria[i].Levels[at].Label})
	}
	return chosen
}

// Concealed returns r without its texts, still usable for reviewing.
func (r Rubric) Concealed() Rubric {
	out := Rubric{Criteria: slices.Clone(r.Criteria)}
	for i := range out.Criteria {
		c := &out.Criteria[i]
		c.Title, c.Levels = HiddenTitle, slices.Clone(c.Levels)
		for j := range c.Levels {
			c.Levels[j].Label = strconv.Itoa(j + 1)
		}
	}
	return out
}

// clean trims and checks r. Faults are reported under the name of its field, "" if its members stand alone.
func (r Rubric) clean(p *problems, field string) Rubric {
	out := Rubric{Criteria: slices.Clone(r.Criteria)}
	if n := len(out.Criteria); n < 1 || n > MaxCriteria {
		p.add(cmp.Or(field, "criteria"), "A rubric has 1 to %d criteria.", MaxCriteria)
		return out
	}
	for i := range out.Criteria {
		c := &out.Criteria[i]
		at := strings.TrimPrefix(fmt.Sprintf("%s.criteria[%d]", field, i), ".")
		c.Title = p.text(at+".title", "The criterion", c.Title, 1, MaxRubricTitle, singleLine)
		c.Levels = slices.Clone(c.Levels)
		if n := len(c.Levels); n < MinLevels || n > MaxLevels {
			p.add(at+".levels", "A criterion has %d to %d levels.", MinLevels, MaxLevels)
			continue
		}
		for j := range c.Levels {
			l := &c.Levels[j]
			here := fmt.Sprintf("%s.levels[%d]", at, j)
			l.Label = p.text(here+".label", "The level", l.Label, 1, MaxLevelLabel, singleLine)
			if l.Marks < 0 || l.Marks > MaxMarks {
				p.add(here+".marks", "The marks of a level must be a whole number from 0 to %d.", MaxMarks)
			}
		}
	}
	return out
}
