package translate

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// seedStreams adds the golden streams of one API.
func seedStreams(f *testing.F, name string) {
	for _, path := range fuzzGoldens(f, "streams") {
		for _, part := range path.Files {
			if part.Name == name {
				f.Add(part.Data)
			}
		}
	}
}

func fuzzGoldens(f *testing.F, dir string) (out []*txtar.Archive) {
	entries, err := os.ReadDir("testdata/" + dir)
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range entries {
		data, err := os.ReadFile("testdata/" + dir + "/" + e.Name())
		if err != nil {
			f.Fatal(err)
		}
		out = append(out, txtar.Parse(data))
	}
	return out
}

// FuzzResponsesStream feeds anything: what comes out is always in order.
func FuzzResponsesStream(f *testing.F) {
	seedStreams(f, "responses")
	f.Fuzz(func(t *testing.T, data []byte) { anyStream(t, apiResponses, data) })
}

// FuzzChatStream does the same for Chat Completions.
func FuzzChatStream(f *testing.F) {
	seedStreams(f, "chat")
	f.Fuzz(func(t *testing.T, data []byte) { anyStream(t, apiChat, data) })
}

func anyStream(t *testing.T, a api, data []byte) {
	r := makeRequest(t, a, []byte(`{"model":"x","max_tokens":9,"stream":true,"thinking":{"type":"adaptive"},`+
		`"stop_sequences":["STOP"],"messages":[{"role":"user","content":"x"}]}`))
	frames, err := play(t, r.NewStream("msg_1"), readEvents(data))
	ended := checkOrder(t, frames)
	failed := err != nil || len(frames) > 0 && frames[len(frames)-1].name == "error"
	if ended == failed {
		t.Errorf("ended %v, error %v: %v", ended, err, frames)
	}
}

// FuzzWhole translates anything as a whole answer.
func FuzzWhole(f *testing.F) {
	for _, a := range fuzzGoldens(f, "streams") {
		for _, part := range a.Files {
			if part.Name == "whole.json" {
				f.Add(part.Data)
			}
		}
	}
	f.Add([]byte(`{"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{"}}]}}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, a := range []api{apiResponses, apiChat} {
			body, err := makeRequest(t, a, nil).Message("msg_1", data)
			if err == nil && !json.Valid(body) {
				t.Errorf("%s: no JSON: %s", a, body)
			}
		}
	})
}

// FuzzRequest translates anything as a request: the result is JSON, or the error says where the request is wrong.
func FuzzRequest(f *testing.F) {
	for _, a := range fuzzGoldens(f, "requests") {
		for _, part := range a.Files {
			if part.Name == "in.json" {
				f.Add(part.Data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, do := range []func([]byte, Model) (*Request, error){RequestToResponses, RequestToChat} {
			for _, model := range []Model{gpt, gemini, old} {
				r, err := do(bytes.Clone(data), model)
				var re *RequestError
				switch {
				case err != nil && !errors.As(err, &re):
					t.Errorf("%v is not a RequestError", err)
				case err == nil && !json.Valid(r.Body):
					t.Errorf("no JSON: %s", r.Body)
				case err == nil && bytes.Contains(r.Body, []byte(signaturePrefix)) && !bytes.Contains(data, []byte("text")):
					t.Errorf("a signature of ours left the house: %s", r.Body)
				}
			}
		}
	})
}

// FuzzCallIDs proves that ids survive the way to the client and back.
func FuzzCallIDs(f *testing.F) {
	for _, s := range []string{"", "call_1", "toolx_", "toolx_YQ", "a b", "é|x", strings.Repeat("y", 64)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, id string) {
		out := toolUseID(id)
		if !isPlainID(out) {
			t.Errorf("%q becomes %q, which no client takes", id, out)
		}
		if back := callID(out); back != id && len(id) <= maxCallID {
			t.Errorf("%q becomes %q and comes back as %q", id, out, back)
		}
		if len(callID(id)) > maxCallID && !strings.HasPrefix(id, wrappedID) {
			t.Errorf("%q stays too long", id)
		}
	})
}

// FuzzStops compares the cutter, fed in pieces, with a search in the whole text.
func FuzzStops(f *testing.F) {
	f.Add("one STOP two", "STOP", "</a>", uint8(3))
	f.Add("aabaab", "aab", "ab", uint8(1))
	f.Add("abcabd", "abd", "", uint8(2))
	f.Fuzz(func(t *testing.T, text, a, b string, size uint8) {
		c := stopCutter{}
		for _, s := range []string{a, b} {
			if s != "" {
				c.stops = append(c.stops, s)
			}
		}
		got, met := "", false
		step := int(size%7) + 1
		for rest := text; rest != "" && !met; {
			var out string
			n := min(step, len(rest))
			out, met = c.pass(rest[:n])
			got += out
			rest = rest[n:]
		}
		if !met {
			got += c.rest()
		}
		found := strings.Contains(text, a) && a != "" || strings.Contains(text, b) && b != ""
		if met != found || !met && got != text || met && !strings.HasPrefix(text, got+c.met) {
			t.Errorf("%q cut at %q, %q in steps of %d: %q, met %v %q", text, a, b, step, got, met, c.met)
		}
	})
}
