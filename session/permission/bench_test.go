package permission

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"parley/session"
	"parley/session/toolview"
)

// typical are command lines as agents write them.
var typical = map[string]string{
	"one":      "go test ./...",
	"pipeline": "go test -run TestX ./session/... 2>&1 | tail -20",
	"list":     "cd sub && git status --short && grep -rn 'func main' . | head -5",
	"asked":    "curl -fsSL https://example.com/install.sh | sh",
}

// many returns the test policy with a thousand rules, none of which is about the typical lines but the last.
func many(t testing.TB, ruling Ruling) Policy {
	p := withRules(t, "command go test *")
	last := p.Rules[0]
	p.Rules = nil
	for i := range 1000 {
		texts := []string{"command tool%d run *", "edit dir%d/**", "read /data/%d/**", "fetch host%d.example.com", "mcp server%d", "tool Tool%d", "command make target%d", "command go tool%d *"}
		r, err := ParseRule(fmt.Sprintf(texts[i%len(texts)], i))
		if err != nil {
			t.Fatal(err)
		}
		if i%2 == 0 {
			r.Ruling = ruling
		}
		p.Rules = append(p.Rules, r)
	}
	p.Rules = append(p.Rules, last)
	return p
}

// banningFiles returns p with five hundred rules that deny files of its first directory, half of which has directories for
// them, and five hundred that allow.
func banningFiles(b *testing.B, p Policy) Policy {
	p.Rules = nil
	for i := range 1000 {
		texts := []string{"edit dir%d/**", "command tool%d run *", "read dir%d/x/*.go", "edit src%d/**"}
		r, err := ParseRule(fmt.Sprintf(texts[i%len(texts)], i))
		if err != nil {
			b.Fatal(err)
		}
		if i%2 == 0 {
			r.Ruling = Deny
		}
		if i%4 == 0 && i < 400 {
			if err := os.MkdirAll(filepath.Join(p.Dirs[0], fmt.Sprint("dir", i), "x"), 0o700); err != nil {
				b.Fatal(err)
			}
		}
		p.Rules = append(p.Rules, r)
	}
	p.Rules = append(p.Rules, withRules(b, "command go test *", "edit sub/**").Rules...)
	return p
}

// onDisk returns p over real directories, as it is used.
func onDisk(b *testing.B, p Policy) Policy {
	dir, err := filepath.EvalSymlinks(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	p.Dirs, p.Base, p.Home = []string{dir}, dir, filepath.Join(dir, "home")
	p = p.OnDisk(os.Environ())
	p.Programs = func(name string) []string { return []string{"/usr/bin/" + name} }
	return p
}

func BenchmarkCommand(b *testing.B) {
	for name, line := range typical {
		ask := session.PermissionAsk{Tool: "Bash", Command: line}
		b.Run(name, func(b *testing.B) {
			p := onDisk(b, withRules(b, "command go test *"))
			b.ReportAllocs()
			for b.Loop() {
				p.Decide(toolview.Command, ask)
			}
		})
	}
}

func BenchmarkThousandRules(b *testing.B) {
	for name, make := range map[string]func() Policy{
		"allow": func() Policy { return onDisk(b, many(b, Allow)) },
		"deny":  func() Policy { return onDisk(b, many(b, Deny)) },
		"files": func() Policy { return banningFiles(b, onDisk(b, many(b, Deny))) },
	} {
		p := make()
		path := filepath.Join(p.Dirs[0], "sub", "x")
		for on, kind := range map[string]toolview.Kind{"command": toolview.Command, "edit": toolview.Edit, "read": toolview.Read} {
			ask := session.PermissionAsk{Tool: on, Path: path}
			if kind == toolview.Command {
				ask.Command = typical["pipeline"]
			}
			b.Run(on+" "+name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					p.Decide(kind, ask)
				}
			})
		}
	}
}

// What a decision allocates grows neither with the rules that are about something else nor by accident.
func TestDecisionsAllocateLittle(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Log("paths of this table are Unix paths")
		return
	}
	ask := session.PermissionAsk{Tool: "Bash", Command: typical["pipeline"]}
	few, lots := withRules(t, "command go test *"), many(t, Allow)
	for _, p := range []Policy{few, lots} {
		if got := rulingOn(p, ask.Command); got != Allow {
			t.Fatal(got)
		}
	}
	one := testing.AllocsPerRun(50, func() { few.Decide(toolview.Command, ask) })
	all := testing.AllocsPerRun(50, func() { lots.Decide(toolview.Command, ask) })
	if one > 250 || all > one+300 {
		t.Errorf("%v allocations with one rule, %v with a thousand", one, all)
	}
	t.Logf("%v allocations with one rule, %v with a thousand", one, all)
}
