package switches

import (
	"os"
	"path/filepath"
	"testing"

	"parley/session"
	"parley/session/extensions/inventory"
)

func TestOffInOneSession(t *testing.T) {
	h := Here{Dir: filepath.Join(t.TempDir(), "off")}
	skill := inventory.Item{Kind: inventory.Skill, Name: "s", From: "/h/s/SKILL.md"}
	if err := h.Set("one", skill, false); err != nil {
		t.Fatal(err)
	}
	if !h.Off("one").Has(inventory.Skill, "s", "/h/s/SKILL.md") || len(h.Off("two")) != 0 {
		t.Error(h.Off("one"), h.Off("two"))
	}
	if err := h.Set("one", skill, true); err != nil || len(h.Off("one")) != 0 {
		t.Error(err, h.Off("one"))
	}
	if all, _ := os.ReadDir(h.Dir); len(all) != 0 {
		t.Error("an empty file is left")
	}
	if err := h.Set("one", skill, true); err != nil {
		t.Error(err)
	}
	for _, id := range []session.ID{"", "..", "../x", "a/b", `a\b`, ".hidden", "c:x"} {
		if err := h.Set(id, skill, false); session.KindOf(err) != session.KindInvalid || len(h.Off(id)) != 0 {
			t.Errorf("%q: %v", id, err)
		}
	}
	for name, text := range map[string]string{"bad": "{", "other": `{"kind":"skill"}`, "null": "null", "empty": ""} {
		if err := os.WriteFile(filepath.Join(h.Dir, name+".json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if off := h.Off(session.ID(name)); len(off) != 0 {
			t.Errorf("%s: %+v", name, off)
		}
	}
	if len((Here{}).Off("one")) != 0 {
		t.Error("nowhere has something")
	}
}
