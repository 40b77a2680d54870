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
	if p.asking.ask == nil && p.joined == "" && p.review.answer(line) {
		return false
	}
	if name, args, ok := keymap.ParseCommand(line); ok && p.asking.ask != nil && slices.Contains(whileAsked, name) {
		return p.command(name, args)
	}
	if keymap.Leaves(line) && (p.asking.ask == nil && p.joined == "" || p.asking.ask != nil && !p.asking.ask.inWords()) {
		return true
	}
	if p.asking.ask != nil && p.joined == "" {
		if words, ok := p.asking.ask.meant(line); ok {
			p.asking.reply(words)
			return false
		}
		ask := p.asking.ask
		defer func() {
			if p.joined == "" {
				p.asking.remind(ask)
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
		p.prompts.runShell(strings.TrimSpace(rest))
		return false
	}
	if strings.HasPrefix(line, "//") || strings.HasPrefix(line, "!!") {
		line = line[1:]
	}
	p.delegation.say(line)
	return false
}
