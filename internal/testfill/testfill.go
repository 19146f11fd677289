// Package testfill fills values by reflection, for tests that must notice a field added later.
package testfill

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"studycircle"
)

// epoch is the first time that Fill sets, in UTC.
var epoch = time.Date(2001, 2, 3, 4, 5, 6, 789_000_000, time.UTC)

// Fill sets every exported field below v, which is a pointer, to a value that is not
// zero. Values of one call differ from each other, except for booleans, which are true.
// Slices get one element. It leaves alone maps, interfaces, and a type within itself.
func Fill(v any) {
	var n int64
	Leaves(v, func(path string, field reflect.Value) {
		n++
		Set(field, n, path)
	})
}

// Leaves calls use with the path and the value of each field below v, a pointer,
// that Fill sets. Paths are Go names, without those of embedded structs:
// "Creator.Email", "Rubric.Criteria[0].Title".
func Leaves(v any, use func(path string, field reflect.Value)) {
	walk{use: use}.leaves(reflect.ValueOf(v).Elem(), "")
}

// Set sets a leaf to its nth value. A text contains its path.
func Set(field reflect.Value, n int64, path string) {
	switch field.Kind() {
	case reflect.String:
		field.SetString(fmt.Sprintf("%s %d", path, n))
	case reflect.Bool:
		field.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		field.SetInt(n)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		field.SetUint(uint64(n)) //nolint:gosec // n counts from 1
	case reflect.Float32, reflect.Float64:
		field.SetFloat(float64(n) + 0.5)
	case reflect.Struct:
		at := epoch.Add(time.Duration(n) * time.Hour)
		if field.Type() == dueDate {
			field.Set(reflect.ValueOf(studycircle.DueDateAt(at.UnixMicro(), int(n))))
		} else {
			field.Set(reflect.ValueOf(at))
		}
	default:
		panic("no leaf is a " + field.Type().String())
	}
}

var instant, dueDate = reflect.TypeFor[time.Time](), reflect.TypeFor[studycircle.DueDate]()

type walk struct {
	within []reflect.Type
	use    func(string, reflect.Value)
}

// leaves makes the values that pointers and slices lack on its way.
func (w walk) leaves(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		w.leaves(v.Elem(), path)
	case reflect.Slice:
		if slices.Contains(w.within, v.Type().Elem()) {
			return
		}
		if v.Len() == 0 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		}
		w.leaves(v.Index(0), path+"[0]")
	case reflect.Array:
		for i := range v.Len() {
			w.leaves(v.Index(i), fmt.Sprintf("%s[%d]", path, i))
		}
	case reflect.Struct:
		if v.Type() == instant || v.Type() == dueDate {
			w.use(path, v)
			return
		}
		w.within = append(slices.Clip(w.within), v.Type())
		for i := range v.NumField() {
			switch field := v.Type().Field(i); {
			case field.Anonymous && field.Type.Kind() == reflect.Struct:
				w.leaves(v.Field(i), path)
			case field.IsExported():
				w.leaves(v.Field(i), strings.TrimPrefix(path+"."+field.Name, "."))
			}
		}
	case reflect.Map, reflect.Interface, reflect.Func, reflect.Chan:
	default:
		w.use(path, v)
	}
}
