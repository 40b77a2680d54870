package repair

import (
	"bufio"
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// recorded is one request as a Claude Code runtime sent it.
type recorded struct {
	Betas []string
	Body  json.RawMessage
}

// fixtures are the recordings by file name: what real runtimes sent in a turn with tools.
func fixtures(t testing.TB) map[string][]recorded {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", "*.jsonl"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	out := map[string][]recorded{}
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(bytes.NewReader(data))
		lines.Buffer(nil, len(data)+1)
		for lines.Scan() {
			var r recorded
			if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			out[filepath.Base(name)] = append(out[filepath.Base(name)], r)
		}
	}
	return out
}

// endpoint is the model of a fixture as the service spells it.
func endpoint(sdk string) string {
	for _, f := range families {
		if strings.ReplaceAll(f.id, ".", "-") == sdk {
			return f.id
		}
	}
	return ""
}

// What the real runtimes send is refused as it is, and accepted by the strict service once repaired, with the rules that
// the table says and nothing else changed.
func TestWhatRuntimesSend(t *testing.T) {
	sim := strictService(t)
	fired := map[string]map[string]bool{}
	for name, requests := range fixtures(t) {
		runtime, _, _ := strings.Cut(name, "_")
		if fired[runtime] == nil {
			fired[runtime] = map[string]bool{}
		}
		for i, sent := range requests {
			var head struct{ Model string }
			if err := json.Unmarshal(sent.Body, &head); err != nil {
				t.Fatal(err)
			}
			id := endpoint(head.Model)
			for _, f := range families {
				if f.id != id {
					continue
				}
				req, err := Read(sent.Body)
				if err != nil {
					t.Fatal(err)
				}
				req.SetModel(id)
				if status, answer := post(t, sim, req.Bytes(), strings.Join(sent.Betas, ",")); status != http.StatusBadRequest {
					t.Errorf("%s, request %d: accepted as it is: %d %s", name, i, status, answer)
				}
				res, err := newRepairer(t, Options{}).Repair(req, f.model, sent.Betas)
				if err != nil {
					t.Fatalf("%s, request %d: %v", name, i, err)
				}
				for _, f := range res.Fired {
					fired[runtime][f.Rule] = true
				}
				if status, answer := post(t, sim, req.Bytes(), res.Betas); status != http.StatusOK {
					t.Errorf("%s, request %d, repaired by %v: %d %s", name, i, res.Fired, status, answer)
				}
				checkUntouched(t, sent.Body, req.Bytes(), res.Fired)
				id = ""
			}
			if id != "" {
				t.Errorf("%s, request %d: model %q is not known here", name, i, head.Model)
			}
		}
		if len(requests) < 2 {
			t.Errorf("%s: the turn has no tool result", name)
		}
	}
	want := map[string]map[string]bool{
		"sdk-0.2.112":    set("betas", "tool-schemas", "thinking"),
		"native-2.1.197": set("betas", "tool-schemas", "system-role"),
		"native-2.1.329": set("betas", "tool-schemas", "system-role", "thinking-fields"),
	}
	if !reflect.DeepEqual(fired, want) {
		t.Errorf("the rules that fire:\n got %v\nwant %v", fired, want)
	}
}

// touches says which members of a request a rule may change.
var touches = map[string][]string{
	"system-role": {"messages"}, "betas": nil, "message-fields": {"messages", "output_config"}, "server-tools": {"tools"}, "duplicate-tools": {"tools"},
	"tool-count": {"tools"}, "tool-fields": {"tools"}, "tool-schemas": {"tools"}, "tool-ids": {"messages"}, "tool-inputs": {"messages"},
	"search-blocks": {"messages"}, "image-urls": {"messages"}, "unsigned-thinking": {"messages"}, "blank-text": {"messages", "system"}, "empty-system": {"system"},
	"output-format": {"output_format", "output_config"}, "max-tokens": {"max_tokens"}, "thinking": {"thinking"},
	"thinking-fields": {"thinking"}, "forced-tool": {"thinking"}, "sampling": {"temperature", "top_k", "top_p"},
	"effort": {"output_config"}, "context-management": {"context_management"}, "cache-thinking": {"messages"},
	"cache-deferred": {"tools"}, "cache-fields": {"tools", "system", "messages", "cache_control"},
	"cache-count": {"tools", "system", "messages"}, "auto-cache": {"cache_control", "messages"}, "prefill-space": {"messages"},
	"trailing-assistant": {"messages"},
	// Whatever is not in this list.
	"unknown-fields": {"metadata", "output_config"},
}

// checkUntouched compares the top level of two bodies: what no rule that fired may touch has the same bytes, and stands in
// the same order.
func checkUntouched(t *testing.T, before, after []byte, fired []Fired) {
	t.Helper()
	may := map[string]bool{"model": true}
	unknown := false
	for _, f := range fired {
		fields, ok := touches[f.Rule]
		if !ok {
			t.Fatalf("nothing is said of what %s may touch", f.Rule)
		}
		for _, field := range fields {
			may[field] = true
		}
		unknown = unknown || f.Rule == "unknown-fields"
	}
	rest := func(body []byte) (out []string) {
		req, err := Read(body)
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		for n := range req.doc.Children(req.doc.Root()) {
			if name := req.doc.Key(n); !may[name] && !(unknown && !topFields[name]) {
				out = append(out, name+": "+string(req.doc.Raw(n)))
			}
		}
		return out
	}
	if was, is := rest(before), rest(after); !reflect.DeepEqual(was, is) {
		t.Errorf("%v changed more than they may:\n%q\nto\n%q", fired, was, is)
	}
	// Each time a rule fires it changes one message at most; all others keep their bytes.
	changes := 0
	for _, f := range fired {
		changes += f.Count
	}
	was := map[string]bool{}
	for _, m := range messagesOf(t, before) {
		was[m] = true
	}
	for _, m := range messagesOf(t, after) {
		if !was[m] {
			changes--
		}
	}
	if changes < 0 {
		t.Errorf("%v changed more messages than that:\n%s\nto\n%s", fired, before, after)
	}
}

// messagesOf are the messages of a body as they are written.
func messagesOf(t *testing.T, body []byte) (out []string) {
	t.Helper()
	req, err := Read(body)
	if err != nil {
		t.Fatal(err)
	}
	d := req.doc
	for list := range d.Children(d.Root()) {
		if d.KeyIs(list, "messages") {
			for m := range d.Children(list) {
				out = append(out, string(d.Raw(m)))
			}
		}
	}
	return out
}
