package repair

import (
	"bytes"
	"encoding/json"
	"testing"
)

// Whatever comes in: no panic, what comes out is JSON, nothing that no rule touched has changed, the input is as it was,
// and a second repair finds nothing more to do.
func FuzzRepair(f *testing.F) {
	for _, b := range bads {
		for i := range families {
			if b.models&(1<<i) != 0 {
				f.Add([]byte(`{"model":"m",`+b.body+`}`), b.betas, byte(i))
			}
		}
	}
	f.Add([]byte(`{"messages":[{"role":"system","content":[{"type":"text","text":"\ud800"}]},{"role":"user","content":[]},7,[],{"role":"assistant"}]}`), "", byte(9))
	f.Add([]byte(`{"tools":{},"system":7,"messages":{},"thinking":[],"output_config":[],"context_management":"x","tool_choice":1,"metadata":[],"cache_control":3}`), "compact-2026-01-12", byte(2))
	f.Add([]byte(`{"tools":[7,null,{"input_schema":[]}],"system":[7,{"text":{}}],"thinking":{"type":"enabled","budget_tokens":"x"},"max_tokens":"x"}`), "", byte(1))
	f.Add([]byte(`{"messages":[{"role":"user","content":[{"type":"text","text":" "}],"content":"x"},{"content":[{"type":"thinking"}],"role":"assistant"}],"messages":[]}`), ",,", byte(0))
	f.Add([]byte(`{"messages":[{"role":"user","content":"x"},{"role":"assistant","content":"y"},{"role":"assistant","content":[]}]}`), "", byte(2))
	r := newRepairer(f, Options{})
	f.Fuzz(func(t *testing.T, body []byte, betas string, family byte) {
		m := Model{}
		if i := int(family); i < len(families) {
			m = families[i].model
		}
		before := bytes.Clone(body)
		res, err := mend(r, body, m, []string{betas})
		if !bytes.Equal(body, before) {
			t.Fatal("the input was changed")
		}
		if err != nil {
			return
		}
		if !json.Valid(res.Body) {
			t.Fatalf("%s\nbecame %s\nby %v", body, res.Body, res.Fired)
		}
		if len(res.Fired) == 0 && !bytes.Equal(res.Body, body) {
			t.Fatalf("nothing fired, and yet %s\nbecame %s", body, res.Body)
		}
		checkUntouched(t, body, res.Body, res.Fired)
		again, err := mend(r, res.Body, m, []string{res.Betas})
		if err != nil || len(again.Fired) > 0 {
			t.Fatalf("%s\nbecame %s\nand then %s\nby %v, %v", body, res.Body, again.Body, again.Fired, err)
		}
	})
}
