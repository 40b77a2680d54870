package chat

import "parley/ui/rules"

// rulesChat returns what rules are listed for.
func (c *commands) rulesChat() rules.Chat {
	return rules.ChatOf(c.current.value(), c.opts.Env, c.look.Home)
}
