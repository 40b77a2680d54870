package claude

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parley/internal/safefs"
	"parley/session"
	"parley/session/claude/driver"
	"parley/session/extensions/inventory"
	"parley/session/extensions/skill"
)

// agentsVersion is the first version that reads AGENTS.md itself: in directories without a CLAUDE.md, unless the user has chosen
// otherwise.
var agentsVersion = [3]int{2, 1, 277}

// readsAgents reports whether a version reads AGENTS.md itself. One that is unknown is taken for new, so that nothing is read twice.
func readsAgents(version string) bool {
	var v [3]int
	if n, _ := fmt.Sscanf(version, "%d.%d.%d", &v[0], &v[1], &v[2]); n < 3 {
		return true
	}
	return slices.Compare(v[:], agentsVersion[:]) >= 0
}

// instruct hands AGENTS.md to a version that does not read it, and sets how a newer one reads it, unless the user has.
func (a *Agent) instruct(ctx context.Context, l *driver.Launch) {
	switch {
	case !readsAgents(l.Version):
		if l.Trusted && a.o.Instructions != nil {
			l.AppendSystem = a.o.Instructions(ctx, l.Dir)
		}
	case !a.choseInstructions(ctx):
		l.InstructionFiles = "claude-md-or-agents-md"
	}
}

// maxSettings bounds the user's settings, in bytes.
const maxSettings = 4 << 20

// choseInstructions reports whether the user's settings say which instruction files are read.
func (a *Agent) choseInstructions(ctx context.Context) bool {
	if a.transcripts == "" {
		return false
	}
	data, err := safefs.ReadFile(ctx, filepath.Join(a.transcripts, "settings.json"), maxSettings, safefs.FollowLinks)
	var s struct {
		Plugins map[string]struct {
			Options map[string]json.RawMessage `json:"options"`
		} `json:"pluginConfigs"`
	}
	return err == nil && json.Unmarshal(data, &s) == nil && s.Plugins[driver.InstructionsPlugin].Options["instructionFiles"] != nil
}

// skills hands over the skills and commands that the runtime does not find itself, in a directory of links to them. A directory that
// is added loads them by their own names, but only where the project's settings are read; a plugin's begin with its name.
func (a *Agent) skills(ctx context.Context, l *driver.Launch, off inventory.Off) {
	temp := cmp.Or(a.o.LinkDir, a.o.TempDir)
	if a.o.Skills == nil || temp == "" {
		return
	}
	var links [][2]string
	for _, s := range a.o.Skills.Find(ctx, l.Dir) {
		switch {
		case s.Why != "" || off.Has(inventory.Kind(s.Kind), s.Name, s.Path) || s.Origin == session.CustomPlugin || a.readsSkill(s, l.Trusted) || strings.Contains(s.Name, ":"):
		case s.Kind == skill.Folder:
			links = append(links, [2]string{filepath.Join("skills", s.Name), s.Dir})
		default:
			links = append(links, [2]string{filepath.Join("commands", s.Name+".md"), s.Path})
		}
	}
	if len(links) == 0 {
		return
	}
	dir, err := linked(temp, links)
	switch {
	case err != nil:
		a.o.Log.Warn("hand over skills", "error", err)
	case l.Trusted:
		l.AddDirs = append(l.AddDirs, dir)
	default:
		l.PluginDirs = append(l.PluginDirs, dir)
	}
}

// readsSkill reports whether the runtime finds a skill itself.
func (a *Agent) readsSkill(s skill.Skill, trusted bool) bool {
	if s.Origin == session.CustomRepository {
		return trusted && strings.Contains(filepath.ToSlash(s.Path), "/.claude/")
	}
	return a.transcripts != "" && strings.HasPrefix(s.Path, a.transcripts+string(filepath.Separator))
}

// linked returns a directory below temp with links, each as its name and where it leads. Equal links have one directory, which is
// that of a plugin, too.
func linked(temp string, links [][2]string) (string, error) {
	sum := sha256.Sum256(fmt.Append(nil, links))
	dir := filepath.Join(temp, "skills-"+hex.EncodeToString(sum[:8]))
	if _, err := os.Lstat(dir); err == nil {
		return dir, nil
	}
	if err := os.MkdirAll(temp, 0o700); err != nil {
		return "", err
	}
	made, err := os.MkdirTemp(temp, "new-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(made)
	for _, top := range []string{"", ".claude"} {
		for _, l := range links {
			at := filepath.Join(made, top, l[0])
			if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
				return "", err
			}
			if err := os.Symlink(l[1], at); err != nil {
				return "", err
			}
		}
	}
	if err := os.MkdirAll(filepath.Join(made, ".claude-plugin"), 0o700); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(made, ".claude-plugin", "plugin.json"), []byte(`{"name":"parley","description":"Your skills of other agents"}`), 0o600); err != nil {
		return "", err
	}
	if err := os.Rename(made, dir); err != nil {
		if _, there := os.Lstat(dir); there == nil { // another session was faster
			return dir, nil
		}
		return "", err
	}
	return dir, nil
}
