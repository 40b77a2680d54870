package lines

import (
	"slices"
	"strings"
	"time"

	"parley/ui/keymap"
)

// line handles a line: the answer to an ask, a command, or a prompt. It reports whether the user leaves.
func (p *console) line(line string) (leaves bool) {
	p.leaving = time.Time{}
	if !p.asks.Open() && p.joined == "" && p.changes.Answer(line) {
		return false
	}
	if name, args, ok := keymap.ParseCommand(line); ok && p.asks.Open() && slices.Contains(whileAsked, name) {
		return p.command(name, args)
	}
	if keymap.Leaves(line) && (!p.asks.Open() && p.joined == "" || p.asks.Open() && !p.asks.InWords()) {
		return true
	}
	if p.asks.Open() && p.joined == "" {
		if words, ok := p.asks.Meant(line); ok {
			p.asks.Reply(words)
			return false
		}
		remind := p.asks.Reminder()
		defer func() {
			if p.joined == "" {
				remind()
			}
		}()
	}
	if rest, more := strings.CutSuffix(line, "\\"); more {
		p.joined += rest + "\n"
		return false
	}
	line, p.joined = p.joined+line, ""
	if strings.TrimSpace(line) == "" {
		return false
	}
	if name, args, ok := keymap.ParseCommand(line); ok {
		return p.command(name, args)
	}
	if rest, ok := strings.CutPrefix(line, "!"); ok && strings.TrimSpace(rest) != "" && !strings.HasPrefix(rest, "!") {
		p.prompts.shell.Run(strings.TrimSpace(rest))
		return false
	}
	if strings.HasPrefix(line, "//") || strings.HasPrefix(line, "!!") {
		line = line[1:]
	}
	p.delegate.Say(line)
	return false
}
