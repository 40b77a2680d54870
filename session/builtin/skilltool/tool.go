package skilltool

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"parley/internal/nearest"
	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/extensions/skill"
	"parley/session/permission"
	"parley/session/rules"
)

// Name is the name of the tool.
const Name = "Skill"

const (
	about = "Loads a skill: instructions for a kind of task. Those there are stand in <skills>. Load one before you begin a task " +
		"that it is about, or when the user names it, then do what it says; files that it mentions are read with Read. With query in " +
		"place of skill you get the skills that match some words."
	schema = `{"type":"object","properties":{"skill":{"type":"string","description":"The name of the skill"},` +
		`"args":{"type":"string","description":"Its arguments"},"query":{"type":"string","description":"Words of what it should be about"}},` +
		`"additionalProperties":false}`
	// maxMentioned bounds the files that a skill has in its text.
	maxMentioned = 10
	notRun       = "(not run: %s)"
)

// prepare returns the job of a call, which asks nobody itself: what the skill does is asked about call by call.
func (k *Kit) prepare(w *tool.Workspace, input json.RawMessage) (*tool.Job, error) {
	var in struct {
		Skill string `json:"skill"`
		Args  string `json:"args"`
		Query string `json:"query"`
	}
	if err := tool.DecodeInput(input, &in); err != nil {
		return nil, err
	}
	if in.Skill == "" && strings.TrimSpace(in.Query) == "" {
		return nil, tool.Errorf("Name a skill, or give a query to find some.")
	}
	return &tool.Job{Run: func(ctx context.Context, id session.CallID, live func(string)) tool.Outcome {
		if in.Skill == "" {
			return k.find(in.Query)
		}
		s, ok := k.named(in.Skill)
		k.mu.Lock()
		mine := k.typed == s.Name
		k.mu.Unlock()
		if !ok || s.Hidden && !mine {
			return k.unknown(in.Skill, ok)
		}
		body, err := k.o.Finder.Load(ctx, s)
		if err != nil {
			return tool.Failed("Couldn't load the skill: %v", err)
		}
		return k.use(ctx, w, id, s, body, in.Args)
	}}, nil
}

// find returns the skills that match some words.
func (k *Kit) find(query string) tool.Outcome {
	k.mu.Lock()
	found := matching(k.all, query)
	k.mu.Unlock()
	if len(found) == 0 {
		return tool.Failed("No skill matches %q. Try other words, or go on without.", query)
	}
	var b strings.Builder
	for _, s := range found {
		b.WriteString(line(s, 4*maxAbout))
	}
	return tool.Outcome{How: session.ToolOK, Result: session.ToolResult{Text: b.String(), Summary: fmt.Sprintf("%d found", len(found))}}
}

// unknown returns the outcome of a call that names no skill, or one that only the user uses.
func (k *Kit) unknown(name string, hidden bool) tool.Outcome {
	if hidden {
		return tool.Failed("Only the user uses the skill %q. Ask them to type /%s if it would help.", name, name)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	var names []string
	for _, s := range k.all {
		if s.Offered() {
			names = append(names, s.Name)
		}
	}
	if near := nearest.Of(name, names); near != "" {
		return tool.Failed("There is no skill %q. Did you mean %q?", name, near)
	}
	return tool.Failed("There is no skill %q. Those there are stand in <skills>; a query finds others.", name)
}

// use returns the text of a skill with all that belongs into it, or lets another agent do it.
func (k *Kit) use(ctx context.Context, w *tool.Workspace, id session.CallID, s skill.Skill, body, args string) tool.Outcome {
	if rules := wanted(s); len(rules) > 0 {
		w.Host.Grant(ctx, id, "skill "+s.Name, rules)
	}
	var outputs []string
	placed := false
	var last tool.Outcome
	body = skill.Replaced(body, func(command string) string {
		command, here := s.Filled(command, args, k.names())
		placed = placed || here
		out := perform(ctx, w, id, "Bash", map[string]any{"command": command})
		if out.Reported != nil {
			last = out
		}
		outputs = append(outputs, read(out))
		return mark(len(outputs) - 1)
	})
	if ctx.Err() != nil {
		return tool.Cancelled
	}
	text := k.text(s, body, strings.TrimSpace(args), placed)
	for i, path := range skill.Mentioned(text) {
		if abs, err := w.Abs(path); err == nil && i < maxMentioned && exists(abs) {
			text += fmt.Sprintf("\n\n<file path=%q>\n%s\n</file>", path, read(perform(ctx, w, id, "Read", map[string]any{"file_path": abs})))
		}
	}
	for i, out := range outputs {
		text = strings.ReplaceAll(text, mark(i), out)
	}
	if s.Fork {
		model := (session.CustomAgent{Model: s.Model}).PickModel(k.o.Models(ctx))
		return w.Host.Delegate(ctx, id, tool.Errand{Role: s.Agent, Model: model, Title: "skill " + s.Name, Prompt: text})
	}
	k.setModel(ctx, w.Host, s)
	return tool.Outcome{How: session.ToolOK, Reported: last.Reported, Result: session.ToolResult{Text: text, Summary: session.SkillLoaded, Background: last.Result.Background,
		Job: last.Result.Job}}
}

// mark stands for an output until the arguments are filled in, which an output is not.
func mark(i int) string { return fmt.Sprintf("\x00%d\x00", i) }

func exists(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// perform makes a call of another tool in the name of a call.
func perform(ctx context.Context, w *tool.Workspace, id session.CallID, name string, input map[string]any) tool.Outcome {
	raw, err := json.Marshal(input)
	if err != nil {
		return tool.Failed("%v", err)
	}
	return w.Host.Perform(ctx, id, name, raw)
}

// read returns what a model reads of a call in a text.
func read(out tool.Outcome) string {
	text := out.Result.Sent
	if text == "" {
		text = out.Result.Text
	}
	if out.How == session.ToolDenied {
		return fmt.Sprintf(notRun, "the user refused it, or a rule does")
	}
	return strings.TrimSpace(text)
}

// wanted returns the rules that a skill would like to hold, without those that parley has no rule for: these are asked about.
func wanted(s skill.Skill) (all []permission.Rule) {
	for _, text := range s.Tools {
		if said, err := rules.Said(text, s.Dir); err == nil {
			all = append(all, said...)
		}
	}
	return all
}
