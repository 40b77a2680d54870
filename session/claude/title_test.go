package claude

import (
	"strings"
	"testing"
)

func TestTitlesAreRequestedUntilThereIsOne(t *testing.T) {
	c := titles{on: true}
	for n, prompt := range []string{"first", "second", "third"} {
		c.add(prompt)
		got, ok := c.begin()
		if want := strings.Join([]string{"first", "second", "third"}[:n+1], "\n"); !ok || got != want {
			t.Errorf("request %d: %q, %v, want %q", n, got, ok, want)
		}
		if _, ok := c.begin(); ok {
			t.Errorf("request %d was made twice", n)
		}
		c.failed()
	}
	if _, ok := c.begin(); ok {
		t.Errorf("requested more than %d times", maxTitleRequests)
	}
}

func TestTitlesAreOff(t *testing.T) {
	var c titles
	c.add("words")
	if _, ok := c.begin(); ok {
		t.Error("requested")
	}
}

func TestTitlePromptsAreBounded(t *testing.T) {
	c := titles{on: true}
	c.add(strings.Repeat("ä", maxTitlePrompts))
	c.add("more")
	if got, _ := c.begin(); len(got) > maxTitlePrompts || strings.ToValidUTF8(got, "") != got {
		t.Errorf("%d bytes", len(got))
	}
}
