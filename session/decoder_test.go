package session

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/google/go-cmp/cmp"
)

// plainDecode reads an event as encoding/json does.
func plainDecode(data []byte) (Event, error) {
	var head struct{ Type string }
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, err
	}
	return codecsByName[head.Type].decode(new(Decoder), Head{}, data)
}

// FuzzDecode holds what a decoder makes of a line, alone and after others, against encoding/json.
func FuzzDecode(f *testing.F) {
	for _, line := range []string{
		`{"type":"notice","session":"s","turn":"t","child":"c","gen":7,"at":"2026-01-02T03:04:05.6Z","severity":"info","text":"x"}`,
		`{"type":"notice","session":"s","SESSION":"other","text":"x"}`, `{"type":"notice","turn":"t","session":"s"}`,
		`{"type":"notice","session":"a\u0062"}`, `{"type":"notice","session":"é"}`, `{"type":"notice","gen":01}`,
		`{"type":"notice","gen":1.5}`, `{"type":"notice","gen":18446744073709551616}`, `{"type":"notice","gen":-1}`, `{"type":"notice","gen":1 }`,
		`{"type":"notice","at":"2026-01-02T03:04:05.6+02:00","at":null}`, `{"type":"notice","at":"yesterday"}`, `{"type":"notice"}`,
		`{"type":"notice",}`, `{"type":"notice" ,"text":"x"}`, `{"type":"notice", "text":"x"}`, `{"type":"notice"}}`, `{"type":"notice"`,
		`{"type":"part_delta","session":"s","turn":"t","part":"p","text":"one\ntwo"}`, `{"type":"part_delta","session":"s" ,"part":"p"}`,
		`{"type":"turn_started","turn":"t","prompt":{"id":"t","text":"hello"},"origin":"user"}`,
		`{"type":"part_ended","part":"p","opaque":{"a":[1]}}`, `{"type":"notice","session":"s","turn":"t","gen":3`,
	} {
		f.Add([]byte(line))
	}
	var d Decoder
	f.Fuzz(func(t *testing.T, data []byte) {
		if _, ok := codecAtOnce(data); !ok {
			return
		}
		want, wantErr := plainDecode(data)
		for range 2 { // the second time the ids are known
			got, err := d.Decode(data)
			if (err == nil) != (wantErr == nil) {
				t.Fatalf("%s: error %v, want %v", data, err, wantErr)
			}
			if diff := cmp.Diff(want, got); err == nil && diff != "" {
				t.Fatalf("%s: %s", data, diff)
			}
		}
	})
}

// Events that name the same things one after the other hold each name once.
func TestDecoderSharesIDs(t *testing.T) {
	h := Head{Session: "the-session", Turn: "the-turn", Gen: 1, At: time.Unix(1, 0).UTC()}
	var d Decoder
	decode := func(e Event) Event {
		line, err := EncodeEvent(e)
		if err != nil {
			t.Fatal(err)
		}
		out, err := d.Decode(line)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(e, out); diff != "" {
			t.Error(diff)
		}
		return out
	}
	started := decode(TurnStarted{Head: h, Prompt: Prompt{ID: "the-turn", Text: "hello"}, Origin: OriginUser}).(TurnStarted)
	part := decode(PartStarted{Head: h, Part: "the-part", Kind: PartText}).(PartStarted)
	delta := decode(PartDelta{Head: h, Part: "the-part", Text: "words"}).(PartDelta)
	for name, pair := range map[string][2]string{
		"session": {string(started.Session), string(delta.Session)},
		"turn":    {string(started.Turn), string(delta.Turn)},
		"prompt":  {string(started.Turn), string(started.Prompt.ID)},
		"part":    {string(part.Part), string(delta.Part)},
	} {
		if unsafe.StringData(pair[0]) != unsafe.StringData(pair[1]) {
			t.Errorf("the %s is held twice", name)
		}
	}
}

// What is decoded stays as it is when the bytes it came from are used for something else.
func TestDecodedEventsHoldNothingOfTheLine(t *testing.T) {
	line := []byte(`{"type":"part_ended","session":"s","turn":"t","part":"p","opaque":{"a":1}}`)
	var d Decoder
	e, err := d.Decode(line)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Decode([]byte(`{"type":"part_ended","session":"x","turn":"y","part":"q","opaque":{"b":2}}`)); err != nil {
		t.Fatal(err)
	}
	copy(line, strings.Repeat("#", len(line)))
	want := PartEnded{Head: Head{Session: "s", Turn: "t"}, Part: "p", Opaque: json.RawMessage(`{"a":1}`)}
	if diff := cmp.Diff(Event(want), e); diff != "" {
		t.Error(diff)
	}
}
