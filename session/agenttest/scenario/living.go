package scenario

import (
	"context"
	"path/filepath"

	"parley/session"
	"parley/session/extensions/watch"
)

// Living lets a skill of the user come while a session is open. extends sets what stands for the files that the runtime of an agent reads;
// starts counts how often the runtime was started, or the session opened in it. What the runtime itself writes costs no start.
func Living(s Stage, agent string, extends func(func(ctx context.Context, dir string) string), starts func() int) {
	homes := watch.Homes{Home: s.Home, Claude: filepath.Join(s.Home, ".claude"), Copilot: filepath.Join(s.Home, ".copilot"), ClaudeFile: filepath.Join(s.Home, ".claude.json")}
	w := watch.New(watch.Options{Places: homes.Places})
	s.Cleanup(w.Close)
	extends(func(ctx context.Context, dir string) string { return w.Look(ctx, dir).Runtime(agent) })
	s.Answers(func(session.Asked) (session.Answer, bool) {
		return session.Answer{Decision: session.Allow, Scope: session.ScopeOnce}, true
	})
	for _, prompt := range []string{"hello first", "hello second", "hello third"} {
		s.completes(prompt)
	}
	if n := starts(); n > 2 { // the first start may make files
		s.Errorf("%d starts without a change", n)
	}
	before := starts()
	s.files(homes.Claude, map[string]string{"skills/fresh/SKILL.md": "---\nname: fresh\ndescription: MARK-fresh\n---\nx\n"})
	s.files(homes.Copilot, map[string]string{"skills/fresh/SKILL.md": "---\nname: fresh\ndescription: MARK-fresh\n---\nx\n"})
	for _, prompt := range []string{"hello again", "and again", "and once more"} {
		s.completes(prompt)
	}
	if n := starts() - before; n != 1 {
		s.Errorf("%d starts for one change", n)
	}
}
