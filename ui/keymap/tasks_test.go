package keymap

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every command and key that the page of tasks names is one.
func TestTasksNameCommandsAndKeys(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "tasks.md"))
	if err != nil {
		t.Fatal(err)
	}
	keys, err := New(nil)
	if err != nil {
		t.Fatal(err)
	}
	chord, checked := regexp.MustCompile(`^(ctrl|alt|shift)\+\S+$|^f\d+$`), 0
	for _, m := range regexp.MustCompile("`([^`\n]+)`").FindAllStringSubmatch(string(text), -1) {
		said := m[1]
		if name, is := strings.CutPrefix(said, "/"); is {
			name, _, _ = strings.Cut(name, " ")
			checked++
			if _, known := findCommand(name); !known {
				t.Errorf("there is no command %s", said)
			}
		} else if chord.MatchString(said) {
			checked++
			if !keys.Bound(said) {
				t.Errorf("%s does nothing", said)
			}
		}
	}
	if checked < 30 {
		t.Errorf("%d commands and keys", checked)
	}
}
