package script

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"parley/internal/lazyregexp"
)

// placeholders in templates: {{name}} or {{3}}, a capture of the prompt pattern.
var placeholder = lazyregexp.New(`\{\{ *([a-z_]+[0-9]?|[0-9]) *\}\}`)

// placeholderNames are the names that templates may use besides digits.
var placeholderNames = []string{"last_user", "tool_result", "dir", "model", "turn", "round", "tools"}

// knownPlaceholder reports whether something will be filled in for the name.
func knownPlaceholder(name string) bool {
	capture := strings.TrimPrefix(name, "path_")
	_, err := strconv.Atoi(capture)
	return err == nil || slices.Contains(placeholderNames, name)
}

// limits of what templates repeat, in characters.
const (
	maxQuotedPrompt = 500
	maxQuotedResult = 400
	maxNumber       = 2000000 // of tokens, so that a typo cannot fill the memory
)

// text fills in a template.
func (f *filling) text(template string) string {
	return placeholder.ReplaceAllStringFunc(template, func(m string) string {
		name := strings.TrimSpace(m[2 : len(m)-2])
		if n, err := strconv.Atoi(name); err == nil {
			return f.capture(n)
		}
		if n, err := strconv.Atoi(strings.TrimPrefix(name, "path_")); err == nil {
			return f.st.inDir(f.capture(n))
		}
		switch name {
		case "last_user":
			return shorten(f.st.Prompt, maxQuotedPrompt)
		case "tool_result":
			if len(f.st.Results) == 0 {
				return ""
			}
			return shorten(strings.TrimSpace(f.st.Results[len(f.st.Results)-1].Text), maxQuotedResult)
		case "dir":
			return f.st.dir()
		case "model":
			return f.st.Model
		case "turn":
			return strconv.Itoa(f.st.Turn)
		case "round":
			return strconv.Itoa(f.st.Round)
		case "tools":
			return f.toolNames()
		}
		return m
	})
}

// capture is the match of the prompt pattern (0) or one of its groups.
func (f *filling) capture(n int) string {
	if n < len(f.captures) {
		return f.captures[n]
	}
	return ""
}

// inDir returns a path of the user as an absolute one if the working directory is known.
func (st *Situation) inDir(name string) string {
	if path.IsAbs(name) {
		return name
	}
	return path.Join(st.dir(), name)
}

func (f *filling) toolNames() string {
	if len(f.st.Tools) == 0 {
		return "none"
	}
	return strings.Join(f.st.Tools, ", ")
}

// number fills in a template and reads it as a number that is not negative.
func (f *filling) number(template string, otherwise int) int {
	n, err := strconv.Atoi(strings.TrimSpace(f.text(template)))
	if err != nil || n < 0 {
		return otherwise
	}
	return min(n, maxNumber)
}

// directories match the working directory in a client's prompt: on a separate line, where the path may have spaces,
// or within a sentence. Every run of the program has this package in it, and few need them.
var directories = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`(?im)^[ \t*-]*(?:current |primary )?(?:working directory|cwd):[ \t]+(/[^\n"'` + "`" + `<>]*?)[ \t]*$`),
		regexp.MustCompile(`(?i)(?:working directory|cwd)(?: is)?:?[ \t]+["'` + "`" + `]?(/[^\s"'` + "`" + `<>]*[^\s"'` + "`" + `<>.,;:])`),
	}
})

// dir is the working directory that the client mentions, "." if it mentions none.
func (st *Situation) dir() string {
	for _, text := range []string{st.System, st.Context} {
		for _, re := range directories() {
			if m := re.FindStringSubmatch(text); m != nil {
				return m[1]
			}
		}
	}
	return "."
}

// shorten cuts text to n characters and says so with an ellipsis.
func shorten(text string, n int) string {
	count := 0
	for i := range text {
		if count == n {
			return text[:i] + "…"
		}
		count++
	}
	return text
}
