package ask

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
	"parley/ui/question"
	"parley/ui/style"
)

// ruleField is the field in which the rule of a lasting answer is written. It answers nothing.
type ruleField struct {
	text *style.LineInput // nil while it is closed
}

// editRule opens the field with the rule of the moment.
func (p *prompt) editRule() {
	p.rule = ruleField{text: &style.LineInput{}}
	p.rule.text.Set(p.q.Permission.RuleDraft())
	p.focus.give()
}

// ruleKey handles a key while a rule is written. Enter goes back to the choices with a rule that can be read, and escape
// without it.
func (p *prompt) ruleKey(k tea.KeyPressMsg) {
	switch k.String() {
	case "enter":
		if p.q.SetRule(p.rule.text.String()) == "" {
			p.rule = ruleField{}
			p.calm()
		}
		return
	case "esc":
		p.rule = ruleField{}
		p.calm()
		return
	}
	p.rule.text.Key(k.String(), keymap.Typed(k))
}

// ruleHint returns what the field says about the text, and whether that is a problem.
func (p *prompt) ruleHint() (hint string, problem bool) {
	text := p.rule.text.String()
	if t := question.RuleTrouble(text); t != "" {
		return t, true
	}
	if p.q.Permission.Misses(text) {
		return "does not cover what is asked here: that is asked about again", true
	}
	return "", false
}
