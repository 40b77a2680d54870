package mapper

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
)

// reference decodes an entry by reflection.
func reference(data []byte) (*chunk, bool) {
	var w struct {
		Object  string
		Created int64
		Model   string
		Choices []struct {
			Delta struct {
				Role, Content string
				Reasoning     string `json:"reasoning_text"`
				Calls         []struct {
					ID       string
					Function struct{ Name, Arguments string }
				} `json:"tool_calls"`
			}
		}
		Usage struct {
			Output  int64 `json:"completion_tokens"`
			Prompt  int64 `json:"prompt_tokens"`
			Details struct {
				Cached int64 `json:"cached_tokens"`
			} `json:"prompt_tokens_details"`
		}
	}
	if json.Unmarshal(data, &w) != nil {
		return nil, false
	}
	c := &chunk{object: w.Object, created: w.Created, model: w.Model, usage: usage{w.Usage.Output, w.Usage.Prompt, w.Usage.Details.Cached}}
	for _, choice := range w.Choices {
		d := delta{role: choice.Delta.Role, content: choice.Delta.Content, reasoning: choice.Delta.Reasoning}
		for _, t := range choice.Delta.Calls {
			d.calls = append(d.calls, started{id: t.ID, name: t.Function.Name})
		}
		c.deltas = append(c.deltas, d)
	}
	return c, true
}

func TestDecodingIsThatOfTheLibrary(t *testing.T) {
	entries := bytes.Split(logOf(t, "Greet by name"), []byte("\n\n"))
	for _, odd := range []string{`{}`, `[]`, `{"object":1,"choices":{},"usage":[]}`, `{"choices":[{},{"delta":{"tool_calls":[{}]}}]}`, `{"choices":[{"delta":{"content":"\u00e9\ud83d\ude00\n"}}]}`, `{"created":1}x`, ``} {
		entries = append(entries, []byte("data: "+odd))
	}
	for _, e := range entries {
		data, _ := bytes.CutPrefix(e, []byte("data:"))
		got, ok := decodeChunk(data)
		want, valid := reference(data)
		if !valid { // also a member of another type, which counts as missing
			continue
		}
		if !ok {
			t.Fatalf("%s was refused", data)
		}
		for i, d := range got.deltas {
			for n := range d.calls {
				if args := got.argumentsOf(d.calls[n]); args != "" && !json.Valid([]byte(args)) {
					t.Errorf("the arguments are %q", args)
				}
				got.deltas[i].calls[n].arguments = want.deltas[i].calls[n].arguments
			}
		}
		want.scan, want.data = got.scan, got.data
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s:\n got %+v\nwant %+v", data, got.deltas, want.deltas)
		}
	}
}
