package session

// Extensions show what extends an agent. One that is nil shows nothing.
type Extensions struct {
	Servers ServerKeeper
	Hooks   HookKeeper
	Skills  SkillLister
}

// ExtensionHolder is a [Conversation] that shows and switches its extensions.
type ExtensionHolder interface {
	Extensions() Extensions
}

// ExtensionFinder is an [Agent] that knows the extensions of a directory before a conversation is open. Nothing can be switched there.
type ExtensionFinder interface {
	ExtensionsFor(dir string) Extensions
}
