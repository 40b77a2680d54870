package skilltool

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"parley/session"
	"parley/session/builtin/tool"
	"parley/session/extensions/inventory"
	"parley/session/extensions/skill"
	"parley/session/toolview"
)

// Options configures a [Kit].
type Options struct {
	// Finder finds skills for sessions in Dir.
	Finder  *skill.Finder
	Dir     string
	Session session.ID
	// Models returns the models of the login, for skills that name one.
	Models func(ctx context.Context) []session.Model
	// Off returns what is off in the session; nil: nothing is.
	Off func() inventory.Off
}

// Kit is the skills of one conversation. It is safe for concurrent use.
type Kit struct {
	o    Options
	tool *tool.Tool

	mu sync.Mutex
	// all are the skills as they were found last, typed is the one that the user named in the running turn.
	all   []skill.Skill
	typed string
}

// New returns the skills of a conversation, nil without a finder. The methods of a nil Kit are those of one without skills.
func New(o Options) *Kit {
	if o.Finder == nil {
		return nil
	}
	k := &Kit{o: o}
	k.tool = &tool.Tool{Name: Name, Kind: toolview.Agent, Description: about, Schema: schema, Prepare: k.prepare}
	return k
}

// Look finds the skills again, and returns the list of those that the model is offered. It reads files.
func (k *Kit) Look(ctx context.Context) string {
	if k == nil {
		return ""
	}
	all := find(ctx, k.o.Finder, k.o.Dir, k.o.Off)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.all = all
	return List(all)
}

// find finds skills. Those that are off in the session say so.
func find(ctx context.Context, f *skill.Finder, dir string, here func() inventory.Off) []skill.Skill {
	all := f.Find(ctx, dir)
	if here == nil {
		return all
	}
	off := here()
	for n := range all {
		if s := &all[n]; s.Why == "" && off.Has(inventory.Kind(s.Kind), s.Name, s.Path) {
			s.Why = inventory.OffHere
		}
	}
	return all
}

// Tools returns the tool for skills, none while no skill is used.
func (k *Kit) Tools() []*tool.Tool {
	if k == nil {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if !slices.ContainsFunc(k.all, func(s skill.Skill) bool { return s.Why == "" }) {
		return nil
	}
	return []*tool.Tool{k.tool}
}

// named returns a skill that is used, in any case of its letters.
func (k *Kit) named(name string) (skill.Skill, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, s := range k.all {
		if s.Why == "" && strings.EqualFold(s.Name, strings.TrimPrefix(name, "/")) {
			return s, true
		}
	}
	return skill.Skill{}, false
}

// Typed returns what the model reads of a prompt that names a skill: its text, or, where it runs something or is for another agent,
// that it has to be loaded. It is "" for a prompt that names none. host gets the model that the skill asks for.
func (k *Kit) Typed(ctx context.Context, host tool.Host, text string) (string, error) {
	text = strings.TrimSpace(text)
	word, args, _ := strings.Cut(text, " ")
	if at := strings.IndexAny(word, "\n\t"); at >= 0 {
		word, args = text[:at], text[at:]
	}
	if k == nil {
		return "", nil
	}
	k.mu.Lock()
	k.typed = ""
	k.mu.Unlock()
	if !strings.HasPrefix(word, "/") {
		return "", nil
	}
	k.Look(ctx)
	s, ok := k.named(word)
	if !ok || s.Unlisted {
		return "", nil
	}
	args = strings.TrimSpace(args)
	if s.Fork || len(s.Runs) > 0 || len(s.Tools) > 0 {
		k.mu.Lock()
		k.typed = s.Name
		k.mu.Unlock()
		return fmt.Sprintf("The user typed the command /%s. Call the tool %s with skill %q and args %q first, then do what it says.", s.Name, Name, s.Name, args), nil
	}
	body, err := k.o.Finder.Load(ctx, s)
	if err != nil {
		return "", err
	}
	k.setModel(ctx, host, s)
	return fmt.Sprintf("The user typed the command /%s, which means:\n\n%s", s.Name, k.text(s, body, args, false)), nil
}

// setModel lets the agent that uses a skill go on with its model and effort. A model that the login does not have is left out.
func (k *Kit) setModel(ctx context.Context, host tool.Host, s skill.Skill) {
	if s.Model == "" && s.Effort == "" {
		return
	}
	host.UseModel((session.CustomAgent{Model: s.Model}).PickModel(k.o.Models(ctx)), s.Effort)
}

func (k *Kit) names() skill.Names { return skill.Names{Session: string(k.o.Session), Project: k.o.Dir} }

// text returns the text of a skill with arguments, which follow it unless they are placed somewhere.
func (k *Kit) text(s skill.Skill, body, args string, placed bool) string {
	body, here := s.Filled(body, args, k.names())
	if !placed && !here && args != "" {
		body += "\n\nARGUMENTS: " + args
	}
	if s.Kind == skill.Folder {
		body = "Base directory for this skill: " + s.Dir + "\n\n" + body
	}
	return body
}

// Commands returns the skills that the user may type, as slash commands.
func Commands(all []skill.Skill) (out []session.SlashCommand) {
	for _, s := range all {
		if s.Typed() {
			out = append(out, session.SlashCommand{Name: s.Name, Arguments: s.Hint, About: s.About})
		}
	}
	return out
}
