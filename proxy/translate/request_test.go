package translate

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the golden files")

var (
	gpt = Model{ID: "gpt-5.4", Vendor: "Azure OpenAI", Efforts: []string{"low", "medium", "high", "xhigh"},
		MaxOutput: 128000, Vision: true, PDF: true, Parallel: true, CacheKey: "c0ffee"}
	gemini = Model{ID: "gemini-3-pro", Vendor: "Google", MinBudget: 256, MaxBudget: 32000, MaxOutput: 64000, Vision: true, Parallel: true,
		CacheKey: "c0ffee"}
	old = Model{ID: "gpt-4.1", Vendor: "Azure OpenAI", MaxOutput: 32000}
)

// archive reads a golden file and offers a way to compare and rewrite its parts.
type archive struct {
	t    *testing.T
	path string
	*txtar.Archive
}

func readArchive(t *testing.T, path string) *archive {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return &archive{t, path, txtar.Parse(data)}
}

// get is a part by name, nil if there is none.
func (a *archive) get(name string) []byte {
	for _, f := range a.Files {
		if f.Name == name {
			return f.Data
		}
	}
	return nil
}

// want compares a part with what came out.
func (a *archive) want(name string, got []byte) {
	a.t.Helper()
	got = append(bytes.TrimRight(got, "\n"), '\n')
	if *update {
		for i := range a.Files {
			if a.Files[i].Name == name {
				a.Files[i].Data = got
				return
			}
		}
		a.Files = append(a.Files, txtar.File{Name: name, Data: got})
		return
	}
	if diff := cmp.Diff(string(a.get(name)), string(got)); diff != "" {
		a.t.Errorf("%s: %s (-want +got):\n%s", a.path, name, diff)
	}
}

// save writes the parts back when goldens are being rewritten.
func (a *archive) save() {
	if *update {
		if err := os.WriteFile(a.path, txtar.Format(a.Archive), 0o644); err != nil {
			a.t.Error(err)
		}
	}
}

// pretty is JSON with indentation, so that differences can be read.
func pretty(t *testing.T, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, data, "", "  "); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, data)
	}
	return b.Bytes()
}

func goldens(t *testing.T, dir string) []string {
	t.Helper()
	list, err := filepath.Glob("testdata/" + dir + "/*.txtar")
	if err != nil || len(list) == 0 {
		t.Fatalf("no goldens in %s: %v", dir, err)
	}
	return list
}

// TestRequests compares translated requests with golden files, for a model of each kind.
func TestRequests(t *testing.T) {
	for _, path := range goldens(t, "requests") {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a := readArchive(t, path)
			defer a.save()
			for _, v := range []struct {
				name  string
				do    func([]byte, Model) (*Request, error)
				model Model
			}{
				{"responses.json", RequestToResponses, gpt}, {"chat-gpt.json", RequestToChat, gpt},
				{"chat-gemini.json", RequestToChat, gemini}, {"chat-old.json", RequestToChat, old},
			} {
				r, err := v.do(a.get("in.json"), v.model)
				if err != nil {
					var re *RequestError
					if !errors.As(err, &re) {
						t.Errorf("%s: %v is not a RequestError", v.name, err)
					}
					a.want(v.name, []byte("error: "+err.Error()))
					continue
				}
				text := pretty(t, r.Body)
				if len(r.Dropped) > 0 {
					text = append(text, "\ndropped: "+strings.Join(r.Dropped, ", ")...)
				}
				a.want(v.name, text)
			}
		})
	}
}

func TestEfforts(t *testing.T) {
	for _, tt := range []struct {
		list       string
		want, pick string
	}{
		{"low medium high xhigh", "max", "xhigh"}, {"low medium high xhigh", "medium", "medium"},
		{"medium high", "low", "medium"}, {"", "high", ""}, {"low high", "medium", "low"}, {"low", "extreme", ""},
		{"minimal low medium high", "max", "high"}, {"low high custom", "custom", "custom"},
	} {
		if got := nearestEffort(strings.Fields(tt.list), tt.want); got != tt.pick {
			t.Errorf("nearestEffort(%q, %q) = %q, want %q", tt.list, tt.want, got, tt.pick)
		}
	}
}

func TestStrictSchemas(t *testing.T) {
	for _, tt := range []struct {
		schema string
		want   bool
	}{
		{`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}`, true},
		{`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`, false},
		{`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`, false},
		{`{"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{}}}},` +
			`"required":["a"],"additionalProperties":false}`, false},
		{`{"type":"object","properties":{"a":{"type":"string"}},"required":["b"],"additionalProperties":false}`, false},
		{`{"type":"string"}`, true}, {`{"oneOf":[{"type":"string"}]}`, false}, {`7`, false},
	} {
		if got := isStrict([]byte(tt.schema)); got != tt.want {
			t.Errorf("isStrict(%s) = %v", tt.schema, got)
		}
	}
}
