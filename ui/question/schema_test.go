package question

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"parley/session"
)

// fieldOf returns the only field of a schema.
func fieldOf(t *testing.T, property string, required ...string) *Field {
	t.Helper()
	names, _ := json.Marshal(required)
	fields, warning := schemaFields([]byte(`{"type":"object","properties":{"x":` + property + `},"required":` + string(names) + `}`))
	if len(fields) != 1 || warning != "" {
		t.Fatalf("%s: %d fields, %q", property, len(fields), warning)
	}
	return &fields[0]
}

// Every kind of field of MCP is read: what an answer must look like, its options and its default.
func TestSchemaKinds(t *testing.T) {
	for _, tt := range []struct {
		property string
		expects  string
		values   []string
		multi    bool
		answer   []string // the default
	}{
		{`{"type":"string"}`, "optional", nil, false, nil},
		{`{"type":"string","minLength":3,"maxLength":10,"default":"abc"}`, "3 to 10 characters, optional", nil, false, []string{"abc"}},
		{`{"type":"string","minLength":4,"maxLength":4}`, "exactly 4 characters, optional", nil, false, nil},
		{`{"type":"string","maxLength":1}`, "at most 1 character, optional", nil, false, nil},
		{`{"type":"string","minLength":2.0}`, "at least 2 characters, optional", nil, false, nil},
		{`{"type":"string","format":"email"}`, "an e-mail address, optional", nil, false, nil},
		{`{"type":"string","format":"date-time"}`, "a time such as 2026-01-31T12:00:00Z, optional", nil, false, nil},
		{`{"type":"string","format":"something"}`, "optional", nil, false, nil},
		{`{"type":"string","pattern":"^a+$"}`, "matches ^a+$, optional", nil, false, nil},
		{`{"type":"integer","minimum":1,"maximum":5,"default":3}`, "a whole number from 1 to 5, optional", nil, false, []string{"3"}},
		{`{"type":"number","maximum":0.5,"default":0.25}`, "a number up to 0.5, optional", nil, false, []string{"0.25"}},
		{`{"type":"boolean","default":false}`, "optional", []string{"true", "false"}, false, []string{"false"}},
		{`{"type":"string","enum":["a","b","a"],"enumNames":["A"],"default":"b"}`, "optional", []string{"a", "b"}, false, []string{"b"}},
		{`{"type":"string","oneOf":[{"const":"a","title":"A"},{"const":"b"}],"default":"nothing"}`, "optional", []string{"a", "b"}, false, nil},
		{`{"type":"string","anyOf":[{"const":"a","title":"A"},{"title":"without a value"}]}`, "optional", []string{"a"}, false, nil},
		{`{"enum":["a"]}`, "optional", []string{"a"}, false, nil},
		{`{"type":"array","items":{"type":"string","enum":["a","b"]},"minItems":1,"maxItems":2,"default":["b","c","b"]}`, "pick 1 to 2, optional", []string{"a", "b"}, true, []string{"b"}},
		{`{"type":"array","items":{"anyOf":[{"const":"a","title":"A"}]},"maxItems":1}`, "pick at most 1, optional", []string{"a"}, true, nil},
		{`{"type":["null","integer"]}`, "a whole number, optional", nil, false, nil},
	} {
		fd := fieldOf(t, tt.property)
		if fd.Expects != tt.expects || !reflect.DeepEqual(fd.Values, tt.values) || fd.Multi != tt.multi || !reflect.DeepEqual(fd.Answer(), tt.answer) || fd.Warning != "" {
			t.Errorf("%s: %q %q %v %q, warning %q", tt.property, fd.Expects, fd.Values, fd.Multi, fd.Answer(), fd.Warning)
		}
	}
}

// Kinds that are not MCP's take text, with a warning; a pattern of another dialect is not checked.
func TestSchemaWarns(t *testing.T) {
	for property, want := range map[string]string{
		`{"type":"object","properties":{"a":{}}}`:       "fields of type object",
		`{"type":"array","items":{"type":"string"}}`:    "fields of type list",
		`{"type":"wish\u001b[2J"}`:                      "fields of type wish\x1b[2J",
		`{"type":"string","pattern":"(?<!a)b"}`:         "a pattern that parley can't check: (?<!a)b",
		`{"type":"string","pattern":"(a{1000}){1000}"}`: "a pattern that parley can't check",
	} {
		fd := fieldOf(t, property, "x")
		if !strings.Contains(fd.Warning, want) || fd.wrong("anything") != "" || !fd.Free {
			t.Errorf("%s: warning %q, %q", property, fd.Warning, fd.wrong("anything"))
		}
	}
}

// What is wrong with an answer is said in words.
func TestAnswersAreChecked(t *testing.T) {
	for _, tt := range []struct{ property, words, trouble string }{
		{`{"type":"string","minLength":3}`, "ab", "too short: at least 3 characters"},
		{`{"type":"string","minLength":2}`, "東京", ""},
		{`{"type":"string","maxLength":1}`, "ab", "too long: at most 1 character"},
		{`{"type":"string","maxLength":0}`, "a", "too long: at most 0 characters"},
		{`{"type":"string","pattern":"^[a-z]+$"}`, "A", "does not match ^[a-z]+$"},
		{`{"type":"string","pattern":"b"}`, "abc", ""},
		{`{"type":"string","format":"email"}`, "ada@example.com", ""},
		{`{"type":"string","format":"email"}`, "Ada <ada@example.com>", "not an e-mail address"},
		{`{"type":"string","format":"uri"}`, "https://example.com/x", ""},
		{`{"type":"string","format":"uri"}`, "mailto:ada@example.com", ""},
		{`{"type":"string","format":"uri"}`, "example.com", "not an address such as https://example.com"},
		{`{"type":"string","format":"uri"}`, "https:", "not an address such as https://example.com"},
		{`{"type":"string","format":"date"}`, "2026-02-30", "not a date such as 2026-01-31"},
		{`{"type":"string","format":"date-time"}`, "2026-02-01T10:00:00+02:00", ""},
		{`{"type":"integer"}`, "1.5", "not a whole number"},
		{`{"type":"integer"}`, "99999999999999999999", "not a whole number"},
		{`{"type":"number"}`, "NaN", "not a number"},
		{`{"type":"number"}`, "1e400", "not a number"},
		{`{"type":"number","minimum":1}`, "0.5", "not a number from 1"},
		{`{"type":"number","minimum":1}`, "1e3", ""},
	} {
		if got := fieldOf(t, tt.property).wrong(tt.words); got != tt.trouble {
			t.Errorf("%s: %q is %q, want %q", tt.property, tt.words, got, tt.trouble)
		}
	}
}

// Schemas that no person could fill in are cut, and say so; the later of two fields with one name holds.
func TestHostileSchemas(t *testing.T) {
	var many, values strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&many, `,"f%d":{"type":"string"}`, i)
		fmt.Fprintf(&values, `,"v%d"`, i)
	}
	fields, warning := schemaFields([]byte(`{"properties":{` + many.String()[1:] + `}}`))
	if len(fields) != maxFields || !strings.Contains(warning, "4,900 more fields") {
		t.Errorf("%d fields, %q", len(fields), warning)
	}
	fd := fieldOf(t, `{"type":"string","enum":[`+values.String()[1:]+`],"default":"v4999"}`)
	if len(fd.Options) != maxOptions || !fd.Free || fd.Own != "v4999" || fd.wrong("v4000") != "" || fd.wrong("other") == "" || fd.Warning == "" {
		t.Errorf("%d options, %q, %q", len(fd.Options), fd.Own, fd.Warning)
	}
	fields, _ = schemaFields([]byte(`{"properties":{"a":{"type":"string"},"b":{},"a":{"type":"boolean"}}}`))
	if len(fields) != 2 || fields[0].Key != "a" || len(fields[0].Options) != 2 {
		t.Errorf("%+v", fields)
	}
	if fd := fieldOf(t, `{"title":"`+strings.Repeat("語", 10000)+`"}`); len(fd.Text) > maxWords+40 || !strings.Contains(fd.Text, "more)") {
		t.Errorf("a title of %d bytes", len(fd.Text))
	}
	for name, schema := range map[string]string{
		"too large": `{"properties":{"a":{"title":"` + strings.Repeat("x", maxSchema) + `"}}}`, "no JSON": `{"properties":`, "a list": `[1]`,
		"deep": strings.Repeat(`{"properties":`, 20000), "no object": `{"properties":7}`,
	} {
		if fields, warning := schemaFields([]byte(schema)); len(fields) != 0 || warning == "" {
			t.Errorf("%s: %d fields, %q", name, len(fields), warning)
		}
	}
}

// FuzzSchema reads any schema: the form is bounded, each field has its own key, and its defaults are answers that can
// be sent or are complained about.
func FuzzSchema(f *testing.F) {
	f.Add([]byte(personSchema))
	f.Add([]byte(`{"properties":{"a":{"type":["null","string"],"enum":[1,null,{}],"default":[1]},"a":{"type":"array","items":{"anyOf":[{"const":1}]},"minItems":-1,"maxItems":1e99}}}`))
	f.Add([]byte(`{"properties":{"\u001b":{"pattern":"(((","minLength":1e300,"default":{"a":[]}}},"required":["a",1]}`))
	f.Fuzz(func(t *testing.T, schema []byte) {
		form := elicitationForm(&session.ElicitationAsk{Schema: schema})
		if len(form.Fields) == 0 || len(form.Fields) > maxFields {
			t.Fatalf("%d fields", len(form.Fields))
		}
		keys := map[string]bool{}
		for i := range form.Fields {
			fd := &form.Fields[i]
			if keys[fd.Key] || len(fd.Options) > maxOptions || len(fd.Values) > 0 && len(fd.Values) != len(fd.Options) {
				t.Fatalf("%+v", fd)
			}
			keys[fd.Key] = true
			for _, c := range fd.Chosen {
				if !strings.Contains(strings.Join(fd.Values, "\x00"), c) {
					t.Fatalf("%q is chosen of %q", c, fd.Values)
				}
			}
			fd.Line("1")
			fd.Line("words")
			fd.wrong("words")
		}
		for range 3 * len(form.Fields) {
			if a, done := form.Key("enter", ""); done {
				for key := range a.Choices {
					if !keys[key] {
						t.Fatalf("an answer to %q", key)
					}
				}
				return
			}
			if form.Trouble() != "" {
				form.Key("x", "x")
				form.Key("tab", "")
			}
		}
	})
}
