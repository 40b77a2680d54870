package handover

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"parley/session"
)

// The bounds of a statement that is made from a transcript, in bytes.
const (
	maxWords   = 1000 // of a prompt before the last
	maxAnswer  = 4000 // of the last answer
	maxPrompts = 8
	maxFiles   = 30
)

// Question returns the words that ask an agent, beside its conversation, for the statement of the problem that remains. words
// are what the user adds, empty for nothing.
func Question(words string) string {
	q := "Write the work that remains here as a problem statement for another coding agent. It has the repository and nothing of this conversation. " +
		"Give the goal, what is decided and why, what is done, what remains, the files and names that matter, and how to check the result. " +
		"Use markdown and at most 400 words, without an introduction and without the words of this request."
	if words = strings.TrimSpace(words); words != "" {
		q += "\n\nThe statement already begins with these words of the user; go on from them: " + words
	}
	return q
}

// WithContext returns the statement that begins with the words of the user, with what an agent wrote to go on from them.
func WithContext(words, context string) string {
	if words = strings.TrimSpace(words); words == "" {
		return strings.TrimSpace(context)
	}
	return words + "\n\n" + strings.TrimSpace(context)
}

// Statement returns a statement of the problem made from a conversation in a directory, for an agent that cannot be asked. words are what the
// user adds. It is empty if there is neither.
func Statement(t *session.Transcript, dir, words string) string {
	var b strings.Builder
	section := func(title, text string) {
		if text = strings.TrimSpace(text); text == "" {
			return
		}
		if b.Len() > 0 {
			fmt.Fprintf(&b, "\n\n## %s\n\n", title)
		}
		b.WriteString(text)
	}
	prompts := promptsOf(t)
	if words = strings.TrimSpace(words); words == "" && len(prompts) > 0 {
		words, prompts = prompts[len(prompts)-1], prompts[:len(prompts)-1]
	}
	section("", words)
	section("What was asked before", listed(prompts))
	section("The last answer", clipped(lastAnswer(t), maxAnswer))
	section("Tasks", tasks(t.Todos))
	section("Files that were changed", changed(t, dir))
	return b.String()
}

// WithPlan returns the statement that a plan is, with what the user adds.
func WithPlan(plan, words string) string {
	plan = strings.TrimSpace(plan)
	if words = strings.TrimSpace(words); words == "" {
		return "Carry out this plan.\n\n" + plan
	}
	return words + "\n\n## Plan\n\n" + plan
}

// promptsOf returns the newest prompts of the user, the oldest of them first.
func promptsOf(t *session.Transcript) (all []string) {
	for _, turn := range t.Turns {
		if text := strings.TrimSpace(turn.Prompt.Text); text != "" && turn.Origin != session.OriginAutonomous {
			all = append(all, text)
		}
	}
	return slices.Clip(all[max(0, len(all)-maxPrompts):])
}

// listed returns texts as a list, each on one line.
func listed(texts []string) string {
	var b strings.Builder
	for _, s := range texts {
		fmt.Fprintf(&b, "- %s\n", clipped(strings.Join(strings.Fields(s), " "), maxWords))
	}
	return b.String()
}

// lastAnswer returns the last text of the session's own agent.
func lastAnswer(t *session.Transcript) string {
	for _, turn := range slices.Backward(t.Turns) {
		for _, e := range slices.Backward(turn.Entries) {
			if p, ok := e.(*session.Part); ok && p.Kind == session.PartText && p.Child == "" && !p.Retracted && strings.TrimSpace(p.Text()) != "" {
				return p.Text()
			}
		}
	}
	return ""
}

// tasks returns a task list in markdown.
func tasks(todos []session.Todo) string {
	var b strings.Builder
	for _, t := range todos {
		mark := " "
		if t.State == session.TodoDone {
			mark = "x"
		}
		fmt.Fprintf(&b, "- [%s] %s\n", mark, strings.Join(strings.Fields(t.Text), " "))
	}
	return b.String()
}

// changed returns the names of the files that calls changed, within a directory where they are in it.
func changed(t *session.Transcript, dir string) string {
	var names []string
	for _, turn := range t.Turns {
		for _, e := range turn.Entries {
			tool, ok := e.(*session.Tool)
			if !ok || tool.Outcome != session.ToolOK {
				continue
			}
			for _, edit := range tool.Edits {
				if name := short(edit.Path, dir); !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	more := len(names) - maxFiles
	names = names[:min(len(names), maxFiles)]
	text := listed(names)
	if more > 0 {
		text += fmt.Sprintf("- and %d more\n", more)
	}
	return text
}

// short returns a path within a directory, else its last three elements: those before them are of this machine.
func short(path, dir string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	parts := strings.Split(filepath.ToSlash(path), "/")
	return strings.Join(parts[max(0, len(parts)-3):], "/")
}

// clipped returns the beginning of a text, at most n bytes, with a mark where something is missing.
func clipped(s string, n int) string {
	s = strings.TrimSpace(s)
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + " …"
}

// branchName returns a name for a branch with what a statement begins with and a suffix that tells it from others.
func branchName(statement, suffix string) string {
	const most = 32
	var b strings.Builder
	line, _, _ := strings.Cut(strings.TrimLeft(statement, "# \n\t"), "\n")
	for _, r := range strings.ToLower(line) {
		switch {
		case b.Len() >= most:
		case r < unicode.MaxASCII && (unicode.IsLower(r) || unicode.IsDigit(r)):
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	name := strings.Trim(b.String(), "-")
	if name == "" {
		name = "work"
	}
	return "parley/" + name + "-" + suffix
}
