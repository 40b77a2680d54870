package builtin

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/builtin/instruct"
)

// maxNote bounds a note that is added to the instructions, in bytes.
const maxNote = 2000

// memory lists the instructions in force, or adds one, and returns what to tell the user.
func memory(ctx context.Context, c *conversation, args string) string {
	word, note, _ := strings.Cut(args, " ")
	switch {
	case word == "add" && strings.TrimSpace(note) != "":
		text, _ := addNote(ctx, c, strings.TrimSpace(note), false)
		return text
	case args != "":
		return "`/memory` lists the instructions in force; `/memory add TEXT` adds one. To change a file, open it in your editor or ask for the change."
	}
	found := instruct.Find(ctx, c.sources())
	var b strings.Builder
	if len(found.Files)+len(found.Later) == 0 {
		b.WriteString("There are no instructions here. `/init` writes an AGENTS.md, `/memory add TEXT` begins one.\n")
	} else {
		b.WriteString("**Instructions in force**, the later ones win:\n\n")
	}
	for _, f := range found.Files {
		var notes []string
		if f.Own {
			notes = append(notes, "yours, in every project")
		}
		if f.By != "" {
			notes = append(notes, "imported by "+filepath.Base(f.By))
		}
		if f.Cut {
			notes = append(notes, "cut: there are too many instructions")
		}
		fmt.Fprintf(&b, "- %s, %s%s\n", code(c.top.ws.Short(f.Path)), human.Kilobytes(len(f.Text)), inBrackets(notes))
	}
	for _, f := range found.Later {
		fmt.Fprintf(&b, "- %s, once a file matches %s\n", code(c.top.ws.Short(f.Path)), code(strings.Join(f.Globs, ", ")))
	}
	if len(found.Left) > 0 {
		b.WriteString("\n**Left out**:\n\n")
	}
	for _, l := range found.Left {
		fmt.Fprintf(&b, "- %s: %s\n", code(c.top.ws.Short(l.Path)), l.Why)
	}
	if c.sources().Skip {
		b.WriteString("\nThe instructions of this project are not used, because you have not agreed to them. `/trust` shows them and asks.\n")
	}
	b.WriteString("\nAGENTS.md files in subdirectories load when the agent first opens a file there. `/memory add TEXT` or `# TEXT` adds an instruction.\n")
	return b.String()
}

// code returns a text as a code span.
func code(text string) string { return "`" + strings.ReplaceAll(text, "`", "'") + "`" }

func inBrackets(notes []string) string {
	if len(notes) == 0 {
		return ""
	}
	return " (" + strings.Join(notes, "; ") + ")"
}

// The answers to where a note goes.
const (
	noteHere   = "This project"
	noteOwn    = "All your projects"
	notePrompt = "Send it as a prompt"
)

// addNote asks where to add a line to the instructions, adds it and returns what to tell the user. asPrompt offers to send it
// instead; prompt reports that this was chosen, or that no user can answer.
func addNote(ctx context.Context, c *conversation, note string, asPrompt bool) (text string, prompt bool) {
	if len(note) > maxNote {
		return fmt.Sprintf("The note is too long: an instruction has at most %s characters.", human.Number(maxNote)), false
	}
	here := filepath.Join(instruct.Top(ctx, c.o.Home, c.open.Dir), "AGENTS.md")
	q := session.Question{Text: "Add this to your instructions? " + note, Header: "Memory",
		Options: []session.QuestionOption{{Label: noteHere, Description: c.top.ws.Short(here)}}}
	if c.o.ConfigDir != "" {
		q.Options = append(q.Options, session.QuestionOption{Label: noteOwn, Description: c.top.ws.Short(filepath.Join(c.o.ConfigDir, "AGENTS.md"))})
	}
	if asPrompt {
		q.Options = append(q.Options, session.QuestionOption{Label: notePrompt, Description: "it was not meant as an instruction"})
	}
	asked := session.Asked{Ask: session.AskID("ask_note_" + c.top.name), Kind: session.AskQuestion, Question: &session.QuestionAsk{Questions: []session.Question{q}}}
	v := putToUser(ctx, c.top, asked, askedFor{})
	choice := strings.Join(v.Answer.Choices[q.Text], "")
	switch {
	case asPrompt && (choice == notePrompt || v.How == session.SettledUnattended):
		return "", true
	case v.Answer.Decision == session.Allow && choice == noteHere:
	case v.Answer.Decision == session.Allow && choice == noteOwn && c.o.ConfigDir != "":
		here = filepath.Join(c.o.ConfigDir, "AGENTS.md")
	default:
		return "Nothing was added.", false
	}
	if err := appendLine(here, note); err != nil {
		return "Couldn't add it: " + err.Error(), false
	}
	return "Added to " + code(c.top.ws.Short(here)) + ".", false
}

// appendLine adds an item to the list at the end of a file, which it creates if necessary. No link leads it out of the directory.
func appendLine(path, note string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return err
	}
	defer root.Close()
	name := filepath.Base(path)
	before := "\n"
	if info, err := root.Lstat(name); err != nil {
		before = ""
	} else if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file", path)
	}
	f, err := root.OpenFile(name, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	var last [1]byte
	if info, err := f.Stat(); err == nil && info.Size() > 0 {
		if _, err := f.ReadAt(last[:], info.Size()-1); err == nil && last[0] == '\n' {
			before = ""
		}
	}
	_, err = f.WriteString(before + "- " + note + "\n")
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
