package builtin

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"parley/internal/human"
	"parley/session"
	"parley/session/builtin/compact"
	"parley/session/builtin/wire"
)

// commands are the slash commands, by name.
var commands = []session.SlashCommand{
	{Name: "compact", Arguments: "[what matters, or undo]", About: "summarize the conversation so far, to make room"},
	{Name: "context", About: "show what fills the model's window"},
	{Name: "init", Arguments: "[what matters]", About: "write an AGENTS.md about this project"},
	{Name: "memory", Arguments: "[add TEXT]", About: "list the instructions in force, or add one"},
	{Name: "output-style", Arguments: "[name]", About: "list the output styles, or take one"},
}

var _ session.Commander = (*Agent)(nil)

// Commands returns the slash commands, which are the same everywhere, and the prompts of the MCP servers that were connected last in
// a directory.
func (a *Agent) Commands(dir string) []session.SlashCommand {
	return append(slices.Clone(commands), a.prompts.Of(dir)...)
}

// commandOf returns the command of a prompt and what follows it, "" for a prompt that is none.
func commandOf(p session.Prompt) (name, args string) {
	text := strings.TrimSpace(p.Text)
	if note, is := strings.CutPrefix(text, "# "); is && !strings.Contains(text, "\n") && len(p.Attachments) == 0 {
		return "#", strings.TrimSpace(note)
	}
	word, args, _ := strings.Cut(text, " ")
	word, is := strings.CutPrefix(word, "/")
	if !is || !slices.ContainsFunc(commands, func(c session.SlashCommand) bool { return c.Name == word }) {
		return "", ""
	}
	return word, strings.TrimSpace(args)
}

// performCommand runs a turn: a command, or what the model makes of the prompt.
func performCommand(ctx context.Context, c *conversation, p session.Prompt) (session.TurnOutcome, *session.Problem) {
	if problem := c.become(ctx); problem != nil {
		return session.TurnFailed, problem
	}
	name, args := commandOf(p)
	text := ""
	switch name {
	case "compact":
		text = compactNow(ctx, c, args)
	case "context":
		text = describeWindow(ctx, c)
	case "memory":
		text = memory(ctx, c, args)
	case "output-style":
		text = chooseStyle(ctx, c, args)
	case "#":
		var prompt bool
		if text, prompt = addNote(ctx, c, args, true); prompt {
			return c.top.run(ctx)
		}
	case "init":
		c.top.remind(remind(initNote(args)))
		return c.top.run(ctx)
	default:
		note, err := c.has.skills.Typed(ctx, host{c.top}, p.Text)
		if err != nil {
			return session.TurnFailed, session.ProblemOf(err, c.o.Now())
		}
		named, err := c.has.kit.Typed(ctx, p.Text)
		if err != nil {
			return session.TurnFailed, session.ProblemOf(err, c.o.Now())
		}
		for _, text := range []string{note, named} {
			if text != "" {
				c.top.remind(remind(text))
			}
		}
		return c.top.run(ctx)
	}
	printLines(c, text)
	if ctx.Err() != nil {
		return c.top.stopped(ctx)
	}
	return session.TurnCompleted, nil
}

// printLines shows a text that belongs to no conversation with the model.
func printLines(c *conversation, text string) {
	part := session.PartID(c.top.name + ".print")
	c.out.emit(session.PartStarted{Head: c.head(), Part: part, Kind: session.PartText})
	c.out.emit(session.PartDelta{Head: c.head(), Part: part, Text: text})
	c.out.emit(session.PartEnded{Head: c.head(), Part: part, Opaque: wire.Opaque{Type: wire.PrintedType}.Encode()})
}

// spoken returns the conversation without the running turn, and what makes requests of it.
func spoken(ctx context.Context, c *conversation) ([]wire.Piece, draft) {
	turn := c.head().Turn
	pieces := slices.DeleteFunc(slices.Clone(c.top.pieces()), func(p wire.Piece) bool { return p.Turn == turn && p.Compaction == nil })
	model, effort := c.top.settings(c.models(ctx))
	return pieces, c.top.draft(model, effort, c.top.system(ctx))
}

// compactNow summarises the conversation, or takes the newest compaction back, and returns what to tell the user.
func compactNow(ctx context.Context, c *conversation, focus string) string {
	pieces, d := spoken(ctx, c)
	before := d.request(pieces)
	m := &c.top.room
	room := m.of(d.model, before.MaxTokens)
	tokens := m.gauge.Tokens(d.model.ID, compact.Size(before))
	if focus == "undo" {
		return undoCompaction(c, d, pieces, tokens, room)
	}
	if !slices.ContainsFunc(wire.Resolve(pieces), func(p wire.Piece) bool { return p.Role == "assistant" && len(p.Blocks) > 0 }) {
		return "There is nothing to summarize yet."
	}
	focus, err := c.top.hooks.BeforeSummary(ctx, "manual", focus)
	done := session.Compacted{Before: tokens, Focus: focus}
	if err == nil {
		done, err = summarise(ctx, c.top, d, pieces, room, done)
	}
	switch {
	case ctx.Err() != nil:
		return "Interrupted. The conversation is as it was."
	case err != nil:
		return "Couldn't summarize the conversation: " + err.Error() + ". It is as it was."
	}
	after := compacted(c.top, d, pieces, done).Compaction.After
	c.hooks.Later(c.top.hooks.AfterSummary(ctx, "manual", done.Summary)) // this turn is not sent
	return fmt.Sprintf("The next request has about %s tokens instead of %s. `/compact undo` sends everything again.", human.Tokens(after), human.Tokens(tokens))
}

// undoCompaction takes the newest compaction back if the conversation fits without it.
func undoCompaction(c *conversation, d draft, pieces []wire.Piece, before int64, room compact.Room) string {
	if len(wire.Active(pieces)) == 0 {
		return "There is no compaction to undo."
	}
	undo := session.Compacted{Before: before, Undone: true}
	whole := d.request(append(slices.Clip(pieces), wire.Piece{Compaction: &undo}))
	tokens := c.top.room.gauge.Tokens(d.model.ID, compact.Size(whole))
	if room.Most > 0 && tokens > room.Most {
		return fmt.Sprintf("The compaction stays: without it the conversation has about %s tokens, and %s reads at most %s. Choose a model with a larger window first.",
			human.Tokens(tokens), d.model.ID, human.Tokens(room.Most))
	}
	compacted(c.top, d, pieces, undo)
	return fmt.Sprintf("The next request has about %s tokens again.", human.Tokens(tokens))
}

// initNote returns what the model reads with /init.
func initNote(args string) string {
	note := `The user wants an AGENTS.md in the root of this project: what an agent has to know to work here well. Look first: README and
other documents, build files and scripts, CI configuration, the layout of the source, tests, and instructions that exist already
(AGENTS.md, CLAUDE.md, .github/copilot-instructions.md, .cursor/rules). Then write it, or improve the one that exists: keep what is
right in it and change only what is wrong or missing.

Put in: the commands to build, test (all of it, and one test), check and format; the architecture in a few sentences, as far as
several files are needed to understand it; conventions that differ from what is usual; what is easy to break. Leave out what a
look at one file shows, general advice, lists of files, and anything that you have not verified. At most 60 lines. Where a nested
directory has rules of its own, say so in a sentence.`
	if args != "" {
		note += "\n\nThe user adds: " + args
	}
	return note
}
