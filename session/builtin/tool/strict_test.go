package tool

import "testing"

func TestStrict(t *testing.T) {
	const list = `{"type":"object","properties":{"a":{"type":"array","items":{"type":"object","properties":{"b":{"type":"string"}},"required":[`
	for schema, want := range map[string]bool{
		`{"type":"object","properties":{"a":{"type":"string","description":"x","enum":["y"]}},"required":["a"],"additionalProperties":false}`: true,
		`{"type":"object","properties":{},"additionalProperties":false}`:                                                                      true,
		list + `"b"],"additionalProperties":false}}},"required":["a"],"additionalProperties":false}`:                                          true,
		list + `],"additionalProperties":false}}},"required":["a"],"additionalProperties":false}`:                                             false,
		list + `"b"]}}},"required":["a"],"additionalProperties":false}`:                                                                       false,
		`{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`:                                                 false,
		`{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`:                                                             false,
		`{"type":"object","properties":{"a":{"type":"string","minLength":1}},"required":["a"],"additionalProperties":false}`:                  false,
		`{"type":"object","additionalProperties":{"type":"string"}}`:                                                                          false,
		`no schema`: false,
	} {
		if got := (&Tool{Schema: schema}).Strict(); got != want {
			t.Errorf("%s: %v", schema, got)
		}
	}
}
