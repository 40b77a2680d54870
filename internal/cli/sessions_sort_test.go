package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

// TestSortedSessions tags, pins and archives sessions of parley and of Claude Code, and finds them by that.
func TestSortedSessions(t *testing.T) {
	w := newWorld(t).signIn(talkative)
	w.mustRun("-p", "ours")
	path := filepath.Join(w.home, ".claude", "projects", "-work", theirID+".jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(theirTranscript), 0o600); err != nil {
		t.Fatal(err)
	}
	list := func(filters ...string) (ids string, all []session.Meta) {
		t.Helper()
		if err := json.Unmarshal([]byte(w.mustRun(append([]string{"sessions", "list", "--json"}, filters...)...)), &all); err != nil {
			t.Fatal(err)
		}
		for _, m := range all {
			ids += m.First + ","
		}
		return ids, all
	}
	if ids, _ := list("agent:claude"); ids != "look here," {
		t.Errorf("of Claude Code: %q", ids)
	}
	var marked session.Meta
	if err := json.Unmarshal([]byte(w.mustRun("sessions", "tag", theirID, "Infra", "upload", "--json")), &marked); err != nil || marked.ID != theirID || strings.Join(marked.Tags, " ") != "infra upload" {
		t.Errorf("%+v, %v", marked, err)
	}
	w.mustRun("sessions", "pin", theirID)
	if ids, all := list("tag:infra", "is:pinned"); ids != "look here," || !all[0].Pinned || len(all[0].Tags) != 2 {
		t.Errorf("%q %+v", ids, all)
	}
	if data, err := os.ReadFile(path); err != nil || !strings.HasSuffix(string(data), `{"type":"tag","tag":"infra","sessionId":"`+theirID+"\"}\n") {
		t.Errorf("Claude Code does not know the tag: %v", err)
	}
	w.mustRun("sessions", "archive", theirID)
	if data, err := os.ReadFile(filepath.Join(strings.TrimSuffix(path, ".jsonl"), "archived.json")); err != nil || !strings.HasPrefix(string(data), `{"archived":true,"at":"`) {
		t.Errorf("Claude Code does not know that it is archived: %s, %v", data, err)
	}
	for filter, want := range map[string]string{"agent:parley": "ours,", "is:archived": "look here,", "before:2w": ""} {
		if ids, _ := list(filter); ids != want {
			t.Errorf("%s: %q", filter, ids)
		}
	}
	if ids, _ := list(); ids != "ours," {
		t.Errorf("not archived: %q", ids)
	}
	if out := w.mustRun("sessions", "search", "there", "--json"); !strings.Contains(out, theirID) {
		t.Errorf("a search finds no archived session: %s", out)
	}
	w.mustRun("sessions", "archive", theirID, "--undo")
	w.mustRun("sessions", "tag", theirID, "--remove", "infra")
	if ids, all := list("tag:upload"); ids != "look here," || all[0].Archived {
		t.Errorf("%q %+v", ids, all)
	}
	for _, bad := range [][]string{{"sessions", "list", "before:soon"}, {"sessions", "search", "agent:claude"}} {
		if o := w.run(bad...); o.code != 2 || o.err == "" {
			t.Errorf("%q: %+v", bad, o)
		}
	}
	if o := w.run("sessions", "tag", theirID, "two words"); o.code == 0 || !strings.Contains(o.err, "is not a tag") {
		t.Errorf("%+v", o)
	}
}
