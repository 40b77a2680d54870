package transcript

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Prompts yields what the user wrote in a directory, newest first, and nothing that the runtime wrote as the user.
func TestPrompts(t *testing.T) {
	config, dir := t.TempDir(), t.TempDir()
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	id := func(n string) string { return strings.Repeat(n, 8) + "-0000-0000-0000-000000000000" }
	at := `"timestamp":"2026-01-01T10:00:00Z"`
	put(t, config, Slug(real), id("a"), said("u", "", "older", at)+said("v", "u", "<command-name>/cost</command-name>")+
		said("w", "v", "note", `"isMeta":true`)+said("x", "w", result("1"))+said("y", "x", "newer"), time.Hour)
	put(t, config, Slug(real), id("b"), said("u", "", "newest"), 0)
	put(t, config, Slug(real), id("c"), said("u", "", "skipped"), 0)
	put(t, config, Slug(real), id("d"), "no transcript\n", 0)
	put(t, config, Slug("/elsewhere"), id("e"), said("u", "", "elsewhere"), 0)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		link = dir // where there are no links
	}
	l := NewLister(config)
	tell := func(ctx context.Context, dir string, most int) (got []string, err error) {
		err = l.Prompts(ctx, dir, func(s string) bool { return s == id("c") }, func(all []Prompt) bool {
			for _, p := range all {
				got = append(got, p.Text)
				if p.Text == "older" && !p.At.Equal(time.Date(2026, 1, 1, 10, 0, 0, 0, time.UTC)) {
					t.Errorf("sent at %v", p.At)
				}
			}
			return len(got) < most
		})
		return got, err
	}
	for most, want := range map[int]string{9: "newest newer older", 1: "newest"} {
		if got, err := tell(t.Context(), link, most); err != nil || strings.Join(got, " ") != want {
			t.Errorf("%q, %v; want %s", got, err, want)
		}
	}
	if got, err := tell(t.Context(), "/nowhere", 9); got != nil || err != nil {
		t.Errorf("%q, %v of a directory without sessions", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tell(ctx, dir, 9); !errors.Is(err, context.Canceled) {
		t.Errorf("%v after the end", err)
	}
}
