package jsonedit

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

// scanSeeds are texts at which scanners go wrong.
var scanSeeds = []string{`{"a":[1,-2.5e+3,"x\u00e9\n",true,false,null,{}],"b":{"c":[]}}`, `{"a":01}`, `{"a":-}`,
	`{"a":1.}`, `{"a":1e}`, `{"a":tru}`, `{"":""}`, `{"a":"\u12g4"}`, `{"a" 1}`, `{,}`, `{"a":1,}`, "{\"a\":\"\xff\"}",
	`{"a":[}`, "\ufeff{}", `{"a":1}}`, `00`, `1 `, "\"a\"\x00", `{"t\u0079pe":"z"}`, `{"a":"\\"}`, "{\"\x88\":\"\"}",
	`[]`, `null`, ``, ` `, `{"a":"` + strings.Repeat("0123456\\n", 9) + `"}`, "{\"a\":\"1234567\x1f\"}"}

// The scanner takes what encoding/json takes, no more and no less, and finds the same members.
func FuzzScanner(f *testing.F) {
	for _, s := range scanSeeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got := map[string]json.RawMessage{}
		s := Scan(text)
		for ok := s.TopObject(); ok; ok = s.NextMember() {
			key, kind := s.Key(), s.Kind()
			value := s.Value()
			if s.Err() != nil {
				break
			}
			name := s.String(key)
			if !s.Is(key, name) && utf8.Valid(text) {
				t.Errorf("%q is not its own key", name)
			}
			first := text[value.From]
			if kind != first && !(kind == 0 && (first == '-' || isDigit(first))) {
				t.Errorf("kind %q of %s", kind, text[value.From:value.To])
			}
			got[name] = text[value.From:value.To]
		}
		err := s.End()
		isObject := bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("{"))
		switch {
		case !json.Valid(text):
			if !errors.Is(err, ErrSyntax) {
				t.Fatalf("%q: %v, want a syntax error", text, err)
			}
			return
		case !isObject:
			if !errors.Is(err, ErrNotObject) {
				t.Fatalf("%q: %v, want not an object", text, err)
			}
			return
		case err != nil:
			t.Fatalf("%q: %v", text, err)
		}
		var want map[string]json.RawMessage
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Fatalf("%q: %d members, want %d", text, len(got), len(want))
		}
		for name, value := range want {
			if !bytes.Equal(got[name], value) {
				t.Errorf("%q: %q is %q, want %q", text, name, got[name], value)
			}
		}
	})
}

func TestScannerBoundsDepth(t *testing.T) {
	nested := func(n int) []byte { return []byte(strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n)) }
	for _, tt := range []struct {
		depth int
		want  error
	}{{maxDepth, nil}, {maxDepth + 1, ErrSyntax}} {
		s := Scan(nested(tt.depth))
		s.Value()
		if err := s.End(); !errors.Is(err, tt.want) {
			t.Errorf("depth %d: %v, want %v", tt.depth, err, tt.want)
		}
	}
}

func TestScannerStaysFailed(t *testing.T) {
	s := Scan([]byte(`{"a":x,"b":1}`))
	if !s.TopObject() || !s.Is(s.Key(), "a") || s.Value() != (Span{}) || !errors.Is(s.Err(), ErrSyntax) {
		t.Fatal("the bad value was not noticed")
	}
	if s.NextMember() || s.Object() || s.Array() || s.NextElement() || s.Key() != (Span{}) || s.Value() != (Span{}) || s.Kind() != 255 {
		t.Error("something was read after the error")
	}
	if s.Is(Span{}, "") || s.Is(Span{}, "a") {
		t.Error("the empty span is a string")
	}
}

func TestScannerAllocatesNothing(t *testing.T) {
	text := []byte(`{"a":[1,{"b":"c\n"}],"model":"x"}`)
	n := testing.AllocsPerRun(100, func() {
		s := Scan(text)
		found := false
		for ok := s.TopObject(); ok; ok = s.NextMember() {
			key := s.Key()
			s.Value()
			found = found || s.Is(key, "model")
		}
		if s.End() != nil || !found {
			t.Fatal("not read")
		}
	})
	if n > 0 {
		t.Errorf("%v allocations", n)
	}
}

// conversation is a request of about n bytes.
func conversation(n int) []byte {
	var b bytes.Buffer
	b.WriteString(`{"max_tokens":1024,"messages":[`)
	for i := 0; b.Len() < n; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"role":"user","content":[{"type":"text","text":"` + strings.Repeat(`Some words, \"quoted\" ones too.\n`, 60) + `"}]}`)
	}
	b.WriteString(`],"model":"claude-opus-4-6","stream":true}`)
	return b.Bytes()
}

func BenchmarkScan1MiB(b *testing.B) {
	body := conversation(1 << 20)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		s := Scan(body)
		s.Value()
		if s.End() != nil {
			b.Fatal("refused")
		}
	}
}

func BenchmarkRead1MiB(b *testing.B) {
	body := conversation(1 << 20)
	block := &Shape{}
	shape := &Shape{Members: map[string]*Shape{"messages": {Elements: &Shape{Members: map[string]*Shape{"content": {Elements: block}}}}}}
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(body, shape); err != nil {
			b.Fatal(err)
		}
	}
}
