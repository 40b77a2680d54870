package form

import (
	"encoding/json"
	"testing"
)

func TestContent(t *testing.T) {
	const schema = `{"type":"object","properties":{"n":{"type":"integer","minimum":1},"ok":{"type":"boolean"},"x":{"type":"number"},
		"who":{"type":"string"},"tags":{"type":"array","items":{"enum":["a","b"]}},"maybe":{"type":["null","integer"]},
		"one":{"enum":[1,2]},"named":{"oneOf":[{"const":"r","title":"Red"}]}}}`
	for name, test := range map[string]struct {
		schema  string
		answers map[string][]string
		want    string
	}{
		"types": {schema, map[string][]string{"n": {"7"}, "ok": {"TRUE"}, "x": {"1.5"}, "who": {"me"}, "tags": {"a", "b"}, "maybe": {"3"}, "one": {"2"},
			"named": {"r"}}, `{"maybe":3,"n":7,"named":"r","ok":true,"one":2,"tags":["a","b"],"who":"me","x":1.5}`},
		"what does not fit": {schema, map[string][]string{"n": {"0"}, "ok": {"perhaps"}, "x": {"NaN"}, "tags": {"c"}, "one": {"3"}, "named": {"Red"}}, `{}`},
		"no schema":         {"", map[string][]string{"a": {"b", "c"}}, `{"a":"b, c"}`},
		"malformed":         {`{"properties":[]}`, map[string][]string{"a": {"1"}}, `{"a":"1"}`},
		"hostile names":     {`{"properties":{"__proto__":{"type":"integer"}}}`, map[string][]string{"__proto__": {"1"}, "": {"x"}}, `{"":"x","__proto__":1}`},
	} {
		got, err := json.Marshal(Content(json.RawMessage(test.schema), test.answers))
		if err != nil || string(got) != test.want {
			t.Errorf("%s: %s, %v, want %s", name, got, err, test.want)
		}
	}
}
