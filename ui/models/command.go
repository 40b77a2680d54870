package models

import (
	"strings"

	"parley/session"
	"parley/ui/core"
	"parley/ui/list"
	"parley/ui/panel"
	"parley/ui/style"
)

// Known is what is known of the models of a login.
type Known struct {
	All      []session.Model
	Now      session.Settings // what the next request uses
	ByTokens bool             // the plan bills by tokens, not by request
	Lasts    bool             // a choice can become the default of new sessions
	// Terms agrees to the terms of models, nil where that is not possible. Look is for the question about them.
	Look  *style.Look
	Terms session.TermsAccepter
	// Wait is shown while models are loaded, Trouble if they cannot be listed.
	Wait, Trouble string
}

// Models returns the list of models.
func (k Known) Models() Models {
	return Models{All: k.All, Now: k.Now.Model, Effort: k.Now.Effort, ByTokens: k.ByTokens, Lasts: k.Lasts, Look: k.Look, Terms: k.Terms, Wait: k.Wait, Trouble: k.Trouble}
}

// Efforts returns the list of the current model's efforts.
func (k Known) Efforts() Efforts {
	return Efforts{Model: session.FindModel(k.All, k.Now.Model), ID: k.Now.Model, Now: k.Now.Effort, Wait: k.Wait, Trouble: k.Trouble}
}

// Run sets a model by its name, or opens the list of models. Behind the name may stand an effort, and "default" where both are meant
// for new sessions, too. "yes" at the end agrees to the model's terms. load loads the models if there are none, nil for nothing.
func Run(l *style.Look, k Known, args string, load panel.Cmd) panel.Effect {
	words := strings.Fields(args)
	agreed := len(words) > 1 && words[len(words)-1] == agreeingWord
	if agreed {
		words = words[:len(words)-1]
	}
	lasting := len(words) > 1 && words[len(words)-1] == lastingWord
	if lasting {
		words = words[:len(words)-1]
	}
	m, effort := core.NamedModel(k.All, strings.Join(words, " ")), ""
	if m == nil && len(words) > 1 {
		effort = words[len(words)-1]
		m = core.NamedModel(k.All, strings.Join(words[:len(words)-1], " "))
	}
	if m == nil {
		return open(l, k, k.Models(), args, load)
	}
	then := chosen(k, m, effort, lasting)
	if agreed && m.Terms != "" && k.Terms != nil {
		return Terms{Model: *m, Accept: k.Terms, Then: then}.Choose("yes")
	}
	return ask(l, k.Terms, *m, then)
}

// chosen returns the choice of a model that was named.
func chosen(k Known, m *session.Model, effort string, lasting bool) panel.Effect {
	switch {
	case m.Unusable != "" && m.Terms == "":
		return panel.Notice{Text: m.ID + ": " + m.Unusable, Warn: true}
	case effort == "" && !lasting:
		return panel.SetModel{ID: m.ID}
	case effort == "":
		return panel.UseModel{ID: m.ID, Effort: core.WithModel(k.Now, m.ID, k.All).Effort, Lasting: lasting}
	}
	effort, problem := core.NamedEffort(m, effort)
	if problem != "" {
		return panel.Notice{Text: problem, Warn: true}
	}
	return panel.UseModel{ID: m.ID, Effort: effort, Lasting: lasting}
}

// lastingWord stands behind a model that is to be the default of new sessions, agreeingWord behind all if the user agrees to its terms.
const lastingWord, agreeingWord = "default", "yes"

// RunEffort sets an effort by its name, or opens the list of efforts.
func RunEffort(l *style.Look, k Known, args string, load panel.Cmd) panel.Effect {
	m := session.FindModel(k.All, k.Now.Model)
	if args == "" || m == nil {
		return open(l, k, k.Efforts(), "", load)
	}
	effort, problem := core.NamedEffort(m, args)
	switch {
	case problem != "" && strings.EqualFold(args, ownEffort):
		return panel.SetEffort{}
	case problem != "":
		return panel.Notice{Text: problem, Warn: true}
	}
	return panel.SetEffort{Effort: effort}
}

// open opens a list, and loads the models if there are none yet.
func open(l *style.Look, k Known, s list.Source, filter string, load panel.Cmd) panel.Effect {
	p := panel.Push{Panel: list.Open(l, s, filter)}
	if len(k.All) > 0 || load == nil {
		return p
	}
	return panel.All{p, panel.Start{Cmd: load}}
}

// RunMode sets a permission mode by its name, or opens the list of modes. problem returns why the agent cannot work in one. A "yes"
// behind the name confirms it; other words behind plan mode are sent as the first prompt in it.
func RunMode(l *style.Look, now session.Mode, problem func(session.Mode) string, args string) panel.Effect {
	if args == "" {
		return panel.Push{Panel: list.Open(l, Modes{Now: now, Problem: problem}, "")}
	}
	if first, words, _ := strings.Cut(args, " "); words != "" && words != "yes" && strings.EqualFold(first, string(session.ModePlan)) {
		set := RunMode(l, now, problem, first)
		if _, is := set.(panel.SetMode); !is {
			return set
		}
		return panel.All{set, panel.Post{Prompt: core.Prepared{Prompt: session.Prompt{Text: words}, Draft: words}}}
	}
	name, confirmed := strings.CutSuffix(args, " yes")
	mode, known := core.NamedMode(name)
	if !known {
		var names []string
		for _, m := range session.Modes {
			names = append(names, string(m))
		}
		return panel.Notice{Text: "No mode " + args + ": " + strings.Join(names, ", "), Warn: true}
	}
	if why := problem(mode); why != "" {
		return panel.Notice{Text: why, Warn: true}
	}
	return panel.SetMode{Mode: mode, Confirmed: confirmed}
}
