package lazyregexp

import (
	"reflect"
	"regexp"
	"slices"
	"testing"
)

// TestAnExpressionIsCompiledByItsFirstUse makes one as the program does.
func TestAnExpressionIsCompiledByItsFirstUse(t *testing.T) {
	r := &Regexp{text: `(b+)c`}
	if r.re != nil {
		t.Fatal("compiled before it is used")
	}
	if !r.MatchString("abbc") || r.re == nil {
		t.Error("not compiled by its use")
	}
	defer func() {
		if recover() == nil {
			t.Error("a text that is no expression passes in a test")
		}
	}()
	New(`(`)
}

// TestMethodsAreThoseOfRegexp calls every method here and there.
func TestMethodsAreThoseOfRegexp(t *testing.T) {
	const text, s = `(b+)(c)?`, "abbc b xb"
	lazy, plain := reflect.ValueOf(New(text)), reflect.ValueOf(regexp.MustCompile(text))
	for i := range lazy.NumMethod() {
		m := lazy.Type().Method(i)
		if m.Name == "Get" {
			continue
		}
		other := plain.MethodByName(m.Name)
		if !other.IsValid() {
			t.Errorf("%s is no method of regexp", m.Name)
			continue
		}
		var args []reflect.Value
		for j := 1; j < m.Type.NumIn(); j++ {
			switch in := m.Type.In(j); {
			case in.Kind() == reflect.Int:
				args = append(args, reflect.ValueOf(-1))
			case in.Kind() == reflect.Slice:
				args = append(args, reflect.ValueOf([]byte(s)))
			case in.Kind() == reflect.Func:
				args = append(args, reflect.ValueOf(func(m string) string { return "<" + m + ">" }))
			case j == 2:
				args = append(args, reflect.ValueOf("[$1]"))
			default:
				args = append(args, reflect.ValueOf(s))
			}
		}
		got, want := lazy.Method(i).Call(args), other.Call(args)
		if !slices.EqualFunc(got, want, func(a, b reflect.Value) bool { return reflect.DeepEqual(a.Interface(), b.Interface()) }) {
			t.Errorf("%s: %v, want %v", m.Name, got, want)
		}
	}
}
