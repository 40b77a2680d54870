package cli

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"parley/internal/cli/headless"
)

// Sessions are exported in three forms without what looks like a secret, the JSON as its schema says.
func TestExports(t *testing.T) {
	const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "keep "+secret)
	id := w.only()
	for _, args := range [][]string{{}, {"--format", "html"}, {"--format", "json"}, {"--json"}} {
		out := w.mustRun(append([]string{"sessions", "export", id}, args...)...)
		if !strings.Contains(out, "keep ***") || strings.Contains(out, secret) {
			t.Errorf("%v: %s", args, out)
		}
		if out = w.mustRun(append([]string{"sessions", "export", "--secrets", id}, args...)...); !strings.Contains(out, secret) {
			t.Errorf("%v with secrets: %s", args, out)
		}
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(headless.ExportSchema(), &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	var got any
	if err == nil {
		err = json.Unmarshal([]byte(w.mustRun("sessions", "export", "--format", "json", id)), &got)
	}
	if err == nil {
		err = r.Validate(got)
	}
	if err != nil {
		t.Error(err)
	}
	if o := w.run("sessions", "export", "--format", "pdf", id); o.code != 2 || !strings.Contains(o.err, "md, html, json") {
		t.Errorf("%+v", o)
	}
}
