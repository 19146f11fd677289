package api

import (
	"errors"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
	jsonv2 "github.com/go-json-experiment/json"

	"studycircle"
)

// rubric is a rubric in a body.
type rubric studycircle.Rubric

// Schema implements huma.SchemaProvider.
func (rubric) Schema(r huma.Registry) *huma.Schema {
	return r.Schema(reflect.TypeFor[studycircle.Rubric](), true, "")
}

const notRubric = "This must be an object with criteria, each with a title and levels, each with a label and marks."

// rubricChange is a change of a rubric: another one, none if null, and no change if
// absent.
type rubricChange struct {
	to   *rubric
	none bool
}

// Schema implements huma.SchemaProvider.
func (rubricChange) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{AnyOf: []*huma.Schema{rubric{}.Schema(r), {Type: "null"}}}
}

// rubricOf maps a rubric; nil, which allocates nothing, if it is empty.
func rubricOf(r studycircle.Rubric) *studycircle.Rubric {
	if r.Empty() {
		return nil
	}
	shown := r
	return &shown
}

// form implements bodyValue.
func (*rubric) form() (takes, message string) { return "{", notRubric }

// UnmarshalJSON implements bodyValue. All members are required.
func (r *rubric) UnmarshalJSON(text []byte) error {
	var read struct {
		Criteria []struct {
			Title  *string `json:"title"`
			Levels []struct {
				Label *string `json:"label"`
				Marks *whole  `json:"marks"`
			} `json:"levels"`
		} `json:"criteria"`
	}
	if err := jsonv2.Unmarshal(text, &read, jsonv2.RejectUnknownMembers(true)); err != nil {
		return err
	}
	r.Criteria = nil
	for _, c := range read.Criteria {
		if c.Title == nil {
			return errIncomplete
		}
		criterion := studycircle.Criterion{Title: *c.Title}
		for _, l := range c.Levels {
			if l.Label == nil || l.Marks == nil {
				return errIncomplete
			}
			criterion.Levels = append(criterion.Levels, studycircle.RubricLevel{Label: *l.Label, Marks: int64(*l.Marks)})
		}
		r.Criteria = append(r.Criteria, criterion)
	}
	return nil
}

var errIncomplete = errors.New("a member is absent")

// form implements bodyValue.
func (*rubricChange) form() (takes, message string) { return "{n", notRubric }

// UnmarshalJSON implements bodyValue.
func (c *rubricChange) UnmarshalJSON(text []byte) error {
	if c.none = text[0] == 'n'; c.none {
		return nil
	}
	c.to = &rubric{}
	return c.to.UnmarshalJSON(text)
}

func levelsOf(list []whole) []int64 {
	if list == nil {
		return nil
	}
	out := make([]int64, len(list))
	for i, n := range list {
		out[i] = int64(n)
	}
	return out
}
