package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// listed is what `go list` says of a package.
type listed struct {
	ImportPath string
	Dir        string
	GoFiles    []string
	Imports    []string
	Deps       []string
}

// listOnce runs `go list` once for all tests.
var listOnce = sync.OnceValues(func() ([]byte, error) {
	return exec.Command("go", "list", "-json=ImportPath,Dir,GoFiles,Imports,Deps", "./...").Output()
})

// listPackages returns the packages of the module.
func listPackages(t *testing.T) []listed {
	t.Helper()
	out, err := listOnce()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
}

// allowed lists, for each room, the rooms of this module that its program files may import directly. Rooms below internal,
// but for internal/cli, are for all. internal/cli knows every room.
var allowed = map[string]string{
	"":                              "internal/cli",
	"config":                        "",
	"copilot":                       "copilot/login",
	"copilot/cloud":                 "copilot copilot/login",
	"copilot/sim/seal":              "",
	"copilot/sim/promptcache":       "",
	"copilot/sim":                   "copilot/sim/cloud copilot/sim/promptcache copilot/sim/script copilot/sim/seal",
	"copilot/sim/cloud":             "",
	"copilot/sim/script":            "",
	"copilot/login":                 "",
	"copilot/title":                 "copilot",
	"proxy":                         "copilot proxy/repair proxy/search proxy/translate",
	"proxy/repair":                  "copilot",
	"proxy/search":                  "",
	"proxy/translate":               "",
	"session":                       "",
	"session/permission":            "session session/permission/disk session/permission/guard session/permission/program session/permission/shell session/scratch session/toolview",
	"session/permission/disk":       "",
	"session/permission/guard":      "session/permission/disk",
	"session/permission/program":    "session/permission/shell",
	"session/permission/shell":      "",
	"session/toolview":              "session",
	"session/export":                "session session/toolview ui/md/highlight",
	"session/history":               "session",
	"session/foreign":               "session session/sources session/words",
	"session/sources":               "session session/permission/shell",
	"session/library":               "session session/scratch session/sources session/store/bin session/store/index session/store/marks session/words",
	"session/worktree":              "session",
	"session/scratch":               "session",
	"session/words":                 "session",
	"session/query":                 "session",
	"session/live":                  "session session/caps session/history session/library session/live/journal session/live/label session/live/queue session/scratch session/store/bin session/store/index session/store/marks session/sources",
	"session/host":                  "session session/caps session/live session/terminals",
	"session/terminals":             "session",
	"session/live/journal":          "session",
	"session/live/label":            "session",
	"session/live/queue":            "session",
	"session/rules":                 "session session/permission",
	"session/changes":               "session session/changes/snapshot session/changes/worktree session/toolview",
	"session/changes/snapshot":      "",
	"session/changes/worktree":      "session/changes/snapshot",
	"session/changes/patch":         "session session/changes session/changes/snapshot",
	"session/trust":                 "session",
	"session/clienttools":           "session",
	"session/clienttools/lookup":    "session session/builtin/lsp session/builtin/tool session/permission session/proc session/toolview",
	"session/catalog":               "copilot session",
	"session/spending":              "session",
	"session/store":                 "session session/spending session/store/bin session/words",
	"session/store/bin":             "session session/spending",
	"session/store/index":           "session",
	"session/store/marks":           "session",
	"session/runtimes":              "session session/proc",
	"session/runtimes/runtimestest": "session/runtimes",
	"session/proc":                  "",
	"session/proc/pipe":             "session session/proc",
	"session/proc/proctest":         "",
	"session/agenttest":             "session/proc",
	"session/agenttest/scenario":    "session session/builtin/lsp session/clienttools/lookup session/extensions/plugin session/extensions/watch session/permission session/proc",
	"session/process":               "session session/permission",
	"session/process/record":        "session",
	"session/process/scope":         "session session/permission",
	"session/sessiontest":           "session session/live session/store/bin",
	"session/builtin/apierror":      "session",
	"session/agentfiles":            "session session/agentfiles/head",
	"session/agentfiles/head":       "",
	"session/builtin/budget":        "session",
	"session/builtin":               "session session/builtin/apierror session/builtin/budget session/builtin/clienttool session/builtin/compact session/builtin/files session/builtin/form session/builtin/hook session/builtin/instruct session/builtin/lsp session/builtin/mapper session/builtin/mcptool session/builtin/role session/builtin/search session/builtin/shell session/builtin/shell/job session/builtin/shell/state session/builtin/skilltool session/builtin/todo session/builtin/tool session/builtin/vain session/builtin/web session/builtin/wire session/extensions session/extensions/skill session/extensions/style session/hooks session/mcp session/mcp/signin session/permission session/proc session/process session/toolview session/extensions/inventory session/terminals",
	"session/builtin/clienttool":    "session session/builtin/tool session/clienttools session/toolview",
	"session/builtin/hook":          "session session/builtin/tool session/hooks session/permission session/proc session/toolview",
	"session/builtin/compact":       "session session/builtin/wire",
	"session/builtin/files":         "session session/builtin/tool session/toolview",
	"session/builtin/form":          "session session/builtin/tool session/toolview",
	"session/builtin/instruct":      "session",
	"session/builtin/role":          "session session/agentfiles session/builtin/form session/builtin/shell session/builtin/tool session/builtin/wire session/toolview",
	"session/builtin/search":        "session session/builtin/tool session/toolview",
	"session/builtin/lsp":           "session session/builtin/files session/builtin/tool session/permission session/proc session/toolview",
	"session/builtin/mapper":        "session session/builtin/wire",
	"session/builtin/lsp/lsptest":   "",
	"session/builtin/mcptool":       "session session/builtin/tool session/mcp session/toolview",
	"session/extensions":            "session session/proc session/trust",
	"session/extensions/inventory":  "session",
	"session/extensions/plugin":     "session session/agentfiles session/extensions session/extensions/skill session/hooks",
	"session/extensions/skill":      "session session/agentfiles/head",
	"session/extensions/style":      "session session/agentfiles/head",
	"session/extensions/switches":   "session session/extensions/inventory",
	"session/extensions/watch":      "session/trust",
	"session/builtin/skilltool":     "session session/builtin/tool session/extensions/skill session/permission session/rules session/toolview session/extensions/inventory",
	"session/hooks":                 "session session/proc session/trust",
	"session/mcp":                   "session session/extensions session/form session/mcp/signin session/proc",
	"session/mcp/signin":            "",
	"session/mcp/mcptest":           "",
	"ui/extensions":                 "session session/extensions/inventory ui/core ui/list ui/panel ui/style",
	"session/builtin/shell":         "session session/builtin/shell/job session/builtin/shell/state session/builtin/tool session/proc session/toolview",
	"session/builtin/shell/job":     "session",
	"session/builtin/shell/state":   "session/proc",
	"session/builtin/todo":          "session session/builtin/tool session/toolview",
	"session/builtin/tool":          "session session/builtin/shell/job session/builtin/shell/state session/permission session/proc session/toolview",
	"session/builtin/tool/tooltest": "session/builtin/shell/job session/builtin/shell/state session/builtin/tool session/proc",
	"session/builtin/vain":          "session session/builtin/tool",
	"session/builtin/web":           "session session/builtin/tool session/toolview",
	"session/builtin/wire":          "session session/builtin/tool",
	"session/builtin/wire/wiretest": "session/builtin/wire",
	"session/claude":                "session session/extensions/skill session/claude/archive session/claude/driver session/claude/guard session/claude/mapper session/clienttools session/agentfiles session/form session/permission session/proc session/proc/pipe session/process session/process/scope session/extensions/inventory session/terminals session/sources",
	"session/claude/archive":        "session session/claude/driver session/claude/mapper session/claude/transcript session/proc session/sources",
	"session/claude/claudetest":     "session session/agenttest session/proc session/proc/pipe",
	"session/claude/driver":         "session session/proc session/proc/pipe",
	"session/claude/guard":          "session session/permission session/process/scope session/toolview",
	"session/claude/mapper":         "session session/claude/transcript session/process/record",
	"session/claude/transcript":     "session session/sources session/words",
	"session/cloud":                 "copilot/cloud session session/cloud/mapper",
	"session/cloud/mapper":          "copilot/cloud session",
	"session/copilot":               "session session/copilot/archive session/copilot/dispatch session/copilot/driver session/copilot/guard session/copilot/mapper session/copilot/protocol session/clienttools session/form session/agentfiles session/permission session/proc session/proc/pipe session/process session/process/scope session/extensions/inventory session/terminals session/sources",
	"session/copilot/dispatch":      "session/copilot/protocol",
	"session/copilot/driver":        "session session/copilot/dispatch session/copilot/protocol session/proc session/proc/pipe",
	"session/copilot/archive":       "session session/copilot/mapper session/copilot/protocol session/proc session/sources session/words",
	"session/copilot/mapper":        "session session/copilot/protocol session/process/record",
	"session/copilot/protocol":      "",
	"ui":                            "ui/attention ui/chat ui/clipboard ui/core ui/editor ui/keyboard ui/keymap ui/lines ui/list ui/md ui/notice ui/paint ui/panel ui/style",
	"ui/chat":                       "session session/live session/permission ui/agents ui/attention ui/background ui/changes ui/changes/listing ui/clipboard ui/codeblocks ui/core ui/delegate ui/features ui/input ui/install ui/keymap ui/list ui/models ui/notice ui/panel ui/question ui/question/view ui/queue ui/rewind ui/rules ui/sessions ui/shell ui/signin ui/status ui/statusline ui/style ui/subagents ui/tabs ui/textarea ui/transcript ui/welcome",
	"ui/question/printed":           "session session/permission ui/core ui/keymap ui/question ui/style",
	"ui/transcript/printed":         "session session/toolview ui/core ui/style",
	"ui/usage":                      "session session/spending ui/core ui/list ui/panel ui/style",
	"ui/limit":                      "session session/caps ui/core ui/panel ui/style",
	"session/caps":                  "session",
	"ui/features":                   "session session/extensions/inventory session/live session/spending session/worktree ui/background ui/changes ui/core ui/extensions ui/install ui/keymap ui/limit ui/list ui/notice ui/overview ui/panel ui/rewind ui/rules ui/sessions ui/style ui/tabs ui/textarea ui/usage ui/worktree",
	"ui/question/view":              "session session/permission ui/attention ui/core ui/input ui/keymap ui/md ui/notice ui/question ui/style ui/textarea ui/transcript",
	"ui/attention":                  "session ui/style",
	"ui/background":                 "session ui/core ui/textarea ui/keymap ui/panel ui/style ui/transcript/child",
	"ui/changes":                    "session session/changes session/changes/snapshot ui/changes/listing ui/core ui/keymap ui/md ui/panel ui/scroll ui/style",
	"ui/changes/listing":            "session session/changes session/changes/snapshot ui/style",
	"ui/core":                       "session session/export session/extensions/inventory session/library session/live session/spending session/store/marks session/words session/rules session/toolview session/worktree ui/attention ui/changes/listing ui/files ui/md ui/style ui/textarea",
	"ui/clipboard":                  "",
	"ui/textarea":                   "",
	"ui/editor":                     "",
	"ui/files":                      "",
	"ui/input":                      "session ui/files ui/keymap ui/style ui/textarea",
	"ui/install":                    "session ui/core ui/list ui/notice ui/panel ui/status ui/style",
	"ui/shell":                      "session ui/core ui/input ui/notice ui/style",
	"ui/keyboard":                   "",
	"ui/keymap":                     "ui/textarea ui/style",
	"ui/list":                       "ui/keymap ui/panel ui/style",
	"ui/md":                         "ui/md/cells ui/md/highlight ui/shade",
	"ui/md/cells":                   "",
	"ui/md/highlight":               "",
	"ui/notice":                     "session ui/core ui/list ui/panel ui/style",
	"ui/paint":                      "",
	"ui/panel":                      "session session/export session/live ui/core ui/keymap ui/style",
	"ui/lines":                      "session session/live session/permission ui/agents ui/background ui/changes ui/core ui/delegate ui/features ui/keymap ui/list ui/models ui/panel ui/question/printed ui/queue ui/rewind ui/rules ui/shell ui/sidequestion ui/signin ui/style ui/tabs ui/textarea ui/transcript/printed",
	"ui/question":                   "session session/permission session/toolview ui/core ui/textarea ui/style",
	"ui/rules":                      "session session/permission session/rules session/toolview ui/core ui/list ui/panel ui/style",
	"ui/scroll":                     "",
	"ui/tabs":                       "session session/live ui/attention ui/core ui/list ui/panel ui/style",
	"ui/worktree":                   "session session/worktree ui/list ui/panel ui/style",
	"ui/rewind":                     "session session/changes session/live ui/core ui/list ui/panel ui/style",
	"ui/sessions":                   "session session/export session/library session/query session/scratch session/sources session/store/marks session/words ui/core ui/list ui/panel ui/style ui/transcript",
	"ui/shade":                      "",
	"ui/style":                      "session/scratch ui/md ui/md/cells ui/shade",
	"ui/transcript":                 "session session/toolview ui/core ui/keymap ui/md ui/md/cells ui/scroll ui/style ui/transcript/align ui/transcript/child ui/transcript/prompt ui/transcript/tool",
	"ui/transcript/align":           "ui/md ui/md/cells ui/scroll ui/style",
	"ui/transcript/child":           "session session/toolview ui/style",
	"ui/transcript/prompt":          "session ui/core ui/md/cells ui/scroll ui/style ui/transcript/align",
	"ui/transcript/tool":            "session session/toolview ui/md ui/scroll ui/style ui/transcript/align",
	"ui/uitest":                     "session session/live session/sessiontest ui ui/chat ui/core ui/clipboard",

	"internal/cli/doctor":     "config copilot copilot/login session session/catalog session/permission session/rules session/runtimes session/store ui/md",
	"internal/crash":          "ui/md/cells",
	"internal/progress":       "session/runtimes ui/md/cells",
	"internal/cli/auth":       "config copilot copilot/login session session/catalog ui/md/cells",
	"internal/cli/command":    "config copilot copilot/login session session/catalog",
	"internal/cli/completion": "session session/runtimes ui/md/cells",
	"internal/cli/runtimes":   "session/runtimes",
	"internal/cli/models":     "session ui/core",
	"internal/cli/extensions": "session session/extensions/inventory session/extensions/plugin",
	"internal/cli/usage":      "session/spending session/store ui/style",
	"internal/cli/sim":        "copilot/sim copilot/sim/script ui/md/cells",
	"internal/cli/evals":      "",
	"internal/cli/limits":     "config session session/caps session/live session/spending ui/core",
	"internal/cli/host":       "session session/host session/live session/proc session/terminals ui/style",
	"internal/cli/sessions":   "session session/changes session/changes/snapshot session/export session/library session/live session/query session/runtimes session/store/marks session/words ui/core ui/md/cells ui/style",
	"internal/cli/changes":    "session session/changes session/changes/snapshot session/changes/patch ui/md/cells ui/style",
	"internal/cli/output":     "ui/md/cells ui/style",
	"internal/endpoints":      "proxy session",
	"internal/gitrun":         "session/proc",
	"internal/handover":       "session session/proc",
	"internal/cli/headless":   "session session/live session/toolview",
	"internal/eval":           "copilot/sim/script session session/export session/live session/proc",

	"session/copilot/copilottest": "session/agenttest session/copilot/protocol session/proc",
	"session/copilot/guard":       "session session/permission session/process/scope session/toolview",
	"session/form":                "",
}

// featureMay is what a room below ui may import that is not in the table, which makes it a feature: none of them imports another one, and
// ui/features, which has the table of all, may import each.
const featureMay = "session session/live ui/core ui/textarea ui/keymap ui/list ui/md ui/panel ui/style"

// owners lists libraries that only some rooms may import.
var owners = map[string][]string{
	"github.com/spf13/viper":  {"config"},
	"zombiezen.com/go/sqlite": {"session/foreign", "session/store/index"},

	"github.com/fsnotify/fsnotify": {"session/extensions/watch"},
	"github.com/cli/go-gh/v2":      {"copilot/cloud", "copilot/login"},

	"mvdan.cc/sh/v3": {"session/permission/shell"},

	"charm.land/glamour/v2":           {"ui/md"},
	"charm.land/lipgloss/v2":          {"internal/cli/changes", "internal/cli/doctor", "internal/cli/output", "ui/style", "ui/shade", "ui/md"},
	"github.com/alecthomas/chroma/v2": {"session/export", "ui/md", "ui/md/highlight"},
}

// TestImportsPointOneWay holds the imports of every room against the table: main -> internal/cli -> ui -> session/live ->
// session <- agents, internal/cli -> proxy -> copilot.
func TestImportsPointOneWay(t *testing.T) {
	const cli, testsOnly = "internal/cli", "github.com/openai/"
	seen := map[string]bool{}
	for _, p := range listPackages(t) {
		room, ok := roomOf(p.ImportPath)
		if !ok {
			continue
		}
		seen[room] = true
		if room == "" && slices.ContainsFunc(p.Deps, func(d string) bool { return strings.HasPrefix(d, testsOnly) }) {
			t.Errorf("the program links %s, which is for tests", testsOnly)
		}
		for lib, rooms := range owners {
			uses := slices.ContainsFunc(p.Imports, func(i string) bool { return i == lib || strings.HasPrefix(i, lib+"/") })
			if uses && !slices.Contains(rooms, room) {
				t.Errorf("%s imports %s, which only %v may", p.ImportPath, lib, rooms)
			}
		}
		may, listed := allowed[room]
		if room == cli {
			continue
		}
		shared := strings.HasPrefix(room, "internal/")
		if !listed && strings.HasPrefix(room, "ui/") {
			may, listed = featureMay, true
		}
		if !listed && !shared {
			t.Errorf("%s is in no table of rooms", p.ImportPath)
			continue
		}
		for _, path := range p.Imports {
			to, ours := roomOf(path)
			if !ours || strings.HasPrefix(to, "internal/") && to != cli {
				continue
			}
			_, special := allowed[to]
			if room == "ui/features" && strings.HasPrefix(to, "ui/") && !special {
				continue
			}
			if !slices.Contains(strings.Fields(may), to) {
				t.Errorf("%s imports %s: it may import %q", p.ImportPath, path, may)
			}
		}
	}
	for room := range allowed {
		if !seen[room] {
			t.Errorf("the table names the room %q, which does not exist", room)
		}
	}
}

// roomOf returns the path of a package within the module, "" for the root.
func roomOf(path string) (room string, ours bool) {
	if path == "parley" {
		return "", true
	}
	return strings.CutPrefix(path, "parley/")
}

// TestEveryRoomSaysWhatItIsFor wants a doc.go with a package comment, and refuses names that say nothing.
func TestEveryRoomSaysWhatItIsFor(t *testing.T) {
	for _, p := range listPackages(t) {
		if !strings.HasPrefix(p.ImportPath, "parley/") {
			continue
		}
		switch base := filepath.Base(p.Dir); base {
		case "util", "utils", "common", "helpers", "misc":
			t.Errorf("%s: a package named %s says nothing", p.ImportPath, base)
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, "doc.go"), nil, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Errorf("%s: %v", p.ImportPath, err)
			continue
		}
		if f.Doc == nil || len(f.Doc.Text()) < 100 {
			t.Errorf("%s: doc.go does not say what the room is for, what comes in, what goes out, what it may not do", p.ImportPath)
		}
	}
}
