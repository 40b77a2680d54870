package session

// RuleKeeper keeps rules outside of sessions. Implementations are safe for concurrent use.
type RuleKeeper interface {
	// KeepRule keeps the rules of an answer, all of them or none, with the scope [ScopeProject] or [ScopeGlobal] to an ask of a session in dir. It
	// returns once every later tool call, also in other sessions and processes, is judged by the rule. It may wait a few
	// seconds for another process. Errors are of kind [KindInvalid], [KindLocked] or [KindDisk].
	KeepRule(dir string, ask *PermissionAsk, a Answer) error
}

// ModeLimits limit the permission modes of all sessions with every agent. Implementations are safe for concurrent use
// and return at once; the empty mode is [ModeDefault].
type ModeLimits interface {
	// ModeProblem returns why a mode is not allowed, as part of a sentence, "" if it is.
	ModeProblem(m Mode) string
	// InsteadOf returns the mode that a session has in the place of one: the mode itself if it is allowed.
	InsteadOf(m Mode) Mode
}

// RuleRevoker is a conversation that can take back a rule that answers granted for the session.
type RuleRevoker interface {
	// RevokeRule makes every later tool call be judged without the rule, which is in the present grammar.
	RevokeRule(r Rule)
}
