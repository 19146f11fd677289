package api

import (
	"bytes"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

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

// rubricBody is a rubric as it is read: all its members are required.
type rubricBody struct {
	Criteria []struct {
		Title  *string `json:"title"`
		Levels []struct {
			Label *string     `json:"label"`
			Marks *wholeValue `json:"marks"`
		} `json:"levels"`
	} `json:"criteria"`
}

// wholeValue is a whole number within an object.
type wholeValue int64

// UnmarshalJSONFrom implements jsonv2.UnmarshalerFrom.
func (n *wholeValue) UnmarshalJSONFrom(d *jsontext.Decoder) error {
	right, err := readWhole(d, reflect.ValueOf(n).Elem())
	if err == nil && !right {
		err = errNotWholeNumber
	}
	return err
}

func readRubric(d *jsontext.Decoder, into reflect.Value) (bool, error) {
	if d.PeekKind() != '{' {
		return false, pass(d, nil)
	}
	var b bytes.Buffer
	if err := pass(d, jsontext.NewEncoder(&b)); err != nil {
		return false, err
	}
	var read rubricBody
	if err := jsonv2.Unmarshal(b.Bytes(), &read, jsonv2.RejectUnknownMembers(true)); err != nil {
		return false, nil //nolint:nilerr // the field is not right, the body is
	}
	out := &rubric{}
	for _, c := range read.Criteria {
		if c.Title == nil {
			return false, nil
		}
		criterion := studycircle.Criterion{Title: *c.Title}
		for _, l := range c.Levels {
			if l.Label == nil || l.Marks == nil {
				return false, nil
			}
			criterion.Levels = append(criterion.Levels, studycircle.RubricLevel{Label: *l.Label, Marks: int64(*l.Marks)})
		}
		out.Criteria = append(out.Criteria, criterion)
	}
	into.Set(reflect.ValueOf(out))
	return true, nil
}

func readRubricChange(d *jsontext.Decoder, into reflect.Value) (bool, error) {
	var change rubricChange
	right := true
	var err error
	if change.none = d.PeekKind() == 'n'; change.none {
		err = pass(d, nil)
	} else {
		right, err = readRubric(d, reflect.ValueOf(&change.to).Elem())
	}
	into.Set(reflect.ValueOf(change))
	return right, err
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
