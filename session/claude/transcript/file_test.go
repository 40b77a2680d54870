package transcript

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"parley/internal/repeat"
)

// said writes a line: of the user or, with a message id, of the assistant.
func said(uuid, parent, text string, more ...string) string {
	p := "null"
	if parent != "" {
		p = `"` + parent + `"`
	}
	kind := "user"
	for _, m := range more {
		if strings.HasPrefix(m, `"type":`) {
			kind = ""
		}
	}
	extra := ""
	for _, m := range more {
		extra += "," + m
	}
	if kind != "" {
		extra += `,"type":"user"`
	}
	content := `"` + text + `"`
	if strings.HasPrefix(text, "[") {
		content = text
	}
	id := ""
	if kind == "" {
		id = `,"id":"msg_` + strings.TrimRight(uuid, "0123456789") + `"`
	}
	return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"message":{"content":%s%s},"uuid":%q%s}`+"\n", p, content, id, uuid, extra)
}

const (
	isAssistant = `"type":"assistant"`
	isSystem    = `"type":"system"`
)

func result(of string) string {
	return `[{"type":"tool_result","tool_use_id":"` + of + `","content":"ok"}]`
}

func write(t testing.TB, data string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func load(t testing.TB, path string) *File {
	t.Helper()
	f := Open(path)
	if _, err := f.Update(context.Background()); err != nil {
		t.Fatal(err)
	}
	return f
}

func uuids(entries []Entry) string {
	var out []string
	for _, e := range entries {
		out = append(out, e.UUID)
	}
	return strings.Join(out, " ")
}

func TestOrder(t *testing.T) {
	boundary := func(uuid, logical string) string {
		return fmt.Sprintf(`{"parentUuid":null,"logicalParentUuid":%q,"type":"system","subtype":"compact_boundary","isSidechain":false,"uuid":%q}`+"\n", logical, uuid)
	}
	for _, c := range []struct {
		name, data, want string
		damaged          int
	}{
		{"a line", said("u1", "", "hi") + said("a1", "u1", "ho", isAssistant), "u1 a1", 0},
		{"results of parallel calls", said("u1", "", "hi") + said("a1", "u1", "x", isAssistant) + said("a2", "a1", "x", isAssistant) +
			said("r1", "a1", result("1"), `"sourceToolAssistantUUID":"a1"`) + said("r2", "a2", result("2"), `"sourceToolAssistantUUID":"a2"`) +
			said("b1", "r2", "done", isAssistant), "u1 a1 a2 r1 r2 b1", 0},
		{"a sibling block beside the chain", said("u1", "", "hi") + said("a1", "u1", "x", isAssistant) + said("a2", "u1", "y", isAssistant) +
			said("b1", "a2", "z", isAssistant), "u1 a1 a2 b1", 0},
		{"a branch that was left", said("u1", "", "hi") + said("a1", "u1", "x", isAssistant) + said("u2", "a1", "old") + said("b1", "u2", "old", isAssistant) +
			said("u3", "a1", "new") + said("c1", "u3", "new", isAssistant), "u1 a1 u3 c1", 0},
		{"a compaction", said("u1", "", "hi") + said("a1", "u1", "x", isAssistant) + said("u1", "", "hi") + said("a1", "u1", "x", isAssistant) +
			boundary("k", "a1") + said("u2", "k", "summary") + said("b1", "u2", "y", isAssistant), "u1 a1 k u2 b1", 0},
		{"a compaction that kept messages", said("u1", "", "hi") + said("a1", "u1", "x", isAssistant) + boundary("k", "a1") +
			said("u2", "a1", "more") + said("b1", "u2", "y", isAssistant), "u1 a1 k u2 b1", 0},
		{"a damaged line in the middle", said("u1", "", "hi") + `{"uuid":"a1","type":"assist` + "\n" + said("u2", "a1", "x") + said("b1", "u2", "y", isAssistant),
			"u1 u2 b1", 1},
		{"metadata and unknown types", `{"type":"queue-operation","uuid":"q"}` + "\n" + said("u1", "", "hi") + `{"type":"news","uuid":"n","parentUuid":"u1"}` + "\n" +
			said("a1", "u1", "x", isAssistant) + `{"type":"last-prompt","lastPrompt":"hi"}` + "\n", "u1 a1", 0},
		{"a circle", said("u1", "a1", "hi") + said("a1", "u1", "x", isAssistant) + said("u2", "a1", "y"), "u1 a1 u2", 0},
		{"a line that waits for its end", said("u1", "", "hi") + strings.TrimSpace(said("a1", "u1", "x", isAssistant)), "u1", 0},
		{"nothing", "", "", 0},
		{"a trailing note", said("u1", "", "hi") + said("a1", "u1", "x", isAssistant) + said("s1", "a1", "", isSystem), "u1 a1 s1", 0},
	} {
		f := load(t, write(t, c.data))
		if got := uuids(f.Conversation()); got != c.want || f.Damaged() != c.damaged {
			t.Errorf("%s: %q with %d damaged, want %q with %d", c.name, got, f.Damaged(), c.want, c.damaged)
		}
	}
}

// A file is read once, however often it is looked at, and what is appended is read alone.
func TestUpdateReadsTheNewTailAlone(t *testing.T) {
	begin := strings.Repeat(said("x", "", strings.Repeat("long ", 200)), 3000) + said("u1", "", "hi")
	path := write(t, begin)
	f := load(t, path)
	if f.BytesRead() < int64(len(begin)) || f.BytesRead() > int64(len(begin)+runtime.GOMAXPROCS(0)*(beyond+1)) {
		t.Errorf("read %d bytes of %d", f.BytesRead(), len(begin))
	}
	before := f.BytesRead()
	if grown, err := f.Update(t.Context()); grown || err != nil || f.BytesRead() != before {
		t.Errorf("grown %v, %v, read %d more", grown, err, f.BytesRead()-before)
	}
	end := said("a1", "u1", "ho", isAssistant)
	for _, half := range []string{end[:20], end[20:]} {
		out, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString(half)
		out.Close()
		if grown, err := f.Update(t.Context()); err != nil || grown != (half == end[20:]) {
			t.Errorf("after %d bytes: grown %v, %v", len(half), grown, err)
		}
	}
	if got := f.BytesRead() - before; got > int64(2*len(end)) {
		t.Errorf("read %d bytes for a tail of %d", got, len(end))
	}
	if got := uuids(f.Conversation()); got != "u1 a1" || f.Damaged() != 0 {
		t.Errorf("%q", got)
	}
	// One that was replaced is another.
	if err := os.WriteFile(path, []byte(said("u9", "", "new")), 0o600); err != nil {
		t.Fatal(err)
	}
	if grown, err := f.Update(t.Context()); !grown || err != nil || uuids(f.Conversation()) != "u9" {
		t.Errorf("%v %v %q", grown, err, uuids(f.Conversation()))
	}
}

// However a file is divided among workers, every line is read once.
func TestPartsMakeTheWhole(t *testing.T) {
	var data bytes.Buffer
	var want []string
	for i := range 60 {
		id := fmt.Sprintf("u%03d", i)
		want = append(want, id)
		data.WriteString(said(id, "", strings.Repeat("x", i*7%50)))
		if i%7 == 0 {
			data.WriteString("\n")
		}
	}
	data.WriteString(`{"torn`)
	size := int64(data.Len())
	for step := int64(1); step < size; step += int64(repeat.Times(157, 53, 13)) {
		var got []string
		end := int64(0)
		for from := int64(0); from < size; from += step {
			p := part{from: from, to: min(from+step, size), inside: from > 0}
			p.scan(t.Context(), bytes.NewReader(data.Bytes()), size)
			for _, l := range p.lines {
				got = append(got, l.uuid)
			}
			end = max(end, p.end)
		}
		if !slices.Equal(got, want) || end != size-6 {
			t.Fatalf("step %d: %d lines, end %d of %d", step, len(got), end, size)
		}
	}
}
