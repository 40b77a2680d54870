package plugin

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"parley/session"
)

// serve lets git fetch a folder of the home for an address, and returns the lines of git that ran.
func (w *world) serve(from map[string]string) *[]string {
	var ran []string
	w.git = func(dir string, args []string) (string, error) {
		line := strings.Join(args, " ")
		ran = append(ran, line)
		fetch, is := strings.CutPrefix(line, "fetch --quiet --depth=1 --no-tags --no-recurse-submodules -- ")
		switch {
		case is && from[fetch] == "":
			return "", errors.New("no such repository")
		case is:
			return "", os.CopyFS(dir, os.DirFS(filepath.Join(w.home, from[fetch])))
		}
		return "51072afb3f8cc2067a8de54f72ac41e3c51bd72e\n", nil
	}
	return &ran
}

func TestGitAddresses(t *testing.T) {
	w := newWorld(t)
	w.demo("src/sub/demo")
	w.link("src/out", "..")
	ran := w.serve(map[string]string{"https://github.com/acme/tools v1": "src", "https://example.com/a.git HEAD": "src/sub/demo"})
	p := w.install("acme/tools#v1:sub/demo")
	if p.Commit != "51072afb3f8cc2067a8de54f72ac41e3c51bd72e" || p.Source != "acme/tools#v1:sub/demo" || p.Name != "demo" {
		t.Errorf("%+v", p)
	}
	w.expect(strings.Join(*ran, "\n"), `init --quiet --template=
fetch --quiet --depth=1 --no-tags --no-recurse-submodules -- https://github.com/acme/tools v1
checkout --quiet --detach FETCH_HEAD
rev-parse HEAD`)
	if err := w.s.Remove(t.Context(), "demo"); err != nil {
		t.Fatal(err)
	}
	for source, want := range map[string]string{
		"http://example.com/a.git": "is not encrypted", "https://u:secret@example.com/a": "leave the sign-in out", "ext::sh -c evil": "is neither a folder",
		"--upload-pack=evil": "is neither a folder", "ssh://-oProxyCommand=x/a": "is neither a folder", "acme/tools#-x": "is not a branch",
		"acme/tools#a..b": "is not a branch", "acme/tools#v1:../x": "leads out of the repository", "acme/tools#v1:out": "there is no folder out",
		"acme/tools#v2": "no such repository", "file://x y": "is neither", "-a@b:c": "is neither a folder", "": "is neither a folder",
	} {
		if _, err := w.s.Install(t.Context(), source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", source, err)
		}
	}
	w.install("https://example.com/a.git")
}

func TestMarketplaces(t *testing.T) {
	w := newWorld(t)
	ctx := t.Context()
	w.demo("market/plugins/demo")
	w.put("market/bundle/docs/pdf/SKILL.md", "---\nname: pdf\ndescription: reads pdf\n---\nRead.\n")
	w.link("market/out", "..")
	w.put("market/.claude-plugin/marketplace.json", `{"name":"acme","metadata":{"pluginRoot":"./plugins"},"plugins":[
		{"name":"demo","source":"demo","version":"9"},
		{"name":"docs","source":"./bundle","strict":false,"description":"Documents","skills":["./docs/pdf"]},
		{"name":"far","source":{"source":"github","repo":"acme/far","ref":"main","sha":"abc"}},
		{"name":"npm","source":{"source":"npm","package":"x"}},{"name":"up","source":"../.."},{"name":"linked","source":"./out"},{"name":"../x","source":"./"},
		{"name":"evil","source":{"source":"url","url":"ext::sh"}}]}`)
	ran := w.serve(map[string]string{"https://github.com/acme/market HEAD": "market", "https://github.com/acme/far abc": "market/plugins/demo"})
	m, err := w.s.AddMarketplace(ctx, "acme/market")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, o := range m.Offers {
		lines = append(lines, fmt.Sprintf("%s from %s - %s", o.Name, o.Source, o.Why))
	}
	w.expect(strings.Join(lines, "\n"), `demo from demo - 
docs from ./bundle - 
far from acme/far#abc - 
npm from npm:x - parley does not install from npm
up from ../.. - its folder is not in the marketplace: ../..
linked from ./out - its folder is not in the marketplace: ./out
../x from ./ - its name must consist of letters, digits, -, _ and ., at most 64 of them
evil from ext::sh - read the marketplace: "ext::sh" is neither a folder nor a git address (https://…, ssh://…, git@…, OWNER/REPOSITORY) nor NAME@MARKETPLACE`)
	if m.Name != "acme" || m.Commit == "" || len(*ran) != 4 {
		t.Errorf("%+v", m)
	}
	if p := w.install("demo@acme"); p.ID() != "demo" || p.Market != "acme" || p.Commit != m.Commit || p.Version != "1.2.0" {
		t.Errorf("%+v", p)
	}
	w.expect(w.show(w.install("docs@acme")), "docs  of parley from docs@acme: off\nskill docs:pdf")
	if p := w.install("far@acme"); p.Name != "far" || p.Commit == "" {
		t.Errorf("%+v", p)
	}
	for source, want := range map[string]string{"no@acme": "has no plugin no", "demo@none": "there is no marketplace none; known: acme", "up@acme": "its folder is not in the marketplace"} {
		if _, err := w.s.Install(ctx, source); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", source, err)
		}
	}
	w.put("market/bundle/docs/pdf/SKILL.md", "---\nname: pdf\ndescription: reads pdf\n---\nRead more.\n")
	if _, changed, err := w.s.Update(ctx, "docs"); err != nil || !changed {
		t.Errorf("an update does not fetch the marketplace: %t %v", changed, err)
	}
	if _, err := w.s.AddMarketplace(ctx, "acme/market"); err == nil {
		t.Error("added twice")
	}
	if err := w.s.RemoveMarketplace(ctx, "acme"); err != nil || len(w.s.Marketplaces(ctx)) != 0 || len(w.s.List(ctx)) != 3 {
		t.Errorf("removed: %v", err)
	}
	if entries, _ := os.ReadDir(w.s.marketFolder("")); len(entries) != 0 {
		t.Errorf("left over: %v", entries)
	}
	if _, err := w.s.AddMarketplace(ctx, w.home); session.KindOf(err) != session.KindInvalid {
		t.Errorf("a folder without a list: %v", err)
	}
}

// A file of plugins that cannot be read stays as it is, and nothing of it is used or swept away.
func TestDamagedList(t *testing.T) {
	w := newWorld(t)
	w.install(w.demo("src/demo"))
	w.put("parley/plugins.json", "{")
	if got := w.s.List(t.Context()); len(got) != 1 || !strings.Contains(got[0].Why, "is not JSON") {
		t.Errorf("%+v", got)
	}
	if err := w.s.Remove(t.Context(), "demo"); session.KindOf(err) != session.KindCorrupt {
		t.Error(err)
	}
	if entries, _ := os.ReadDir(w.s.folder("")); len(entries) != 1 {
		t.Errorf("swept away: %v", entries)
	}
}
