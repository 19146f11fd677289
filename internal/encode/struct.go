package encode

import (
	"fmt"
	"reflect"
	"strings"
)

// member is one field of a struct, or of a struct embedded in it.
type member struct {
	at    []int
	index int    // at[0], where at has no more
	name  string // with quotation marks and colon
	plan  plan
	// omitEmpty omits the member if its JSON is null, "", [] or {}; omitZero omits it if the field has its zero
	// value.
	omitEmpty, omitZero bool
	// ownZero reports that the field's type defines its own zero value.
	ownZero bool
}

func newStructPlan(t reflect.Type) plan {
	members := membersOf(t, nil, nil)
	return func(b []byte, v reflect.Value) (_ []byte, err error) {
		b = append(b, '{')
		empty := true
		for i := range members {
			m := &members[i]
			field := m.field(v)
			if m.omitZero && m.isZero(field) {
				continue
			}
			before := len(b)
			if !empty {
				b = append(b, ',')
			}
			b = append(b, m.name...)
			value := len(b)
			if b, err = m.plan(b, field); err != nil {
				return b, err
			}
			if m.omitEmpty && isEmpty(b[value:]) {
				b = b[:before]
				continue
			}
			empty = false
		}
		return append(b, '}'), nil
	}
}

func (m *member) field(v reflect.Value) reflect.Value {
	if len(m.at) == 1 {
		return v.Field(m.index)
	}
	return v.FieldByIndex(m.at)
}

func (m *member) isZero(v reflect.Value) bool {
	if m.ownZero {
		return v.Interface().(zeroer).IsZero() //nolint:errcheck // ownZero says so
	}
	return v.IsZero()
}

type zeroer interface{ IsZero() bool }

func isEmpty(value []byte) bool {
	switch string(value) {
	case "null", `""`, "[]", "{}":
		return true
	}
	return false
}

// membersOf adds the members of t, which lies at within the encoded struct, to those before. It panics if a tag has
// an option that plans do not support, or two members have one name.
func membersOf(t reflect.Type, at []int, before []member) []member {
	for i := range t.NumField() {
		field := t.Field(i)
		tag, tagged := field.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		within := append(append([]int{}, at...), i)
		if field.Anonymous && name == "" && field.Type.Kind() == reflect.Struct {
			before = membersOf(field.Type, within, before)
			continue
		}
		if !field.IsExported() || (name == "-" && options == "") {
			continue
		}
		if !tagged || name == "" {
			name = field.Name
		}
		m := member{at: within, index: i, name: string(AppendText(nil, name)) + ":", plan: planOf(field.Type),
			ownZero: field.Type.Kind() != reflect.Pointer && field.Type.Implements(reflect.TypeFor[zeroer]()),
		}
		for option := range strings.SplitSeq(options, ",") {
			switch option {
			case "":
			case "omitempty":
				m.omitEmpty = true
			case "omitzero":
				m.omitZero = true
			default:
				panic(fmt.Sprintf("%s.%s: the option %s is not known", t, field.Name, option))
			}
		}
		for _, other := range before {
			if other.name == m.name {
				panic(fmt.Sprintf("%s.%s: there are two members %s", t, field.Name, m.name))
			}
		}
		before = append(before, m)
	}
	return before
}
