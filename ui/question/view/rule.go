package view

import (
	tea "charm.land/bubbletea/v2"

	"parley/ui/keymap"
	"parley/ui/style"
)

// ruleField is the field in which the rule of a lasting answer is written. It answers nothing.
type ruleField struct {
	text *style.LineInput // nil while it is closed
}

// editRule opens the field with the rule of the moment. Several that are granted together are edited one by one.
func (p *prompt) editRule() {
	n, _ := p.q.Permission.Offers()
	for range n {
		if !p.q.Permission.Editable() {
			p.q.NextRule()
		}
	}
	p.rule = ruleField{text: &style.LineInput{}}
	p.rule.text.Set(p.q.Permission.RuleDraft())
	p.focus.give()
}

// ruleKey handles a key while a rule is written. Enter goes back to the choices with a rule that can be read, and escape
// without it.
func (p *prompt) ruleKey(k tea.KeyPressMsg) Action {
	switch k.String() {
	case "enter":
		if p.q.SetRule(p.rule.text.String()) != "" {
			return nil
		}
		p.rule = ruleField{}
		p.focus.leave(p.now())
		return RuleSet{}
	case "up", "down":
		p.q.NextRule()
		p.rule.text.Set(p.q.Permission.RuleDraft())
		return nil
	case "esc":
		p.rule = ruleField{}
		p.calm()
		return nil
	}
	p.rule.text.Key(k.String(), keymap.Typed(k))
	return nil
}
