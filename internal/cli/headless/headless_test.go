package headless

import (
	"bufio"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"
)

func TestReadContext(t *testing.T) {
	fits := strings.Repeat("x", headBytes+tailBytes-1)
	if text, left, err := ReadContext(strings.NewReader(fits)); text != fits || left != 0 || err != nil {
		t.Errorf("%d of %d bytes, %d left, %v", len(text), len(fits), left, err)
	}
	const more = 5 << 20
	long := strings.Repeat("é", more/2)
	text, left, err := ReadContext(strings.NewReader("begin " + long + " end"))
	if err != nil || !utf8.ValidString(text) || !strings.HasPrefix(text, "begin é") || !strings.HasSuffix(text, "é end") ||
		!strings.Contains(text, "left out here") || left < more-headBytes-2*tailBytes || left > more {
		t.Errorf("%d bytes, %d left, %v", len(text), left, err)
	}
}

func TestAnswersAreRead(t *testing.T) {
	s, err := ParseSchema([]byte(`{"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}, "required": ["n"]}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ answer, want, wrong string }{
		{`{"n": 3}`, `{"n":3}`, ""},
		{"```json\n{\"n\": 3}\n```", `{"n":3}`, ""},
		{"Here it is:\n```\n{\"n\": 3}\n```\nGood luck!", `{"n":3}`, ""},
		{`{"n": 0}`, "", "minimum"},
		{`{"n": "3"}`, "", "/properties/n"},
		{`{}`, "", `"n"`},
		{`three`, "", "not JSON"},
		{` `, "", "empty"},
	} {
		got, err := s.Read(tc.answer)
		if string(got) != tc.want || (err != nil) != (tc.wrong != "") || err != nil && !strings.Contains(err.Error(), tc.wrong) {
			t.Errorf("%q: %s, %v", tc.answer, got, err)
		}
	}
	if _, err := ParseSchema([]byte(`{"description": "` + strings.Repeat("x", MaxSchema) + `"}`)); err == nil {
		t.Error("a schema of any size is taken")
	}
}

// The published schema refuses what is not a line of the output, and a line of input with a field that is not known.
func TestPublishedSchemaIsStrict(t *testing.T) {
	var s jsonschema.Schema
	if err := json.Unmarshal(StreamSchema(), &s); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		schema *jsonschema.Schema
		line   string
		ok     bool
	}{
		{&s, `{"type":"error","line":3,"what":"x"}`, true},
		{&s, `{"type":"part_delta","part":"p","text":"x"}`, true},
		{&s, `{"type":"part_delta","part":"p"}`, false},
		{&s, `{"type":"nonsense"}`, false},
		{&s, `{"type":"result"}`, false},
	} {
		r, err := tc.schema.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		var v any
		if err := json.Unmarshal([]byte(tc.line), &v); err != nil {
			t.Fatal(err)
		}
		if err := r.Validate(v); (err == nil) != tc.ok {
			t.Errorf("%s: %v", tc.line, err)
		}
	}
}

func TestLinesAreBounded(t *testing.T) {
	long := strings.Repeat("x", maxLine+1)
	r := bufio.NewReader(strings.NewReader("one\n" + long + "\ntwo"))
	for _, want := range []struct {
		line string
		long bool
	}{{"one\n", false}, {"", true}, {"two", false}} {
		line, tooLong, _ := readLine(r)
		if string(line) != want.line || tooLong != want.long {
			t.Errorf("%d bytes, %v", len(line), tooLong)
		}
	}
}

func FuzzAnswers(f *testing.F) {
	s, err := ParseSchema([]byte(`{"type": "object", "properties": {"n": {"type": "integer"}}}`))
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range []string{`{"n": 1}`, "```json\n{}\n```", "```", "``` ```{}```", "\xff", `{"n": 1e400}`, `{"n":1}{}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, answer string) {
		if got, err := s.Read(answer); err == nil && !json.Valid(got) {
			t.Errorf("%q: %q", answer, got)
		}
	})
}
