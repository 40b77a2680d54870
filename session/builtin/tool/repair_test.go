package tool

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

var testTool = &Tool{Name: "T", Schema: `{"type":"object","properties":{"file_path":{"type":"string"},"limit":{"type":"integer"},"ratio":{"type":"number"},` +
	`"replace_all":{"type":"boolean"},"names":{"type":"array","items":{"type":"string"}},` +
	`"edits":{"type":"array","items":{"type":"object","properties":{"old_string":{"type":"string"},"replace_all":{"type":"boolean"}}}}},"required":["file_path"]}`}

func TestRepair(t *testing.T) {
	for in, want := range map[string]string{
		// what is right stays as it is
		`{"file_path": "a", "limit": 1e0, "x": null}`: `{"file_path": "a", "limit": 1e0, "x": null}`,
		`{ "file_path":"a","edits":[] }`:              `{ "file_path":"a","edits":[] }`,
		// the form
		"```json\n{\"file_path\":\"a\"}\n```":  `{"file_path":"a"}`,
		"\xef\xbb\xbf {\"file_path\":\"a\"}":   `{"file_path":"a"}`,
		`"{\"file_path\":\"a\"}"`:              `{"file_path":"a"}`,
		`"\"{\\\"file_path\\\":\\\"a\\\"}\""`:  `{"file_path":"a"}`,
		`{"file_path":"a",}`:                   `{"file_path":"a"}`,
		`{"file_path":"a","names":["b",],}`:    `{"file_path":"a","names":["b"]}`,
		"{\"file_path\":\"a\n\tb\r\x01\"}":     `{"file_path":"a\n\tb\r\u0001"}`,
		`{'file_path': 'say "a" \'b\''}`:       `{"file_path":"say \"a\" 'b'"}`,
		`{"file_path":"it\'s"}`:                `{"file_path":"it's"}`,
		`{"file_path":"a","replace_all":True}`: `{"file_path":"a","replace_all":true}`,
		`{"file_path":"a","limit":None}`:       `{"file_path":"a"}`,
		`{"file_path":"a"`:                     `{"file_path":"a"}`,
		`{"file_path":"a","names":["b"`:        `{"file_path":"a","names":["b"]}`,
		`{"file_path":"a"}}]`:                  `{"file_path":"a"}`,
		// the types
		`{"file_path":5}`:                                          `{"file_path":"5"}`,
		`{"file_path":"a","limit":"10"}`:                           `{"file_path":"a","limit":10}`,
		`{"file_path":"a","limit":10.0}`:                           `{"file_path":"a","limit":10}`,
		`{"file_path":"a","ratio":" 1.5 "}`:                        `{"file_path":"a","ratio":1.5}`,
		`{"file_path":"a","replace_all":"True"}`:                   `{"file_path":"a","replace_all":true}`,
		`{"file_path":"a","limit":null,"names":null}`:              `{"file_path":"a"}`,
		`{"file_path":"a","names":"b"}`:                            `{"file_path":"a","names":["b"]}`,
		`{"file_path":"a","names":"[\"b\"]"}`:                      `{"file_path":"a","names":["b"]}`,
		`{"file_path":"a","edits":{"oldString":"x"}}`:              `{"file_path":"a","edits":[{"old_string":"x"}]}`,
		`{"file_path":"a","edits":"[{\"replaceAll\":\"false\"}]"}`: `{"file_path":"a","edits":[{"replace_all":false}]}`,
		// the names
		`{"filePath":"a","LIMIT":3,"other":1}`:        `{"file_path":"a","limit":3,"other":1}`,
		`{"file_path":"a","filePath":"b"}`:            `{"file_path":"a","filePath":"b"}`,
		`{"path":"a","limit":3}`:                      `{"file_path":"a","limit":3}`,
		`{"file":"a"}`:                                `{"file_path":"a"}`,
		`{"file_path":["bash","-lc","make all"]}`:     `{"file_path":"make all"}`,
		`{"file_path":["/bin/sh","-c","echo \"a\""]}`: `{"file_path":"echo \"a\""}`,
		// what could mean several things stays
		`{"path":"a","dir":"b"}`:                `{"path":"a","dir":"b"}`,
		`{"content":"a"}`:                       `{"content":"a"}`,
		`{"file_path":["bash","x.sh","arg"]}`:   `{"file_path":["bash","x.sh","arg"]}`,
		`{"file_path":["bash","-c","a","b"]}`:   `{"file_path":["bash","-c","a","b"]}`,
		`{"file_path":["python","-c","print"]}`: `{"file_path":["python","-c","print"]}`,
		`{"file_path":"a","limit":"10x"}`:       `{"file_path":"a","limit":"10x"}`,
		`{"file_path":"a","limit":1`:            `{"file_path":"a","limit":1`,
		`{"limit":"1"`:                          `{"limit":"1"`,
		`{"file_path":"a`:                       `{"file_path":"a`,
		`{"file_path":"say "hi" now"}`:          `{"file_path":"say "hi" now"}`,
		`{'file_path': 'print('a', 'b')'}`:      `{'file_path': 'print('a', 'b')'}`,
		`{"file_path":"\d+\b"}`:                 `{"file_path":"\d+\b"}`,
		`{"file_path":"a"} {"file_path":"b"}`:   `{"file_path":"a"} {"file_path":"b"}`,
		`{"file_path":"a","names":{"b":1}}`:     `{"file_path":"a","names":{"b":1}}`,
		`{"file_path":{"a":1}}`:                 `{"file_path":{"a":1}}`,
		`[1]`:                                   `[1]`,
		``:                                      ``,
		`{"file_path" "a"}`:                     `{"file_path" "a"}`,
		strings.Repeat(`{"a":`, 200) + `1`:      strings.Repeat(`{"a":`, 200) + `1`,
	} {
		if got := string(testTool.Repair(json.RawMessage(in))); got != want {
			t.Errorf("%q\n gave %q\n want %q", in, got, want)
		}
	}
}

func TestWhatIsWrongIsSaid(t *testing.T) {
	var v struct {
		Path  string `json:"file_path"`
		Limit int    `json:"limit"`
	}
	const send = ` Send one JSON object with "file_path".`
	for in, want := range map[string]string{
		`{"file_path":"say "hi" now"}`:        `The input is not valid JSON: at byte 19, a comma or "}" was expected, but there is "hi\" now\"}". A quote inside a string is written \".` + send,
		`{"file_path":"a`:                     `The input is not valid JSON: at byte 13, a string begins that does not end: the input is cut off, or its closing quote is missing.` + send,
		`{"file_path":"\d"}`:                  `The input is not valid JSON: at byte 14, there is the unknown escape "\\d". A backslash is written \\.` + send,
		`{"file_path":`:                       `The input is not valid JSON: at byte 13, a value was expected, but there is the end: the input is cut off.` + send,
		`{"file_path" "a"}`:                   `The input is not valid JSON: at byte 13, a colon was expected, but there is "\"a\"}".` + send,
		`{file_path:"a"}`:                     `The input is not valid JSON: at byte 1, the name of a field in quotes was expected, but there is "file_path:\"a\"}".` + send,
		`{"file_path":"a"} {"file_path":"b"}`: `The input has something after its JSON object, at byte 18: "{\"file_path\":\"b\"}". Send one object.` + send,
		`{"x":"1"`:                            `The input is cut off before "file_path".` + send,
		`"a"`:                                 `The input is not a JSON object: "a"` + send,
		`null`:                                `The input is not a JSON object: null` + send,
		`{"limit":1}`:                         `The input lacks "file_path".`,
		`{"file_path":1}`:                     `"file_path" must be of type string, not number.`,
	} {
		if err := DecodeInput(json.RawMessage(in), &v, "file_path"); err == nil || err.Error() != want {
			t.Errorf("%s: %v", in, err)
		}
	}
}

// Input that is right means the same after a repair, and a repaired one is an object that is right.
func FuzzRepair(f *testing.F) {
	for _, s := range []string{`{"file_path":"a\u00e9","limit":10}`, `{'a':'b'}`, "```\n{\"a\":1,}\n```", `{"edits":[{"oldString":"x",}]`, `{"a":None}`, `{"a":1.0e3}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		out, cut, err := repairJSON(in)
		var before, after any
		valid := json.Unmarshal(in, &before) == nil
		if _, isObject := before.(map[string]any); valid && isObject {
			if err != nil || cut || json.Unmarshal(out, &after) != nil || !reflect.DeepEqual(before, after) {
				t.Fatalf("%q became %q, %v", in, out, err)
			}
		}
		if err != nil {
			return
		}
		if !json.Valid(out) || !bytes.HasPrefix(out, []byte("{")) {
			t.Fatalf("%q became %q", in, out)
		}
		again, _, err := repairJSON(out)
		if err != nil || !bytes.Equal(again, out) {
			t.Fatalf("%q became %q and then %q, %v", in, out, again, err)
		}
		fitted := fit(schemaOf(testTool.Schema), out)
		if !json.Valid(fitted) {
			t.Fatalf("%q was fitted to %q", out, fitted)
		}
		if twice := fit(schemaOf(testTool.Schema), fitted); !bytes.Equal(twice, fitted) {
			t.Fatalf("%q was fitted to %q and then to %q", out, fitted, twice)
		}
	})
}
