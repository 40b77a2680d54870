package session

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// sealedTypes returns the names of all types that event_set.go seals as events.
func sealedTypes(t *testing.T) []string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "event_set.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.Name == "event" && fn.Recv != nil {
			names = append(names, fn.Recv.List[0].Type.(*ast.Ident).Name)
		}
	}
	return names
}

func TestEveryEventHasACodec(t *testing.T) {
	have := map[string]bool{}
	for typ := range codecs {
		have[typ.Name()] = true
	}
	names := sealedTypes(t)
	if len(names) < 30 {
		t.Fatalf("found only %d events in event_set.go", len(names))
	}
	for _, name := range names {
		if !have[name] {
			t.Errorf("%s has no codec", name)
		}
	}
	if len(codecsByName) != len(names) {
		t.Errorf("%d names for %d events", len(codecsByName), len(names))
	}
}

// fill sets every exported field that v reaches to something that is not zero.
func fill(v reflect.Value, seed int) {
	switch {
	case v.Type() == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Date(2026, 1, 2, 3, 4, seed%60, 5000, time.UTC)))
		return
	case v.Type() == reflect.TypeFor[json.RawMessage]():
		v.SetBytes([]byte(`{"a":["<&>",1.0e3],"sig":"x\u0041"}`))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.Tag.Get("json") != "-" && f.IsExported() {
				fill(v.Field(i), seed+i)
			}
		}
	case reflect.String:
		v.SetString("s<\u2028>\n\"" + string(rune('a'+seed%26)))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(seed + 1))
	case reflect.Uint64, reflect.Uint8:
		v.SetUint(uint64(seed + 1))
	case reflect.Float64:
		v.SetFloat(float64(seed) + 0.5)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), seed+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), seed+i)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, val := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, seed)
		fill(val, seed+1)
		v.SetMapIndex(key, val)
	default:
		panic("unfilled kind " + v.Kind().String())
	}
}

func TestEveryEventSurvivesTheCodec(t *testing.T) {
	for typ, c := range codecs {
		t.Run(c.name, func(t *testing.T) {
			full, empty := reflect.New(typ).Elem(), reflect.New(typ).Elem()
			fill(full, 3)
			for _, v := range []reflect.Value{full, empty} {
				want := v.Interface().(Event)
				line, err := EncodeEvent(want)
				if err != nil {
					t.Fatal(err)
				}
				if !strings.HasPrefix(string(line), `{"type":"`+c.name+`"`) || strings.ContainsAny(string(line), "\n\r") {
					t.Errorf("badly framed: %s", line)
				}
				got, err := DecodeEvent(line)
				if err != nil {
					t.Fatalf("%v in %s", err, line)
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("differs (-want +got):\n%s", d)
				}
			}
		})
	}
}

func TestEncodeKeepsOpaqueByteForByte(t *testing.T) {
	raw := json.RawMessage(`{ "signature" : "Eq\u003c<>&" , "n": 1.50 }`)
	for _, e := range []Event{PartEnded{Part: "p", Opaque: raw}, PartReplaced{Part: "p", Opaque: raw}} {
		line, err := EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		back, err := DecodeEvent(line)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(e, back); d != "" {
			t.Error(d)
		}
	}
	line, err := EncodeEvent(PartEnded{Opaque: json.RawMessage("{\n\"a\": 1}")})
	if err != nil || strings.Contains(string(line), "\n") {
		t.Errorf("%q %v", line, err)
	}
}

func TestEncodeToleratesMalformedInput(t *testing.T) {
	for _, e := range []Event{
		ToolReady{Call: "c", Input: json.RawMessage(`{"command": "ls`)},
		Asked{Ask: "a", Permission: &PermissionAsk{Tool: "x", Input: json.RawMessage(`nope`)}},
		Asked{Ask: "a", Elicitation: &ElicitationAsk{Schema: json.RawMessage(`{`)}},
	} {
		line, err := EncodeEvent(e)
		if err != nil {
			t.Errorf("%T: %v", e, err)
			continue
		}
		if _, err := DecodeEvent(line); err != nil {
			t.Errorf("%T: %v", e, err)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	for _, in := range []string{"", "null", "[]", "{}", `{"type":7}`, `{"type":"notice"`, `{"type":"notice","text":7}`} {
		if _, err := DecodeEvent([]byte(in)); KindOf(err) != KindCorrupt {
			t.Errorf("%q: %v", in, err)
		}
	}
	_, err := DecodeEvent([]byte(`{"type":"from_the_future"}`))
	unknown, ok := errors.AsType[*UnknownEventError](err)
	if !ok || unknown.Type != "from_the_future" || KindOf(err) != KindCorrupt {
		t.Errorf("unknown type: %v", err)
	}
	if _, err := EncodeEvent(nil); KindOf(err) != KindInternal {
		t.Errorf("nil: %v", err)
	}
	if _, err := EncodeEvent(&Notice{}); KindOf(err) != KindInternal {
		t.Errorf("pointer: %v", err)
	}
}

// TestEventLines pins the encoding: journals on disk and programs that read stream-json depend on it.
func TestEventLines(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	h := Head{Session: "s1", Turn: "t1", Gen: 1, At: at}
	const head = `"session":"s1","turn":"t1","gen":1,"at":"2026-01-02T03:04:05Z"`
	code := 1
	for want, e := range map[string]Event{
		`{"type":"turn_started",` + head + `,"prompt":{"id":"t1","text":"a < b"},"origin":"user"}`: TurnStarted{Head: h, Prompt: Prompt{ID: "t1", Text: "a < b"}, Origin: OriginUser},
		`{"type":"part_delta",` + head + `,"part":"p1","text":"hi"}`:                               PartDelta{Head: h, Part: "p1", Text: "hi"},
		`{"type":"tool_ready",` + head + `,"call":"c1","input":{"a":1}}`:                           ToolReady{h, "c1", json.RawMessage(`{"a":1}`)},
		`{"type":"tool_ended",` + head + `,"call":"c1","outcome":"failed","result":{"text":"x","exitCode":1},"duration":1000000000}`: ToolEnded{
			Head: h, Call: "c1", Outcome: ToolFailed, Result: ToolResult{Text: "x", ExitCode: &code}, Duration: time.Second},
		`{"type":"part_ended","part":"p1","opaque":{"signature":"z"}}`: PartEnded{Part: "p1", Opaque: json.RawMessage(`{"signature":"z"}`)},
		`{"type":"mode_changed","mode":"plan"}`:                        ModeChanged{Mode: ModePlan},
	} {
		got, err := EncodeEvent(e)
		if err != nil || string(got) != want {
			t.Errorf("got  %s (%v)\nwant %s", got, err, want)
		}
	}
}
