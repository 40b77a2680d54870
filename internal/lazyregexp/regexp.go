package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// Regexp is a regular expression in the syntax of the package regexp. It is safe for concurrent use and may not be copied.
type Regexp struct {
	text string
	once sync.Once
	re   *regexp.Regexp
}

// inTest is set in the program of a test.
var inTest = len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// New returns the expression of a text, which is compiled by the first call of a method, and in tests at once.
func New(text string) *Regexp {
	r := &Regexp{text: text}
	if inTest {
		r.Get()
	}
	return r
}

// Get returns the compiled expression. It panics if the text is none.
func (r *Regexp) Get() *regexp.Regexp {
	r.once.Do(func() { r.re = regexp.MustCompile(r.text) })
	return r.re
}

// MatchString reports whether the text contains a match.
func (r *Regexp) MatchString(s string) bool { return r.Get().MatchString(s) }

// Match reports whether the bytes contain a match.
func (r *Regexp) Match(b []byte) bool { return r.Get().Match(b) }

// FindString returns the first match, "" for none.
func (r *Regexp) FindString(s string) string { return r.Get().FindString(s) }

// FindStringIndex returns where the first match begins and ends, nil for none.
func (r *Regexp) FindStringIndex(s string) []int { return r.Get().FindStringIndex(s) }

// FindStringSubmatch returns the first match and its groups, nil for none.
func (r *Regexp) FindStringSubmatch(s string) []string { return r.Get().FindStringSubmatch(s) }

// FindSubmatch returns the first match and its groups, nil for none.
func (r *Regexp) FindSubmatch(b []byte) [][]byte { return r.Get().FindSubmatch(b) }

// FindStringSubmatchIndex returns where the first match and its groups begin and end, nil for none.
func (r *Regexp) FindStringSubmatchIndex(s string) []int { return r.Get().FindStringSubmatchIndex(s) }

// FindAll returns up to n matches, all for -1.
func (r *Regexp) FindAll(b []byte, n int) [][]byte { return r.Get().FindAll(b, n) }

// FindAllString returns up to n matches, all for -1.
func (r *Regexp) FindAllString(s string, n int) []string { return r.Get().FindAllString(s, n) }

// FindAllStringIndex returns where up to n matches begin and end, all for -1.
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int { return r.Get().FindAllStringIndex(s, n) }

// FindAllSubmatch returns up to n matches and their groups, all for -1.
func (r *Regexp) FindAllSubmatch(b []byte, n int) [][][]byte { return r.Get().FindAllSubmatch(b, n) }

// FindAllStringSubmatch returns up to n matches and their groups, all for -1.
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.Get().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex returns where up to n matches and their groups begin and end, all for -1.
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.Get().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString replaces every match; $1 in the replacement is its first group.
func (r *Regexp) ReplaceAllString(s, with string) string { return r.Get().ReplaceAllString(s, with) }

// ReplaceAllLiteralString replaces every match by the text as it is.
func (r *Regexp) ReplaceAllLiteralString(s, with string) string {
	return r.Get().ReplaceAllLiteralString(s, with)
}

// ReplaceAllStringFunc replaces every match by what the function makes of it.
func (r *Regexp) ReplaceAllStringFunc(s string, with func(string) string) string {
	return r.Get().ReplaceAllStringFunc(s, with)
}
