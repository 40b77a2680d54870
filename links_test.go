package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	link     = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading  = regexp.MustCompile(`(?m)^#+ (.+)$`)
	unslug   = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	fenced   = regexp.MustCompile("(?ms)^```.*?^```$")
	ownLinks = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
)

// anchors returns the anchors of a page's headings as GitHub makes them.
func anchors(page string) map[string]bool {
	all := map[string]bool{}
	for _, m := range heading.FindAllStringSubmatch(fenced.ReplaceAllString(page, ""), -1) {
		words := ownLinks.ReplaceAllString(strings.ToLower(m[1]), "$1")
		all[strings.ReplaceAll(unslug.ReplaceAllString(words, ""), " ", "-")] = true
	}
	return all
}

// TestLinksLead follows the links of the README and of the pages in docs to files of this repository, and to headings in them.
// Every page is in the index.
func TestLinksLead(t *testing.T) {
	pages, err := filepath.Glob(filepath.Join("docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, page := range append(pages, "README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(string(text), ""), -1) {
			to, anchor, anchored := strings.Cut(m[1], "#")
			if strings.Contains(to, ":") {
				continue
			}
			file := page
			if to != "" {
				file = filepath.Join(filepath.Dir(page), filepath.FromSlash(to))
			}
			if page == filepath.Join("docs", "README.md") {
				listed[file] = true
			}
			target, err := os.ReadFile(file)
			if info, dir := os.Stat(file); err != nil && (dir != nil || !info.IsDir()) {
				t.Errorf("%s: (%s) leads to no file", page, m[1])
			} else if anchored && !anchors(string(target))[anchor] {
				t.Errorf("%s: (%s) leads to no heading", page, m[1])
			}
		}
	}
	for _, page := range pages {
		if page != filepath.Join("docs", "README.md") && !listed[page] {
			t.Errorf("docs/README.md does not list %s", page)
		}
	}
}
