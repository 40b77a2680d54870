package transcript

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

// FuzzScan holds the scanner against encoding/json: of valid JSON objects both read the same, and nothing else makes it
// fail or hang.
func FuzzScan(f *testing.F) {
	for _, s := range []string{
		`{"type":"user","uuid":"a","parentUuid":null,"isSidechain":false,"message":{"role":"user","content":"x\n\u00e9\ud83d\ude00\ud800"}}`,
		`{"message":{"content":[{"type":"text","text":"a \" b \\"},{"type":"tool_use","input":{"a":[1,{}]}}],"id":"m"},"uuid":"\u0061","type":"assistant"}`,
		` { "type" : "system" , "subtype":"compact_boundary", "uuid":"b","logicalParentUuid":"a","x":[],"y":{} } `,
		`{"type":"user","uuid":"a","uuid":"b","type":7}`, `{`, `{"a"`, `{"a":}`, `[]`, `{"type":"user","uuid":"a"} x`, `{"a":"\`, "{\"type\":\"user\",\"uuid\":\"\xff\"}",
	} {
		f.Add([]byte(s))
	}
	names, _ := filepath.Glob(filepath.Join("testdata", "*", "two-turns.txtar"))
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, line := range bytes.SplitAfter(data, []byte("\n")) {
			if len(line) > 0 && len(line) < 4000 && line[0] == '{' {
				f.Add(bytes.TrimSpace(line))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		data = bytes.TrimSpace(data)
		l, ok, damaged := scanLine(data)
		e := decode(data)
		var fields map[string]json.RawMessage
		if json.Unmarshal(data, &fields) != nil || fields == nil {
			return
		}
		if damaged {
			t.Fatal("a JSON object counts as damaged")
		}
		kind := kinds[str(fields, "type")]
		if want := kind == title || kind != other && str(fields, "uuid") != ""; ok != want {
			t.Fatalf("kept %v, want %v", ok, want)
		}
		if !ok {
			return
		}
		got := []string{l.uuid, l.parent, l.logical, l.source, e.Type, e.Subtype, e.UUID, e.Mode, e.Cwd}
		want := []string{str(fields, "uuid"), str(fields, "parentUuid"), str(fields, "logicalParentUuid"), str(fields, "sourceToolAssistantUUID"),
			str(fields, "type"), str(fields, "subtype"), str(fields, "uuid"), str(fields, "permissionMode"), str(fields, "cwd")}
		if !reflect.DeepEqual(got, want) || l.kind != kind || l.sidechain != truth(fields, "isSidechain") || l.meta != truth(fields, "isMeta") {
			t.Fatalf("read %q, want %q", got, want)
		}
		if !bytes.Equal(e.Result, fields["toolUseResult"]) {
			t.Fatalf("result %s, want %s", e.Result, fields["toolUseResult"])
		}
		var message map[string]json.RawMessage
		if json.Unmarshal(fields["message"], &message) == nil {
			if l.messageID != str(message, "id") || e.Model != str(message, "model") {
				t.Fatalf("message %q of %q", l.messageID, e.Model)
			}
			compareBlocks(t, e.Blocks, message["content"])
		}
	})
}

func str(fields map[string]json.RawMessage, key string) string {
	var s string
	if json.Unmarshal(fields[key], &s) != nil {
		return ""
	}
	return s
}

func truth(fields map[string]json.RawMessage, key string) bool { return string(fields[key]) == "true" }

func compareBlocks(t *testing.T, got []Block, content json.RawMessage) {
	t.Helper()
	var text string
	if json.Unmarshal(content, &text) == nil {
		if text != "" && (len(got) != 1 || got[0].Text != text) {
			t.Fatalf("blocks %+v of the text %q", got, text)
		}
		return
	}
	var list []map[string]json.RawMessage
	if json.Unmarshal(content, &list) != nil || len(list) != len(got) {
		return
	}
	for i, b := range list {
		_, hasText := b["text"]
		_, hasThinking := b["thinking"]
		if got[i].Type != str(b, "type") || got[i].ID != str(b, "id") || got[i].ToolUseID != str(b, "tool_use_id") ||
			!bytes.Equal(got[i].Input, b["input"]) || !bytes.Equal(got[i].Content, b["content"]) || got[i].IsError != truth(b, "is_error") ||
			hasText && !hasThinking && got[i].Text != str(b, "text") {
			t.Fatalf("block %+v, want %s", got[i], b)
		}
	}
}

func TestSlug(t *testing.T) {
	long := "/home/user/" + string(bytes.Repeat([]byte("a-b_c/"), 40))
	for _, c := range []struct{ dir, want string }{
		{"/home/user/project", "-home-user-project"},
		{"/a_b.c d", "-a-b-c-d"},
		{"/ü/日本/😀", "--------"}, // one dash for each UTF-16 code unit
		{long[:200], string(bytes.Map(dash, []byte(long[:200])))},
		{long[:201], string(bytes.Map(dash, []byte(long[:200]))) + "-" + base36(long[:201])},
	} {
		if got := Slug(c.dir); got != c.want {
			t.Errorf("%q is %q, want %q", c.dir, got, c.want)
		}
	}
}

func dash(r rune) rune {
	if r >= 'a' && r <= 'z' {
		return r
	}
	return '-'
}

// base36 is the hash of an ASCII path, written as plainly as possible.
func base36(s string) string {
	h := int64(0)
	for i := range len(s) {
		h = (h*31 + int64(s[i])) & 0xffffffff
	}
	if h >= 1<<31 {
		h = 1<<32 - h
	}
	digits := ""
	for ; h > 0; h /= 36 {
		digits = string("0123456789abcdefghijklmnopqrstuvwxyz"[h%36]) + digits
	}
	return digits
}

func TestDecodeTimes(t *testing.T) {
	e := decode([]byte(`{"type":"user","uuid":"a","timestamp":"2026-01-01T12:00:00.060Z"}`))
	if want := time.Date(2026, 1, 1, 12, 0, 0, 60e6, time.UTC); !e.Time.Equal(want) {
		t.Errorf("%v", e.Time)
	}
	if e = decode([]byte(`{"type":"user","uuid":"a","timestamp":"yesterday"}`)); !e.Time.IsZero() {
		t.Errorf("%v", e.Time)
	}
}
