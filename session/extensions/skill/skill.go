package skill

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"parley/internal/lazyregexp"
	"parley/session"
	"parley/session/agentfiles/head"
)

// Kind is what a file is.
type Kind string

// The kinds.
const (
	Folder  Kind = "skill"   // a folder with a SKILL.md
	Command Kind = "command" // a single file
)

// Skill is a skill or a command.
type Skill struct {
	// Name has ASCII letters, digits, "-", "_", "." and ":", at most 64 bytes.
	Name string
	Kind Kind
	// About says what it does and when to use it, in one line; Hint what arguments it takes.
	About, Hint string
	// Path is its file, Dir the folder of the file, both absolute. Base is above them: no link leads out of it; "" for the user's own.
	Path, Dir, Base string
	Origin          session.CustomOrigin
	// Why is why it is not used, empty for one that is; Over is the file of the one that has its name, if that is why. Notes are what is
	// wrong with it otherwise.
	Why, Over string
	Notes     []string
	// Arguments name its arguments in their order.
	Arguments []string
	// Tools are the rules of Claude Code that it would like to hold while it is used, Runs the command lines whose output it
	// would like to begin with.
	Tools, Runs []string
	// Hidden means that only the user uses it, Unlisted that only the model does.
	Hidden, Unlisted bool
	// Fork lets an agent of the kind Agent, which may be empty, do it with an empty conversation.
	Fork  bool
	Agent string
	// Model and Effort are what it is to be done with, empty for the session's.
	Model, Effort string
	// Size is the length of its text in bytes.
	Size int
}

// Offered reports whether the model is offered the skill.
func (s Skill) Offered() bool { return s.Why == "" && !s.Hidden }

// Typed reports whether the user may use it by its name.
func (s Skill) Typed() bool { return s.Why == "" && !s.Unlisted }

const (
	// maxText bounds the text behind a head, and maxAbout a description, in bytes.
	maxText  = 128 << 10
	maxAbout = 1536
)

// validName matches names. Letters that only look like others are left out.
var validName = lazyregexp.New(`^[A-Za-z0-9][A-Za-z0-9_.:-]*$`)

func isName(s string) bool { return len(s) <= head.MaxName && validName.MatchString(s) }

// keys are the keys of a head that are read, and those that Claude Code and others read besides.
var keys = []string{"name", "description", "when-to-use", "argument-hint", "arguments", "allowed-tools", "disable-model-invocation",
	"user-invocable", "context", "agent", "model", "effort", "license", "compatibility", "metadata", "version", "hooks", "paths", "shell",
	"disallowed-tools", "mode", "tools", "author", "tags"}

// parse fills in a skill from its file. s has all that the place of the file says, with the name that it gives.
func parse(data []byte, s Skill) Skill {
	h, body := head.Read(data)
	line := max(h.Line, 1)
	body = strings.TrimSpace(body)
	s.Size = len(body)
	s.named(h)
	s.About = oneLine(strings.TrimSpace(h.Text("description")+" "+h.Text("when-to-use")), maxAbout)
	s.Hint, s.Arguments = oneLine(h.Text("argument-hint"), 80), words(h.List("arguments"))
	s.Tools, s.Runs = words(h.List("allowed-tools")), runs(body)
	s.Hidden, s.Unlisted = h.Truth(false, "disable-model-invocation"), !h.Truth(true, "user-invocable")
	s.Fork, s.Agent = h.Text("context") == "fork", h.Text("agent")
	if s.Model = h.Text("model"); s.Model == "inherit" {
		s.Model = ""
	}
	s.Effort = strings.ToLower(h.Text("effort"))
	h.Unknown(keys)
	for _, key := range []string{"hooks", "paths"} {
		if h.Text(key) != "" || len(h.Faults) > 0 && strings.HasPrefix(h.Faults[len(h.Faults)-1].What, key+" must be a text") {
			if n := len(h.Faults); n > 0 && strings.HasPrefix(h.Faults[n-1].What, key+" must") {
				h.Faults = h.Faults[:n-1]
			}
			h.Warn(0, key+" of a skill is not used here")
		}
	}
	switch {
	case head.Deadly(h.Faults):
	case h.Line == 0 && s.Kind == Folder:
		h.Die(1, `the head is missing: begin the file with a line of ---, a line such as "description: …" and another ---`)
	case !isName(s.Name):
		h.Die(line, "its name must consist of the letters a to z, digits and -, at most 64 of them")
	case body == "":
		h.Die(line, "there is no text behind the head")
	case len(body) > maxText:
		h.Die(line, "the text is too long: at most 128 KiB are read")
	case s.About == "":
		if s.About = firstLine(body); s.Kind == Folder {
			h.Warn(line, "add a description: it says when to use the skill")
		}
	}
	for _, f := range h.Faults {
		what := session.CustomProblem{Line: f.Line, What: f.What}
		if f.Deadly {
			s.Why = where(what)
			return s
		}
		s.Notes = append(s.Notes, where(what))
	}
	return s
}

// named takes the name of a head, which should be that of the folder.
func (s *Skill) named(h *head.Head) {
	given := h.Text("name")
	if s.Kind == Command || given == "" || given == s.Name {
		return
	}
	prefix := s.Name[:strings.LastIndexByte(s.Name, ':')+1]
	switch {
	case prefix+given == s.Name:
	case !isName(given):
		h.Warn(h.Line, "the name must consist of the letters a to z, digits and -; that of the folder is used")
	default:
		h.Warn(h.Line, "the name should be that of the folder, "+path.Base(s.Name))
		s.Name = prefix + given
	}
}

// where returns a problem with its line, without the file.
func where(p session.CustomProblem) string {
	return strings.TrimPrefix(strings.TrimPrefix(p.Text(), ":"), " ")
}

// posing are words that make a name sound as if a vendor had made the skill.
var posing = []string{"anthropic", "claude", "copilot", "official", "openai", "parley"}

// Poses returns the vendor that a name sounds like, "" for none.
func Poses(name string) string {
	name = strings.ToLower(name)
	for _, w := range posing {
		if slices.Contains(strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }), w) {
			return w
		}
	}
	return ""
}

// words returns the words of a list in whose entries several may stand, separated by blanks outside of parentheses.
func words(list []string) (out []string) {
	for _, entry := range list {
		depth, from := 0, 0
		for i, r := range entry + " " {
			switch {
			case r == '(':
				depth++
			case r == ')':
				depth--
			case unicode.IsSpace(r) && depth <= 0:
				if w := strings.TrimSpace((entry + " ")[from:i]); w != "" {
					out = append(out, w)
				}
				from = i
			}
		}
	}
	return out
}

// oneLine returns a text as one line of at most some bytes.
func oneLine(s string, most int) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

// firstLine returns the first line of a text, without the marks of a title.
func firstLine(body string) string {
	line, _, _ := strings.Cut(body, "\n")
	return oneLine(strings.TrimLeft(line, "# "), 200)
}
